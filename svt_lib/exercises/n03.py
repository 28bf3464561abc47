"""The exercises of notebook 03: c alarms, what they cost, and whether they pay."""

import numpy as np

from svt_lib import exact
from svt_lib.exercises import answers, programs
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.mechanism import Mechanism, plain_laplace
from svt_lib.variants import VARIANTS


def only_belows(epsilon, cutoff, belows):
    mechanism = VARIANTS["alg1"].configure(epsilon, cutoff)
    loss = exact.output_loss(mechanism, belows, aboves=0)
    return {0.0: "nothing", mechanism.epsilon_threshold: "ε₁", epsilon: "ε"}[loss]


def check_only_belows(attempt, rng, *, epsilon, cutoff, belows):
    options = {
        "nothing": "A Below is prepaid, not free. What paid for the threshold's noise?",
        "ε₁": "So few Belows can't have cost that much yet.",
        "ε": "The half for the Aboves hasn't been touched.",
    }
    answers.choice(attempt, only_belows(epsilon, cutoff, belows), options)
    return f"{belows} Belows together can have cost ε₁ = {epsilon / 2:g}, and no more."


def price(epsilon, cutoff, aboves):
    epsilon_threshold = epsilon_queries = epsilon / 2
    return epsilon_threshold + aboves * epsilon_queries / cutoff


def check_price(attempt, rng, *, epsilon, cutoff, aboves):
    mechanism = VARIANTS["alg1"].configure(epsilon, cutoff)
    mistakes = (
        (
            aboves * epsilon / cutoff,
            "That is ε/c an Above, Belows for nothing: another algorithm's rule.",
        ),
        (aboves * epsilon / 2 / cutoff, "That leaves out the Belows: together they have cost ε₁."),
        (epsilon / 2 + aboves * epsilon / cutoff, "An Above costs ε₂/c, not ε/c."),
        (epsilon, "That is what the ledger charges. How much can this output have cost?"),
    )
    answers.number(attempt, exact.output_loss(mechanism, 4 * cutoff, aboves), mistakes)
    return f"ε₁ once, and ε₂/c for each of {aboves} Aboves. The ledger still charges {epsilon:g}."


def alarms_for_threes(answers, threshold, epsilon, cutoff, rng):
    sensitivity = 3
    noisy_threshold = threshold + rng.laplace(scale=2 * sensitivity / epsilon)
    outcomes = []
    for answer in answers:
        outcomes.append(answer + rng.laplace(scale=4 * cutoff * sensitivity / epsilon) >= noisy_threshold)
        if sum(outcomes) == cutoff:
            break
    return outcomes


def check_alarms_for_threes(attempt, rng):
    """Test the law, with the false-alarm rate that `programs.is_mechanism` derives."""
    small = VARIANTS["alg1"].configure(3.0, 2)
    scales = 3 * small.threshold_scale, 3 * small.query_scale
    right = Mechanism(*scales, small.cutoff, epsilon=small.epsilon, name="Alg. 1 for Δ = 3")
    slips = {"It looks as if Δ was left out: the noise is for answers that move by 1.": (small, 0.0)}
    margins = 3 * np.array(programs.MARGINS)
    programs.is_mechanism(attempt, right, rng, margins=margins, slips=slips)
    return "The frequencies of all outcomes fit those of Alg. 1 for Δ = 3."


def slip(*, threshold=6.0, query=12.0, draw=lambda rng, scale: rng.laplace(scale=scale), again=False, late=0):
    """Return `alarms_for_threes` with a mistake; `threshold` and `query` are the factors of its scales."""

    def svt(answers, T, epsilon, cutoff, rng):
        noisy_threshold, outcomes = T + draw(rng, threshold / epsilon), []
        for answer in answers:
            outcomes.append(answer + draw(rng, query * cutoff / epsilon) >= noisy_threshold)
            if outcomes[-1] and again:
                noisy_threshold = T + draw(rng, threshold / epsilon)
            if sum(outcomes) == cutoff + late:
                break
        return outcomes

    return svt


def one_draw_for_all(answers, T, epsilon, cutoff, rng):
    noise = rng.laplace(scale=12 * cutoff / epsilon)
    return slip(query=1e-9)([answer + noise for answer in answers], T, epsilon, cutoff, rng)


def without_c(answers, T, epsilon, cutoff, rng):
    return slip(query=12 / cutoff)(answers, T, epsilon, cutoff, rng)


def turned(answers, T, epsilon, cutoff, rng):
    return [not above for above in alarms_for_threes(answers, T, epsilon, cutoff, rng)]


def count_the_belows(answers, threshold, epsilon, cutoff, rng):
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    outcomes = []
    for answer in answers:
        outcomes.append(answer + rng.laplace(scale=4 * cutoff / epsilon) >= noisy_threshold)
        if outcomes.count(False) == cutoff:
            break
    return outcomes


def check_count_the_belows(attempt, rng):
    """Test the mirror image, which is Alg. 1, with the false-alarm rate of `programs.is_mechanism`."""

    def mirrored(answers, threshold, epsilon, cutoff, rng):
        outcomes, _ = programs.outcomes_of(attempt, -answers, -threshold, epsilon, cutoff, rng)
        return [not above for above in outcomes]

    right = VARIANTS["alg1"].configure(3.0, 2)
    far_below = [-1000.0] * 5
    outcomes, _ = programs.outcomes_of(attempt, far_below, 0.0, right.epsilon, right.cutoff, rng)
    if len(outcomes) > right.cutoff:
        raise Mistake("It doesn't stop after Below number c.")
    programs.is_mechanism(mirrored, right, rng)
    return "Seen in a mirror, the frequencies of all outcomes fit those of Alg. 1."


