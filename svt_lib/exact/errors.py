"""How often a mechanism errs: the chance of an Above, of a right transcript, of false alarms in a stream."""

import math
from functools import partial

import numpy as np

from svt_lib import checks, noise
from svt_lib.exact.integral import NEGLIGIBLE, log_integral, log_sum_exp, nodes, panel_ends
from svt_lib.exact.outputs import log_interval, output_log_probability
from svt_lib.mechanism import Mechanism


def above_probabilities(mechanism: Mechanism, answers, threshold) -> np.ndarray:
    """Return the probability that each query, asked alone, comes out Above.

    Parameters
    ----------
    mechanism : Mechanism
    answers : array_like of float, shape (length,)
    threshold : float or array_like of float

    Returns
    -------
    numpy.ndarray, shape (length,)

    Notes
    -----
    Query noise minus threshold noise exceeds x >= 0 with the probability
    (b₁² exp(-x/b₁) - b₂² exp(-x/b₂)) / (2 (b₁² - b₂²)), written here so that equal scales are no exception.
    """
    answers = checks.vector("answers", answers)
    margins = answers - checks.thresholds(threshold, answers.size)
    large, small = sorted((mechanism.threshold_scale, mechanism.query_scale), reverse=True)
    if large == 0:
        return (margins >= 0).astype(float)
    distance = np.abs(margins)
    beyond = np.exp(-distance / large) / 2
    if small > 0:
        faster = distance * (1 / small - 1 / large)
        ratio = np.divide(-np.expm1(-faster), faster, out=np.ones_like(faster), where=faster > 0)
        beyond *= 1 + small * distance / (large * (large + small)) * ratio
    return np.where(margins >= 0, 1 - beyond, beyond)


def right_probability(mechanism: Mechanism, answers, threshold) -> float:
    """Return the probability that all outcomes are those that a run without noise would give.

    Parameters
    ----------
    mechanism : Mechanism
    answers : array_like of float
    threshold : float or array_like of float
    """
    answers = checks.vector("answers", answers)
    right = answers >= checks.thresholds(threshold, answers.size)
    if mechanism.cutoff is not None:
        right = right[np.cumsum(right) - right < mechanism.cutoff]
    return _probability(output_log_probability(mechanism, answers, right, threshold))


def alarm_probability(mechanism: Mechanism, answer: float, threshold: float, length: int) -> float:
    """Return the probability of at least one Above in a stream of equal answers.

    Parameters
    ----------
    mechanism : Mechanism
    answer, threshold : float
    length : int
        How many answers; ten million take no longer than ten.
    """
    return _at_least(1, mechanism, *_stream(answer, threshold, length))


def alarm_probabilities(mechanism: Mechanism, answer: float, threshold: float, lengths) -> np.ndarray:
    """Return `alarm_probability` for many lengths at once, each right to 1e-12.

    Parameters
    ----------
    mechanism : Mechanism
    answer, threshold : float
    lengths : array_like of float, shape (n,)
        At least 0; what lies between whole numbers continues the formula.

    Returns
    -------
    numpy.ndarray, shape (n,)
    """
    margin, _ = _stream(answer, threshold, 0)
    lengths = checks.vector("lengths", lengths)
    if lengths.size and lengths.min() < 0:
        raise ValueError(f"lengths must be at least 0, got {lengths.min():g}")
    if mechanism.query_scale == 0:
        return np.where(lengths > 0, _at_least(1, mechanism, margin, 1), 0.0)
    z, weights = _weighted_noise(mechanism, np.array([margin]))
    return weights @ -np.expm1(np.outer(noise.log_cdf(z - margin, mechanism.query_scale), lengths))


def first_above_probabilities(mechanism: Mechanism, answers, threshold) -> np.ndarray:
    """Return the probability that a run's first Above comes at each query; they sum to that of any Above.

    Parameters
    ----------
    mechanism : Mechanism
    answers : array_like of float, shape (length,)
    threshold : float or array_like of float

    Returns
    -------
    numpy.ndarray, shape (length,)
        Right to 1e-12.
    """
    answers = checks.vector("answers", answers)
    margins = answers - checks.thresholds(threshold, answers.size)
    if mechanism.query_scale == 0:
        highest = np.maximum.accumulate(margins)
        none_yet = np.exp(log_interval(highest, np.inf, mechanism.threshold_scale))
        return -np.diff(none_yet, prepend=1.0)
    kinks, kind = np.unique(margins, return_inverse=True)
    z, left = _weighted_noise(mechanism, kinks)
    below = np.exp(noise.log_cdf(z - kinks[:, np.newaxis], mechanism.query_scale))
    none_yet = [left.sum()]
    for kink in kind:
        left *= below[kink]
        none_yet.append(left.sum())
    return -np.diff(none_yet)


def stop_probability(mechanism: Mechanism, answer: float, threshold: float, length: int) -> float:
    """Return the probability that a run has stopped within a stream of equal answers.

    Parameters
    ----------
    mechanism : Mechanism
    answer, threshold : float
    length : int
        How many answers; ten million take no longer than ten.

    Returns
    -------
    float
        The probability of the cutoff-th Above; 0 for a mechanism that never stops.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, also where the threshold noise is redrawn and the cutoff is
        above 1: the number of Aboves is then no mixture of binomials.
    """
    margin, length = _stream(answer, threshold, length)
    if mechanism.cutoff is None:
        return 0.0
    return _at_least(mechanism.cutoff, mechanism, margin, length)


