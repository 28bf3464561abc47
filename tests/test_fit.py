"""The test of fit: right programs of every style pass, wrong ones are told what is off."""

import numpy as np
import pytest
from scipy import stats

from svt_lib import VARIANTS, Mechanism, audit, exact, run
from svt_lib.audit import compare_frequencies

ANSWERS = [0.3, -0.5, 1.0, 0.0, -1.5, 0.7, 2.0, -0.2, 0.4, 1.2]
EPSILON, THRESHOLD = 2.5, 0.5


def check(svt, key="alg1", cutoff=2, answers=ANSWERS, **more):
    mechanism = VARIANTS[key].configure(EPSILON, cutoff)
    more = {"rng": np.random.default_rng(4), "progress": False} | more
    return audit.fits(svt, mechanism, answers, THRESHOLD, **more)


def textbook(
    answers, threshold, epsilon, cutoff, rng, *, per_query=1.0, per_threshold=1.0, late=0, redraw=False
):
    """Alg. 1 in a loop; the options are the mistakes of the tests below."""
    scale = per_threshold * 2 / epsilon
    noisy_threshold = threshold + rng.laplace(scale=scale)
    outcomes = []
    for answer in answers:
        above = answer + rng.laplace(scale=per_query * 4 * cutoff / epsilon) >= noisy_threshold
        outcomes.append(bool(above))
        if above and redraw:
            noisy_threshold = threshold + rng.laplace(scale=scale)
        if sum(outcomes) >= cutoff + late:
            break
    return outcomes


def strictly_above_and_noise_drawn_later(answers, threshold, epsilon, cutoff, rng):
    query_noise = rng.laplace(scale=4 * cutoff / epsilon, size=len(answers))
    threshold_noise = rng.laplace(scale=2 / epsilon)
    outcomes, left = [], cutoff
    for answer, noise in zip(answers, query_noise, strict=True):
        outcomes.append(answer + noise - threshold_noise > threshold)
        left -= outcomes[-1]
        if left == 0:
            return outcomes
    return outcomes


def vectorised(answers, threshold, epsilon, cutoff, rng):
    scale = 4 * cutoff / epsilon
    noise = rng.exponential(scale, len(answers)) - rng.exponential(scale, len(answers))
    above = answers + noise >= threshold + rng.laplace(0, 2 / epsilon)
    stops = np.flatnonzero(np.cumsum(above) == cutoff)
    return above[: stops[0] + 1] if stops.size else above


def as_numbers_with_a_release(answers, threshold, epsilon, cutoff, rng):
    outcomes = textbook(answers, threshold, epsilon, cutoff, rng)
    return np.array(outcomes, dtype=int), [1.0] * sum(outcomes)


def with_the_library(answers, threshold, epsilon, cutoff, rng):
    return run(VARIANTS["alg1"].configure(epsilon, cutoff), answers, threshold, rng)


@pytest.mark.statistical
@pytest.mark.parametrize(
    "svt",
    [
        textbook, strictly_above_and_noise_drawn_later, vectorised, as_numbers_with_a_release,
        with_the_library,
    ],
)  # fmt: skip
def test_right_programs_of_every_style_pass(svt):
    """Seed 4, 10,000 runs; each may be refused with probability 1e-6, as the test of fit derives."""
    fit = check(svt, runs=10_000)
    assert fit
    claim = "Alg. 1 with ε = 2.5 and c = 2"
    assert fit.message == f"Nothing against {claim}: all 66 frequencies fit, in 10,000 runs."


MISTAKES = {
    "half the query noise": {"per_query": 0.5},
    "no query noise": {"per_query": 1e-9},
    "twice the query noise": {"per_query": 2},
    "no threshold noise": {"per_threshold": 0},
    "threshold noise with the factor c": {"per_threshold": 2},
    "threshold noise drawn again": {"redraw": True},
}


@pytest.mark.statistical
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_program_is_refused_with_words(mistake):
    """Seed 4, 30,000 runs; 100,000 where noise is drawn again, which shows least.

    Each is missed with probability 1e-11 at most: so rarely does the frequency that shows most, binomial
    under the exact law of the mistake, lie within its limits.
    """
    runs = 100_000 if mistake == "threshold noise drawn again" else 30_000

    def svt(*arguments):
        return textbook(*arguments, **MISTAKES[mistake])

    fit = check(svt, runs=runs)
    assert not fit
    assert str(fit).startswith(f"This isn't Alg. 1 with ε = 2.5 and c = 2, in {runs:,} runs. Too ")
    assert fit.too_frequent or fit.too_rare


def test_the_message_names_what_is_off_and_by_how_much():
    def never(answers, threshold, epsilon, cutoff, rng):
        return [False] * len(answers)

    fit = check(never, runs=30_000)
    law = exact.outcome_distribution(VARIANTS["alg1"].configure(EPSILON, 2), ANSWERS, THRESHOLD)
    expected = 30_000 * law.probabilities[law.outcomes.index((False,) * 10)]
    assert fit.too_frequent == ("▽▽▽▽▽▽▽▽▽▽",)
    assert f"Too frequent: ▽▽▽▽▽▽▽▽▽▽ (30,000 runs, {expected:,.0f} expected)." in fit.message
    assert "Too rare: Above for answers[" in fit.message
    assert "more." in fit.message


def test_going_on_after_the_last_above_is_refused_at_once():
    fit = check(lambda *arguments: textbook(*arguments, late=1))
    assert not fit
    assert fit.runs < 50
    assert "can't come out: a run ends with its Above number 2, or else with the last answer." in fit.message


def test_stopping_early_is_refused_at_once():
    fit = check(lambda *arguments: textbook(*arguments)[:3])
    assert not fit
    assert "can't come out" in fit.message


