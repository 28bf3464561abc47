"""The exercises of notebook 06: breaking published versions, and repairing one."""

import itertools
from dataclasses import replace

from svt_lib import exact
from svt_lib.exercises import answers, programs
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.exercises.losses import as_outcomes, exceeds, judge_loss, loss_of
from svt_lib.variants import VARIANTS


def costliest(epsilon, cutoff, length):
    losses = {
        "Alg. 3": length * epsilon / (2 * cutoff),
        "Alg. 4": (1 + 6 * cutoff) / 4 * epsilon,  # from 2c + 1 queries on
        "Alg. 6": length * epsilon / 2,
    }
    return max(losses, key=losses.get)


def check_costliest(attempt, rng, *, epsilon, cutoff, length):
    mechanisms = {f"Alg. {n}": VARIANTS[f"alg{n}"].configure(epsilon, cutoff) for n in (3, 4, 6)}
    costs = {name: exact.worst_case_loss(each, length).value for name, each in mechanisms.items()}
    options = {
        "Alg. 3": "Alg. 3 has no limit, but a large c delays it. How far has it got?",
        "Alg. 4": "Alg. 4 has a ceiling, and on so long a stream another one is past it.",
        "Alg. 6": "Alg. 6 has no limit, but how far has it got by then? Put the length in.",
    }
    answers.choice(attempt, max(costs, key=costs.get), options)
    listed = "; ".join(f"{name}: {cost:.4g}" for name, cost in costs.items())
    return f"{listed}. These are worst cases over all neighbours, for streams of {length}."


def first_length(times):
    def costs(length):
        mechanism = VARIANTS["alg6"].configure(1.0, 1)  # ε = 1, and the cutoff isn't used
        return exact.worst_case_loss(mechanism, length, neighbours="one-way").value

    return next(length for length in range(1, 8 * times) if costs(length) > times)


def check_first_length(attempt, rng):
    def by_library(times):
        alg6 = VARIANTS["alg6"].configure(0.5, 1)
        return next(
            length for length in itertools.count(1)
            if exact.worst_case_loss(alg6, length, "one-way").value > 0.5 * times + 1e-9
        )  # fmt: skip

    mistakes = (
        (lambda times: 2 * times + 1, "That is for all neighbours. Counts all move the same way."),
        (lambda times: 2 * times, "That is for all neighbours, and there it isn't more yet."),
        (lambda times: 4 * times, "There it costs exactly that much. From which length on is it more?"),
        (lambda times: 4 * times - 1, "There it costs exactly that much. From which length on is it more?"),
        (lambda times: 4 * times + 2, "One query fewer is enough: an odd one counts in full."),
    )
    inputs = [(int(times),) for times in rng.choice(range(1, 25), 8, replace=False)]
    answers.function(attempt, by_library, inputs, mistakes, within=1e-9)  # whole numbers
    return "One-way neighbours halve what Alg. 6 costs. There is no limit to it for them, either."


def alg4_broken(epsilon, cutoff, times, longest):
    belows = longest - cutoff
    here = [0] * belows + [1] * cutoff
    there = [1] * belows + [0] * cutoff  # each answer moves against its word
    return here, there, [False] * belows + [True] * cutoff


def check_alg4_broken(attempt, rng, *, epsilon, cutoff, times, longest):
    wanted = "Three lists are wanted: the answers on D, those on D′, and the outcomes"
    here, there, outcomes = answers.parts(attempt, 3, wanted)
    mechanism = VARIANTS["alg4"].configure(epsilon, cutoff)
    return judge_loss(loss_of(mechanism, here, there, outcomes, longest), mechanism, times)


def alg3_broken(epsilon, cutoff, times, longest, lowest):
    here = [lowest] * longest
    there = [lowest + 1] * longest  # all rise, so each Below is less likely on D′
    outcomes = [False] * (longest - cutoff) + [True] * cutoff
    numbers = [lowest] * cutoff  # not above any answer: so the noisy threshold was below them all
    return here, there, outcomes, numbers


def check_alg3_broken(attempt, rng, *, epsilon, cutoff, times, longest, lowest):
    wanted = "Four lists are wanted: answers on D, answers on D′, outcomes, released numbers"
    here, there, outcomes, numbers = answers.parts(attempt, 4, wanted)
    mechanism, outcomes = VARIANTS["alg3"].configure(epsilon, cutoff), as_outcomes(outcomes)
    numbers = answers.as_numbers(numbers, of="released numbers")
    if len(numbers) != sum(outcomes):
        raise Mistake(f"Each Above comes with one number. Aboves: {sum(outcomes)}; numbers: {len(numbers)}.")
    if not numbers:
        raise Mistake("Without a number Alg. 3 says no more than bits do: have an Above.")
    if min(numbers) < lowest:
        raise Mistake(f"No number may be below {lowest:g} here, and yours go down to {min(numbers):g}.")
    loss, with_lowest = (
        loss_of(mechanism, here, there, outcomes, longest, row) for row in (numbers, [lowest] * len(numbers))
    )
    hint = ""
    if exceeds(with_lowest, times * epsilon):
        hint = "The pair will do. Which numbers tell that the noisy threshold was low?"
    elif max(numbers) > min(*here, *there):
        hint = "The noisy threshold was not above your numbers. To which answers does that matter?"
    return judge_loss(loss, mechanism, times, hint)


