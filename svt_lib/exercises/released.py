"""Checks of the numbers that go out with Aboves, where more than one kind of number is right."""

import numpy as np

from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner
from svt_lib.exercises.programs import FAR, have_law, laplace_draws, outcomes_of
from svt_lib.mechanism import Mechanism

#: At most so often is a right program refused by one of five tests. Together they take what
#: `programs.is_mechanism` leaves of one in a million.
FALSE_ALARM = 1e-8
#: On one answer 1 below the threshold; on two far above it; on one far above it. There, so many tell the gap
#: to the true threshold from the gap to the noisy one, by four standard deviations more than a refusal takes.
RUNS, RUNS_PAIR, RUNS_ALONE = 8_000, 4_000, 16_000


def gaps_or_fresh(svt: Learner, mechanism: Mechanism, alone: Mechanism, epsilon_numbers: float, rng) -> str:
    """Check that released numbers are gaps, or answers with fresh noise; return which.

    Parameters
    ----------
    svt : Learner
        Its outcomes have the law of the mechanism. It may add the threshold to its numbers, or take it away.
    mechanism, alone : Mechanism
        At a cutoff of 2, and at one of 1. The two scales of each differ.
    epsilon_numbers : float
        What c fresh numbers cost together.
    rng : numpy.random.Generator

    Raises
    ------
    Mistake

    Notes
    -----
    An answer below the threshold shows numbers that lean on what was compared, two answers those that share
    their noise. Gaps are never negative, and n fresh numbers are all above the threshold with probability
    2^-n at most, so the kind is known. Each test is that of `programs.laplace_draws`, with `FALSE_ALARM`.
    """
    (near,) = _beyond(svt, mechanism, [-1.0], RUNS, rng)
    if near.min() > 1 - 1e-6:  # rounding, where the threshold was added
        kind, scale = "gaps", mechanism.query_scale
        _are_gaps(near, mechanism, "The released numbers", least=1.0)
    else:
        kind, scale = "answers with fresh noise", mechanism.cutoff / epsilon_numbers
        _are_fresh(near, scale)

    def test(draws, tested, what):
        if kind == "gaps":
            _are_gaps(draws, tested, what)
        else:
            laplace_draws(draws, tested.cutoff / epsilon_numbers, what=what, false_alarm=FALSE_ALARM)

    far = FAR * mechanism.comparison_sd
    first, second = _beyond(svt, mechanism, [2 * far, 3 * far], RUNS_PAIR, rng)
    test(first, mechanism, "The numbers of first Aboves")
    test(second, mechanism, "The numbers of second Aboves")
    if np.ptp(first - second) < 1e-6:
        raise Mistake(
            "All numbers of a run share one draw of noise: their difference is that of the true answers."
        )
    if not have_law(first - second, lambda x: 1 - _tail_of_two(x, scale), FALSE_ALARM):
        raise Mistake("Two numbers of a run go together: does each answer have noise of its own?")
    (single,) = _beyond(svt, alone, [2 * FAR * alone.comparison_sd], RUNS_ALONE, rng)
    test(single, alone, "With c = 1, the numbers of answers far above the threshold")
    return kind


def _beyond(svt: Learner, mechanism: Mechanism, margins, runs: int, rng) -> np.ndarray:
    """Return how far the numbers lie above the answers, in the runs that give a number to each answer.

    The answers lie so far above the threshold as `margins` say. The result has a row for each.
    """
    threshold, numbers = float(rng.integers(500, 900)), []
    called = threshold + np.array(margins), threshold, mechanism.epsilon, mechanism.cutoff, rng
    for _ in range(runs):
        outcomes, released = outcomes_of(svt, *called, numbers=True)
        if len(released) != sum(outcomes):
            raise Mistake("An Above came without a number: each Above has one.")
        if len(released) == len(margins):
            numbers.append(released)
    if not numbers:
        raise Mistake(f"{runs:,} runs gave no Above for answers {margins[0]:g} from the threshold.")
    beyond = np.array(numbers).T - np.array(margins)[:, np.newaxis]
    return beyond - threshold * (np.median(beyond) > threshold / 2)


def _are_gaps(draws, mechanism: Mechanism, what: str, least: float = -np.inf) -> None:
    """Test the law of query noise - threshold noise, given that it is at least `least`."""
    if not have_law(
        draws, lambda x: 1 - difference_above(mechanism, x) / difference_above(mechanism, least), FALSE_ALARM
    ):
        raise Mistake(
            f"{what} don't have the law of gaps. Are they gaps between the noisy answer and the noisy "
            "threshold that were compared?"
        )


def _are_fresh(draws, scale: float) -> None:
    """Test the numbers of an answer below the threshold."""
    try:
        laplace_draws(draws, scale, what="The released numbers", false_alarm=FALSE_ALARM)
    except Mistake:
        if np.median(draws) > scale:
            raise Mistake(
                "For an answer below the threshold the numbers lie above the answer, as the number does that "
                "was compared: it tells how far down the noisy threshold must lie. A gap to the true "
                "threshold gives that number away, too. One to the noisy threshold is never negative."
            ) from None
        raise


def _tail_of_two(x, scale: float):
    """Return Pr[X - Y > x] for two independent draws of Lap(scale)."""
    tail = np.exp(-np.abs(x) / scale) * (2 + np.abs(x) / scale) / 4
    return np.where(x >= 0, tail, 1 - tail)


def difference_above(mechanism: Mechanism, x):
    """Return Pr[query noise - threshold noise > x], for two different scales: an integral in closed form."""
    b1, b2 = mechanism.threshold_scale, mechanism.query_scale
    tail = (b2**2 * np.exp(-np.abs(x) / b2) - b1**2 * np.exp(-np.abs(x) / b1)) / (b2**2 - b1**2) / 2
    return np.where(np.asarray(x) >= 0, tail, 1 - tail)


def numbered(number, *, threshold=6, query=12, again=False, late=0):
    """Return an SVT that releases ``number(answer, noisy, gap, T, rng)`` with an Above."""

    def svt(answers, T, epsilon, cutoff, rng):
        z, outcomes, numbers = rng.laplace(scale=threshold / epsilon), [], []
        for answer in answers:
            noisy = answer + rng.laplace(scale=query * cutoff / epsilon)
            outcomes.append(noisy >= T + z)
            if outcomes[-1]:
                numbers += number(answer, noisy, noisy - T - z, T, rng)
                z = rng.laplace(scale=threshold / epsilon) if again else z
            if sum(outcomes) == cutoff + late:
                break
        return outcomes, numbers

    return svt


def answers_with(noise):
    """Return an SVT that adds ``noise(scale, size, rng)`` to the answers of all its Aboves, at the end."""

    def svt(answers, T, epsilon, cutoff, rng):
        outcomes, numbers = numbered(lambda answer, *_: [answer])(answers, T, epsilon, cutoff, rng)
        return outcomes, list(np.array(numbers) + noise(cutoff / (2 * epsilon / 3), len(numbers), rng))

    return svt
