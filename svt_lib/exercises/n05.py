"""The exercises of notebook 05: the privacy proof."""

import itertools

import numpy as np

from svt_lib.exercises import answers, programs, steps
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.mechanism import Mechanism


def shifts_that_free(rises, falls):
    return rises, -falls


def check_shifts_that_free(attempt, rng, *, rises, falls):
    shifts = [steps.as_shift(shift) for shift in answers.as_numbers(attempt, of="shifts", size=2)]
    both = {"a Below": (False, rises, falls), "an Above": (True, -falls, -rises)}
    for shift, (what, (above, needed, swapped)) in zip(shifts, both.items(), strict=True):
        why = {
            needed: "",
            -needed: "It is the right size in the wrong direction.",
            swapped: f"The answer's move in the other direction doesn't make {what} harder.",
            np.sign(needed) * (rises + falls): "Only one of the two moves happens to an answer.",
        }
        hint = next((words for value, words in why.items() if np.isclose(shift, value)), "")
        if not steps.is_free(shift, (-falls, rises), above):
            found = f"With s = {shift:g}, {what} is less likely on D′ than on D for some z."
            raise Mistake(f"{found} {hint}".strip())
        if shift and steps.is_free(shift * (1 - answers.THREE_DIGITS), (-falls, rises), above):
            found = f"With s = {shift:g}, {what} is free, but a smaller shift is enough."
            raise Mistake(f"{found} {hint}".strip())
    return "The threshold has to follow the move that makes the comparison harder, as far as that goes."


#: What is changed, by its letter: the law of the threshold noise, that of the noise on the answers, how many
#: Aboves an output may have, and whether the noisy threshold is told.
CHANGES = {
    "a": ("uniform", "Laplace", 1, False),
    "b": ("Laplace", "uniform", 1, False),
    "c": ("Laplace", "Laplace", 100, False),
    "d": ("Laplace", "Laplace", 1, True),
}


def lines_that_fall():
    uniform_threshold = 3  # p(z + Δ) is 0 where p(z) isn't
    uniform_on_answers = 4  # the same for an Above; Belows ask nothing of that noise
    stops_after_belows = 4  # nothing limits the number of Aboves
    tells_the_threshold = 5  # what is told fixes z, so z + Δ can't stand in for it
    return [uniform_threshold, uniform_on_answers, stops_after_belows, tells_the_threshold]


def check_lines_that_fall(attempt, rng):
    holds = {
        2: "it holds for any noise on the answers and for any number of Belows.",
        3: "it is about the density of the threshold noise, which is as before.",
        4: "it is about the noise on the answers and the number of Aboves, and both are as before.",
        5: "it gives z + Δ a new name, and runs over all numbers still.",
    }
    lines = answers.as_numbers(attempt, of="line numbers", size=len(CHANGES))
    for line, (letter, change) in zip(lines, CHANGES.items(), strict=True):
        if line not in holds:
            raise Mistake(f"The steps are the lines 2 to 5; for ({letter}) you gave {line:g}.")
        if line != steps.line_that_falls(*change):
            raise Mistake(f"({letter}) Line {line:g} stands: {holds[line]}")
    return "Each line needs its own part of the algorithm, and you know which."


def cheapest_shift(belows, aboves, threshold_scale, query_scale):
    costs = {
        0: (belows + aboves) / query_scale,
        1: 1 / threshold_scale + 2 * aboves / query_scale,
        -1: 1 / threshold_scale + 2 * belows / query_scale,
    }
    return min(costs, key=costs.get)