def repaired(answers, threshold, epsilon, cutoff, rng):
    epsilon_threshold, epsilon_queries = epsilon / 4, 3 * epsilon / 4
    noisy_threshold = threshold + rng.laplace(scale=1 / epsilon_threshold)
    outcomes = []
    for answer in answers:
        outcomes.append(bool(answer + rng.laplace(scale=2 * cutoff / epsilon_queries) >= noisy_threshold))
        if sum(outcomes) == cutoff:
            break
    return outcomes


def check_repaired(attempt, rng):
    """Test the law, with the false-alarm rate that `programs.is_mechanism` derives.

    On the stream below each slip is missed less than once in 10,000 times, computed exactly.
    """
    epsilon, c = 3.0, 2
    standard, alg4 = VARIANTS["standard"].configure, VARIANTS["alg4"].configure
    right, further = (replace(standard(epsilon, n, split=3), name="Alg. 4 repaired") for n in (c, 3))
    fine = "Such scales would be private, but more was changed than the noise on the answers."
    slips = {
        f"the split were 1:1. {fine}": standard(epsilon, c, split=1),
        f"the split were of least variance, or it weren't Laplace noise. {fine}": standard(epsilon, c),
        f"that were Alg. 2. {fine}": VARIANTS["alg2"].configure(epsilon, c),
        f"that were Alg. 4, called with a smaller ε. {fine} It has far more noise on the threshold than it "
        "needs.": alg4(4 * epsilon / (1 + 6 * c), c),
    }
    too_much = "Such scales would be private, with more noise than it takes."
    more = {"4c/ε": 4 * c / epsilon, "4cΔ/ε₂": 2 * right.query_scale, "3cΔ/ε₂": 1.5 * right.query_scale}
    slips |= {
        f"the answers had noise of scale {scale}. {too_much}": replace(right, query_scale=number)
        for scale, number in more.items()
    }
    slips = {f"It looks as if {what}": (mechanism, 0.0) for what, mechanism in slips.items()}
    margins = (0.0,) * 4 + (-1.0,) * 3
    programs.is_mechanism(attempt, right, rng, further=further, margins=margins, slips=slips)
    return "The frequencies fit Alg. 4 with 2c times its noise on the answers: private for all neighbours."


def alg4_with(factor, *, threshold_factor=1.0, stops=True):
    """Return Alg. 4 with `factor(c)` times its noise on the answers."""

    def svt(answers, T, epsilon, cutoff, rng):
        noisy_threshold = T + threshold_factor * rng.laplace(scale=4 / epsilon)
        scale, outcomes = factor(cutoff) * 4 / (3 * epsilon), []
        for answer in answers:
            outcomes.append(answer + rng.laplace(scale=scale) >= noisy_threshold)
            if stops and sum(outcomes) == cutoff:
                break
        return outcomes

    return svt


def one_above_short(epsilon, cutoff, times, longest):
    here, there, outcomes = alg4_broken(epsilon, cutoff, times, longest)
    return here[:-1], there[:-1], outcomes[:-1]


def all_move(here, there, number, length=12):
    def attempt(cutoff, **_):
        outcomes = [False] * (length - cutoff) + [True] * cutoff
        return [here] * length, [there] * length, outcomes, [number] * cutoff

    return attempt


