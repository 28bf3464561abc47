"""The exercises: right answers pass, wrong ones are told what is wrong, and nothing stops a notebook."""

import ast
import inspect
import re
import sys
import textwrap
import threading
import time

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from scipy.stats import binom

from svt_lib import Mechanism, exact
from svt_lib.exercises import desk, grading, learner, privacy, programs

EXERCISES = desk.exercises()
WRONG = [(id, place) for id, exercise in EXERCISES.items() for place in range(len(exercise.wrong))]
LAWS = [id for id, exercise in EXERCISES.items() if "is_mechanism" in inspect.getsource(exercise.check)]
FUNCTIONS = [id for id, exercise in EXERCISES.items() if exercise.asks_for == "function"]


def judge(id, attempt, seed=0):
    return desk.judge(EXERCISES[id], attempt, np.random.default_rng([seed, *map(int, id.split("."))]))


def attempt_of(id, solution):
    return EXERCISES[id].attempt_of(solution, EXERCISES[id].given)


@pytest.fixture(scope="module")
def imports():
    """Return for each notebook the names that it imports."""

    def names(number):
        (source,) = (ROOT / "notebooks" / "source").glob(f"{number:02}_*.md")
        found = {}
        for block in source.read_text(encoding="utf-8").split("```{code-cell} ipython3")[1:]:
            code = block.split("```")[0].split("---")[-1]
            lines = [line for line in code.splitlines() if not line.startswith((":tags:", "%"))]
            for node in ast.parse("\n".join(lines)).body:
                if isinstance(node, ast.Import | ast.ImportFrom):
                    exec(compile(ast.Module([node], []), source.name, "exec"), found)
        return found

    return names


@pytest.mark.statistical
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("id", EXERCISES)
def test_the_solution_that_is_shown_passes_in_its_notebook(id, seed, imports):
    """Seeds 0, 1, 2; each check may refuse it with probability 1e-6 at most, as derived there."""
    source = textwrap.dedent(inspect.getsource(EXERCISES[id].reference))
    names = imports(int(id.split(".")[0]))
    exec(source, names)
    verdict = judge(id, attempt_of(id, names[EXERCISES[id].reference.__name__]), seed)
    assert verdict.passed, verdict


@pytest.mark.statistical
@pytest.mark.parametrize(("id", "place"), WRONG)
def test_every_wrong_attempt_is_told_what_is_wrong(id, place):
    """Seed 0."""
    wrong = EXERCISES[id].wrong[place]
    verdict = judge(id, attempt_of(id, wrong.attempt))
    assert verdict.status == "not yet"
    assert wrong.words in verdict.sentence


def chance_to_refuse(right, other, margins, moved, runs, false_alarm):
    """Return how likely the test of `audit.fits` refuses another law, by its most telling event alone."""
    laws = exact.outcome_distribution(right, margins, 0.0), exact.outcome_distribution(other, margins, moved)
    expected, true = (
        np.clip(np.concatenate([law.probabilities, law.probabilities @ law.table]), 0, 1) for law in laws
    )
    level = false_alarm / (2 * expected.size)
    too_many, too_few = binom.isf(level, runs, expected), binom.ppf(level, runs, expected) - 1
    return np.maximum(binom.sf(too_many, runs, true), binom.cdf(too_few, runs, true)).max()


@pytest.mark.parametrize("id", LAWS)
def test_every_known_slip_is_refused_all_but_certainly(id, monkeypatch):
    """By the exact laws: in at most one check of a hundred does a program with a known slip get through."""
    asked = []

    def take_down(svt, mechanism, rng, *, margins=programs.MARGINS, runs=programs.RUNS, slips=None, **_):
        known = (slips or {}) | programs.usual_slips(mechanism)
        asked.append((mechanism, margins, runs, known))
        raise StopIteration

    monkeypatch.setattr(programs, "is_mechanism", take_down)
    with pytest.raises(StopIteration):
        EXERCISES[id].check(attempt_of(id, EXERCISES[id].reference), np.random.default_rng(1))
    ((mechanism, margins, runs, known),) = asked
    for sentence, (other, moved) in known.items():
        chance = chance_to_refuse(mechanism, other, margins, moved, runs, programs.FALSE_ALARM)
        assert chance > 0.99, sentence


def raises(*arguments, **named):
    raise ZeroDivisionError("division by zero")


def quits(*arguments, **named):
    raise SystemExit


def shouts(*arguments, **named):
    print("here I am")
    return "here I am"


ODD = [
    None, "", "nonsense", b"", [], [[]], {}, object(), True, float("nan"), -1e400, -1, 1j, np.zeros((2, 2)),
    [None] * 3, [1, 2], ("a", "b", "c"), range(3), raises, quits, shouts, int,
]  # fmt: skip


