import csv
import gzip
from importlib import resources

import numpy as np
import pytest

from svt_lib import data


def test_twelve_queries():
    queries = data.twelve()
    assert queries.answers.tolist() == [22, 38, 55, 61, 47, 70, 33, 82, 41, 66, 29, 74]
    assert queries["Q8"] == 82
    assert queries.sensitivity == 1


def test_survey_is_375_counts_of_at_most_everybody():
    survey = data.survey()
    assert len(survey) == len(set(survey.labels)) == 375
    assert (survey.answers >= 0).all()
    assert survey.answers.max() == survey["takes headache medicine"] == 1026 < data.SURVEY_PEOPLE == 1629
    assert np.sort(survey.answers)[-8:].tolist() == [229, 235, 241, 285, 401, 441, 585, 1026]


def test_survey_adds_up():
    """Men and women make up everybody, and a pair is never more than either of its parts."""
    survey = data.survey()
    conditions = survey.labels[:25]
    for label in conditions:
        assert survey[f"{label}, men"] + survey[f"{label}, women"] == survey[label]
    for i, one in enumerate(conditions):
        for two in conditions[i + 1 :]:
            assert survey[f"{one} and {two}"] <= min(survey[one], survey[two])


def test_survey_table_holds_counts_only():
    with (resources.files("svt_lib") / "tables" / "nhefs_survey.csv").open(encoding="utf-8") as file:
        assert next(csv.reader(file)) == ["question", "people"]


def test_zipf_is_the_one_of_the_experiment():
    zipf = data.zipf()
    assert zipf.answers[[0, 24, 49, 99, 299]].tolist() == [102170, 4087, 2043, 1022, 341]
    assert abs(zipf.answers.sum() - 1_000_000) < 10_000 / 2
    assert data.zipf(records=3, items=1).answers.tolist() == [3]


@pytest.mark.parametrize("argument", ["records", "items"])
@pytest.mark.parametrize("bad", [0, -1, 2.5, None])
def test_zipf_refuses(argument, bad):
    with pytest.raises(ValueError, match=argument):
        data.zipf(**{argument: bad})


def test_shuffling_keeps_labels_with_their_answers():
    survey = data.survey()
    mixed = survey.shuffled(np.random.default_rng(3))
    assert mixed.labels != survey.labels
    assert dict(zip(mixed.labels, mixed.answers, strict=True)) == dict(
        zip(survey.labels, survey.answers, strict=True)
    )
    with pytest.raises(ValueError, match="rng"):
        survey.shuffled(3)


def test_answers_cannot_be_changed_by_accident_and_unknown_labels_are_named():
    with pytest.raises(ValueError, match="read-only"):
        data.twelve().answers[0] = 1
    with pytest.raises(ValueError, match="Q13"):
        data.twelve()["Q13"]


@pytest.fixture
def transactions(tmp_path):
    path = tmp_path / "shop.dat"
    path.write_bytes(b"1 2 3\n2 3\r\n3 3  10\n\n2\n")
    return path


def test_transactions_are_counted_once_a_record(transactions):
    queries = data.load_transactions(transactions, progress=False)
    assert queries.labels == ("item 1", "item 2", "item 3", "item 10")
    assert queries.answers.tolist() == [1, 3, 3, 1]
    assert queries.answers.dtype == float


def test_packed_transactions_and_no_end_of_line(tmp_path, transactions):
    path = tmp_path / "shop.dat.gz"
    with gzip.open(path, "wb") as file:
        file.write(transactions.read_bytes().rstrip())
    plain = data.load_transactions(transactions, progress=False)
    packed = data.load_transactions(str(path), progress=False)
    assert (packed.labels, packed.answers.tolist()) == (plain.labels, plain.answers.tolist())


def test_an_empty_file_has_no_items(tmp_path):
    (tmp_path / "empty.dat").write_bytes(b"")
    assert len(data.load_transactions(tmp_path / "empty.dat", progress=False)) == 0


@pytest.mark.parametrize("line", [b"1 two 3", b"1 -2", b"1.5", b"1,2", "１ 2".encode(), b"\xff"])
def test_a_malformed_line_is_named(tmp_path, line):
    path = tmp_path / "bad.dat"
    path.write_bytes(b"1 2\n3\n" + line + b"\n4\n")
    with pytest.raises(ValueError, match=r"line 3 of bad\.dat"):
        data.load_transactions(path, progress=False)


def test_progress_is_shown_in_bytes(transactions, capsys):
    data.load_transactions(transactions)
    assert "shop.dat: 100%" in capsys.readouterr().err


def test_counts_are_saved_and_loaded(tmp_path):
    data.save_counts(data.survey(), tmp_path / "counts.csv")
    again = data.load_counts(tmp_path / "counts.csv")
    assert again.labels == data.survey().labels
    assert np.array_equal(again.answers, data.survey().answers)


@pytest.mark.parametrize("line", ["a", "a,b", "a,-1", "a,1,2", "a,1.5"])
def test_a_malformed_table_is_named(tmp_path, line):
    path = tmp_path / "table.csv"
    path.write_text(f"label,count\nx,1\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 3 of table\.csv"):
        data.load_counts(path)


def test_streams_of_the_size_of_real_data():
    kosarak = data.zipf(*data.KOSARAK_SIZE)
    assert len(kosarak) == 41_270
    assert abs(kosarak.answers.sum() - 990_002) < 41_270 / 2
