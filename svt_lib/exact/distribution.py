"""The probabilities of all outcomes of a short stream at once."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from svt_lib import checks, noise
from svt_lib.exact.integral import log_sum_exp, nodes, panel_ends, reach, zone
from svt_lib.exact.outputs import log_interval
from svt_lib.mechanism import Mechanism

#: No more outcomes than that are listed, nor more Aboves and Belows in all of them together.
MOST_OUTCOMES, MOST_ANSWERS = 1_000_000, 25_000_000
#: Up to so many pairs of halves for each outcome, a matrix product is faster than one outcome after the
#: other.
WASTE = 16
#: A sum of products that is smaller may have lost some that are too small for a double.
TINY = 1e-250
#: How many log-integrands times nodes are held at a time: 32 megabytes.
BLOCK = 1 << 22


@dataclass(frozen=True)
class Distribution:
    """Every outcome that a run can have, in lexicographic order (Below first), and its probability.

    Attributes
    ----------
    table : numpy.ndarray of bool, shape (outcomes, length)
        True is Above; False also after a stop.
    asked : numpy.ndarray of int, shape (outcomes,)
        How many queries each run answers.
    log_probabilities : numpy.ndarray of float, shape (outcomes,)
        Natural logs; -inf for the impossible.
    """

    table: np.ndarray
    asked: np.ndarray
    log_probabilities: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """The probabilities, shape (outcomes,); they sum to 1."""
        return np.exp(self.log_probabilities)

    @cached_property
    def outcomes(self) -> tuple[tuple[bool, ...], ...]:
        """The outcomes, each ending where the run ended."""
        return tuple(
            tuple(row[:asked]) for row, asked in zip(self.table.tolist(), self.asked.tolist(), strict=True)
        )


def outcome_distribution(mechanism: Mechanism, answers, threshold) -> Distribution:
    """Return the probability of every outcome of a short stream.

    Released numbers are left out: the outcomes are the Aboves and Belows alone.

    Parameters
    ----------
    mechanism : Mechanism
    answers : array_like of float
    threshold : float or array_like of float

    Raises
    ------
    ValueError
        Naming the argument that isn't right, also where there would be more than a million outcomes.
    """
    answers = checks.vector("answers", answers)
    margins = answers - checks.thresholds(threshold, answers.size)
    table, asked = all_outcomes(answers.size, mechanism.cutoff)
    return Distribution(table, asked, log_probabilities(mechanism, margins, table, asked))


def event_probability(
    mechanism: Mechanism, answers, threshold, event: Callable[[tuple[bool, ...]], bool]
) -> float:
    """Return the probability that `event` is true of the outcomes.

    Parameters
    ----------
    mechanism, answers, threshold
        As in `outcome_distribution`.
    event : callable
        Takes the outcomes of a run, a tuple of bool.
    """
    distribution = outcome_distribution(mechanism, answers, threshold)
    chosen = np.array([bool(event(outcomes)) for outcomes in distribution.outcomes])
    return math.fsum(distribution.probabilities[chosen])


@lru_cache(maxsize=1)  # the last one: a search or a slider asks for the same table again and again
def all_outcomes(length: int, cutoff: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the table of all outcomes and how many queries each answers, as in `Distribution`; read-only.

    Raises
    ------
    ValueError
        Where they are too many.
    """
    _refuse_too_many(length, cutoff)
    aboves, asked, steps = np.zeros(1, dtype=int), np.zeros(1, dtype=int), []
    for _ in range(length):  # each run that still goes on splits in two
        going = aboves != cutoff
        parent = np.repeat(np.arange(aboves.size), 1 + going)
        above = np.diff(parent, prepend=-1) == 0
        aboves, asked = aboves[parent] + above, asked[parent] + going[parent]
        steps.append((parent, above))
    table, row = np.empty((length, aboves.size), dtype=bool), np.arange(aboves.size)
    for query in reversed(range(length)):
        parent, above = steps[query]
        table[query], row = above[row], parent[row]
    table.flags.writeable = asked.flags.writeable = False
    return table.T, asked


def _refuse_too_many(length: int, cutoff: int | None):
    """Raise a ValueError where there are too many outcomes: one for each set of at most `cutoff` Aboves."""
    number = 0
    for aboves in range(1 + (length if cutoff is None else min(cutoff, length))):
        number += math.comb(length, aboves)
        if number > MOST_OUTCOMES or number * length > MOST_ANSWERS:
            raise ValueError(
                f"answers has {length} values, too many to list all outcomes; take a shorter stream, or "
                "output_log_probability for one outcome, or worst_case_loss for the loss over all of them"
            )


def log_probabilities(mechanism: Mechanism, margins, table, asked) -> np.ndarray:
    """Return the log probability of each outcome of a table."""
    if not margins.size:
        return np.zeros(1)
    below = ~table & (np.arange(margins.size) < asked[:, np.newaxis])
    if not mechanism.redraw:
        return _same_threshold_noise(mechanism, margins, below, table)
    return _redrawn(mechanism, margins, below, table)