def check_cheapest_shift(attempt, rng):
    """Compare the price of the shift, so that where several are cheapest each of them is right."""
    numbers = itertools.product(range(0, 9, 2), range(0, 9, 2))
    inputs = [(m, k, b1, t * b1) for m, k in numbers for b1, t in rng.uniform(1, [4, 8], (3, 2)).tolist()]
    shifts = np.array([steps.as_shift(attempt(*numbers)) for numbers in inputs])
    found = np.array([steps.price(*numbers, shift) for numbers, shift in zip(inputs, shifts, strict=True)])
    least = np.array([steps.least_price(*numbers) for numbers in inputs])
    if np.all(found <= least + 1e-3 * np.maximum(least, 1)):  # a search isn't exact
        return "The cheapest shift for each output: with few Belows or few Aboves, it isn't the proof's."
    mistakes = (
        (lambda *_: 1, "That is the shift of the proof, always. A few comparisons cost less without it."),
        (lambda *_: 0, "Without a shift every comparison pays, however many there are."),
        (lambda *numbers: -cheapest_shift(*numbers), "The sign is turned: a higher threshold frees Belows."),
        (_never_down, "There is a third corner: s = −Δ, where the Aboves are free."),
        (
            lambda m, k, *_: 1 if k <= m else -1,
            "There is a third corner: s = 0, where each comparison pays for itself.",
        ),
        (_pays_once, "After a shift by Δ the other kind has 2Δ further to go: its answer moves, too."),
    )
    for wrong, sentence in mistakes:
        if np.array_equal(shifts, [wrong(*numbers) for numbers in inputs]):
            raise Mistake(sentence)
    worst = int(np.argmax(found - least))
    m, k, b1, b2 = inputs[worst]
    raise Mistake(
        f"For {m} Belows, {k} Aboves, b₁ = {b1:.3g} and b₂ = {b2:.3g} your shift {shifts[worst]:g} costs "
        f"{found[worst]:.4g}, and another costs {least[worst]:.4g}."
    )


def _never_down(m, k, b1, b2):
    return 0 if (m + k) / b2 < 1 / b1 + 2 * k / b2 else 1


def _pays_once(m, k, b1, b2):
    costs = {0: (m + k) / b2, 1: 1 / b1 + k / b2, -1: 1 / b1 + m / b2}
    return min(costs, key=costs.get)


def bound_when_all_rise(belows, aboves, threshold_scale, query_scale):
    where_it_is = belows / query_scale  # s = 0: risen answers only help the Aboves
    moved_along = 1 / threshold_scale + aboves / query_scale  # s = Δ
    return min(where_it_is, moved_along)


def check_bound_when_all_rise(attempt, rng):
    def all_rise(belows, aboves, threshold_scale, query_scale):
        return steps.least_price(belows, aboves, threshold_scale, query_scale, moves="all up")

    mistakes = (
        (steps.least_price, "That is for answers that move any way. Here they rise, which helps an Above."),
        (lambda m, k, b1, b2: 1 / b1 + k / b2, "That is s = Δ, always. Few Belows cost less at s = 0."),
        (lambda m, k, b1, b2: m / b2, "That is s = 0, always. What limits it when there are many Belows?"),
        (lambda m, k, b1, b2: 1 / b1 + 2 * k / b2, "That is s = Δ for answers that move any way."),
        (
            lambda m, k, b1, b2: min(m / b2, 1 / b1 + 2 * k / b2),
            "With s = Δ an Above has Δ further to go, not 2Δ: its answer doesn't fall.",
        ),
        (lambda m, k, b1, b2: min((m + k) / b2, 1 / b1 + k / b2), "With s = 0 only the Belows pay."),
        (lambda m, k, b1, b2: min(k / b2, 1 / b1 + m / b2), "That is for answers that all fall."),
        (
            lambda m, k, b1, b2: max(min(m / b2, 1 / b1 + k / b2), min(k / b2, 1 / b1 + m / b2)),
            "That covers answers that all fall, too. Here they rise from D to D′.",
        ),
        (lambda m, k, b1, b2: max(m / b2, 1 / b1 + k / b2), "Each shift gives a bound: take the smaller."),
    )
    numbers, scales = rng.integers(1, 12, (10, 2)).tolist(), rng.uniform(1, [3, 9], (10, 2)).tolist()
    inputs = [(*pair, *scale) for pair, scale in zip(numbers, scales, strict=True)]
    inputs += [(9, 1, 1.5, 3.0), (1, 9, 1.5, 3.0), (0, 4, 2.0, 4.0), (40, 0, 2.0, 4.0)]
    answers.function(attempt, all_rise, inputs, mistakes)
    return "Two corners are left, and the proof for monotonic answers is the second."


