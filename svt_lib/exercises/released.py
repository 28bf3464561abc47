"""Checks of the numbers that go out with Aboves, where more than one kind of number is right."""

import numpy as np

from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner
from svt_lib.exercises.programs import laplace_draws, outcomes_of
from svt_lib.mechanism import Mechanism

#: At most so often is a right program refused. It is what `programs.is_mechanism` leaves of one in a million.
FALSE_ALARM = 5e-8


def gaps_or_fresh(svt: Learner, mechanism: Mechanism, scale: float, rng, *, runs: int = 8_000) -> str:
    """Check that released numbers are gaps, or answers with fresh noise Lap(`scale`); return which.

    Parameters
    ----------
    svt : Learner
        Its outcomes have the law of the mechanism.
    mechanism : Mechanism
        With two different scales; its `epsilon` and `cutoff` are handed on.
    scale : float
    rng : numpy.random.Generator
    runs : int
        On a single answer, 1 below the threshold.

    Raises
    ------
    Mistake

    Notes
    -----
    Gaps are never negative, and fresh numbers are all above the threshold with probability 2^-n at most. So
    one of two tests is made, each as in `programs.laplace_draws`, and refuses a right program with a
    probability of at most `FALSE_ALARM`. Gaps may have the threshold added.
    """
    answer, numbers = float(rng.integers(500, 900)), []
    for _ in range(runs):
        outcomes, released = outcomes_of(svt, [answer], answer + 1, mechanism.epsilon, mechanism.cutoff, rng)
        if len(released) != sum(outcomes):
            raise Mistake(f"{sum(outcomes)} Aboves and {len(released)} released numbers: each Above has one.")
        numbers += released
    numbers = np.array(numbers)
    if not numbers.size:
        raise Mistake(f"For an answer 1 below the threshold, none of {runs:,} runs said Above.")
    are_answers = np.median(numbers) > answer / 2
    gaps = np.sort(numbers - (answer + 1) * are_answers)
    if gaps[0] > -1e-6:  # rounding, where the threshold was added
        law = 1 - difference_above(mechanism, gaps + 1) / difference_above(mechanism, 1.0)
        steps = np.arange(gaps.size + 1) / gaps.size
        distance = max(np.max(steps[1:] - law), np.max(law - steps[:-1]))
        if distance > np.sqrt(np.log(2 / FALSE_ALARM) / (2 * gaps.size)):
            raise Mistake(
                "The numbers aren't gaps between the noisy answer and the noisy threshold compared."
            )
        return "gaps"
    if not are_answers:
        raise Mistake(
            "A gap is never negative, and some of your numbers are. A gap to the true threshold gives the "
            "number away that was compared."
        )
    try:
        laplace_draws(numbers - answer, scale, what="The released numbers", false_alarm=FALSE_ALARM)
    except Mistake:
        if np.median(numbers - answer) > scale:
            raise Mistake(
                "For an answer below the threshold the numbers lie above the answer, as the number does that "
                "was compared. It tells how far down the noisy threshold must lie."
            ) from None
        raise
    return "answers with fresh noise"


def difference_above(mechanism: Mechanism, x):
    """Return Pr[query noise - threshold noise > x], for two different scales: an integral in closed form."""
    b1, b2 = mechanism.threshold_scale, mechanism.query_scale
    tail = (b2**2 * np.exp(-np.abs(x) / b2) - b1**2 * np.exp(-np.abs(x) / b1)) / (b2**2 - b1**2) / 2
    return np.where(np.asarray(x) >= 0, tail, 1 - tail)


def numbered(number, *, threshold=6, query=12, again=False, late=0):
    """Return an SVT that releases ``number(answer, noisy, gap, rng)`` with an Above."""

    def svt(answers, T, epsilon, cutoff, rng):
        z, outcomes, numbers = rng.laplace(scale=threshold / epsilon), [], []
        for answer in answers:
            noisy = answer + rng.laplace(scale=query * cutoff / epsilon)
            outcomes.append(noisy >= T + z)
            if outcomes[-1]:
                numbers += number(answer, noisy, noisy - T - z, rng)
                z = rng.laplace(scale=threshold / epsilon) if again else z
            if sum(outcomes) == cutoff + late:
                break
        return outcomes, numbers

    return svt
