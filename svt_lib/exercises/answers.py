"""Checks of values, and of functions that compute one."""

import inspect
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from svt_lib import checks
from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner

#: Three significant digits are enough, rounded either way.
THREE_DIGITS = 5e-3


def number(attempt, right: float, mistakes=(), *, within=THREE_DIGITS):
    """Compare a number with the right one.

    Parameters
    ----------
    attempt
        A learner's.
    right : float
    mistakes : sequence of (float, str)
        What people get instead, and the sentence that tells them why.
    within : float
        Relative; where the right number is 0, absolute.

    Raises
    ------
    Mistake
        With the sentence of the mistake, or one that says whether the attempt is too large or too small.
    """
    value = as_number(attempt)
    if _close(value, right, within):
        return
    for wrong, sentence in mistakes:
        if _close(value, wrong, within):
            raise Mistake(sentence)
    raise Mistake(f"{value:.6g} is too {'large' if value > right else 'small'}.")


def numbers(attempt, right: Iterable[float], *, of: str, within=THREE_DIGITS):
    """Compare a list of numbers with the right ones; `of` names what they are, in the plural."""
    right = list(right)
    values = as_numbers(attempt, of=of, size=len(right))
    for i, (value, expected) in enumerate(zip(values, right, strict=True)):
        if not _close(value, expected, within):
            size = "large" if value > expected else "small"
            raise Mistake(f"Of the {of}, number {i + 1} is too {size}: {value:.6g}.")


def choice(attempt, right, options: Mapping):
    """Compare a choice with the right one.

    Parameters
    ----------
    attempt
        A learner's.
    right
        One of the options; computed, not written down.
    options : mapping of option to str
        For each, the sentence that it gets where it is wrong.
    """
    known = next((o for o in options if type(o) is type(attempt) and _typed(o) == _typed(attempt)), None)
    if known is None:
        raise Mistake(f"Choose one of {', '.join(map(repr, options))}, not {attempt!r:.60}.")
    if known != right:
        raise Mistake(options[known])


def function(learner: Learner, reference: Callable, inputs, mistakes=(), *, within=1e-3):
    """Compare a learner's function with the reference on many inputs.

    Parameters
    ----------
    learner : Learner
    reference : callable
    inputs : sequence of tuple
        Arguments, drawn afresh by each check.
    mistakes : sequence of (callable, str)
        Wrong functions, and the sentence that points at the mistake: it is given where the learner's agrees
        with one of them on all inputs.
    within : float
        Relative. A tenth of a per cent forgives a search in place of a formula; where the result is a whole
        number, ask for more.
    """
    names = list(inspect.signature(reference).parameters)
    wanted = "Your function must return a number, not"
    results = [as_number(learner(*arguments), wanted) for arguments in inputs]

    def agrees(other):
        return all(
            _close(value, other(*arguments), within) for value, arguments in zip(results, inputs, strict=True)
        )

    if agrees(reference):
        return
    for wrong, sentence in mistakes:
        if agrees(wrong):
            raise Mistake(sentence)
    for value, arguments in zip(results, inputs, strict=True):
        right = reference(*arguments)
        if not _close(value, right, within):
            case = ", ".join(f"{n} = {_short(a)}" for n, a in zip(names, arguments, strict=True))
            raise Mistake(f"For {case} yours returns {value:.6g}, and {right:.6g} is right.")


def as_number(attempt, begin: str = "A number is wanted, not") -> float:
    """Return one number as a float, infinite or not; booleans, texts, lists and NaN are no numbers."""
    try:
        if isinstance(attempt, str | bytes | bool | np.bool_) or np.size(attempt) != 1:
            raise TypeError
        value = float(np.asarray(attempt).item())
    except (TypeError, ValueError, OverflowError):
        raise Mistake(f"{begin} {attempt!r:.60}.") from None
    if np.isnan(value):
        raise Mistake(f"{begin} {value}.")
    return value


def database(attempt, *, most: int) -> list[float]:
    """Return the answers of a database as floats: a list of 1 to `most` finite numbers."""
    values = as_numbers(attempt, of="answers")
    if not 1 <= len(values) <= most:
        raise Mistake(f"A list of at least 1 and at most {most} answers is wanted; yours has {len(values)}.")
    if not np.all(np.abs(values) <= checks.LARGEST):
        raise Mistake("The answers must be finite.")
    return values


def neighbours(here, there, *, most: int) -> tuple[list[float], list[float]]:
    """Return the answers on two databases as `database` does, if they are neighbours for Δ = 1."""
    here, there = database(here, most=most), database(there, most=most)
    if len(here) != len(there):
        raise Mistake(f"The same questions on both: {len(here)} answers on D and {len(there)} on D′.")
    for i, (one, other) in enumerate(zip(here, there, strict=True)):
        if abs(one - other) > 1 + checks.ROUNDING:
            raise Mistake(
                f"These aren't neighbours: no answer may differ by more than 1, and answer {i + 1} is "
                f"{one:g} on D and {other:g} on D′."
            )
    return here, there


def as_numbers(attempt, *, of: str, size: int | None = None) -> list[float]:
    """Return a list or array of numbers as floats; `of` names what they are, `size` how many are wanted."""
    wanted = f"A list of {f'{size} ' if size else ''}{of} is wanted"
    if isinstance(attempt, str | bytes | Mapping) or not isinstance(attempt, Iterable):
        raise Mistake(f"{wanted}, not {attempt!r:.60}.")
    try:
        values = list(attempt)
    except TypeError:  # an array without axes
        raise Mistake(f"{wanted}, not {attempt!r:.60}.") from None
    if size is not None and len(values) != size:
        raise Mistake(f"{wanted}; yours has {len(values)}.")
    return [as_number(value, f"The {of} must be numbers, not") for value in values]


def _typed(option):
    """Return a text as people type it who have no ε and no ₁ on their keyboard: e1."""
    if not isinstance(option, str):
        return option
    plain = option.strip().lower().translate(str.maketrans("₁₂₃ε", "123e", "_ "))
    return plain.replace("epsilon", "e").replace("eps", "e")


def parts(attempt, size: int, wanted: str) -> list:
    """Return the parts of a pair, a triple and so on: a list, a tuple or an array of this size."""
    is_list = isinstance(attempt, list | tuple) or (isinstance(attempt, np.ndarray) and attempt.ndim > 0)
    if not is_list or len(attempt) != size:
        raise Mistake(f"{wanted}, not {attempt!r:.60}.")
    return list(attempt)


def _close(value: float, right: float, within: float) -> bool:
    if np.isinf(value) or np.isinf(right):
        return value == right
    return abs(value - right) <= within * (abs(right) or 1.0)


def _short(argument) -> str:
    if isinstance(argument, np.ndarray) and argument.size > 4:
        return f"{argument.size} numbers, from {argument[0]:.4g} to {argument[-1]:.4g}"
    return f"{argument:.4g}" if isinstance(argument, float) else repr(argument)
