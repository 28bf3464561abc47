"""The exercises of notebook 02: one alarm, and the false ones."""

from bisect import bisect_right
from dataclasses import replace

import numpy as np

from svt_lib import checks, exact
from svt_lib.exercises import answers, programs
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.mechanism import Mechanism
from svt_lib.variants import VARIANTS


def noisier_answers(epsilon, belows):
    before = min(belows * epsilon / 4, epsilon / 2)  # each Below for itself, or the threshold's noise for all
    after = min(belows * epsilon / 8, epsilon / 2)
    if after == before:
        return "stays"
    return "halves" if after == before / 2 else "falls by less"


def check_noisier_answers(attempt, rng, *, epsilon, belows):
    belows = checks.whole("belows", belows)
    before, after = (
        exact.output_loss(Mechanism(2 / epsilon, factor / epsilon, cutoff=1), belows, 0) for factor in (4, 8)
    )
    ratio = round(after / before, 9)
    options = {
        "halves": "One or two Belows alone would cost half. Who pays for more of them together?",
        "falls by less": "That is so for three Belows, and no other number. Compute both costs.",
        "stays": "For so few Belows it doesn't stay.",
        "doubles": "More noise on the answers can't make an output cost more.",
    }
    answers.choice(attempt, {0.5: "halves", 1.0: "stays"}.get(ratio, "falls by less"), options)
    return (
        f"{belows} Belows cost {before:g} before and {after:g} after. Many of them cost what the "
        "threshold's noise costs, and no more."
    )


def cost_of_belows(n, threshold_scale, query_scale):
    return min(n / query_scale, 1 / threshold_scale)


def check_cost_of_belows(attempt, rng):
    def by_library(n, threshold_scale, query_scale):
        return exact.output_loss(Mechanism(threshold_scale, query_scale, cutoff=1), n, 0)

    mistakes = (
        (
            lambda n, b1, b2: n / b2,
            "That is each Below by itself. When is the threshold cheaper?",
        ),
        (lambda n, b1, b2: 1 / b1, "That is the price of the threshold. A few Belows can be cheaper."),
        (lambda n, b1, b2: n / b2 + 1 / b1, "You pay one or the other, whichever is less, and never both."),
        (lambda n, b1, b2: max(n / b2, 1 / b1), "That is the larger of the two prices."),
        (lambda n, b1, b2: min(n * b2, b1), "A scale of 4 costs a quarter, not four."),
        (lambda n, b1, b2: min(n / b1, 1 / b2), "The scales have changed places: a Below has the noise b₂."),
    )
    numbers, scales = rng.integers(1, 40, 10).tolist(), rng.uniform(0.5, 20, (10, 2)).tolist()
    inputs = [(n, *pair) for n, pair in zip(numbers, scales, strict=True)]
    inputs += [(1, 0.5, 20.0), (40, 20.0, 0.5)]
    answers.function(attempt, by_library, inputs, mistakes)
    return "The smaller of two prices: one for each Below, or one for all."


def alarm_with_thresholds(answers, threshold, epsilon, cutoff, rng):
    threshold_noise = rng.laplace(scale=2 / epsilon)
    outcomes = []
    for answer, level in zip(answers, threshold, strict=True):
        outcomes.append(bool(answer + rng.laplace(scale=4 / epsilon) >= level + threshold_noise))
        if outcomes[-1]:
            break
    return outcomes


def check_alarm_with_thresholds(attempt, rng):
    """Test the law, with the false-alarm rate that `programs.is_mechanism` derives."""
    right = replace(VARIANTS["alg1"].configure(3.0, 1), name="AboveThreshold")
    margins = (-1.0, 1.0, -3.0, 0.0, 2.0, -1.0)
    programs.is_mechanism(attempt, right, rng, further=right, margins=margins, own_thresholds=True)
    return "All frequencies fit those of AboveThreshold, with a threshold for each question."


