"""Running a black box many times, and sorting its outputs into cells that can be counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from tqdm import tqdm

from svt_lib import checks
from svt_lib.mechanism import Mechanism
from svt_lib.sampling import Transcript
from svt_lib.simulation import simulate

#: What a query got, in `Sample.verdicts`.
BELOW, ABOVE, NOT_ASKED = 0, 1, 2
#: A code that large is made small again before the next column joins it.
LARGE = 1 << 40
#: The types of True and False, Python's and NumPy's.
TRUTHS = frozenset((bool, np.bool_))
#: How many outputs an event names before it counts the rest.
NAMED = 3


@dataclass(frozen=True)
class Sample:
    """The outputs of many runs.

    Attributes
    ----------
    verdicts : numpy.ndarray of int8, shape (runs, length)
        Each `BELOW`, `ABOVE` or `NOT_ASKED`.
    numbers : numpy.ndarray of float, shape (runs, most numbers of a run)
        What was released, in order; NaN after the last.
    """

    verdicts: np.ndarray
    numbers: np.ndarray

    def output(self, run: int) -> tuple[tuple[bool, ...], tuple[float, ...]]:
        """Return the outcomes and the released numbers of one run."""
        verdicts, numbers = self.verdicts[run], self.numbers[run]
        asked = verdicts[verdicts != NOT_ASKED] == ABOVE
        return tuple(asked.tolist()), tuple(numbers[~np.isnan(numbers)].tolist())

    def __len__(self):
        return len(self.verdicts)

    def tally(self) -> dict[str, int]:
        """Return how often each sequence of outcomes came up, written with ▲ and ▽; numbers are left out."""
        first, cell = Sample(self.verdicts, np.empty((len(self), 0))).cells(())
        counts = np.bincount(cell, minlength=first.size)
        return {arrows(self.output(run)[0]): int(count) for run, count in zip(first, counts, strict=True)}

    def __getitem__(self, part: slice) -> "Sample":
        return Sample(self.verdicts[part], self.numbers[part])

    def __add__(self, other: "Sample") -> "Sample":
        width = max(self.numbers.shape[1], other.numbers.shape[1])
        numbers = np.full((len(self) + len(other), width), np.nan)
        numbers[: len(self), : self.numbers.shape[1]] = self.numbers
        numbers[len(self) :, : other.numbers.shape[1]] = other.numbers
        return Sample(np.concatenate([self.verdicts, other.verdicts]), numbers)

    def cells(self, edges) -> tuple[np.ndarray, np.ndarray]:
        """Sort the runs by outcomes and by the cell that each number falls in.

        Parameters
        ----------
        edges : array_like of float
            Rising; a number v is in cell ``searchsorted(edges, v, "right")``.

        Returns
        -------
        first : numpy.ndarray of int, shape (cells,)
            A run of each cell that occurs.
        cell : numpy.ndarray of int, shape (runs,)
            The cell of each run.
        """
        bins = np.where(np.isnan(self.numbers), 0, 1 + np.searchsorted(edges, self.numbers, "right"))
        code = np.zeros(len(self), dtype=np.int64)
        for base, columns in ((3, self.verdicts.T), (len(edges) + 2, bins.T)):
            for column in columns:
                code = code * base + column
                if code.max(initial=0) > LARGE:
                    code = np.unique(code, return_inverse=True)[1]
        _, first, cell = np.unique(code, return_index=True, return_inverse=True)
        return first, cell


@dataclass(frozen=True)
class Event:
    """A set of outputs, as an audit finds it: call it with outcomes and released numbers.

    Attributes
    ----------
    outputs : tuple of (tuple of bool, tuple of int)
        Outcomes, and for each released number the cell that it falls in.
    edges : tuple of float
        Between the cells: cell j holds ``edges[j - 1] <= v < edges[j]``.
    """

    outputs: tuple[tuple[tuple[bool, ...], tuple[int, ...]], ...]
    edges: tuple[float, ...] = ()

    def __call__(self, outcomes, released=()) -> bool:
        """Return whether an output belongs to the event."""
        return (tuple(map(bool, outcomes)), cells_of(released, self.edges)) in self._members

    @cached_property
    def _members(self) -> frozenset:
        return frozenset(self.outputs)

    def __str__(self):
        texts = [arrows(outcomes) + self._numbers(spans) for outcomes, spans in self._merged()]
        more = len(texts) - NAMED
        return " or ".join(texts[:NAMED]) + (f" or one of {more} more" if more > 0 else "")

    def _merged(self):
        """Return outcomes and spans of cells; cells side by side after the same outcomes are one span."""
        merged: list[tuple[tuple[bool, ...], list[list[int]]]] = []
        by_outcomes = {outcomes: place for place, (outcomes, _) in reversed([*enumerate(self.outputs)])}
        for outcomes, cells in sorted(self.outputs, key=lambda output: (by_outcomes[output[0]], output[1])):
            spans = [[cell, cell] for cell in cells]
            last = merged[-1] if merged else None
            if last and last[0] == outcomes and len(cells) == 1 and last[1][0][1] + 1 == cells[0]:
                last[1][0][1] = cells[0]
            else:
                merged.append((outcomes, spans))
        return merged

    def _numbers(self, spans) -> str:
        edges = (-np.inf, *self.edges, np.inf)
        texts = []
        for first, last in spans:
            low, high = edges[first], edges[last + 1]
            if np.isinf(low) and np.isinf(high):
                texts.append("any number")
            elif np.isinf(low):
                texts.append(f"a number below {high:.2f}")
            elif np.isinf(high):
                texts.append(f"a number from {low:.2f} on")
            else:
                texts.append(f"a number from {low:.2f} to {high:.2f}")
        return f" with {' and '.join(texts)}" if texts else ""


def cells_of(numbers, edges) -> tuple[int, ...]:
    """Return the cell that each number falls in."""
    return tuple(np.searchsorted(edges, np.asarray(numbers, dtype=float), "right").tolist())


def arrows(outcomes) -> str:
    """Return outcomes as text: ▲ for Above, ▽ for Below."""
    return "".join("▲" if above else "▽" for above in outcomes) or "nothing"


def sample(
    mechanism: Mechanism | Callable, answers, threshold=None, *, runs: int, rng=None, progress: bool = True
) -> Sample:
    """Run a mechanism, or any function, many times on the same answers.

    Parameters
    ----------
    mechanism : Mechanism or callable
        A function is called as ``f(answers, rng)`` and returns a `Transcript`, a sequence of outcomes, or a
        pair of outcomes and released numbers.
    answers : array_like of float
    threshold : float or array_like of float
        For a `Mechanism` only; a function has its own.
    runs : int
    rng : numpy.random.Generator, optional
    progress : bool
        Whether to show a progress bar, for a function that takes its time.
    """
    answers, runs, rng = checks.vector("answers", answers), checks.whole("runs", runs), checks.generator(rng)
    if isinstance(mechanism, Mechanism):
        return _simulated(mechanism, answers, threshold, runs, rng)
    _check_function(mechanism, threshold)
    rounds = tqdm(range(runs), unit="run", disable=not progress, delay=1, leave=False)
    return _collected(
        [read_output(mechanism(answers.copy(), rng), answers.size) for _ in rounds], answers.size
    )


def sample_both(
    mechanism: Mechanism | Callable, sides, threshold=None, *, runs: int, rng, progress: bool = True
) -> list[Sample]:
    """Run on two databases; a function is called on both in turn, which comes first is random."""
    if isinstance(mechanism, Mechanism):
        return [sample(mechanism, side, threshold, runs=runs, rng=rng) for side in sides]
    _check_function(mechanism, threshold)
    outputs: tuple[list, list] = ([], [])
    for _ in tqdm(range(runs), unit="run", disable=not progress, delay=1, leave=False):
        for side in rng.permutation(2):
            outputs[side].append(read_output(mechanism(sides[side].copy(), rng), sides[side].size))
    return [_collected(own, side.size) for own, side in zip(outputs, sides, strict=True)]


def _check_function(mechanism, threshold):
    if not callable(mechanism):
        raise ValueError(f"mechanism must be a Mechanism or a function f(answers, rng), got {mechanism!r}")
    if threshold is not None:
        raise ValueError("threshold goes with a Mechanism; a function has its own")


def _collected(outputs: list, length: int) -> Sample:
    verdicts = np.full((len(outputs), length), NOT_ASKED, dtype=np.int8)
    numbers = np.full((len(outputs), max(len(released) for _, released in outputs)), np.nan)
    for run, (outcomes, released) in enumerate(outputs):
        verdicts[run, : len(outcomes)] = outcomes
        numbers[run, : len(released)] = released
    return Sample(verdicts, numbers)


def _simulated(mechanism: Mechanism, answers, threshold, runs: int, rng) -> Sample:
    many = simulate(mechanism, answers, threshold, runs=runs, rng=rng)
    verdicts = many.outcomes.astype(np.int8)
    verdicts[np.arange(answers.size) >= many.asked[:, np.newaxis]] = NOT_ASKED
    numbers = np.full((runs, many.aboves.max(initial=0) if many.released.size else 0), np.nan)
    if many.released.size:
        rank = np.arange(many.above_run.size) - np.searchsorted(many.above_run, many.above_run)
        numbers[many.above_run, rank] = many.released
    return Sample(verdicts, numbers)


def read_output(result, length: int) -> tuple[tuple[bool, ...], tuple[float, ...]]:
    """Return the outcomes and the released numbers of what a function returned; refuse anything else."""
    if isinstance(result, Transcript):
        return result.outcomes, result.released
    released: Sequence = ()
    if (
        isinstance(result, list | tuple)
        and len(result) == 2
        and isinstance(result[0], list | tuple | np.ndarray)
    ):
        result, released = result
        if not isinstance(released, list | tuple | np.ndarray):
            raise ValueError(f"the function must return released numbers as a list, got {released!r}")
    if not _are_outcomes(result):
        raise ValueError(f"the function must return a list of True and False for each run, got {result!r}")
    if len(result) > length:
        raise ValueError(f"the function returned {len(result)} outcomes for {length} answers")
    outcomes = tuple(map(bool, result))
    numbers = tuple(checks.vector("released", released).tolist()) if len(released) else ()
    if numbers and len(numbers) != sum(outcomes):
        aboves = sum(outcomes)
        raise ValueError(f"the function released {len(numbers)} numbers, and Aboves there were {aboves}")
    return outcomes, numbers


def _are_outcomes(result) -> bool:
    """Return whether it is a row of True and False, or of 1 and 0."""
    if isinstance(result, np.ndarray):
        return result.ndim == 1 and bool(np.all((result == 0) | (result == 1)))
    if not isinstance(result, list | tuple):
        return False
    if TRUTHS.issuperset(map(type, result)):  # nearly always, and this runs for every run of an audit
        return True
    return all(np.ndim(outcome) == 0 and outcome in (True, False) for outcome in result)