@pytest.mark.parametrize("id", EXERCISES)
def test_no_attempt_however_odd_stops_the_notebook(id, capsys):
    for attempt in [*ODD, *(lambda *a, value=value, **k: value for value in ODD)]:
        verdict = judge(id, attempt)
        assert verdict.status == "not yet", attempt
        assert verdict.sentence and "Traceback" not in verdict.sentence
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("id", EXERCISES)
def test_a_stub_is_not_attempted_yet(id):
    stubs = [...] if EXERCISES[id].asks_for == "value" else [lambda *a, **k: ..., raises_not_implemented, ...]
    for stub in stubs:
        assert judge(id, stub).status == "not attempted yet"


def raises_not_implemented(*arguments, **named):
    raise NotImplementedError


def endless(*arguments):
    while True:
        pass


def stubborn(*arguments):
    while not released.is_set():
        try:
            time.sleep(0.01)
        except BaseException:
            pass


def asleep(*arguments):
    time.sleep(4)


released = threading.Event()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(learner, "CALL_SECONDS", 0.2)
    monkeypatch.setattr(learner, "GRACE_SECONDS", 1.5)
    yield
    released.set()
    time.sleep(0.05)
    released.clear()


@pytest.mark.parametrize("svt", [endless, stubborn, asleep])
def test_a_loop_that_never_ends_is_interrupted_and_the_notebook_goes_on(svt, impatient, capsys):
    begin = time.monotonic()
    desk.check("3.3", svt)
    print("and on")
    assert time.monotonic() - begin < 10
    said = " ".join(capsys.readouterr().out.split())
    assert "never ends" in said and said.endswith("and on")
    assert ("restart the kernel" in said) == (svt is not endless)


def vectorised(answers, threshold, epsilon, cutoff, rng):
    above = answers + rng.laplace(0, 12 * cutoff / epsilon, len(answers)) > threshold + rng.laplace(
        0, 6 / epsilon
    )
    ends = np.flatnonzero(np.cumsum(above) == cutoff)
    return above[: ends[0] + 1] if ends.size else above


def noise_in_another_order(answers, threshold, epsilon, cutoff, rng):
    noises, outcomes = [rng.laplace(0, 12 * cutoff / epsilon) for _ in answers], []
    level = threshold - rng.laplace(0, 6 / epsilon)
    while len(outcomes) < len(answers) and outcomes.count(1) < cutoff:
        outcomes.append(int(answers[len(outcomes)] - noises[len(outcomes)] > level))
    return outcomes


def by_exponentials_with_noise_of_its_own(answers, threshold, epsilon, cutoff, rng):
    own, outcomes = np.random.default_rng(rng.integers(2**63)), ()
    level = threshold + 6 / epsilon * (own.exponential() - own.exponential())
    for answer in answers:
        noise = 12 * cutoff / epsilon * (own.exponential() - own.exponential())
        outcomes += (bool(answer + noise >= level),)
        print("still here")
        if sum(outcomes) == cutoff:
            return outcomes
    return outcomes


@pytest.mark.statistical
@pytest.mark.parametrize("svt", [vectorised, noise_in_another_order, by_exponentials_with_noise_of_its_own])
def test_the_right_thing_written_in_another_way_is_never_refused(svt):
    """Seed 0; refused with probability 1e-6 at most, as `audit.fits` derives."""
    assert judge("3.3", svt).passed


def test_where_a_learner_stands(capsys, monkeypatch):
    monkeypatch.setattr(desk, "_verdicts", {})
    desk.check("3.1", ...)
    desk.check("3.2", desk.solution)
    desk.check("3.2", 0.6)
    desk.check("3.2", EXERCISES["3.2"].reference(**desk.given("3.2")))
    desk.progress(3)
    said = capsys.readouterr().out
    assert said.startswith("3.1 not attempted yet. Put your answer in the place of the dots.")
    assert "3.2 not yet. A number is wanted" in said
    assert "3.2 not yet. That is what the ledger charges." in said
    assert "3.2 passed. ε₁ once, and ε₂/c for each of 3 Aboves." in said
    assert "1 of 5 passed\n  3.1  predict  not attempted yet\n  3.2  compute  passed\n" in said
    assert "  3.3  write    not checked yet\n" in said


def test_hints_come_in_two_steps_and_the_solution_is_code(capsys):
    for _ in range(3):
        desk.hint("1.1")
    desk.solution("1.1")
    first, second, third, *code = capsys.readouterr().out.splitlines()
    assert first.startswith("Hint 1 of 2. ") and second.startswith("Hint 2 of 2. ")
    assert third == second and second.endswith('solution("1.1") shows one way.')
    assert code[:2] == ["def scale(epsilon, sensitivity):", "    return sensitivity / epsilon"]
    assert code[3] == f"# scale(**numbers) is {3.0 / 0.4!r}"