def alarms_for_lopsided(answers, threshold, epsilon, cutoff, rng):
    rises, falls = 3, 1
    epsilon_threshold = epsilon_queries = epsilon / 2
    noisy_threshold = threshold + rng.laplace(scale=max(rises, falls) / epsilon_threshold)
    outcomes = []
    for answer in answers:
        query_noise = rng.laplace(scale=cutoff * (rises + falls) / epsilon_queries)
        outcomes.append(bool(answer + query_noise >= noisy_threshold))
        if sum(outcomes) == cutoff:
            break
    return outcomes


def check_alarms_for_lopsided(attempt, rng):
    """Test the law, with the false-alarm rate that `programs.is_mechanism` derives."""
    epsilon, c = 3.0, 2

    def noise_for(threshold, above, cutoff=c):
        scales = 2 * threshold / epsilon, 2 * cutoff * above / epsilon
        return Mechanism(*scales, cutoff, epsilon=epsilon, name="SVT for 3 up and 1 down")

    slips = {
        "an Above had 2·3 further to go. Such scales would be private, with more noise than the proof asks "
        "for: where the shift is 3, the answer moves by 1.": noise_for(3, 6),
        "an Above had 3 further to go. The shift is in that, but not the answer's move.": noise_for(3, 3),
        "the threshold moved by 1. A Below whose answer rises by 3 needs more.": noise_for(1, 4),
        "the threshold moved by 4. No answer needs that.": noise_for(4, 4),
        "the noise was for Δ = 4. No answer moves that far.": noise_for(4, 8),
        "the scales were those for Δ = 2, or the noise wasn't Laplace noise.": noise_for(2, 4),
        "the noise on the answers was for one Above, or the two moves were taken from each other and not "
        "added.": noise_for(3, 2),
        "the noise was for Δ = 1.": noise_for(1, 2),
    }
    slips = {f"It looks as if {what}": (mechanism, 0.0) for what, mechanism in slips.items()}
    margins = 6 * np.array((0.0, 0.0, 0.0, 0.0, -1.0, -1.0))
    further = noise_for(3, 4, cutoff=3)
    programs.is_mechanism(attempt, noise_for(3, 4), rng, further=further, margins=margins, slips=slips)
    return (
        "The frequencies fit the least noise that the proof takes. Δ up and down gives 2Δ, only up gives Δ."
    )


def lopsided(threshold, query, *, again=False):
    """Return `alarms_for_lopsided` with noise for other moves: of the threshold, and in an Above."""

    def svt(answers, T, epsilon, cutoff, rng):
        noisy_threshold, outcomes = T + rng.laplace(scale=2 * threshold / epsilon), []
        for answer in answers:
            if again:
                noisy_threshold = T + rng.laplace(scale=2 * threshold / epsilon)
            outcomes.append(answer + rng.laplace(scale=2 * query * cutoff / epsilon) >= noisy_threshold)
            if sum(outcomes) == cutoff:
                break
        return outcomes

    return svt