def alarm_count_distribution(mechanism: Mechanism, answer: float, threshold: float, length: int):
    """Return the probabilities of 0, 1, 2, … Aboves in a stream of equal answers.

    Parameters
    ----------
    mechanism, answer, threshold, length
        As in `stop_probability`.

    Returns
    -------
    numpy.ndarray, shape (n + 1,)
        Up to n, the smaller of the cutoff and the length.
    """
    margin, length = _stream(answer, threshold, length)
    most = length if mechanism.cutoff is None else min(mechanism.cutoff, length)
    enough, log_ways = _at_least(most, mechanism, margin, length), _log_ways(length, most)

    def exactly(aboves):
        def log_given(log_above, log_below):
            return log_ways[aboves] + aboves * log_above + (length - aboves) * log_below

        return _mixed(mechanism, margin, length, log_given)

    if mechanism.query_scale > 0:
        fewer = [exactly(aboves) for aboves in range(most)]
    else:  # all answers are on the same side
        below = _probability(log_interval(margin, np.inf, mechanism.threshold_scale))
        fewer = [below, *[0.0] * (most - 1)][:most]
    return np.array([*fewer, enough])


def log_binomial_tail(trials: int, least: int, log_success, log_failure) -> np.ndarray:
    """Return ln Pr[at least `least` successes], for arrays of the logs of both probabilities.

    Where it is more than one half, from the terms below `least`. Elsewhere the mean is about `least` or
    smaller, so that the terms from `least` on are gone after ten standard deviations and sixty more.
    """
    successes = np.arange(1 + min(trials, least + int(10 * math.sqrt(least)) + 60))
    terms = _log_ways(trials, successes[-1]) + np.outer(log_success, successes)
    terms += np.outer(log_failure, trials - successes)
    fewer, enough = log_sum_exp(terms[:, :least], axis=1), log_sum_exp(terms[:, least:], axis=1)
    complement = np.log1p(-np.exp(np.minimum(fewer, math.log(0.5))))
    return np.where(fewer < math.log(0.5), complement, enough)


def _log_ways(trials: int, most: int) -> np.ndarray:
    """Return the logs of the binomial coefficients of 0, 1, …, `most` out of `trials`."""
    chosen = np.arange(1, most + 1)
    return np.concatenate([[0.0], np.cumsum(np.log((trials + 1 - chosen) / chosen))])


def _stream(answer: float, threshold: float, length: int) -> tuple[float, int]:
    """Return the answer minus the threshold, and the length."""
    margin = checks.finite("answer", answer) - checks.finite("threshold", threshold)
    return margin, checks.whole("length", length, minimum=0)


def _at_least(aboves: int, mechanism: Mechanism, margin: float, length: int) -> float:
    """Return the probability of so many Aboves or more, as if a run went on after its cutoff."""
    if mechanism.redraw and aboves > 1:
        raise ValueError("mechanism redraws its threshold noise: only its first Above is known here")
    if aboves == 0:
        return 1.0
    if aboves > length:
        return 0.0
    if mechanism.query_scale == 0:
        return _probability(log_interval(-np.inf, margin, mechanism.threshold_scale))
    return _mixed(mechanism, margin, length, partial(log_binomial_tail, length, aboves))


def _mixed(mechanism: Mechanism, margin: float, length: int, log_given) -> float:
    """Return the probability of what has ln Pr[it | z] = log_given(ln Pr[Above | z], ln Pr[Below | z]).

    That must be concave in z. It is for so many Aboves or more, as for one: the noise that is the so-many-th
    largest has a log-concave density, too.
    """
    threshold_scale, query_scale = mechanism.threshold_scale, mechanism.query_scale

    def log_of(z):
        return log_given(noise.log_tail(z - margin, query_scale), noise.log_cdf(z - margin, query_scale))

    if threshold_scale == 0:
        return _probability(log_of(np.zeros(1))[0])
    return _probability(
        log_integral(
            lambda z: noise.log_density(z, threshold_scale) + log_of(z),
            np.union1d(margin, 0.0),
            threshold_scale,
            query_scale,
            length,
        )
    )


def _weighted_noise(mechanism: Mechanism, kinks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values of the threshold noise and their weights, for the mean of a probability given the noise.

    That has to be a product of tails with these kinks. Where it isn't next to 0 it needs no panels narrower
    than a few query scales, however many factors it has.
    """
    scale = mechanism.threshold_scale
    if scale == 0:
        return np.zeros(1), np.ones(1)
    far = NEGLIGIBLE * scale
    ends = panel_ends(np.union1d(kinks, 0.0), -far, far, 4 * mechanism.query_scale, near=np.inf)
    z, log_weights = nodes(ends, np.diff(ends) <= mechanism.query_scale / 8)
    return z, np.exp(log_weights + noise.log_density(z, scale))


def _probability(log_probability: float) -> float:
    """Return exp; the rounding of a quadrature must not take it above 1."""
    return min(math.exp(log_probability), 1.0)