def break_even(cutoff):
    return int(np.sqrt(4 + 16 * cutoff**2)) + 1


def check_break_even(attempt, rng):
    def by_search(cutoff):
        sd = VARIANTS["alg1"].configure(1.0, cutoff).comparison_sd
        return next(m for m in range(1, 8 * cutoff + 8) if plain_laplace(m, 1.0).comparison_sd > sd)

    mistakes = (
        (
            lambda cutoff: 4 * cutoff,
            "That is the noise on the answers alone. The threshold's comes on top.",
        ),
        (lambda cutoff: np.sqrt(4 + 16 * cutoff**2), "There the two are equal. Which whole m is the next?"),
    )
    inputs = [(int(c),) for c in rng.choice(range(1, 200), 8, replace=False)]
    answers.function(attempt, by_search, inputs, mistakes)
    return "From there on a comparison of Alg. 1 has less noise, whatever ε is."


EXERCISES = (
    Exercise(
        "3.1", "predict", "value", check_only_belows,
        ("Which part of the budget pays for Belows?", "All Belows together cost up to ε₁."),
        only_belows,
        (
            Wrong(lambda **given: "nothing", "prepaid"),
            Wrong(lambda **given: "ε", "hasn't been touched"),
            Wrong(lambda **given: 0.5, "Choose one of"),
        ),
        {"epsilon": 2.0, "cutoff": 5, "belows": 200},
    ),
    Exercise(
        "3.2", "compute", "value", check_price,
        ("Two parts: the Belows together, and each Above.", "It is ε₁ + j·ε₂/c, with ε₁ = ε₂ = ε/2."),
        price,
        (
            Wrong(lambda epsilon, cutoff, aboves: aboves * epsilon / cutoff, "another algorithm"),
            Wrong(lambda epsilon, cutoff, aboves: aboves * epsilon / 2 / cutoff, "leaves out the Belows"),
            Wrong(lambda epsilon, cutoff, aboves: epsilon / 2 + aboves * epsilon / cutoff, "not ε/c"),
            Wrong(lambda epsilon, cutoff, aboves: epsilon, "the ledger charges"),
        ),
        {"epsilon": 0.6, "cutoff": 5, "aboves": 3},
    ),
    Exercise(
        "3.3", "write", "function", check_alarms_for_threes,
        (
            "It is the loop at the beginning of this notebook. What do the two scales multiply?",
            "The scales are 2Δ/ε and 4cΔ/ε, with Δ = 3.",
        ),
        alarms_for_threes,
        (
            Wrong(slip(threshold=2, query=4), "Δ was left out"),
            Wrong(slip(threshold=0), "the threshold had no noise"),
            Wrong(slip(query=0), "the answers had no noise"),
            Wrong(slip(threshold=0, query=0), "gives the same"),
            Wrong(slip(query=6), "lacked a factor of 2"),
            Wrong(without_c, "lacked a factor of 2"),
            Wrong(slip(query=3), "lacked the factors 2 and c"),
            Wrong(slip(again=True), "at a scale that pays for one draw"),
            Wrong(slip(again=True, threshold=12), "as in Alg. 2"),
            Wrong(slip(draw=lambda rng, scale: rng.laplace(scale)), "passed as the location"),
            Wrong(slip(draw=lambda rng, scale: rng.laplace(scale=1 / scale)), "upside down"),
            Wrong(slip(draw=lambda rng, scale: rng.exponential(scale)), "This isn't Alg. 1 for Δ = 3"),
            Wrong(slip(late=1), "goes on after Above number 2"),
            Wrong(slip(late=-1), "stops too early"),
            Wrong(turned, "the wrong way round"),
            Wrong(one_draw_for_all, "This isn't Alg. 1 for Δ = 3"),
            Wrong(lambda answers, T, epsilon, c, rng: sum(answers), "list of True and False"),
        ),
    ),
    Exercise(
        "3.4", "write", "function", check_count_the_belows,
        (
            "The noise stays as it is. Only the line that stops the run looks at something else.",
            "Stop when there are c outcomes that are False.",
        ),
        count_the_belows,
        (
            Wrong(slip(threshold=2, query=4), "doesn't stop after Below number c"),
            Wrong(lambda a, T, epsilon, c, rng: count_the_belows(a, T, 2 * epsilon, c, rng), "whole of ε"),
            Wrong(lambda a, T, epsilon, c, rng: count_the_belows(a, T, c * epsilon, 1, rng), "too early"),
            Wrong(lambda *arguments: [not above for above in count_the_belows(*arguments)], "wrong way"),
        ),
    ),
    Exercise(
        "3.5", "explain", "function", check_break_even,
        (
            "Compare the standard deviations: that of plain noise on m answers, and that of a comparison.",
            "Plain noise has √2·m/ε, Alg. 1 has √(2·(2² + (4c)²))/ε. Which m is the first beyond?",
        ),
        break_even,
        (
            Wrong(lambda cutoff: 4 * cutoff, "on the answers alone"),
            Wrong(lambda cutoff: np.sqrt(4 + 16 * cutoff**2), "Which whole m"),
            Wrong(lambda cutoff: 2 * cutoff, "For cutoff ="),
        ),
    ),
)  # fmt: skip
