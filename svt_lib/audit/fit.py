"""Whether a program is the mechanism that it claims to be: its runs against the exact distribution."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy
from tqdm import tqdm

from svt_lib import checks, exact
from svt_lib.audit.samples import arrows, read_output
from svt_lib.mechanism import Mechanism

#: How many outputs a message names on each side.
NAMED = 3


@dataclass(frozen=True)
class Fit:
    """What the test says; true where it has nothing against the program.

    Attributes
    ----------
    passed : bool
    message : str
        Which outputs are too frequent and which too rare, in words.
    runs : int
        How many were looked at.
    too_frequent, too_rare : tuple of str
        The outputs, furthest off first.
    counts : tuple of int
        How often each outcome came, in the order of `exact.outcome_distribution`; empty where a run gave
        what can't be.
    """

    passed: bool
    message: str
    runs: int
    too_frequent: tuple[str, ...] = ()
    too_rare: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()

    def __bool__(self):
        return self.passed

    def __str__(self):
        return self.message


def fits(
    svt: Callable, mechanism: Mechanism, answers, threshold, *, runs: int = 30_000,
    false_alarm: float = 1e-6, rng=None, progress: bool = True,
) -> Fit:  # fmt: skip
    """Test whether a program has the distribution of a mechanism, by running it.

    Parameters
    ----------
    svt : callable
        ``svt(answers, threshold, epsilon, cutoff, rng)`` returns the list of outcomes, ending at the stop,
        or a pair of outcomes and released numbers. The numbers are not tested.
    mechanism : Mechanism
        What it claims to be, for the sensitivity 1; its `epsilon` and `cutoff` are handed on. At cutoff 1 a
        scale without c is the same scale, and threshold noise that is redrawn is never drawn again: take
        a cutoff of 2 to test for those.
    answers : array_like of float
        A short stream, whose outcomes can all be listed, with answers at or just under the threshold.
    threshold : float or array_like of float
    runs : int
        So many, or fewer where an output can't be.
    false_alarm : float
        At most so often is a right program refused.
    rng : numpy.random.Generator, optional
    progress : bool
        Whether to show a progress bar, for a program that takes its time.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, or saying what `svt` returned where that isn't an output. Also
        where answers and runs are such that half of the query noise, or no threshold noise, would pass.

    Notes
    -----
    The false-alarm rate, derived. The number of runs in which an event happens is binomial. Each outcome
    is an event, and for each query it is one that it came out Above; say there are M. A program is
    refused where so high a count of an event, or so low a one, has a probability below `false_alarm` /
    (2M), by the binomial distribution itself and not by an approximation. To a right program that happens
    on one side of one event with at most that probability, so on any of the 2M with at most
    `false_alarm`. An output of probability 0 is refused at once, and a right program never gives it.
    """
    if not callable(svt):
        raise ValueError(f"svt must be a function, got {svt!r}")
    answers, runs = checks.vector("answers", answers), checks.whole("runs", runs)
    if not answers.size:
        raise ValueError("answers must hold at least one answer")
    level = (
        checks.thresholds(threshold, answers.size)
        if np.ndim(threshold)
        else checks.finite("threshold", threshold)
    )
    rng, claim = checks.generator(rng), _claim(mechanism)
    if not 0 < checks.finite("false_alarm", false_alarm) < 1:
        raise ValueError(f"false_alarm must lie between 0 and 1, got {false_alarm!r}")
    law = exact.outcome_distribution(mechanism, answers, level)
    _check_power(mechanism, answers, level, law, runs, false_alarm)
    place = {outcomes: i for i, outcomes in enumerate(law.outcomes)}
    seen: Counter[int] = Counter()
    for run in tqdm(range(runs), unit="run", disable=not progress, delay=1, leave=False):
        own = level.copy() if np.ndim(level) else level  # a program may add its noise in place
        result = svt(answers.copy(), own, mechanism.epsilon, mechanism.cutoff, rng)
        outcomes, _ = read_output(result, answers.size)
        if outcomes not in place:
            return Fit(False, f"{arrows(outcomes)} can't come out: {_how_it_ends(mechanism)}", run + 1)
        seen[place[outcomes]] += 1
    counts = np.array([seen[i] for i in range(len(place))])
    fit = compare_outcomes(claim, law, counts, runs, false_alarm)
    if fit.passed and mechanism.releases != "nothing":
        fit = replace(fit, message=f"{fit.message} Released numbers weren't tested.")
    return replace(fit, counts=tuple(counts.tolist()))


def compare_outcomes(
    claim: str, law: exact.Distribution, counts, runs: int, false_alarm: float = 1e-6
) -> Fit:
    """Test counted outcomes against their law: each of them, and for each query how often it came out Above.

    Parameters
    ----------
    claim, runs, false_alarm
        As in `compare_frequencies`.
    law : svt_lib.exact.Distribution
    counts : array_like of int
        How often each outcome came, in the order of the law.
    """
    names = [*map(arrows, law.outcomes), *(f"Above for answers[{i}]" for i in range(law.table.shape[1]))]
    events, expected = _events(np.asarray(counts), law.table), _events(law.probabilities, law.table)
    return compare_frequencies(claim, names, events, expected, runs, false_alarm)


def _check_power(mechanism, answers, threshold, law, runs: int, false_alarm: float):
    """Refuse a test that plain mistakes would pass: too few runs, or answers that show nothing."""
    mistakes = (
        {"threshold noise": replace(mechanism, threshold_scale=0.0)} if mechanism.threshold_scale else {}
    )
    if mechanism.query_scale:
        mistakes["half of its query noise"] = replace(mechanism, query_scale=mechanism.query_scale / 2)
    expected = _events(law.probabilities, law.table)
    for missing, other in mistakes.items():
        seen = exact.outcome_distribution(other, answers, threshold)
        counts = runs * _events(seen.probabilities, seen.table)
        if not np.any(_refused(counts, expected, runs, false_alarm)):
            raise ValueError(
                f"answers and runs can't tell {mechanism.name} from one without {missing}: take answers "
                "nearer the threshold, a larger epsilon, or more runs"
            )


def _refused(counts, probabilities, runs: int, false_alarm: float) -> np.ndarray:
    """Return, for too frequent and for too rare, which counts lie beyond the limits; shape (2, events)."""
    probabilities = np.clip(probabilities, 0, 1)  # sums of probabilities may exceed 1 by rounding
    level = false_alarm / (2 * len(counts))
    counts = np.clip(counts, 0, runs)
    frequent = scipy.special.bdtrc(np.floor(counts) - 1, runs, probabilities) < level
    return np.array([frequent, scipy.special.bdtr(np.ceil(counts), runs, probabilities) < level])


def _claim(mechanism: Mechanism) -> str:
    if not isinstance(mechanism, Mechanism):
        raise ValueError(
            f"mechanism must be a Mechanism, such as VARIANTS['alg1'].configure(2.0, 2), got {mechanism!r}"
        )
    if mechanism.sensitivity != 1:
        raise ValueError("mechanism must have sensitivity 1: svt isn't told any other")
    if mechanism.epsilon is None:
        raise ValueError("mechanism must have an epsilon, which svt is called with")
    cutoff = "no cutoff" if mechanism.cutoff is None else f"c = {mechanism.cutoff}"
    return f"{mechanism.name} with ε = {mechanism.epsilon:g} and {cutoff}"


def _how_it_ends(mechanism: Mechanism) -> str:
    if mechanism.cutoff is None:
        return "a run ends with the last answer."
    return f"a run ends with its Above number {mechanism.cutoff}, or else with the last answer."


def _events(per_outcome: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the sum over the outcomes of each event: the single outcomes, then each query's Above."""
    return np.concatenate([per_outcome, per_outcome @ table])


