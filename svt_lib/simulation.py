"""Many runs of a mechanism at once, by the law of `svt_lib.sampling.run`.

Teaching code: floating-point Laplace noise is not safe on real data. Notebook 01 says why and what to use.
"""

from dataclasses import dataclass

import numpy as np

from svt_lib import checks, noise
from svt_lib.variants import Mechanism

#: How many comparisons `simulate` holds at a time: 2 MB of noise.
BLOCK = 1 << 18


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
    rngs = checks.generator(rng).spawn(3)
    threshold_noise = noise.draw(rngs[0], mechanism.threshold_scale, runs)
    asked, aboves, going = np.zeros(runs, dtype=np.int64), np.zeros(runs, dtype=np.int64), np.arange(runs)
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    start = 0
    while start < answers.size and going.size:
        block = slice(start, start + max(1, BLOCK // going.size))
        noisy = answers[block] + noise.draw(rngs[1], mechanism.query_scale, (going.size, answers[block].size))
        margin = noisy - thresholds[block] - threshold_noise[going, np.newaxis]
        if mechanism.redraw:
            _redraw(mechanism, margin, threshold_noise, going, rngs[0])
        above = margin >= 0
        if mechanism.cutoff is not None:
            before = aboves[going, np.newaxis] + np.cumsum(above, axis=1) - above
            above &= before < mechanism.cutoff
            asked[going] += (before < mechanism.cutoff).sum(axis=1)
        else:
            asked[going] += above.shape[1]
        aboves[going] += above.sum(axis=1)
        rows, columns = np.nonzero(above)
        released = _released(mechanism, answers[block][columns], noisy[above], margin[above], rngs[2])
        found.append((going[rows], start + columns, released))
        start = block.stop
        if mechanism.cutoff is not None:
            going = going[aboves[going] < mechanism.cutoff]
    return _simulation(answers.size, asked, aboves == mechanism.cutoff, found)


def _redraw(mechanism, margin, threshold_noise, going, rng):
    """Draw the threshold noise again after each Above: every margin behind it moves by the difference."""
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


def _released(mechanism, answers, noisy, margin, rng) -> np.ndarray:
    if mechanism.releases == "noisy answer":
        return noisy
    if mechanism.releases == "gap":
        return margin
    if mechanism.releases == "fresh answer":
        return answers + noise.draw(rng, mechanism.release_scale, answers.size)
    return np.empty(0)


def _simulation(length, asked, stopped, found) -> Simulation:
    if not found:
        nothing = np.empty(0, dtype=np.int64)
        return Simulation(length, asked, stopped, nothing, nothing, np.empty(0))
    runs, queries, released = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(runs, kind="stable")
    return Simulation(
        length, asked, stopped, runs[order], queries[order], released[order] if released.size else released
    )