def slip(*, threshold=2.0, query=4.0, each=False, on=False, first=False):
    """Return `alarm_with_thresholds` with a mistake; `threshold` and `query` are factors of its scales."""

    def svt(answers, levels, epsilon, cutoff, rng):
        noise, outcomes = rng.laplace(scale=threshold / epsilon), []
        for answer, level in zip(answers, levels, strict=True):
            noise = rng.laplace(scale=threshold / epsilon) if each else noise
            level = levels[0] if first else level
            outcomes.append(answer + rng.laplace(scale=query / epsilon) >= level + noise)
            if outcomes[-1] and not on:
                break
        return outcomes

    return svt


def alarm_or_guess(answers, threshold, epsilon, cutoff, rng):
    outcomes = alarm_with_thresholds(answers, threshold, epsilon, cutoff, rng)
    return [*outcomes[:-1], True]


def safe_length(below_by, epsilon, most):
    desk = VARIANTS["alg1"].configure(epsilon, cutoff=1)
    safe, unsafe = 0, 1
    while exact.alarm_probability(desk, 0, below_by, unsafe) <= most:
        safe, unsafe = unsafe, 2 * unsafe
    while unsafe - safe > 1:
        middle = (safe + unsafe) // 2
        if exact.alarm_probability(desk, 0, below_by, middle) <= most:
            safe = middle
        else:
            unsafe = middle
    return safe


def check_safe_length(attempt, rng):
    def longest(below_by, epsilon, most):
        desk = VARIANTS["alg1"].configure(epsilon, cutoff=1)
        lengths = range(1, 10_000)
        return bisect_right(lengths, most, key=lambda n: exact.alarm_probability(desk, 0, below_by, n))

    mistakes = (
        (lambda *case: longest(*case) + 1, "At that length the chance is already beyond the limit."),
        (lambda below_by, epsilon, most: longest(below_by, epsilon / 2, most), "Is that half of ε?"),
        (
            as_if_independent,
            "That takes the questions as independent. The threshold noise is drawn once for all of them.",
        ),
    )
    inputs = [
        (float(t / e), float(e), float(m)) for t, e, m in rng.uniform((19, 0.1, 0.08), (24, 1, 0.2), (4, 3))
    ]
    answers.function(attempt, longest, inputs, mistakes, within=1e-9)
    return "Distance times ε decides, and the chance that you can live with."


def as_if_independent(below_by, epsilon, most):
    desk = VARIANTS["alg1"].configure(epsilon, cutoff=1)
    one = exact.alarm_probability(desk, 0, below_by, 1)
    return int(np.log(1 - most) / np.log(1 - one))


def dull_belows(epsilon):
    n = 12  # each Below costs a little less than ε/4
    return [-1.0] * n, [0.0] * n


def check_no_threshold_noise(attempt, rng, *, epsilon):
    wanted = "Two lists are wanted: the answers on D, and those on D′"
    here, there = answers.neighbours(*answers.parts(attempt, 2, wanted), most=12)
    if max(here + there) > 0:
        raise Mistake(f"An answer of {max(here + there):g} isn't dull: it lies above the threshold, 0.")
    mechanism = Mechanism(threshold_scale=0, query_scale=4 / epsilon, cutoff=1)
    loss = exact.privacy_loss(mechanism, here, there, 0.0).value
    if loss <= epsilon * (1 + 1e-9):
        raise Mistake(
            f"On this pair the largest loss is {loss:.4g}, and ε = {epsilon:g}. A Below costs most where it "
            "comes as a surprise. Where do dull answers have to lie, and how many do you need?"
        )
    return f"An output loses {loss:.3f} on this pair, and not one answer was over the threshold."


