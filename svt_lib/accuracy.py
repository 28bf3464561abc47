"""How good a selection is: exact chances that an item is selected, and how far apart items have to lie.

Everything here is computed, not sampled.
"""

import math

import numpy as np

from svt_lib import checks, exact, noise
from svt_lib.exact.integral import nodes, panel_ends, reach
from svt_lib.mechanism import Mechanism

#: Along ln t the trapezoidal rule makes steps of STEP/√count, since a ring is the narrower the more have rung
#: by then. It starts where all clocks together ring with probability items · e^-MARGIN, which is left out.
STEP, MARGIN = 0.3, 30.0
#: Clocks that ring in time with this probability, all together, at most, are taken as silent.
SILENT = 1e-10
#: The most numbers that an integration may hold: 200 megabytes.
MOST_NUMBERS = 25_000_000


def em_chances(
    scores, epsilon: float, count: int = 1, *, sensitivity: float = 1.0, monotonic: bool = False
) -> np.ndarray:
    """Return for each item the chance that the exponential mechanism selects it in one of its rounds.

    Parameters
    ----------
    scores, epsilon, count, sensitivity, monotonic
        As in `svt_lib.selection.exponential_mechanism`.

    Returns
    -------
    numpy.ndarray, shape (items,)
        They sum to `count`. Right to 1e-9.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, also where there are too many items.

    Notes
    -----
    The rounds have the law of exponential clocks: clock i rings at rate exp(s_i / scale), and the first
    `count` to ring are selected. So item i is selected when it rings at t and fewer than `count` others have
    rung by then: one integral over t, here over ln t by the trapezoidal rule, which converges exponentially
    fast on such smooth and fast-falling integrands. Whether another clock has rung is independent for each,
    so that their number has a Poisson-binomial law.
    """
    scores, count = checks.vector("scores", scores), checks.whole("count", count)
    if count > scores.size:
        raise ValueError(f"count must be at most the number of scores, {scores.size}, got {count}")
    factor = (1 if monotonic else 2) * count * checks.positive("sensitivity", sensitivity)
    log_rates = (scores - scores.max()) * (checks.budget("epsilon", epsilon) / factor)
    last = -np.partition(log_rates, -count)[-count]
    last, step = last + math.log(MARGIN), STEP / math.sqrt(count)
    chances, heard = np.zeros(scores.size), np.flatnonzero(log_rates + last > math.log(SILENT / scores.size))
    if (last + MARGIN) / step * heard.size * count > MOST_NUMBERS:
        raise ValueError(f"scores: {scores.size} of them, spread so wide, are too many; sample instead")
    log_t = np.arange(-MARGIN, last + step, step)
    waited = np.exp(np.minimum(log_rates[heard, np.newaxis] + log_t, 700.0))
    rung = -np.expm1(-waited)
    before = _fewer(rung, count)
    at_most = np.ones((count, log_t.size))  # of the items after this one, at most 0, 1, 2, ... have rung
    for item in reversed(range(heard.size)):
        others = np.einsum("kt,kt->t", before[item], at_most[::-1])
        chances[heard[item]] = step * (waited[item] * np.exp(-waited[item]) * others).sum()
        at_most = _one_more(at_most, rung[item])
    return chances


def svt_chances(mechanism: Mechanism, answers, threshold: float) -> np.ndarray:
    """Return for each item the chance that SVT, once through the items in this order, selects it.

    Parameters
    ----------
    mechanism : Mechanism
        One with a cutoff and both noises, which doesn't redraw its threshold noise.
    answers : array_like of float, shape (items,)
    threshold : float

    Returns
    -------
    numpy.ndarray, shape (items,)
        Right to 1e-9.

    Raises
    ------
    ValueError
        Naming the argument that isn't right.

    Notes
    -----
    An integral over the threshold noise z. Given z, an item is selected when it is Above and fewer than
    `cutoff` items before it were, and these are independent.
    """
    answers = checks.vector("answers", answers)
    scales = mechanism.threshold_scale, mechanism.query_scale
    if mechanism.cutoff is None or mechanism.redraw or 0 in scales:
        raise ValueError(
            f"mechanism must have a cutoff and both noises, and never redraw one; {mechanism.name} is not so"
        )
    margins = answers - checks.finite("threshold", threshold)
    kinks, step = np.union1d(margins, 0.0), 4 * min(scales)
    low, high = reach(np.zeros(1), mechanism.threshold_scale, 0)
    ends = panel_ends(kinks, low, high, step, high)
    z, log_weights = nodes(ends, np.diff(ends) <= step / 16)
    weights = np.exp(log_weights + noise.log_density(z, mechanism.threshold_scale))
    chances, so_far = np.empty(answers.size), _none(z.size, mechanism.cutoff)
    for item, margin in enumerate(margins):
        above = np.exp(noise.log_tail(z - margin, mechanism.query_scale))
        chances[item] = (weights * above * so_far.sum(axis=0)).sum()
        so_far = _one_more(so_far, above)
    return chances


