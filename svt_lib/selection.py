"""Choosing the largest of many answers when all of them are known beforehand.

The exponential mechanism and report-noisy-max look at every score at once. SVT used for the same purpose asks
one after the other whether it reaches a threshold, once through or, with retraversal, again and again.

Teaching code: floating-point noise is not safe on real data. Notebook 01 says why and what to use.
"""

from dataclasses import dataclass

import numpy as np

from svt_lib import checks, noise
from svt_lib.mechanism import Mechanism
from svt_lib.simulation import simulate


def exponential_mechanism(
    scores, epsilon: float, count: int = 1, *, sensitivity: float = 1.0, monotonic: bool = False, rng=None
) -> np.ndarray:
    """Select the indices of `count` large scores, in as many rounds of ε/count each.

    A round selects index i among the rest with probability proportional to exp(s_i / scale), where scale is
    2 · count · Δ/ε, or count · Δ/ε where `monotonic`. All rounds are done in one pass: Gumbel noise of that
    scale is added to every score, and the `count` largest sums, in order, have the law of the rounds.

    Neighbouring databases change each score by at most `sensitivity`, with ``monotonic=True`` all in the same
    direction. Only indices are released. All rounds together are ε-private.

    Parameters
    ----------
    scores : array_like of float, shape (items,)
    epsilon : float
        The budget of all rounds together.
    count : int
        How many to select, at most the number of items.
    sensitivity : float
    monotonic : bool
    rng : numpy.random.Generator, optional

    Returns
    -------
    numpy.ndarray of int, shape (count,)
        Distinct indices, in order of selection.

    Raises
    ------
    ValueError
        Naming the argument that isn't right.

    Notes
    -----
    Sources: F. McSherry, K. Talwar, FOCS 2007; for one-directional scores Lyu, Su, Li 2017, section 2.
    """
    scores = _scores(scores)
    scale = _scale(epsilon, _count(count, scores.size), sensitivity, monotonic)
    noisy = scores + scale * checks.generator(rng).gumbel(size=scores.size)
    return _largest(noisy, count)


def selection_probabilities(
    scores, epsilon: float, *, sensitivity: float = 1.0, monotonic: bool = False
) -> np.ndarray:
    """Return the probability with which one round of the exponential mechanism selects each index.

    Parameters are those of `exponential_mechanism`; the result has the shape of `scores` and sums to 1.
    """
    scores, scale = _scores(scores), _scale(epsilon, 1, sensitivity, monotonic)
    with np.errstate(over="ignore"):  # a score that lies infinitely far below the largest has the weight 0
        weights = np.exp((scores - scores.max()) / scale)
    return weights / weights.sum()


def report_noisy_max(
    scores, epsilon: float, *, sensitivity: float = 1.0, monotonic: bool = False, rng=None
) -> int:
    """Return the index of the largest score after Laplace noise of scale 2Δ/ε, or Δ/ε where `monotonic`.

    Neighbouring databases as in `exponential_mechanism`. Only the index is released, never the noisy score;
    that is ε-private.

    Raises
    ------
    ValueError
        Naming the argument that isn't right.

    Notes
    -----
    Source: C. Dwork, A. Roth, The Algorithmic Foundations of Differential Privacy, 2014.
    """
    scores = _scores(scores)
    scale = _scale(epsilon, 1, sensitivity, monotonic)
    return int(np.argmax(scores + noise.draw(checks.generator(rng), scale, scores.size)))


@dataclass(frozen=True)
class Selection:
    """What an SVT selected.

    Attributes
    ----------
    indices : numpy.ndarray of int
        Distinct, in order of selection.
    complete : bool
        Whether it found as many as its cutoff. If not, it ran out of passes.
    passes : int
        How often it went through the items.
    """

    indices: np.ndarray
    complete: bool
    passes: int


def svt_select(
    mechanism: Mechanism, answers, threshold: float, *, raised_by: float = 0.0, passes: int = 1, rng=None
) -> Selection:
    """Select with SVT: go through the items, take every Above, stop at the cutoff.

    With more passes than one this is retraversal: what wasn't selected is asked again, with fresh noise, the
    same threshold noise and the same count. It is one longer stream with the same cutoff, and so exactly as
    private as one pass.

    Given the threshold noise, item i is Above in each pass with the same probability. So its first Above
    comes in a pass with a geometric law, and the items are selected in the order of pass and place: no pass
    has to be run.

    Parameters
    ----------
    mechanism : Mechanism
        One with a cutoff, a scale of the query noise above 0, and no redrawing if `passes` is above 1.
    answers : array_like of float, shape (items,)
        In the order in which the items are asked.
    threshold : float
    raised_by : float
        Raises the threshold by so many standard deviations of the query noise; 1 to 5 are usual with
        retraversal.
    passes : int
        The most that may be made; the result says whether they were enough.
    rng : numpy.random.Generator, optional

    Raises
    ------
    ValueError
        Naming the argument that isn't right.

    Notes
    -----
    Source: Lyu, Su, Li 2017, section 5, as we understand it from later work.
    """
    answers, passes = checks.vector("answers", answers), checks.whole("passes", passes)
    if mechanism.cutoff is None or mechanism.query_scale == 0:
        raise ValueError(f"mechanism must have a cutoff and query noise, and {mechanism.name} doesn't")
    level = checks.finite("threshold", threshold)
    level += checks.finite("raised_by", raised_by) * np.sqrt(2) * mechanism.query_scale
    if mechanism.redraw:
        if passes > 1:
            raise ValueError(f"passes must be 1, since {mechanism.name} redraws its threshold noise")
        chosen = simulate(mechanism, answers, level, runs=1, rng=rng).above_query
        return Selection(chosen, chosen.size == mechanism.cutoff, 1)
    rng = checks.generator(rng)
    level += noise.draw(rng, mechanism.threshold_scale)
    first = _first_above(noise.log_cdf(level - answers, mechanism.query_scale), rng)
    if first.size > mechanism.cutoff:  # no later pass than that of the c-th item matters
        passes = min(passes, np.partition(first, mechanism.cutoff - 1)[mechanism.cutoff - 1])
    reached = np.flatnonzero(first <= passes)
    order = np.argsort(first[reached], kind="stable")  # within a pass, items come in the order asked
    chosen = reached[order[: mechanism.cutoff]]
    complete = chosen.size == mechanism.cutoff
    return Selection(chosen, complete, int(first[chosen[-1]]) if complete else passes)