EXERCISES = (
    Exercise(
        "2.1", "predict", "value", check_noisier_answers,
        ("How many Belows does it take until they have cost ε/2?", "What pays for a long row of Belows?"),
        noisier_answers,
        (
            Wrong(lambda **given: "halves", "together"),
            Wrong(lambda **given: "falls by less", "no other number"),
            Wrong(lambda **given: "doubles", "can't make"),
            Wrong(lambda **given: 0.5, "Choose one of"),
        ),
        {"epsilon": 1.0, "belows": 1000},
    ),
    Exercise(
        "2.2", "compute", "function", check_cost_of_belows,
        (
            "There are two ways to pay: each Below for itself, or the threshold's noise for all.",
            "n Belows cost n/b₂ by themselves, and 1/b₁ by the threshold. The cheaper way counts.",
        ),
        cost_of_belows,
        (
            Wrong(lambda n, b1, b2: n / b2, "by itself"),
            Wrong(lambda n, b1, b2: 1 / b1, "price of the threshold"),
            Wrong(lambda n, b1, b2: n / b2 + 1 / b1, "one or the other"),
            Wrong(lambda n, b1, b2: max(n / b2, 1 / b1), "larger"),
            Wrong(lambda n, b1, b2: min(n * b2, b1), "a quarter"),
            Wrong(lambda n, b1, b2: min(n / b1, 1 / b2), "changed places"),
            Wrong(lambda n, b1, b2: 0.5, "yours returns"),
        ),
    ),
    Exercise(
        "2.3", "write", "function", check_alarm_with_thresholds,
        (
            "How many draws does the threshold's noise take, and how many the answers'?",
            "One draw of scale 2/ε for all thresholds; for each answer one of scale 4/ε.",
        ),
        alarm_with_thresholds,
        (
            Wrong(slip(each=True), "drawn again for each answer"),
            Wrong(slip(threshold=0), "the threshold had no noise"),
            Wrong(slip(query=0), "the answers had no noise"),
            Wrong(slip(query=2), "factor 2"),
            Wrong(slip(threshold=4, query=2), "changed places"),
            Wrong(slip(on=True), "goes on after Above number 1"),
            Wrong(slip(first=True), "threshold of its own"),
            Wrong(alarm_or_guess, "▽▽▽▽▽▲ for ▽▽▽▽▽▽"),
        ),
    ),
    Exercise(
        "2.4", "compute", "function", check_safe_length,
        (
            "exact.alarm_probability(mechanism, answer, threshold, length) gives the chance for one length.",
            "The chance grows with the length. Double the length until it is too long, then halve the rest.",
        ),
        safe_length,
        (
            Wrong(lambda *case: safe_length(*case) + 1, "already beyond"),
            Wrong(lambda below_by, epsilon, most: safe_length(below_by, epsilon / 2, most), "half of ε"),
            Wrong(as_if_independent, "drawn once for all"),
            Wrong(lambda below_by, epsilon, most: 10, "yours returns"),
        ),
    ),
    Exercise(
        "2.5", "break", "value", check_no_threshold_noise,
        (
            "Nothing is shared, so the costs of the Belows add up. When is a Below a surprise?",
            "Put all answers right below the threshold, and on D′ one higher.",
        ),
        dull_belows,
        (
            Wrong(lambda epsilon: ([200.0] * 6, [201.0] * 6), "isn't dull"),
            Wrong(lambda epsilon: ([-1.0] * 5, [0.0] * 5), "largest loss is 0.9992"),
            Wrong(lambda epsilon: ([-9.0] * 6, [-10.0] * 6), "largest loss"),
            Wrong(lambda epsilon: ([-9.0] * 6, [-12.0] * 6), "neighbours"),
            Wrong(lambda epsilon: ([-9.0] * 6, [-10.0] * 5), "same questions"),
            Wrong(lambda epsilon: ([-9.0] * 60, [-10.0] * 60), "at most 12"),
            Wrong(lambda epsilon: 9.0, "Two lists"),
            Wrong(lambda epsilon: (["a"], ["b"]), "numbers"),
        ),
        {"epsilon": 1.0},
    ),
)  # fmt: skip
