import csv
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
