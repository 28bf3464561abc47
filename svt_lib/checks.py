"""Arguments, checked once and in one voice: a ValueError that names the argument and says what is allowed."""

import operator
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real

import numpy as np

#: The largest number that is taken, as an answer or as a scale: differences and noise stay in the range of
#: floating-point numbers.
LARGEST = 1e300

#: What rounding may add to a difference of two answers, relative to the sensitivity.
ROUNDING = 1e-9


def finite(name: str, value) -> float:
    """Return `value` as a float; a ValueError names `name` unless it is one finite number, 1e300 at most."""
    scalar = value[()] if isinstance(value, np.ndarray) else value
    if not isinstance(scalar, Real | Decimal) or isinstance(scalar, bool):
        raise ValueError(f"{name} must be one finite number, got {value!r}")
    try:
        number = float(scalar)
    except (TypeError, OverflowError) as error:
        raise ValueError(f"{name} must be one finite number, got {value!r}") from error
    if not abs(number) <= LARGEST:
        raise ValueError(f"{name} must be one finite number, at most {LARGEST:g} in size, got {value!r}")
    return number


def positive(name: str, value) -> float:
    """Return `value` as a float; a ValueError names `name` unless it is positive and finite."""
    number = finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be a positive finite number, got {value!r}")
    return number


def scale(name: str, value) -> float:
    """Return `value` as a noise scale: zero (no noise) or positive."""
    number = finite(name, value)
    if number < 0:
        raise ValueError(f"{name} must be 0 or positive, got {value!r}")
    return number


def budget(name: str, value) -> float:
    """Return `value` as an ε: positive and finite. There is no ε that switches privacy off."""
    number = finite(name, value)
    if number <= 0:
        raise ValueError(
            f"{name} must be a positive finite number, got {value!r}: near 0 everything is noise, "
            "and without noise it would be infinite, no privacy at all"
        )
    return number


def whole(name: str, value, minimum: int = 1) -> int:
    """Return `value` as an int; a ValueError names `name` unless it is an integer >= `minimum`."""
    try:
        number = operator.index(value)
    except TypeError as error:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {value!r}") from error
    if isinstance(value, bool | np.bool_) or number < minimum:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {value!r}")
    return number


def sequence(name: str, values) -> Iterable:
    """Return `values`; a ValueError names `name` unless they come one after the other, in an order."""
    if isinstance(values, str | bytes | set | frozenset | dict) or not np.iterable(values):
        raise ValueError(f"{name} must be a sequence of numbers, got {values!r}")
    return values


def vector(name: str, values: Iterable) -> np.ndarray:
    """Return `values` as a one-dimensional float array of finite numbers, 1e300 at most.

    Raises
    ------
    ValueError
        Names the first index that holds NaN, a masked, infinite or larger number, or anything else, or says
        what the shape is.
    """
    values = sequence(name, values)
    try:
        array = values if isinstance(values, np.ndarray) else np.array(list(values))
    except ValueError as error:
        raise ValueError(f"{name} must be a sequence of numbers, and holds sequences") from error
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got the shape {array.shape}")
    if array.dtype.kind == "O":
        return np.array([finite(f"{name}[{i}]", value) for i, value in enumerate(array)], dtype=float)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be a sequence of numbers, got the type {array.dtype}")
    array = np.ma.filled(array.astype(float, copy=False), np.nan)
    bad = np.flatnonzero(~(np.abs(array) <= LARGEST))
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] must be finite, at most {LARGEST:g} in size, got {array[bad[0]]}")
    return array


def thresholds(threshold, length: int) -> np.ndarray:
    """Return one threshold per query as an array of `length`, from one number or one for each query."""
    if not np.iterable(threshold):
        return np.full(length, finite("threshold", threshold))
    array = vector("threshold", threshold)
    if array.size != length:
        raise ValueError(f"threshold has {array.size} values for {length} answers; give one, or one for each")
    return array


def neighbours(answers, neighbour_answers, sensitivity: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the answers on two databases as arrays; a ValueError unless they may be neighbours.

    Neighbours have as many answers, and each differs from its counterpart by at most `sensitivity`.
    """
    here, there = vector("answers", answers), vector("neighbour_answers", neighbour_answers)
    if here.size != there.size:
        raise ValueError(f"neighbour_answers has {there.size} values for {here.size} answers")
    far = np.flatnonzero(np.abs(here - there) > sensitivity * (1 + ROUNDING))
    if far.size:
        raise ValueError(
            f"neighbour_answers[{far[0]}] = {there[far[0]]:g} is further than the sensitivity "
            f"{sensitivity:g} from answers[{far[0]}] = {here[far[0]]:g}: these aren't neighbours"
        )
    return here, there


def generator(rng) -> np.random.Generator:
    """Return `rng`, or a fresh unpredictable generator where it is None.

    A seed is refused on purpose: one seed handed to several mechanisms would give them the same noise.
    """
    if rng is None:
        return np.random.default_rng()
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng must be a numpy.random.Generator, such as np.random.default_rng(7), got {rng!r}"
        )
    return rng