EXERCISES = (
    Exercise(
        "6.1", "predict", "value", check_costliest,
        (
            "Each has a formula in the recap below. Only one of them has a ceiling: has it been reached?",
            "Compare ℓε/(2c), (1 + 6c)ε/4 and ℓε/2.",
        ),
        costliest,
        (
            Wrong(lambda **given: "Alg. 3", "a large c delays it"),
            Wrong(lambda **given: "Alg. 6", "Put the length in"),
            Wrong(lambda **given: "Alg. 5", "Choose one of"),
        ),
        {"epsilon": 1.0, "cutoff": 10, "length": 30},
    ),
    Exercise(
        "6.2", "compute", "function", check_first_length,
        (
            "exact.worst_case_loss takes neighbours=\"one-way\". Try a few lengths, with ε = 1.",
            "On ℓ queries it costs ε/2 for each of half of them, rounded up.",
        ),
        first_length,
        (
            Wrong(lambda times: 2 * times + 1, "all neighbours. Counts"),
            Wrong(lambda times: 2 * times, "isn't more yet"),
            Wrong(lambda times: 4 * times, "exactly that much"),
            Wrong(lambda times: 4 * times + 2, "One query fewer"),
            Wrong(lambda times: 6 * times, "For times ="),
        ),
    ),
    Exercise(
        "6.3", "break", "value", check_alg4_broken,
        (
            "On D each outcome should be what one expects, and on D′ each should come as a surprise.",
            "Answers of Belows rise from D to D′, those of Aboves fall. Take c Aboves, and enough Belows.",
        ),
        alg4_broken,
        (
            Wrong(lambda cutoff, **_: ([0] * 9 + [1] * cutoff, [1] * 9 + [0] * cutoff,
                                       [1] * cutoff + [0] * 9), "go on after it"),
            Wrong(lambda cutoff, **_: ([1] * 9 + [0] * cutoff, [0] * 9 + [1] * cutoff,
                                       [False] * 9 + [True] * cutoff), "likelier on D′"),
            Wrong(one_above_short, "is to be exceeded"),
            Wrong(lambda **_: ([0, 0], [1, 1], [False, False]), "refutes nothing"),
            Wrong(lambda **_: ([0, 0], [5, 1], [False, False]), "neighbours"),
            Wrong(lambda **_: ([0, 0], [1], [False, False]), "same questions"),
            Wrong(lambda **_: ([0, 0], [1, 1], ["Below", "Below"]), "True (Above)"),
            Wrong(lambda longest, **_: ([0] * 99, [1] * 99, [False] * 99), "at most"),
            Wrong(lambda **_: ([0, 0, 0], [1, 1, 1], [False]), "No run ends so: 1 outcomes"),
            Wrong(lambda **_: ([0], [1]), "Three lists"),
        ),
        {"epsilon": 0.5, "cutoff": 3, "times": 4, "longest": 20},
    ),
    Exercise(
        "6.4", "break", "value", check_alg3_broken,
        (
            "All answers move the same way, each comparison counts, and the numbers have to say something.",
            "Belows on answers that rise, then c Aboves with numbers not above any answer: ε/(2c) for each.",
        ),
        alg3_broken,
        (
            Wrong(all_move(5, 6, 20), "The pair will do"),
            Wrong(all_move(0, 1, 0), "below 5 here"),
            Wrong(all_move(0, 1, 5), "To which answers"),
            Wrong(all_move(7, 6, 5), "likelier on D′"),
            Wrong(all_move(5, 6, 5, 8), "is to be exceeded"),  # it loses exactly as much
            Wrong(all_move(5, 6 + 1e-9, 5, 8), "is to be exceeded"),
            Wrong(lambda **_: ([5] * 6, [6] * 6, [0] * 6, []), "have an Above"),
            Wrong(lambda **_: ([5] * 6, [6] * 6, [0] * 4 + [1] * 2, [5]), "Aboves: 2; numbers: 1"),
            Wrong(lambda **_: ([5] * 6, [6] * 6, [0] * 4 + [1] * 2, [[5, 5], 5]), "must be numbers"),
            Wrong(lambda **_: ([5] * 6, [6] * 6, [0] * 4 + [1] * 2, None), "released numbers is wanted"),
            Wrong(lambda **_: ([5] * 6, [6] * 6, [0] * 4 + [1] * 2, [1e9, 5]), "beyond a million"),
            Wrong(lambda **_: ([5] * 6, [6] * 6, [0] * 4 + [1] * 2), "Four lists"),
        ),
        {"epsilon": 1.0, "cutoff": 2, "times": 2, "longest": 12, "lowest": 5.0},
    ),
    Exercise(
        "6.5", "repair", "function", check_repaired,
        (
            "What does an Above cost in Alg. 4, and what may it cost? There are up to c of them.",
            "The noise on the answers has to be 2c times as large: Lap(2cΔ/ε₂), with ε₂ = 3ε/4.",
        ),
        repaired,
        (
            Wrong(alg4_with(lambda c: 1), "lacked the factors 2 and c"),
            Wrong(alg4_with(lambda c: c), "lacked a factor of 2"),
            Wrong(alg4_with(lambda c: 2 * c, stops=False), "goes on after"),
            Wrong(alg4_with(lambda c: 2 * c, threshold_factor=0), "the threshold had no noise"),
            Wrong(alg4_with(lambda c: 2 * c * 3 / 2, threshold_factor=1 / 2), "split were 1:1"),
            Wrong(alg4_with(lambda c: (1 + 6 * c) / 4, threshold_factor=13 / 4), "smaller ε"),
        ),
    ),
)  # fmt: skip
