"""The exercises of notebook 03: c alarms, what they cost, and whether they pay."""

import re
from dataclasses import replace

import numpy as np

from svt_lib import exact
from svt_lib.exercises import answers, programs
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.mechanism import plain_laplace
from svt_lib.variants import VARIANTS


def only_belows(epsilon, cutoff, belows):
    if belows == 0:
        return "nothing"
    enough = 2 * cutoff  # each costs up to ε/(4c), so that so many have cost ε/2 = ε₁
    return "ε₁" if belows >= enough else "less than ε₁"


def check_only_belows(attempt, rng, *, epsilon, cutoff, belows):
    mechanism = VARIANTS["alg1"].configure(epsilon, cutoff)
    loss, prepaid = exact.output_loss(mechanism, belows, aboves=0), mechanism.epsilon_threshold
    options = {
        "nothing": "A Below is prepaid, not free. What paid for the threshold's noise?",
        "less than ε₁": "So many Belows can have cost more. How much does each cost, and up to where?",
        "ε₁": "So few Belows can't have cost that much yet.",
        "ε": "The half for the Aboves hasn't been touched.",
    }
    right = "nothing" if loss == 0 else "ε₁" if np.isclose(loss, prepaid) else "less than ε₁"
    answers.choice(attempt, right, options)
    return f"{belows} Belows together can have cost {loss:.3g}, and any number of them ε₁ = {prepaid:g}."


def price(epsilon, cutoff, aboves):
    epsilon_threshold = epsilon_queries = epsilon / 2
    return epsilon_threshold + aboves * epsilon_queries / cutoff


def check_price(attempt, rng, *, epsilon, cutoff, aboves):
    if aboves > cutoff:
        raise ValueError(f"exercise 3.2 can't have {aboves} Aboves at a cutoff of {cutoff}")
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
        noisy_answer = answer + rng.laplace(scale=4 * cutoff * sensitivity / epsilon)
        outcomes.append(bool(noisy_answer >= noisy_threshold))
        if sum(outcomes) == cutoff:
            break
    return outcomes


def check_alarms_for_threes(attempt, rng):
    """Test the law, with the false-alarm rate that `programs.is_mechanism` derives."""
    right, further = (
        replace(VARIANTS["alg1"].configure(3.0, c, sensitivity=3.0), name="Alg. 1 for Δ = 3", sensitivity=1.0)
        for c in (2, 3)
    )
    b1, b2 = right.threshold_scale, right.query_scale
    left_out = {
        "everywhere: the noise is for answers that move by 1": (b1 / 3, b2 / 3),
        "of the threshold's noise": (b1 / 3, b2),
        "of the answers' noise": (b1, b2 / 3),
    }
    slips = {
        f"It looks as if Δ was left out {where}.": (replace(right, threshold_scale=s, query_scale=t), 0.0)
        for where, (s, t) in left_out.items()
    }
    margins = 3 * np.array(programs.MARGINS)
    programs.is_mechanism(attempt, right, rng, further=further, margins=margins, slips=slips)
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


def turned_round(sentence):
    """Return a sentence about the mirror image as one about what was handed in."""
    words = {"▲": "▽", "▽": "▲", "Above": "Below", "Below": "Above"}
    return re.sub("▲|▽|Above|Below", lambda found: words[found[0]], sentence)


def count_the_belows(answers, threshold, epsilon, cutoff, rng):
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    outcomes = []
    for answer in answers:
        outcomes.append(bool(answer + rng.laplace(scale=4 * cutoff / epsilon) >= noisy_threshold))
        if outcomes.count(False) == cutoff:
            break
    return outcomes


def check_count_the_belows(attempt, rng):
    """Test the mirror image, which is Alg. 1, with the false-alarm rate of `programs.is_mechanism`.

    An answer 500 from the threshold, beside noise of scale 3 at most, adds nothing to that rate.
    """

    def mirrored(answers, threshold, epsilon, cutoff, rng):
        outcomes, _ = programs.outcomes_of(attempt, -answers, -threshold, epsilon, cutoff, rng)
        return [not above for above in outcomes]

    right, further = (VARIANTS["alg1"].configure(3.0, c) for c in (2, 3))
    far_below = [-1000.0] * 5
    outcomes, _ = programs.outcomes_of(attempt, far_below, 0.0, right.epsilon, right.cutoff, rng)
    if len(outcomes) > right.cutoff:
        raise Mistake("It doesn't stop after Below number c.")
    called = right.epsilon, right.cutoff, rng
    below, above = (programs.outcomes_of(attempt, [0.0] * 4, T, *called)[0] for T in (500.0, -500.0))
    if all(below) and above == (False, False):
        raise Mistake(
            "With T = 500, answers of 0 fare as if it were -500. Both turn round, answers and threshold: "
            "is your threshold turned round too?"
        )
    try:
        programs.is_mechanism(mirrored, right, rng, further=further)
    except Mistake as mistake:
        raise Mistake(turned_round(str(mistake))) from None
    return "Seen in a mirror, the frequencies of all outcomes fit those of Alg. 1."


def with_threshold_as_it_is(answers, T, epsilon, cutoff, rng):
    return [not above for above in slip(threshold=2, query=4)(-answers, T, epsilon, cutoff, rng)]


def break_even(cutoff):
    return int(np.sqrt(4 + 16 * cutoff**2)) + 1


def check_break_even(attempt, rng):
    def by_search(cutoff):
        sd = VARIANTS["alg1"].configure(1.0, cutoff).comparison_sd
        return next(m for m in range(1, 8 * cutoff + 8) if plain_laplace(m, 1.0).comparison_sd > sd)

    mistakes = (
        (
            lambda cutoff: 4 * cutoff,
            "4c is not enough: there plain noise equals that on the answers. The threshold's comes on top.",
        ),
        (lambda cutoff: np.sqrt(4 + 16 * cutoff**2), "There the two are equal. Which whole m is the next?"),
    )
    inputs = [(int(c),) for c in rng.choice(range(1, 200), 8, replace=False)]
    answers.function(attempt, by_search, inputs, mistakes, within=1e-9)
    return "From there on a comparison of Alg. 1 has less noise, whatever ε is."


EXERCISES = (
    Exercise(
        "3.1", "predict", "value", check_only_belows,
        (
            "Which part of the budget pays for Belows, and how many does it take to use it up?",
            "Each costs up to ε/(4c), and all together up to ε₁ = ε/2.",
        ),
        only_belows,
        (
            Wrong(lambda **given: "nothing", "prepaid"),
            Wrong(lambda **given: "less than e1", "can have cost more"),
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
            Wrong(with_threshold_as_it_is, "is your threshold turned round too?"),
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
            Wrong(lambda cutoff: 4 * cutoff, "4c is not enough"),
            Wrong(lambda cutoff: int(np.sqrt(4 + 16 * cutoff**2)), "4c is not enough"),
            Wrong(lambda cutoff: np.sqrt(4 + 16 * cutoff**2), "Which whole m"),
            Wrong(lambda cutoff: 2 * cutoff, "For cutoff ="),
        ),
    ),
)  # fmt: skip
