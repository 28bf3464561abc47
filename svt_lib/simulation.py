"""Many runs of a mechanism at once, by the law of `svt_lib.sampling.run`.

`simulate` draws the noise of every comparison. `simulate_outcomes` draws only what comes of it, Above or
Below: about four times as fast on long streams of which most answers are far from the threshold, and no
faster on short ones whose answers are close to it.

Teaching code: floating-point Laplace noise is not safe on real data. Notebook 01 says why and what to use.
"""

from dataclasses import dataclass, replace

import numpy as np

from svt_lib import checks, noise
from svt_lib.mechanism import Mechanism

#: How many comparisons `simulate` holds at a time: half a megabyte of noise, which stays in the cache.
BLOCK = 1 << 16
#: How many `simulate_outcomes` holds: at a byte and a bit each, a quarter of a megabyte.
OUTCOME_BLOCK = 1 << 17


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
    answers, thresholds, runs, rng = _checked(answers, threshold, runs, rng)
    for_threshold, for_queries, for_releases = rng.spawn(3)
    threshold_noise = noise.draw(for_threshold, mechanism.threshold_scale, runs)
    progress, going, start = _Progress.of(mechanism, runs, answers.size), np.arange(runs), 0
    width = BLOCK // 16 if mechanism.redraw else BLOCK  # each Above of a row goes over its block once more
    while start < answers.size and going.size:
        block = slice(start, start + max(1, width // going.size))
        # The margin is answer + noise - (threshold + threshold noise), built up in place.
        margin = noise.draw(for_queries, mechanism.query_scale, (going.size, answers[block].size))
        margin += answers[block] - thresholds[block]
        noisy = margin.copy() if mechanism.releases == "noisy answer" else margin
        margin -= threshold_noise[going, np.newaxis]
        if mechanism.redraw:
            left = (mechanism.cutoff or answers.size) - progress.aboves[going]
            _redraw(mechanism, margin, threshold_noise, going, left, for_threshold)
        above = progress.take(going, start, margin >= 0)
        queries = start + above[1]
        if mechanism.releases == "noisy answer":
            progress.released.append(noisy[above] + thresholds[queries])
        elif mechanism.releases == "gap":
            progress.released.append(margin[above])
        elif mechanism.releases == "fresh answer":
            fresh = noise.draw(for_releases, mechanism.release_scale, queries.size)
            progress.released.append(answers[queries] + fresh)
        start, going = block.stop, progress.still_going(going)
    return progress.simulation()


def simulate_outcomes(mechanism: Mechanism, answers, threshold, *, runs: int, rng=None) -> Simulation:
    """Run a mechanism many times for its Aboves and Belows alone; no number is released.

    The law is that of `run`. Given the threshold noise, a comparison is a coin whose chances are Laplace
    tails, so no query noise is drawn. Where the threshold noise is redrawn, or there is no query noise, this
    is `simulate`.

    Parameters
    ----------
    mechanism, answers, threshold, runs, rng
        As in `simulate`; the same seed gives other runs.

    Raises
    ------
    ValueError
        Naming the argument (for an answer, its index) that isn't right.
    """
    if mechanism.redraw or mechanism.query_scale == 0:
        silent = replace(mechanism, releases="nothing", release_scale=None)
        return simulate(silent, answers, threshold, runs=runs, rng=rng)
    answers, thresholds, runs, rng = _checked(answers, threshold, runs, rng)
    for_threshold, for_queries, _ = rng.spawn(3)
    threshold_noise = noise.draw(for_threshold, mechanism.threshold_scale, runs)
    margins, progress = answers - thresholds, _Progress.of(mechanism, runs, answers.size)
    in_order = np.argsort(threshold_noise)  # runs in one block have about the same
    height = max(1, OUTCOME_BLOCK // max(1, answers.size))
    for first in range(0, runs, height):
        going, start = in_order[first : first + height], 0
        while start < answers.size and going.size:
            block = slice(start, start + max(1, OUTCOME_BLOCK // going.size))
            above = _toss(for_queries, threshold_noise[going], margins[block], mechanism.query_scale)
            progress.take(going, start, above)
            start, going = block.stop, progress.still_going(going)
    return progress.simulation()


def _toss(rng, threshold_noise, margins, scale: float) -> np.ndarray:
    """Draw whether each run is Above at each query, shape (runs, queries).

    Without query noise it is Above where the margin is at least the threshold noise. With it the other
    outcome comes where a uniform number u is below the tail of the noise beyond the distance between the two.
    The first eight bits of u are drawn alone: they mostly show that it isn't.
    """
    above = threshold_noise[:, np.newaxis] <= margins
    nearest = np.clip(margins, threshold_noise.min(), threshold_noise.max())
    most = np.exp(noise.log_tail(np.abs(margins - nearest), scale))  # the largest tail in any of the runs
    bits = np.frombuffer(rng.bytes(above.size), np.uint8)
    places = np.flatnonzero(bits.reshape(above.shape) <= (256 * most).astype(np.uint8))
    u = (bits[places] + rng.random(places.size)) / 256
    rows, columns = np.divmod(places, margins.size)
    other = u < np.exp(noise.log_tail(np.abs(margins[columns] - threshold_noise[rows]), scale))
    above.ravel()[places[other]] ^= True
    return above


@dataclass
class _Progress:
    """How far the runs have come, and their Aboves, block by block."""

    length: int
    cutoff: int | None
    asked: np.ndarray
    aboves: np.ndarray
    found: list[tuple[np.ndarray, np.ndarray]]
    released: list[np.ndarray]

    @classmethod
    def of(cls, mechanism: Mechanism, runs: int, length: int) -> "_Progress":
        """Return the start: nothing asked that came out Above."""
        asked, aboves, nothing = np.full(runs, length), np.zeros(runs, dtype=int), np.empty(0, dtype=int)
        return cls(length, mechanism.cutoff, asked, aboves, found=[(nothing, nothing)], released=[])

    def take(self, going, start: int, above) -> tuple[np.ndarray, np.ndarray]:
        """Note the Aboves of a block, a row for each of the runs `going`, and each run only to its cutoff.

        Return their rows and columns in the block, whose first query is `start`.
        """
        rows, columns = np.divmod(np.flatnonzero(above), above.shape[1])  # nonzero would take longer
        rank = self.aboves[going[rows]] + _rank_in_row(rows)
        if self.cutoff is not None:
            kept = rank <= self.cutoff
            rows, columns, rank = rows[kept], columns[kept], rank[kept]
            last = rank == self.cutoff
            self.asked[going[rows[last]]] = start + columns[last] + 1
        self.aboves[going[rows]] = rank  # of several in a row, the last one stays
        self.found.append((going[rows], start + columns))
        return rows, columns

    def still_going(self, going) -> np.ndarray:
        """Return those of the runs that haven't stopped."""
        return going if self.cutoff is None else going[self.aboves[going] < self.cutoff]

    def simulation(self) -> Simulation:
        """Return the runs, the Aboves sorted by run and query."""
        runs, queries = (np.concatenate(parts) for parts in zip(*self.found, strict=True))
        order = np.argsort(runs, kind="stable")
        released = np.concatenate(self.released)[order] if self.released else np.empty(0)
        stopped = self.aboves == self.cutoff
        return Simulation(self.length, self.asked, stopped, runs[order], queries[order], released)


def _checked(answers, threshold, runs, rng):
    """Return answers, thresholds, the number of runs and the generator, or raise a ValueError."""
    answers = checks.vector("answers", answers)
    thresholds = checks.thresholds(threshold, answers.size)
    return answers, thresholds, checks.whole("runs", runs), checks.generator(rng)


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