@pytest.mark.parametrize("call", [desk.hint, desk.solution, desk.given, lambda id: desk.check(id, 1)])
@pytest.mark.parametrize("id", ["0.1", "3.99", 3.2, None, "", "exercise 3.2"])
def test_an_unknown_exercise_is_a_clear_error(call, id):
    with pytest.raises(ValueError, match=r"^id must be one of 1\.1, 1\.2, "):
        call(id)
    with pytest.raises(ValueError, match="notebook must be the number"):
        desk.progress(99)


def test_an_unmet_check_raises_for_graders(monkeypatch, capsys):
    monkeypatch.setenv("SVT_STRICT", "1")
    for attempt in (..., 0.6, None):
        with pytest.raises(desk.Unmet, match=r"^3\.2 not "):
            desk.check("3.2", attempt)
    desk.check("3.2", EXERCISES["3.2"].reference(**desk.given("3.2")))
    assert capsys.readouterr().out.startswith("3.2 passed.")


def test_graders_see_nothing_on_stderr(monkeypatch, capsys):
    """It would cost the points."""
    monkeypatch.setenv("SVT_STRICT", "1")

    def far_off(scale, distance):
        print("a line", file=sys.stderr)
        return np.exp(-distance / scale)

    desk.check("1.3", far_off)
    assert capsys.readouterr().err == ""


def test_an_instructor_gives_other_numbers_and_a_private_seed(monkeypatch, tmp_path, capsys):
    public = EXERCISES["3.2"].reference(**EXERCISES["3.2"].given)
    numbers, seed = tmp_path / "numbers.toml", tmp_path / "seed"
    numbers.write_text('["3.2"]\nepsilon = 2\ncutoff = 8\n', encoding="utf-8")
    seed.write_text("20261130\n", encoding="utf-8")
    monkeypatch.setenv("SVT_PARAMETERS", str(numbers))
    monkeypatch.setenv("SVT_SEED_FILE", str(seed))
    assert repr(desk.given("3.2")) == "epsilon = 2, cutoff = 8, aboves = 3"
    assert desk.given("3.2").cutoff == desk.given("3.2")["cutoff"] == 8
    assert desk.given("1.1") == EXERCISES["1.1"].given
    desk.check("3.2", public)
    desk.check("3.2", EXERCISES["3.2"].reference(**desk.given("3.2")))
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("3.2 not yet.") and second.startswith("3.2 passed.")
    draws = [grading.generator(id).random() for id in ("3.2", "3.2", "3.3")]
    assert draws[0] == draws[1] != draws[2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[3.2]\nepsilon = 2", "must hold tables such as"),
        ('"3.2" = 2', "must hold tables such as"),
        ('["3.2"]\nepsilon = -1.0', "exercise 3.2 can't be solved"),
        ('["3.2"]\naboves = 9', "exercise 3.2 can't be solved"),
        ('["3.2"]\nepsilom = 2', "exercise 3.2 has epsilon, cutoff, aboves, not epsilom"),
        ('["3.2"]\ncutoff = 2.5', "cutoff of exercise 3.2 must be int, got 2.5"),
        ('["3.2"]\nepsilon = "2"', "epsilon of exercise 3.2 must be float, got '2'"),
        ('["3.2"\n', "must name a TOML file"),
        (None, "must name a TOML file"),
    ],
)
def test_an_instructors_file_that_does_not_fit_is_a_clear_error(text, message, monkeypatch, tmp_path):
    path = tmp_path / "numbers.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("SVT_PARAMETERS", str(path))
    with pytest.raises(ValueError, match=message):
        desk.given("3.2")


@pytest.mark.parametrize("text", ["", "one", "-1", "1.5", None])
def test_a_seed_file_without_a_whole_number_is_a_clear_error(text, monkeypatch, tmp_path):
    path = tmp_path / "seed"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("SVT_SEED_FILE", str(path))
    with pytest.raises(ValueError, match="SVT_SEED_FILE must name a file with one whole number"):
        desk.check("1.1", 1.0)


def code_of(number):
    (path,) = (ROOT / "notebooks").glob(f"{number:02}_*.ipynb")
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


