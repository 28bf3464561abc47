"""Checks of a learner's ``svt(answers, threshold, epsilon, cutoff, rng)``: whether it is right, or private.

They look at what comes out, never at the code: a loop or arrays, noise in another order, ``>`` for ``>=``
are all the same to them.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from svt_lib import audit, exact, noise
from svt_lib.audit.samples import arrows, read_output
from svt_lib.exercises.exercise import Mistake, as_sentence
from svt_lib.exercises.learner import Learner
from svt_lib.mechanism import Mechanism

#: At most so often is a right program refused by its frequencies near the threshold, and further off. With
#: what `stops` adds, a check stays below one in a million.
FALSE_ALARM, FALSE_ALARM_FURTHER = 0.8e-6, 0.1e-6
#: So much likelier must a known slip be than what was asked for, before a check names it.
CLEARLY = np.log(1e6)
#: How far above the threshold the answers lie, and how many runs. For Alg. 1 with a cutoff of 2 and ε = 3,
#: each of the usual slips moves some frequency by three standard deviations more than a refusal takes.
MARGINS, RUNS = (0.0, 0.0, 0.0, -1.0, -1.0), 24_000
#: The same for a stream further off, in standard deviations of a comparison. It tells normal noise of the
#: same spread from Laplace noise, and at a cutoff of 3 a factor of 6 from one of 4, 5, 8 or 9.
FURTHER, RUNS_FURTHER = (-3.0, -3.0, -3.0, -2.0, -2.0, -2.0), 12_000
#: `rng.laplace(scale)` adds about `scale`, with noise of scale 1.
LOCATION = "the scale was passed as the location: that comes first in rng.laplace, so write scale=."
EACH = "It looks as if the threshold noise was drawn again for each answer: one draw serves all."
#: In standard deviations of a comparison: there, a wrong verdict has a probability below 1e-9.
FAR = 20.0


def outcomes_of(svt: Learner, answers, threshold, epsilon: float, cutoff: int, rng, *, numbers: bool = False):
    """Return what one run gives: outcomes and released numbers; the latter only where `numbers` allows them.

    Raises
    ------
    Mistake
        Where it isn't a list of True and False that a run could give, or numbers go out that must not.
    """
    answers = np.asarray(answers, dtype=float)
    try:
        outcomes, released = read_output(svt(answers.copy(), threshold, epsilon, cutoff, rng), answers.size)
    except ValueError as error:
        raise Mistake(f"{as_sentence(error)} Above is True, Below is False.") from None
    if released and not numbers:
        raise Mistake("Numbers go out, too, beside the outcomes. Only True and False are asked for.")
    return outcomes, released


def count_outcomes(svt: Learner, called: tuple, possible, runs: int, *, numbers: bool = False) -> np.ndarray:
    """Return how often each possible outcome comes; `called` is what `outcomes_of` takes after svt."""
    seen = Counter(outcomes_of(svt, *called, numbers=numbers)[0] for _ in range(runs))
    counts = np.array([seen.pop(outcomes, 0) for outcomes in possible])
    if seen:
        ends = f"a run ends with Above number {called[3]}, or with the last answer."
        raise Mistake(f"{arrows(next(iter(seen)))} can't be: {ends}")
    return counts


def stops(
    svt: Learner, mechanism: Mechanism, rng, *, far: float = FAR, own_thresholds: bool = False,
    numbers: bool = False,
) -> None:  # fmt: skip
    """Check on answers far from the threshold what hardly depends on noise: the verdicts and the stop.

    Each stream has six answers `far` standard deviations of the mechanism from the threshold. At 20 a right
    program is refused with probability below 6·10⁻⁹ for each.
    """
    threshold = _threshold(rng, 6, own_thresholds)
    far, cutoff = far * mechanism.comparison_sd, mechanism.cutoff
    for signs in ([1, -1] * 3, [-1] * 6, [1] * 6, rng.permutation([1, -1] * 3).tolist()):
        answers = threshold + far * np.array(signs)
        above = [sign > 0 for sign in signs]
        counts = np.cumsum(above)
        end = int(np.argmax(counts == cutoff)) + 1 if counts[-1] >= cutoff else 6
        outcomes, _ = outcomes_of(svt, answers, threshold, mechanism.epsilon, cutoff, rng, numbers=numbers)
        if list(outcomes) == above[:end]:
            continue
        said, due = arrows(outcomes), arrows(above[:end])
        wrong = [one != other for one, other in zip(outcomes, above, strict=False)]
        if len(set(outcomes)) == 2 and all(wrong):
            raise Mistake("Above and Below are the wrong way round: True is for at or over the threshold.")
        if own_thresholds and any(wrong):
            raise Mistake(f"It says {said} for {due}. Each answer has a threshold of its own.")
        if len(outcomes) > end:
            raise Mistake(f"It goes on after Above number {cutoff}: the run must stop there.")
        if len(outcomes) < end:
            raise Mistake(
                f"It stops too early: {said}, where {due} was due. A run ends with Above number {cutoff}, "
                "that Above included, or with the last answer."
            )
        raise Mistake(f"Far from the threshold, where noise hardly matters, it says {said} for {due}.")


def is_mechanism(
    svt: Learner, mechanism: Mechanism, rng, *, further: Mechanism, margins=MARGINS, runs: int = RUNS,
    slips=None, own_thresholds: bool = False, numbers: bool = False,
):  # fmt: skip
    """Test whether a program has the law of a mechanism, and name the slip where it has the law of one.

    Parameters
    ----------
    svt : Learner
    mechanism : Mechanism
        Its sensitivity is in its scales.
    rng : numpy.random.Generator
        Also draws the threshold.
    further : Mechanism
        The same algorithm at another cutoff, for a stream further from the threshold.
    margins : sequence of float
        How far above the threshold the answers of the stream lie.
    runs : int
    slips : dict of str to (Mechanism, float), optional
        By the sentence that names it, what the program may be instead: a mechanism, and by how much its
        threshold is moved. They come before those of `usual_slips`.
    own_thresholds : bool
        Whether each answer has a threshold of its own.
    numbers : bool
        Whether numbers may go out beside the outcomes; they aren't looked at.

    Raises
    ------
    Mistake

    Notes
    -----
    `audit.fits` refuses a right program with a probability of at most `FALSE_ALARM`, which its docstring
    derives. Naming a slip comes after that and refuses nobody.
    """
    stops(svt, mechanism, rng, own_thresholds=own_thresholds, numbers=numbers)
    threshold = _threshold(rng, len(margins), own_thresholds)
    answers = threshold + np.array(margins)
    try:
        fit = audit.fits(
            svt, mechanism, answers, threshold, runs=runs, false_alarm=FALSE_ALARM, rng=rng, progress=False
        )
    except ValueError as error:
        raise Mistake(as_sentence(error)) from None
    if not fit:
        named = (slips or {}) | usual_slips(mechanism)  # the exercise's own first: they decide a tie
        slip = _likely_slip(fit, mechanism, answers, threshold, named)
        raise Mistake(f"{slip} {fit.message}" if slip else fit.message)
    _fits_further(svt, further, rng, own_thresholds, numbers)


def _fits_further(svt: Learner, mechanism: Mechanism, rng, own_thresholds: bool, numbers: bool):
    """Compare the frequencies far from the threshold, where the tails of the noise decide."""
    margins = mechanism.comparison_sd * np.array(FURTHER)
    threshold = _threshold(rng, margins.size, own_thresholds)
    law = exact.outcome_distribution(mechanism, threshold + margins, threshold)
    called = threshold + margins, threshold, mechanism.epsilon, mechanism.cutoff, rng
    counts = count_outcomes(svt, called, law.outcomes, RUNS_FURTHER, numbers=numbers)
    claim = f"{mechanism.name} with ε = {mechanism.epsilon:g} and c = {mechanism.cutoff}"
    fit = audit.compare_outcomes(claim, law, counts, RUNS_FURTHER, FALSE_ALARM_FURTHER)
    if not fit:
        raise Mistake(
            "Close to the threshold all frequencies fit, and with other answers and another c they don't. Is "
            f"it Laplace noise, with scales that go with c? {fit.message}"
        )


def usual_slips(mechanism: Mechanism) -> dict[str, tuple[Mechanism, float]]:
    """Return the usual slips in writing an SVT, by the sentence that names them, as in `is_mechanism`."""
    b1, b2, c = mechanism.threshold_scale, mechanism.query_scale, mechanism.cutoff
    both = "the noise on the answers lacked a factor of 2: it takes the 2, for both directions, and the c."
    one = "the noise on the answers lacked the factor 2, which is needed unless all answers move one way."
    slips = {
        "the threshold had no noise, or too little.": {"threshold_scale": 0.0},
        "the answers had no noise, or too little.": {"query_scale": 0.0},
        both if c == 2 else one: {"query_scale": b2 / 2},
        "the noise on the answers lacked the factors 2 and c.": {"query_scale": b2 / (2 * c)},
        "each noise got the whole of ε: ε₁ and ε₂ add up to it.": {
            "threshold_scale": b1 / 2, "query_scale": b2 / 2,
        },
        "the scales were upside down: a small ε needs much noise.": {
            "threshold_scale": 1 / b1, "query_scale": 1 / b2,
        },
        "the two scales had changed places.": {"threshold_scale": b2, "query_scale": b1},
        LOCATION: {"threshold_scale": 1.0, "query_scale": 1.0},
    }  # fmt: skip
    if c > 2:
        slips |= {
            "the noise on the answers lacked the factor c: c Aboves share ε₂.": {"query_scale": b2 / c},
        }
    if c > 1 and not mechanism.redraw:
        slips |= {
            "the threshold noise was c times too large: it is drawn once, and paid once.": {
                "threshold_scale": b1 * c
            },
            "the threshold noise was drawn again after each Above, at a scale that pays for one draw.": {
                "redraw": True
            },
            "the threshold noise was drawn again after each Above, as in Alg. 2.": {
                "redraw": True, "threshold_scale": b1 * c,
            },
        }  # fmt: skip
    moved = {LOCATION: b1 - b2}
    return {
        f"It looks as if {what}": (replace(mechanism, **changes), moved.get(what, 0.0))
        for what, changes in slips.items()
    }


def _likely_slip(fit, mechanism, answers, threshold, slips) -> str:
    """Return the sentence of the slip whose law is the likeliest, and clearly likelier than the right one."""
    if not fit.counts:
        return ""
    counts = np.array(fit.counts)
    if counts.max() == fit.runs:
        return "Every run gives the same: noise has to be drawn anew in each run, from rng."

    laws = {
        sentence: exact.outcome_distribution(other, answers, threshold + moved).log_probabilities
        for sentence, (other, moved) in slips.items()
    }
    laws[EACH] = _with_noise_for_each(mechanism, answers, threshold)
    came = counts > 0
    likelihoods = {sentence: float(np.sum(counts[came] * law[came])) for sentence, law in laws.items()}
    best = max(likelihoods, key=likelihoods.get)
    right = exact.outcome_distribution(mechanism, answers, threshold).log_probabilities
    gain = likelihoods[best] - float(np.sum(counts[came] * right[came]))
    fitting = audit.compare_frequencies("it", range(counts.size), counts, np.exp(laws[best]), fit.runs)
    return best if gain > CLEARLY and fitting else ""


def _with_noise_for_each(mechanism: Mechanism, answers, threshold) -> np.ndarray:
    """Return the law of the outcomes where each answer meets a threshold with noise of its own: a product."""
    law = exact.outcome_distribution(mechanism, answers, threshold)
    above = exact.above_probabilities(mechanism, answers, threshold)
    asked = np.arange(len(answers)) < law.asked[:, np.newaxis]
    return np.where(asked, np.where(law.table, np.log(above), np.log1p(-above)), 0.0).sum(axis=1)


def _threshold(rng, length: int, own: bool):
    """Draw a threshold for all answers, or one for each."""
    if own:
        return rng.integers(-999, 999, length).astype(float)
    return float(rng.choice((-1, 1)) * rng.integers(20, 60))  # not near 0, where a sign doesn't show


def laplace_draws(draws, scale: float, *, what: str = "Your draws", false_alarm: float = FALSE_ALARM):
    """Check that independent draws have the law Lap(`scale`), as in `have_law`.

    Raises
    ------
    Mistake
        That says whether they spread too little or too much, or lie to one side.
    """
    values = np.asarray(draws, dtype=float)
    if not values.size:
        raise Mistake(f"{what}: there are none.")
    if have_law(values, lambda x: np.exp(noise.log_cdf(x, scale)), false_alarm):
        return
    middle, spread = np.median(values), np.median(np.abs(values)) / np.log(2)
    if np.ptp(values) == 0:
        raise Mistake(f"{what} are all the same: there is no noise.")
    if abs(middle) > scale / 2:
        raise Mistake(f"{what} lie to one side: the median of the noise is {middle:.3g}, and not 0.")
    raise Mistake(
        f"{what} don't have the law of Laplace noise of scale {scale:.4g}: by their median size, the scale "
        f"is {spread:.3g}."
    )


def have_law(draws: np.ndarray, law: Callable, false_alarm: float) -> bool:
    """Return whether independent draws fit a distribution function.

    Dvoretzky, Kiefer, Wolfowitz and Massart: the largest distance of the empirical distribution function of n
    draws from the true one exceeds t with probability at most 2·exp(−2nt²). Solved for `false_alarm`, that
    gives the limit, for any n.
    """
    values = np.sort(draws)
    expected, steps = law(values), np.arange(values.size + 1) / values.size
    distance = max(np.max(steps[1:] - expected), np.max(expected - steps[:-1]))
    return bool(distance <= np.sqrt(np.log(2 / false_alarm) / (2 * values.size)))
