"""Arguments, checked once and in one voice: a ValueError that names the argument and says what is allowed."""

import operator
from collections.abc import Iterable

import numpy as np

#: Noise of a larger scale could leave the range of floating-point numbers.
LARGEST_SCALE = 1e300

#: What rounding may add to a difference of two answers, relative to the sensitivity.
ROUNDING = 1e-9


def finite(name: str, value) -> float:
    """Return `value` as a float; a ValueError names `name` unless it is one finite number."""
    if isinstance(value, str | bytes | bool | np.bool_) or np.ndim(value) != 0:
        raise ValueError(f"{name} must be one finite number, got {value!r}")
    try:
        number = float(value)
    except (TypeError, OverflowError) as error:
        raise ValueError(f"{name} must be one finite number, got {value!r}") from error
    if not np.isfinite(number):
        raise ValueError(f"{name} must be one finite number, got {value!r}")
    return number


def positive(name: str, value) -> float:
    """Return `value` as a float; a ValueError names `name` unless it is positive and finite."""
    number = finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be a positive finite number, got {value!r}")
    return number


def scale(name: str, value) -> float:
    """Return `value` as a noise scale: zero (no noise) up to `LARGEST_SCALE`."""
    number = finite(name, value)
    if not 0 <= number <= LARGEST_SCALE:
        raise ValueError(f"{name} must lie between 0 and {LARGEST_SCALE:g}, got {value!r}")
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


def vector(name: str, values: Iterable) -> np.ndarray:
    """Return `values` as a one-dimensional float array of finite numbers.

    Raises
    ------
    ValueError
        Names the first index that holds NaN or an infinite number, or says what the shape is.
    """
    if not isinstance(values, np.ndarray):
        values = list(values)
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a sequence of numbers") from error
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got the shape {array.shape}")
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] must be finite, got {array[bad[0]]}")
    return array


def thresholds(threshold, length: int) -> np.ndarray:
    """Return one threshold per query as an array of `length`, from one number or one for each query."""
    if np.ndim(threshold) == 0:
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