@pytest.mark.parametrize("number", range(1, 11))
def test_each_notebook_has_its_exercises_stub_by_stub(number):
    mine = desk.exercises(number)
    assert len(mine) >= 4
    cells = {c.metadata.nbgrader.grade_id: c for c in code_of(number) if "nbgrader" in c.metadata}
    assert list(cells) == [f"{role}-{id.replace('.', '-')}" for id in mine for role in ("stub", "check")]
    for id, exercise in mine.items():
        stub, check = (cells[f"{role}-{id.replace('.', '-')}"] for role in ("stub", "check"))
        assert check.source.startswith(f'check("{id}", ')
        assert check.outputs[0].text == (
            f'{id} not attempted yet. Put your answer in the place of the dots. hint("{id}") gives a hint.\n'
        )
        assert (f'given("{id}")' in stub.source) == bool(exercise.given)
        assert ("def " in stub.source) == (exercise.asks_for == "function")
        graded = check.metadata.nbgrader
        assert (graded.grade, graded.locked, graded.points, stub.metadata.nbgrader.solution) == (
            True,
            True,
            1,
            True,
        )
    assert any(cell.source == f"progress({number})" for cell in code_of(number))


def test_there_are_forty_exercises_of_every_kind():
    assert len(EXERCISES) >= 40
    kinds = {"predict", "compute", "write", "break", "repair", "prove", "explain"}
    assert {exercise.kind for exercise in EXERCISES.values()} == kinds
    assert all(len(exercise.hints) == 2 and exercise.wrong for exercise in EXERCISES.values())


WRONG_ANSWERS = [
    "None",
    "'text'",
    "[]",
    "lambda *a, **k: None",
    "lambda *a, **k: 1 / 0",
    "lambda *a: [True] * 99",
]


@pytest.mark.parametrize("number", range(1, 11))
def test_run_all_reaches_the_end_with_every_answer_wrong(number):
    """The exercise cells of a notebook, in one process, with each wrong answer in turn."""
    sources = [
        c.source
        for c in code_of(number)
        if c.source.startswith(("check(", "progress(")) or "given(" in c.source
    ]
    for answer in WRONG_ANSWERS:
        names = {"check": desk.check, "given": desk.given, "progress": desk.progress}
        for source in sources:
            call = re.fullmatch(r"check\((.*), (\w+)\)", source)
            if call:
                names[call[2]] = eval(answer)
            exec(source, names)


def family(threshold, query, redraw=False):
    """Return an SVT with these scales, functions of ε and c."""

    def svt(answers, T, epsilon, cutoff, rng):
        noise, outcomes = rng.laplace(scale=threshold(epsilon, cutoff)), []
        for answer in answers:
            outcomes.append(answer + rng.laplace(scale=query(epsilon, cutoff)) >= T + noise)
            if outcomes[-1] and redraw:
                noise = rng.laplace(scale=threshold(epsilon, cutoff))
            if sum(outcomes) == cutoff:
                break
        return outcomes

    return svt


PRIVATE = {
    "Alg. 1": family(lambda e, c: 2 / e, lambda e, c: 4 * c / e),
    "Alg. 2, drawn again": family(lambda e, c: 2 * c / e, lambda e, c: 4 * c / e, redraw=True),
    "least variance": family(lambda e, c: 3.52 / e, lambda e, c: 2 * c * 3.52 / 2.52 / e),
    "a split the other way, drawn again": family(
        lambda e, c: 4 * c / 3 / e, lambda e, c: 8 * c / e, redraw=True
    ),
    "ten times the noise": family(lambda e, c: 20 / e, lambda e, c: 40 * c / e),
    "hardly any budget for the threshold": family(lambda e, c: 100 / e, lambda e, c: 2 * c / 0.99 / e),
    "hardly any for the answers": family(lambda e, c: 1 / 0.95 / e, lambda e, c: 2 * c / 0.05 / e),
}


@pytest.mark.statistical
@pytest.mark.parametrize("name", PRIVATE)
def test_every_private_program_passes_where_privacy_is_asked_for(name):
    """Seed 0; refused with probability 1e-6 at most, as `privacy.is_private` derives."""
    verdict = judge("7.6", PRIVATE[name])
    assert verdict.passed, verdict.sentence
    assert "It could be threshold noise of scale" in verdict.sentence


def test_the_family_knows_what_is_private():
    for redraw, times in ((False, 1), (True, 2)):
        at_the_edge = Mechanism(times / (0.3 * 3), 2 * 2 / (0.7 * 3), 2, redraw=redraw)
        assert privacy.loss_of(at_the_edge) == pytest.approx(3, rel=1e-5)


CHEATS = {
    "no threshold noise behind much other": family(lambda e, c: 0, lambda e, c: 6 * c / e),
    "c is always 2": family(lambda e, c: 2 / e, lambda e, c: 8 / e),
}


@pytest.mark.statistical
@pytest.mark.parametrize("name", CHEATS)
def test_programs_that_are_not_private_are_refused_though_one_stream_would_not_show_it(name):
    """Seed 0."""
    assert "isn't private" in judge("7.6", CHEATS[name]).sentence
