"""A lower bound on the privacy loss, from runs on two neighbouring databases.

An event with the probability p on D and p′ on D′ shows a loss of ln(p / p′). Both are estimated by
counting, so p may be smaller than it looks, and p′ larger. Clopper and Pearson's limits say by how much,
for any number of runs and without approximation: C. Clopper, E. Pearson, "The Use of Confidence or Fiducial
Limits Illustrated in the Case of the Binomial", Biometrika 26, 1934. One half of the runs chooses the event
and the other estimates it, because an event looks better than it is in the counts that chose it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from tqdm import tqdm

from svt_lib import checks
from svt_lib.audit.samples import Event, Sample, cells_of, sample_both
from svt_lib.mechanism import Mechanism

#: How many cells the released numbers of a run are sorted into, all of them together.
CELLS = 12
#: The least confidence with which an event is chosen: few runs flatter more, so they have to look better.
CHOOSING = 0.999
#: The names of the two databases.
NAMES = ("D", "D′")


def lower_limit(count, runs: float, miss: float):
    """Return Clopper and Pearson's lower limit of a probability, given how often the event happened.

    It is the p at which `count` or more of `runs` has the probability `miss`, and 0 for a count of 0. So with
    probability `miss` at most it lies above the truth.

    Parameters
    ----------
    count : array_like of float
        Need not be whole.
    runs : float
    miss : float
    """
    count = np.asarray(count, dtype=float)
    positive = np.where(count > 0, count, 1.0)
    return np.where(count > 0, scipy.special.betaincinv(positive, runs - positive + 1, miss), 0.0)


def upper_limit(count, runs: float, miss: float):
    """Return Clopper and Pearson's upper limit: there, `count` or fewer has the probability `miss`.

    It is 1 where the event happened in all runs. Parameters as in `lower_limit`.
    """
    return 1 - lower_limit(runs - np.asarray(count, dtype=float), runs, miss)


def log_ratio_limit(count, other_count, runs: float, confidence: float):
    """Return a lower bound on ln(p / p′), the two counts being of `runs` runs each; at least 0.

    Each limit may miss with half of what `confidence` leaves, so both hold together with `confidence`.
    """
    miss = (1 - _probability("confidence", confidence)) / 2
    most = np.asarray(runs) * (1 + checks.ROUNDING)
    if np.any(np.asarray(count) > most) or np.any(np.asarray(other_count) > most):
        raise ValueError(f"count must be at most runs, {runs}")
    low, high = lower_limit(count, runs, miss), upper_limit(other_count, runs, miss)
    return np.log(np.maximum(low / high, 1.0))


@dataclass(frozen=True)
class LowerBound:
    """What an audit shows: a loss that the mechanism has at least.

    Attributes
    ----------
    value : float
        On the loss on this pair of databases, and so on that over all neighbours; 0 where it shows nothing.
    confidence : float
        With at least this probability, the bound is not above the truth.
    event : callable
        The event behind it: takes outcomes and released numbers. `str` of it is readable.
    likelier : {"D", "D′"}
        On which database the event is to be likelier.
    counts : tuple of two int
        How often it happened on D and on D′.
    runs : int
        In how many runs a side.
    pair : int
        The number of the pair, where there were several.
    """

    value: float
    confidence: float
    event: Callable
    likelier: str
    counts: tuple[int, int]
    runs: int
    pair: int = 0

    @property
    def label(self) -> str:
        """What kind of figure this is, such as "lower bound at 95 %"."""
        if self.confidence > 0.999999:  # rounded to six digits it would be 100 %
            return f"lower bound, wrong with at most {1 - self.confidence:.1g}"
        return f"lower bound at {100 * self.confidence:.6g} %"

    def __str__(self):
        event = self.event if isinstance(self.event, Event) else "the event"
        return (
            f"at least {self.value:.2f} ({self.label}): {event} in {self.counts[0]:,} of {self.runs:,} runs "
            f"on D and in {self.counts[1]:,} on D′"
        )


def lower_bound(
    mechanism: Mechanism | Callable, answers, neighbour_answers, threshold=None, *, runs: int, event=None,
    confidence: float = 0.95, sensitivity: float | None = None, rng=None, progress: bool = True,
) -> LowerBound:  # fmt: skip
    """Return a lower bound on the privacy loss between two neighbouring databases, by running a mechanism.

    Parameters
    ----------
    mechanism : Mechanism or callable
        Or a function ``f(answers, rng)`` that returns outcomes, a pair of outcomes and released numbers, or a
        `Transcript`: a black box.
    answers, neighbour_answers : array_like of float
        The true answers on D and on D′. Each differs from the other by at most the sensitivity.
    threshold : float or array_like of float
        For a `Mechanism` only; a function has its own.
    runs : int
        On each of the two databases.
    event : callable, optional
        Takes outcomes and released numbers, both tuples; to be likelier on D. All runs estimate it. Left out,
        an event is chosen on half of the runs, likelier on either side, and estimated on the others.
    confidence : float
        Between 0 and 1.
    sensitivity : float, optional
        Of the queries that a function answers, 1 where it is left out; a `Mechanism` has its own.
    rng : numpy.random.Generator, optional
    progress : bool
        Whether to show a progress bar, for a function that takes its time.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, also for a pair that isn't neighbouring.

    Notes
    -----
    The bound exceeds the loss on this pair with probability at most 1 - `confidence`, whatever the
    mechanism, as long as its runs don't know of each other: a program that remembers earlier calls, or
    changes with time, can be accused though it is private. (A function is called on the two databases in
    random order, so that a slow drift meets both alike.) It says nothing of what the loss may be at most.
    Looking at several bounds and keeping the best spoils that promise: see `lower_bound_over_pairs`.
    """
    if event is not None and not callable(event):
        raise ValueError(f"event must be a function of outcomes and released numbers, got {event!r}")
    runs = checks.whole("runs", runs, minimum=1 if event else 2)
    confidence, rng = _probability("confidence", confidence), checks.generator(rng)
    sides = _neighbours(mechanism, answers, neighbour_answers, sensitivity)
    here, there = sample_both(mechanism, sides, threshold, runs=runs, rng=rng, progress=progress)
    likelier = 0
    if event is None:
        half = runs // 2
        event, likelier = _choose(here[:half], there[:half], max(confidence, CHOOSING))
        here, there = here[half:], there[half:]
    counts = [int(happens(event, side).sum()) for side in (here, there)]
    most, least = counts if likelier == 0 else counts[::-1]
    value = float(log_ratio_limit(most, least, len(here), confidence))
    return LowerBound(value, confidence, event, NAMES[likelier], tuple(counts), len(here))


def lower_bound_over_pairs(
    mechanism: Mechanism | Callable, pairs: Sequence, threshold=None, *, runs: int,
    confidence: float = 0.95, sensitivity: float | None = None, rng=None, progress: bool = True,
) -> LowerBound:  # fmt: skip
    """Return the best of the lower bounds on several pairs of databases, at one confidence for all of them.

    Bonferroni's correction: each of the n bounds may be wrong with probability (1 - `confidence`) / n only.

    Parameters
    ----------
    mechanism, threshold, runs, confidence, sensitivity, rng, progress
        As in `lower_bound`; the runs are for each pair.
    pairs : sequence of (answers, neighbour_answers)

    Raises
    ------
    ValueError
        As in `lower_bound`, and where there is no pair.
    """
    pairs, rng = list(pairs), checks.generator(rng)
    if not pairs:
        raise ValueError("pairs must hold at least one pair of databases")
    if any(not np.iterable(pair) or len(pair) != 2 or not np.iterable(pair[0]) for pair in pairs):
        raise ValueError("pairs must hold pairs of databases: (answers, neighbour_answers), each a sequence")
    each = 1 - (1 - _probability("confidence", confidence)) / len(pairs)
    shared = {"runs": runs, "confidence": each, "sensitivity": sensitivity, "rng": rng, "progress": False}
    bars = tqdm(pairs, unit="pair", disable=not progress, delay=1, leave=False)
    bounds = [lower_bound(mechanism, *pair, threshold, **shared) for pair in bars]
    best = max(range(len(pairs)), key=lambda pair: bounds[pair].value)
    return replace(bounds[best], confidence=confidence, pair=best)


def happens(event: Callable, runs: Sample) -> np.ndarray:
    """Return for each run whether the event happened."""
    if isinstance(event, Event) or not runs.numbers.size:
        first, cell = runs.cells(event.edges if isinstance(event, Event) else ())
        return np.array([bool(event(*runs.output(run))) for run in first])[cell]
    return np.array([bool(event(*runs.output(run))) for run in range(len(runs))])


def _choose(here: Sample, there: Sample, confidence: float) -> tuple[Event, int]:
    """Return the event whose bound is largest on these runs, and the side on which it is likelier.

    Outputs join the event in the order of their likelihood ratios, as the best test grows (Neyman and
    Pearson). One run more on each side keeps outputs that were hardly seen from coming first.
    """
    both = here + there
    edges = _edges(both.numbers)
    first, cell = both.cells(edges)
    counts = [np.bincount(part, minlength=first.size) for part in (cell[: len(here)], cell[len(here) :])]
    found = []
    for likelier in (0, 1):
        most, least = counts[likelier], counts[1 - likelier]
        order = np.argsort(-(most + 1) / (least + 1), kind="stable")
        limits = log_ratio_limit(np.cumsum(most[order]), np.cumsum(least[order]), len(here), confidence)
        size = int(limits.argmax())
        found.append((limits[size], likelier, order[: size + 1]))
    _, likelier, chosen = max(found, key=lambda candidate: candidate[0])
    outputs = (both.output(run) for run in first[chosen])
    cells = tuple((outcomes, cells_of(numbers, edges)) for outcomes, numbers in outputs)
    return Event(cells, tuple(edges.tolist())), likelier


def _edges(numbers: np.ndarray) -> np.ndarray:
    """Return edges between the cells of released numbers, about as many numbers in each."""
    values = numbers[~np.isnan(numbers)]
    if not values.size:
        return np.empty(0)
    cells = max(2, round(CELLS ** (1 / numbers.shape[1])))
    return np.unique(np.quantile(values, np.arange(1, cells) / cells))


def _neighbours(mechanism, answers, neighbour_answers, sensitivity) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(mechanism, Mechanism):
        if sensitivity is not None:
            raise ValueError("sensitivity goes with a function; a Mechanism has its own")
        sensitivity = mechanism.sensitivity
    sensitivity = 1.0 if sensitivity is None else checks.positive("sensitivity", sensitivity)
    return checks.neighbours(answers, neighbour_answers, sensitivity)


def _probability(name: str, value) -> float:
    number = checks.finite(name, value)
    if not 0 < number < 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")
    return number