def threshold_between(answers, cutoff: int) -> float:
    """Return the threshold half-way between the c-th largest answer and the next.

    It is made from the data. A run that keeps it secret is still private (notebook 10); it must not go out.

    Raises
    ------
    ValueError
        Naming the argument; also where there is no next answer.
    """
    answers, cutoff = checks.vector("answers", answers), checks.whole("cutoff", cutoff)
    if cutoff >= answers.size:
        raise ValueError(f"cutoff must be below the number of answers, {answers.size}, got {cutoff}")
    return float(np.partition(answers, (-cutoff - 1, -cutoff))[-cutoff - 1 :][:2].mean())


def _first_above(log_miss, rng) -> np.ndarray:
    """Draw for each item the pass of its first Above: geometric, 1 or more, infinite where it never comes.

    An exponential draw may be 0. The first pass is then the one, and NaN (no pass) where none can be.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return 1 + np.floor(rng.standard_exponential(log_miss.size) / -log_miss)


def false_negative_rate(selected, scores, count: int) -> float:
    """Return the share of the `count` highest scores that were missed.

    Where scores tie at the boundary, any of the tied items counts as one of the highest.

    Raises
    ------
    ValueError
        Naming the argument that isn't right.
    """
    scores, count = _scores(scores), _count(count, np.size(scores))
    return _missed(scores[_indices(selected, scores.size)], _highest(scores, count))


def score_error_rate(selected, scores, count: int) -> float:
    """Return 1 - (average score of the selected) / (average of the `count` highest scores).

    1 where nothing was selected. Fewer than `count` items can make it look good; the false negative rate
    can't be fooled so.

    Raises
    ------
    ValueError
        Naming the argument that isn't right; also where the highest scores don't have a positive average.
    """
    scores, count = _scores(scores), _count(count, np.size(scores))
    return _shortfall(scores[_indices(selected, scores.size)], _highest(scores, count))


def error_rates(selections, scores, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the false negative and the score error rate of many selections from the same scores.

    The highest scores are looked for once.

    Parameters
    ----------
    selections : sequence of sequences of int
    scores, count
        As in `false_negative_rate`.

    Returns
    -------
    fnr, ser : numpy.ndarray of float, shape (selections,)
    """
    scores, count = _scores(scores), _count(count, np.size(scores))
    highest = _highest(scores, count)
    chosen = [scores[_indices(selected, scores.size)] for selected in selections]
    return tuple(np.array([rate(own, highest) for own in chosen]) for rate in (_missed, _shortfall))


def _highest(scores: np.ndarray, count: int) -> np.ndarray:
    return np.partition(scores, -count)[-count:]


def _missed(chosen: np.ndarray, highest: np.ndarray) -> float:
    return 1 - min(int((chosen >= highest.min()).sum()), highest.size) / highest.size


def _shortfall(chosen: np.ndarray, highest: np.ndarray) -> float:
    best = highest.mean()
    if best <= 0:
        raise ValueError(f"scores must have a positive average among the {highest.size} highest: {best:g}")
    return 1.0 if chosen.size == 0 else 1 - float(chosen.mean() / best)


def _scores(scores) -> np.ndarray:
    scores = checks.vector("scores", scores)
    if scores.size == 0:
        raise ValueError("scores must not be empty")
    return scores


def _count(count: int, items: int) -> int:
    if checks.whole("count", count) > items:
        raise ValueError(f"count must be at most the number of scores, {items}, got {count}")
    return count


def _indices(selected, items: int) -> np.ndarray:
    selected = np.asarray(selected, dtype=np.int64 if np.size(selected) == 0 else None)
    if selected.ndim != 1 or not np.issubdtype(selected.dtype, np.integer):
        raise ValueError("selected must be a sequence of indices")
    if np.unique(selected).size < selected.size or np.any((selected < 0) | (selected >= items)):
        raise ValueError(f"selected must be distinct indices from 0 to {items - 1}")
    return selected


def _scale(epsilon: float, rounds: int, sensitivity: float, monotonic: bool) -> float:
    """Return the scale of the noise of a selection in so many rounds: [2] · rounds · Δ/ε."""
    epsilon = checks.budget("epsilon", epsilon)
    scale = (1 if monotonic else 2) * rounds * checks.positive("sensitivity", sensitivity) / epsilon
    if not scale <= checks.LARGEST:
        raise ValueError(
            f"epsilon = {epsilon:g} is too small for sensitivity {sensitivity:g}: scales overflow"
        )
    return scale


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """Return the indices of the largest values, largest first."""
    top = np.argpartition(values, -count)[-count:]
    return top[np.argsort(-values[top], kind="stable")]