def _redrawn(mechanism: Mechanism, margins, below, above) -> np.ndarray:
    """Add up the stretches of each outcome, each under its own threshold noise."""
    length = margins.size
    starts, ends = np.triu_indices(length + 1)  # Belows from the start on, an Above at the end, if it exists
    first, end, query = starts[:, np.newaxis], ends[:, np.newaxis], np.arange(length)
    stretch = np.zeros((length + 1, length + 1))
    stretch[starts, ends] = _same_threshold_noise(
        mechanism, margins, (first <= query) & (query < end), query == end
    )
    total, start = np.zeros(len(above)), np.zeros(len(above), dtype=int)
    for query, rows in enumerate(above.T):
        total[rows] += stretch[start[rows], query]
        start[rows] = query + 1
    open_end = (below & (np.arange(length) >= start[:, np.newaxis])).any(axis=1)
    return total + np.where(open_end, stretch[start, length], 0.0)


def _same_threshold_noise(mechanism: Mechanism, margins, below, above) -> np.ndarray:
    """Return the log probability of each row of Belows and Aboves, all under one threshold noise.

    Many rows share their first half, and many the second. So the integral of a row, a sum over nodes, is an
    entry of the product of two matrices that have a row for each different half. Where the product runs out
    of floating-point numbers, or most of it would go to waste, logs are added up for each row instead.
    """
    if mechanism.query_scale == 0:
        low = np.where(below, margins, -np.inf).max(axis=1)
        high = np.where(above, margins, np.inf).min(axis=1)
        return log_interval(low, high, mechanism.threshold_scale)
    kinks, kind = np.unique(margins, return_inverse=True)
    z, log_weights = _shared_nodes(mechanism, kinks, margins.size)

    def log_factors(z):
        distance = z - kinks[:, np.newaxis]
        scale = mechanism.query_scale
        return np.concatenate([noise.log_cdf(distance, scale), noise.log_tail(distance, scale)])

    members, half = np.eye(kinks.size)[kind], margins.size // 2
    first, second = (
        np.hstack([below[:, part] @ members[part], above[:, part] @ members[part]])
        for part in (slice(half), slice(half, None))
    )
    (heads, head), (ends, end) = _distinct(first), _distinct(second)
    result = np.full(len(below), -np.inf)
    if len(heads) * len(ends) <= WASTE * len(below):
        factors = log_factors(z)
        result = _log_product(heads @ factors + log_weights, ends @ factors)[head, end]
    rest = result == -np.inf
    if rest.any():
        result[rest] = _log_sums(first[rest] + second[rest], log_factors, z, log_weights)
    return result


def _log_sums(counts, log_factors, z, log_weights) -> np.ndarray:
    """Return ln Σ exp(counts @ log_factors(z) + log_weights) over the nodes z, for each row of counts."""
    result = np.full(len(counts), -np.inf)
    for part in np.array_split(np.arange(z.size), 1 + z.size * sum(counts.shape) // BLOCK):
        logs = counts @ log_factors(z[part]) + log_weights[part]
        result = np.logaddexp(result, log_sum_exp(logs, axis=1))
    return result


def _shared_nodes(mechanism: Mechanism, kinks, length: int) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes that suit every row, and log weights that hold the density of the threshold noise.

    No log-integrand is steeper than 1/threshold_scale + length/query_scale, so a panel near a kink spans at
    most 24 e-folds.
    """
    if mechanism.threshold_scale == 0:
        return np.zeros(1), np.zeros(1)
    kinks = np.union1d(kinks, 0.0)
    steepest = 1 / mechanism.threshold_scale + length / mechanism.query_scale
    step = min(4 * mechanism.query_scale, 24 / steepest)
    low, high = reach(kinks, mechanism.threshold_scale, length)
    ends = panel_ends(kinks, low, high, step, zone(mechanism.query_scale, length))
    z, log_weights = nodes(ends, np.diff(ends) <= step / 8)
    return z, log_weights + noise.log_density(z, mechanism.threshold_scale)


def _distinct(counts) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows, and which of them each row is."""
    as_bytes = np.ascontiguousarray(counts, dtype=np.uint16)
    rows = as_bytes.view(f"S{as_bytes.itemsize * counts.shape[1]}").ravel()
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    return counts[first], which


def _log_product(one, other) -> np.ndarray:
    """Return ln Σ exp(one + other) over the nodes for each pair of rows, -inf where the sum is `TINY`."""
    tops = one.max(axis=1, keepdims=True), other.max(axis=1, keepdims=True)
    product = np.exp(one - tops[0]) @ np.exp(other - tops[1]).T
    with np.errstate(divide="ignore"):
        return np.log(np.where(product < TINY, 0.0, product)) + tops[0] + tops[1].T