def proved_distance(items: int, beta: float, epsilon: float) -> float:
    """Return the α that is proved for Alg. 1 with one alarm, Δ = 1: 8 (ln k + ln(2/β))/ε.

    On k items of which k - 1 lie α or more below the threshold and then one α or more above it, it selects
    that one except with probability β.

    Parameters
    ----------
    items : int
        k, at least 2.
    beta : float
        Between 0 and 1/2.
    epsilon : float

    Notes
    -----
    Source: Dwork, Roth 2014, Theorem 3.24.
    """
    _check(items, beta)
    return 8 * (math.log(items) + math.log(2 / beta)) / checks.budget("epsilon", epsilon)


def em_distance(items: int, beta: float, epsilon: float, *, monotonic: bool = False) -> float:
    """Return the α that the exponential mechanism needs on the items of `proved_distance`, Δ = 1.

    (ln(k - 1) + ln((1 - β)/β))/ε, half of it where `monotonic`: the α at which k - 1 items of the score
    T - α and one of the score T + α give a selection that is right with probability 1 - β exactly.
    """
    _check(items, beta)
    exponent = (math.log(items - 1) + math.log(1 / beta - 1)) / checks.budget("epsilon", epsilon)
    return exponent / 2 if monotonic else exponent


def svt_distance(mechanism: Mechanism, items: int, beta: float) -> float:
    """Return the α that an SVT with one alarm needs on the items of `em_distance`, the large one asked last.

    Found by bisection of its exact chance to fail, right to seven digits.

    Parameters
    ----------
    mechanism : Mechanism
        With the cutoff 1.
    items : int
    beta : float
    """
    _check(items, beta)
    low, high = 0.0, mechanism.threshold_scale + mechanism.query_scale
    while svt_failure(mechanism, items, high) > beta:
        low, high = high, 2 * high
    while high - low > 1e-7 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if svt_failure(mechanism, items, middle) > beta else (low, middle)
    return high


def svt_failure(mechanism: Mechanism, items: int, distance: float) -> float:
    """Return the exact chance that not only the last of the items is Above, α being `distance`."""
    if mechanism.cutoff != 1:
        raise ValueError(f"mechanism must have the cutoff 1, got {mechanism.cutoff}")
    answers = np.full(items, -checks.finite("distance", distance))
    answers[-1] *= -1
    outcomes = np.arange(items) == items - 1
    return -math.expm1(exact.output_log_probability(mechanism, answers, outcomes, threshold=0))


def _check(items: int, beta: float):
    checks.whole("items", items, minimum=2)
    if not 0 < checks.finite("beta", beta) < 0.5:
        raise ValueError(f"beta must lie between 0 and 1/2, got {beta!r}")


def _none(size: int, count: int) -> np.ndarray:
    """Return the law of a number of events, 0 to count - 1, at each node: none so far."""
    return np.vstack([np.ones(size), np.zeros((count - 1, size))])


def _one_more(law: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Return the law after one more independent event, which happens with this chance at each node.

    `law` holds the probabilities of each number, or those of each number at most.
    """
    new = law * (1 - chance)
    new[1:] += law[:-1] * chance
    return new


def _fewer(chances: np.ndarray, count: int) -> list[np.ndarray]:
    """Return the law before each of the events."""
    laws = [_none(chances.shape[1], count)]
    for chance in chances[:-1]:
        laws.append(_one_more(laws[-1], chance))
    return laws
