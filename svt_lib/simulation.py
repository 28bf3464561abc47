"""Many runs of a mechanism at once, by the law of `svt_lib.sampling.run`.

Teaching code: floating-point Laplace noise is not safe on real data. Notebook 01 says why and what to use.
"""

from dataclasses import dataclass

import numpy as np

from svt_lib import checks, noise
from svt_lib.mechanism import Mechanism

#: How many comparisons `simulate` holds at a time: half a megabyte of noise, which stays in the cache.
BLOCK = 1 << 16


@dataclass(frozen=True)
class Simulation:
    """Many runs over the same answers, kept as the list of their Aboves.

    Attributes
    ----------
    length : int
        The number of queries in the stream.
    asked : numpy.ndarray of int, shape (runs,)
        How many queries each run answered.
    stopped : numpy.ndarray of bool, shape (runs,)
        Whether the cutoff ended it.
    above_run, above_query : numpy.ndarray of int, shape (Aboves,)
        The run and the query of every Above; within a run, queries rise.
    released : numpy.ndarray of float, shape (Aboves,) or (0,)
        The number that went out with each, where the mechanism releases any.
    """

    length: int
    asked: np.ndarray
    stopped: np.ndarray
    above_run: np.ndarray
    above_query: np.ndarray
    released: np.ndarray

    @property
    def aboves(self) -> np.ndarray:
        """The number of Aboves of each run, shape (runs,)."""
        return np.bincount(self.above_run, minlength=self.asked.size)

    @property
    def outcomes(self) -> np.ndarray:
        """True for Above, shape (runs, length); False also where a run had stopped already."""
        table = np.zeros((self.asked.size, self.length), dtype=bool)
        table[self.above_run, self.above_query] = True
        return table


def simulate(mechanism: Mechanism, answers, threshold, *, runs: int, rng=None) -> Simulation:
    """Run a mechanism many times over the same answers, by the same law as `run`.

    Memory: a few megabytes beside the answers and the result, which holds only the Aboves.

    Parameters
    ----------
    mechanism : Mechanism
    answers : array_like of float, shape (length,)
        The true answers.
    threshold : float or array_like of float, shape (length,)
    runs : int
    rng : numpy.random.Generator, optional
        Fresh noise where it is left out.

    Raises
    ------
    ValueError
        Naming the argument (for an answer, its index) that isn't right.
    """
    answers = checks.vector("answers", answers)
    thresholds = checks.thresholds(threshold, answers.size)
    runs = checks.whole("runs", runs)
    for_threshold, for_queries, for_releases = checks.generator(rng).spawn(3)
    threshold_noise = noise.draw(for_threshold, mechanism.threshold_scale, runs)
    asked, aboves = np.full(runs, answers.size), np.zeros(runs, dtype=np.int64)
    going, start = np.arange(runs), 0
    width = BLOCK // 16 if mechanism.redraw else BLOCK  # each Above of a row goes over its block once more
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while start < answers.size and going.size:
        block = slice(start, start + max(1, width // going.size))
        # The margin is answer + noise - (threshold + threshold noise), built up in place.
        margin = noise.draw(for_queries, mechanism.query_scale, (going.size, answers[block].size))
        margin += answers[block] - thresholds[block]
        noisy = margin.copy() if mechanism.releases == "noisy answer" else margin
        margin -= threshold_noise[going, np.newaxis]
        if mechanism.redraw:
            left = (mechanism.cutoff or answers.size) - aboves[going]
            _redraw(mechanism, margin, threshold_noise, going, left, for_threshold)
        rows, columns = np.nonzero(margin >= 0)
        rank = aboves[going[rows]] + _rank_in_row(rows)
        if mechanism.cutoff is not None:
            kept = rank <= mechanism.cutoff
            rows, columns, rank = rows[kept], columns[kept], rank[kept]
            last = rank == mechanism.cutoff
            asked[going[rows[last]]] = start + columns[last] + 1
        aboves[going[rows]] = rank  # of several in a row, the last one stays
        queries, above = start + columns, (rows, columns)
        if mechanism.releases == "noisy answer":
            released = noisy[above] + thresholds[queries]
        elif mechanism.releases == "gap":
            released = margin[above]
        elif mechanism.releases == "fresh answer":
            released = answers[queries] + noise.draw(for_releases, mechanism.release_scale, queries.size)
        else:
            released = np.empty(0)
        found.append((going[rows], queries, released))
        start = block.stop
        if mechanism.cutoff is not None:
            going = going[aboves[going] < mechanism.cutoff]
    return _simulation(answers.size, asked, aboves == mechanism.cutoff, found)


def _rank_in_row(rows) -> np.ndarray:
    """Return 1 for the first entry of each row, 2 for the second, …; `rows` is sorted."""
    is_first = np.diff(rows, prepend=-1) > 0
    first = np.flatnonzero(is_first)
    return np.arange(1, rows.size + 1) - first[np.cumsum(is_first) - 1]


def _redraw(mechanism, margin, threshold_noise, going, left, rng):
    """Draw the threshold noise again after each Above: every margin behind it moves by the difference.

    `left` says for each row how many Aboves it may still have; what comes after the last doesn't count.
    """
    columns = np.arange(margin.shape[1])
    open_from = np.zeros(going.size, dtype=np.int64)
    rows = np.arange(going.size)
    while rows.size:
        above = (margin[rows] >= 0) & (columns >= open_from[rows, np.newaxis])
        has_above = above.any(axis=1)
        rows = rows[has_above]
        open_from[rows] = above[has_above].argmax(axis=1) + 1
        fresh = noise.draw(rng, mechanism.threshold_scale, rows.size)
        behind = columns >= open_from[rows, np.newaxis]
        margin[rows] += np.where(behind, (threshold_noise[going[rows]] - fresh)[:, np.newaxis], 0.0)
        threshold_noise[going[rows]] = fresh
        left[rows] -= 1
        rows = rows[left[rows] > 0]


def _simulation(length, asked, stopped, found) -> Simulation:
    if not found:
        nothing = np.empty(0, dtype=np.int64)
        return Simulation(length, asked, stopped, nothing, nothing, np.empty(0))
    runs, queries, released = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(runs, kind="stable")
    return Simulation(
        length, asked, stopped, runs[order], queries[order], released[order] if released.size else released
    )
