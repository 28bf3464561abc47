"""Where a learner hands things in: `check`, `hint`, `solution`, `given` and `progress`."""

import contextlib
import importlib
import inspect
import io
import textwrap
from collections import Counter
from collections.abc import Mapping
from pkgutil import iter_modules

import numpy as np

from svt_lib.exercises import grading
from svt_lib.exercises.exercise import Exercise, Mistake, NotAttempted, Verdict
from svt_lib.exercises.learner import Learner, bounded

_verdicts: dict[str, Verdict] = {}
_hints_seen: Counter[str] = Counter()


class Unmet(AssertionError):
    """A check that wasn't passed, where ``SVT_STRICT=1`` asks for an error."""


class Given(Mapping):
    """The numbers of an exercise, by name: ``numbers.epsilon`` or ``numbers["epsilon"]``."""

    def __init__(self, numbers: dict):
        self._numbers = dict(numbers)

    def __getattr__(self, name):
        try:
            return self.__dict__["_numbers"][name]
        except KeyError:
            raise AttributeError(
                f"this exercise gives {', '.join(self) or 'no numbers'}, not {name}"
            ) from None

    def __getitem__(self, name):
        return self._numbers[name]

    def __iter__(self):
        return iter(self._numbers)

    def __len__(self):
        return len(self._numbers)

    def __repr__(self):
        return ", ".join(f"{name} = {value}" for name, value in self._numbers.items())


def exercises(notebook: int | None = None) -> dict[str, Exercise]:
    """Return the exercises of a notebook, or all, by id and in order."""
    package = importlib.import_module("svt_lib.exercises")
    rooms = sorted(module.name for module in iter_modules(package.__path__) if module.name[1:].isdigit())
    wanted = [room for room in rooms if notebook is None or room == f"n{notebook:02}"]
    found = [importlib.import_module(f"{package.__name__}.{room}").EXERCISES for room in wanted]
    return {exercise.id: exercise for of_notebook in found for exercise in of_notebook}


def given(id: str) -> Given:
    """Return the numbers of an exercise, the instructor's where there are any.

    Raises
    ------
    ValueError
        Where there is no such exercise, or the instructor's file doesn't fit it.
    """
    exercise = _find(id)
    theirs = grading.parameters(exercise.id, exercise.given)
    if theirs:
        _try_out(exercise, exercise.given | theirs)
    return Given(exercise.given | theirs)


def _try_out(exercise: Exercise, numbers: dict) -> None:
    """Refuse numbers with which the exercise's own solution doesn't pass."""
    try:
        exercise.check(exercise.attempt_of(exercise.reference, numbers), np.random.default_rng(), **numbers)
    except Exception as error:
        raise ValueError(
            f"SVT_PARAMETERS: with {numbers} exercise {exercise.id} can't be solved: {error}"
        ) from error


def check(id: str, attempt) -> None:
    """Print what is right or wrong about an attempt; with ``SVT_STRICT=1``, raise where it isn't right.

    Parameters
    ----------
    id : str
        Such as "3.2".
    attempt
        A value, or a function, as the exercise says.
    """
    exercise = _find(id)
    # nbgrader gives no points where a cell writes to stderr, be it a progress bar or a warning.
    quiet = contextlib.redirect_stderr(io.StringIO()) if grading.strict() else contextlib.nullcontext()
    with quiet:
        verdict = judge(exercise, attempt, grading.generator(exercise.id))
    _verdicts[exercise.id] = verdict
    if grading.strict() and not verdict.passed:
        raise Unmet(str(verdict))
    print(textwrap.fill(str(verdict), 110, subsequent_indent="    "))


def judge(exercise: Exercise, attempt, rng: np.random.Generator) -> Verdict:
    """Return what a check says of an attempt; it never raises because of the attempt."""
    numbers = given(exercise.id)
    learner = Learner(attempt) if exercise.asks_for == "function" and callable(attempt) else None
    try:
        if _untouched(attempt):
            raise NotAttempted
        if exercise.asks_for == "function" and learner is None:
            raise Mistake(f"Hand in the function itself, not {attempt!r:.60}.")
        sentence = bounded(lambda: exercise.check(learner or attempt, rng, **numbers), learner)
    except NotAttempted:
        what = f'Put your answer in the place of the dots. hint("{exercise.id}") gives a hint.'
        return Verdict(exercise.id, "not attempted yet", what)
    except Mistake as mistake:
        return Verdict(exercise.id, "not yet", str(mistake))
    except Exception as error:  # whatever a learner hands in, the notebook goes on
        sentence = f"The check can't make sense of this: {type(error).__name__}: {error}"
        return Verdict(exercise.id, "not yet", sentence)
    return Verdict(exercise.id, "passed", sentence)


def hint(id: str) -> None:
    """Print the first hint, then the second."""
    exercise = _find(id)
    step = min(_hints_seen[exercise.id], 1)
    _hints_seen[exercise.id] += 1
    after = "Call it again for a second hint." if step == 0 else f'solution("{exercise.id}") shows one way.'
    print(textwrap.fill(f"Hint {step + 1} of 2. {exercise.hints[step]} {after}", 110))


def solution(id: str) -> None:
    """Print one right way, as code; where a value is asked for, what it gives for the numbers here."""
    exercise = _find(id)
    print(textwrap.dedent(inspect.getsource(exercise.reference)).rstrip())
    if exercise.asks_for == "value":
        print(f"\n# {exercise.reference.__name__}(**numbers) is {exercise.reference(**given(id))!r}")


def progress(notebook: int) -> None:
    """Print where you stand in a notebook, given by its number."""
    found = exercises(notebook) if isinstance(notebook, int) else {}
    if not found:
        raise ValueError(f"notebook must be the number of one with exercises, got {notebook!r}")
    status = {id: _verdicts[id].status if id in _verdicts else "not checked yet" for id in found}
    print(f"{list(status.values()).count('passed')} of {len(status)} passed")
    print("\n".join(f"  {id}  {found[id].kind:8} {status[id]}" for id in status))


def _find(id: str) -> Exercise:
    number = id.partition(".")[0] if isinstance(id, str) else ""
    found = exercises(int(number)) if number.isdecimal() else {}
    if id not in found:
        raise ValueError(f"id must be one of {', '.join(exercises())}, in quotes, got {id!r}")
    return found[id]


def _untouched(attempt) -> bool:
    return attempt is ... or (isinstance(attempt, list | tuple) and any(part is ... for part in attempt))