EXERCISES = (
    Exercise(
        "5.1", "prove", "value", check_shifts_that_free,
        (
            "Which move of the answer makes a Below less likely on D′, and which an Above? Follow that one.",
            "Belows: s must be as large as an answer can rise. Aboves: −s must be as large as it can fall.",
        ),
        shifts_that_free,
        (
            Wrong(lambda rises, falls: (falls, -rises), "other direction doesn't make a Below"),
            Wrong(lambda rises, falls: (-rises, falls), "wrong direction"),
            Wrong(lambda rises, falls: (rises, falls), "With s = 1, an Above is less likely"),
            Wrong(lambda rises, falls: (rises, -rises), "other direction doesn't make an Above"),
            Wrong(lambda rises, falls: (rises + falls, -falls), "Only one of the two moves"),
            Wrong(lambda rises, falls: (0, 0), "With s = 0, a Below is less likely"),
            Wrong(lambda rises, falls: (float("inf"), -1), "as large as"),
        ),
        {"rises": 3.0, "falls": 1.0},
    ),
    Exercise(
        "5.2", "explain", "value", check_lines_that_fall,
        (
            "For each line, ask what its reason is about: independence, the answers, p, the noise on the "
            "answers, or the name of z.",
            "Line 2 asks nothing of any noise, line 3 something of p, line 4 of the noise on answers and of "
            "the number of Aboves. For line 5 nobody may know z.",
        ),
        lines_that_fall,
        (
            Wrong(lambda: [4, 4, 4, 5], "(a) Line 4 stands"),
            Wrong(lambda: [3, 2, 4, 5], "(b) Line 2 stands"),
            Wrong(lambda: [3, 4, 2, 5], "(c) Line 2 stands"),
            Wrong(lambda: [3, 4, 4, 3], "(d) Line 3 stands"),
            Wrong(lambda: [3, 4, 4, 1], "lines 2 to 5; for (d) you gave 1"),
            Wrong(lambda: [5, 4, 4, 5], "(a) Line 5 stands"),
        ),
    ),
    Exercise(
        "5.3", "prove", "function", check_cheapest_shift,
        (
            "Three shifts can be the cheapest. Compute what each of them costs.",
            "With s = 0: (m + k)/b₂. With s = 1: 1/b₁ + 2k/b₂. With s = −1: 1/b₁ + 2m/b₂.",
        ),
        cheapest_shift,
        (
            Wrong(lambda m, k, b1, b2: 1, "the proof, always"),
            Wrong(lambda m, k, b1, b2: 0, "every comparison pays"),
            Wrong(lambda m, k, b1, b2: -cheapest_shift(m, k, b1, b2), "The sign is turned"),
            Wrong(_never_down, "s = −Δ"),
            Wrong(lambda m, k, b1, b2: 1 if k <= m else -1, "s = 0, where"),
            Wrong(_pays_once, "2Δ further"),
            Wrong(lambda m, k, b1, b2: 0.5, "and another costs"),
        ),
    ),
    Exercise(
        "5.4", "prove", "function", check_bound_when_all_rise,
        (
            "Answers rise from D to D′. Which comparisons lose by that at s = 0, and which at s = Δ?",
            "With s = 0: m/b₂. With s = Δ: 1/b₁ + k/b₂. Each is a bound.",
        ),
        bound_when_all_rise,
        (
            Wrong(steps.least_price, "move any way"),
            Wrong(lambda m, k, b1, b2: 1 / b1 + k / b2, "s = Δ, always"),
            Wrong(lambda m, k, b1, b2: m / b2, "s = 0, always"),
            Wrong(lambda m, k, b1, b2: 1 / b1 + 2 * k / b2, "move any way"),
            Wrong(lambda m, k, b1, b2: min((m + k) / b2, 1 / b1 + k / b2), "only the Belows pay"),
            Wrong(lambda m, k, b1, b2: min(m / b2, 1 / b1 + 2 * k / b2), "not 2Δ"),
            Wrong(lambda m, k, b1, b2: min(k / b2, 1 / b1 + m / b2), "all fall"),
            Wrong(lambda m, k, b1, b2: max(m / b2, 1 / b1 + k / b2), "take the smaller"),
            Wrong(lambda m, k, b1, b2: (m + k) / b1, "For belows ="),
        ),
    ),
    Exercise(
        "5.5", "write", "function", check_alarms_for_lopsided,
        (
            "Which shift makes Belows free, and how far can an Above then have to go in all?",
            "The shift is 3, so b₁ = 3/ε₁. An Above has 3 + 1 further to go, so b₂ = 4c/ε₂.",
        ),
        alarms_for_lopsided,
        (
            Wrong(lopsided(3, 6), "2·3 further"),
            Wrong(lopsided(3, 3), "but not the answer's move"),
            Wrong(lopsided(1, 4), "moved by 1"),
            Wrong(lopsided(4, 8), "Δ = 4"),
            Wrong(lopsided(0, 4), "the threshold had no noise"),
            Wrong(lopsided(3, 4, again=True), "again for each answer"),
        ),
    ),
)  # fmt: skip