def compare_frequencies(
    claim: str, names, counts, probabilities, runs: int, false_alarm: float = 1e-6
) -> Fit:
    """Test counted events against their probabilities, by the binomial distribution of each count.

    Parameters
    ----------
    claim : str
        What is claimed, for the message.
    names : sequence of str
        Of the M events, for the message.
    counts : array_like of int, shape (M,)
        In how many of the runs each happened. Events may overlap.
    probabilities : array_like of float, shape (M,)
        What they should have.
    runs : int
    false_alarm : float
        At most so often is a right claim refused: each of the 2M tails gets `false_alarm` / (2M).
    """
    counts, probabilities = np.asarray(counts), np.asarray(probabilities, dtype=float)
    frequent, rare = _refused(counts, probabilities, runs, false_alarm)
    expected = runs * probabilities
    spread = np.sqrt(np.maximum(expected * (1 - probabilities), 1.0))
    order = np.argsort(-np.abs(counts - expected) / spread, kind="stable")
    sides = [[i for i in order if off[i]] for off in (frequent, rare)]
    if not any(sides):
        message = f"Nothing against {claim}: all {counts.size} frequencies fit, in {runs:,} runs."
        return Fit(True, message, runs)
    parts = [f"This isn't {claim}, in {runs:,} runs."]
    for word, side in zip(("Too frequent", "Too rare"), sides, strict=True):
        texts = [f"{names[i]} ({counts[i]:,} runs, {expected[i]:,.0f} expected)" for i in side[:NAMED]]
        if texts:
            more = f", and {len(side) - NAMED} more" if len(side) > NAMED else ""
            parts.append(f"{word}: {', '.join(texts)}{more}.")
    return Fit(False, " ".join(parts), runs, *(tuple(names[i] for i in side) for side in sides))