def test_a_variant_without_a_cutoff_says_so():
    fit = check(lambda answers, *_: [True], key="alg6", answers=ANSWERS[:4])
    assert fit.message == "▲ can't come out: a run ends with the last answer."


def test_a_program_with_a_seed_of_its_own_is_refused():
    fit = check(
        lambda answers, threshold, epsilon, cutoff, rng: textbook(
            answers, threshold, epsilon, cutoff, np.random.default_rng(7)
        ),
        runs=30_000,
    )
    assert not fit
    assert len(fit.too_frequent) >= 1


@pytest.mark.statistical
def test_other_variants_can_be_claimed():
    """Seed 4, 10,000 runs: Alg. 2 is what redraws, and Alg. 4 has little query noise. Each of the four may be
    refused with probability 2.5e-7, together 1e-6."""
    for key in ("alg2", "alg4", "alg5", "alg6"):
        mechanism = VARIANTS[key].configure(EPSILON, 2)
        stream = ANSWERS[:4]
        fit = check(
            lambda answers, threshold, epsilon, cutoff, rng, m=mechanism: run(m, answers, threshold, rng),
            key=key, answers=stream, runs=10_000, false_alarm=2.5e-7,
        )  # fmt: skip
        assert fit, str(fit)


def test_what_is_refused_of_a_right_program_adds_up_to_the_false_alarm_rate_at_most():
    """Exactly, for the marginals of a real distribution: all counts, weighted, that would be refused."""
    law = exact.outcome_distribution(VARIANTS["alg1"].configure(EPSILON, 2), ANSWERS[:3], THRESHOLD)
    events = np.concatenate([law.probabilities, law.probabilities @ law.table])
    for runs, false_alarm in ((40, 0.1), (200, 0.01), (200, 1e-6)):
        total = 0.0
        for i, probability in enumerate(events):
            for count in range(runs + 1):
                counts = np.round(runs * events)
                counts[i] = count
                fit = compare_frequencies(
                    "it", [str(j) for j in range(events.size)], counts, events, runs, false_alarm
                )
                off = str(i) in fit.too_frequent + fit.too_rare
                total += stats.binom.pmf(count, runs, probability) * off
        assert total <= false_alarm


@pytest.mark.parametrize(
    ("answers", "runs"),
    [([-20] * 9 + [20], 30_000), ([-60] * 4 + [60], 30_000), (ANSWERS, 3), (ANSWERS, 100)],
)
def test_answers_and_runs_that_show_nothing_are_refused(answers, runs):
    """On these a program without any noise would pass."""
    with pytest.raises(ValueError, match="answers and runs can't tell"):
        audit.fits(textbook, VARIANTS["alg1"].configure(2.0, 1), answers, 0, runs=runs, progress=False)


@pytest.mark.parametrize("threshold", [0.0, np.array(0.0), np.zeros(10), [0.0] * 10])
def test_a_program_may_add_its_noise_in_place(threshold):
    def in_place(answers, threshold, epsilon, cutoff, rng):
        threshold += rng.laplace(scale=2 / epsilon)
        answers += rng.laplace(scale=4 * cutoff / epsilon, size=len(answers))
        above = answers >= threshold
        end = np.flatnonzero(np.cumsum(above) == cutoff)
        return above[: end[0] + 1] if end.size else above

    claim, before = VARIANTS["alg1"].configure(2.0, 2), np.array(threshold)
    answers = np.array([0.0, 1, 0, 2, -1, 1, 0, -1, 1, 0])
    fit = audit.fits(in_place, claim, answers, threshold, rng=np.random.default_rng(4), progress=False)
    assert fit, fit.message
    assert np.array_equal(threshold, before)


def test_a_sensitivity_that_svt_is_not_told_is_refused():
    with pytest.raises(ValueError, match="sensitivity 1"):
        audit.fits(textbook, VARIANTS["alg1"].configure(2.0, 2, sensitivity=2.0), ANSWERS, 0)


def test_a_pass_says_that_released_numbers_were_not_tested():
    claim = VARIANTS["standard"].configure(3.0, 2, split=1, epsilon_release=1.0)

    def svt(answers, threshold, epsilon, cutoff, rng):
        return textbook(answers, threshold, epsilon - 1.0, cutoff, rng)  # one third is for the numbers

    fit = audit.fits(svt, claim, ANSWERS, THRESHOLD, rng=np.random.default_rng(3), progress=False)
    assert fit, fit.message
    assert fit.message.endswith("Released numbers weren't tested.")


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ({"runs": 0}, "runs"),
        ({"false_alarm": 0}, "false_alarm"),
        ({"false_alarm": 2}, "false_alarm"),
        ({"answers": [0.0, np.inf]}, r"answers\[1\]"),
        ({"answers": np.zeros(3000)}, "answers"),
        ({"rng": 1}, "rng"),
        ({"answers": []}, "answers"),
    ],
)
def test_bad_input_is_named(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        check(textbook, **arguments)


@pytest.mark.parametrize("mechanism", ["alg1", VARIANTS["alg1"], None])
def test_what_is_no_mechanism_is_refused(mechanism):
    with pytest.raises(ValueError, match="mechanism must be a Mechanism"):
        audit.fits(textbook, mechanism, ANSWERS, 0)
    with pytest.raises(ValueError, match="svt must be a function"):
        audit.fits(5, VARIANTS["alg1"].configure(2.0, 2), ANSWERS, 0)


def test_a_claim_needs_an_epsilon():
    with pytest.raises(ValueError, match="epsilon"):
        audit.fits(textbook, Mechanism(2.0, 4.0, 1), ANSWERS, 0, runs=10)


def test_a_program_that_returns_nothing_is_told_so():
    with pytest.raises(ValueError, match="list of True and False"):
        check(lambda *_: None)
