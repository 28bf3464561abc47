"""The exercises of notebook 06: breaking published versions, and repairing one."""

import itertools
from dataclasses import replace

import numpy as np

from svt_lib import exact
from svt_lib.exercises import answers, programs
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong, as_sentence
from svt_lib.mechanism import Mechanism
from svt_lib.variants import VARIANTS


def costliest(epsilon, cutoff, length):
    losses = {
        "Alg. 3": length * epsilon / (2 * cutoff),
        "Alg. 4": (1 + 6 * cutoff) / 4 * epsilon,  # from 2c + 1 queries on
        "Alg. 6": length * epsilon / 2,
    }
    return max(losses, key=losses.get)


def check_costliest(attempt, rng, *, epsilon, cutoff, length):
    mechanisms = {f"alg. {n}": VARIANTS[f"alg{n}"].configure(epsilon, cutoff) for n in (3, 4, 6)}
    losses = {name: exact.worst_case_loss(each, length).value for name, each in mechanisms.items()}
    options = {
        "alg. 3": "Alg. 3 has no limit, but a large c delays it. How far has it got?",
        "alg. 4": "Alg. 4 has a ceiling, and on so long a stream another one is past it.",
        "alg. 6": "Alg. 6 has no limit, but how far has it got by then? Put the length in.",
    }
    answers.choice(attempt, max(losses, key=losses.get), options)
    listed = ", ".join(f"{name.capitalize()} {loss:.4g}" for name, loss in losses.items())
    return f"{listed}: worst cases over all neighbours, for streams of {length}."


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
    answers.function(attempt, by_library, inputs, mistakes)
    return "One-way neighbours halve what Alg. 6 costs. There is no limit to it for them, either."


def loss_of(mechanism: Mechanism, here, there, outcomes, most: int, released=None) -> float:
    """Return the exact loss of an output handed in, on a pair of databases handed in, for the threshold 0."""
    here, there = answers.neighbours(here, there, most=most)
    numbers = [] if released is None else answers.as_numbers(released, of="released numbers")
    if max(np.abs([*here, *there, *numbers])) > 1e6:  # beyond, rounding would make losses of its own
        raise Mistake("Nothing beyond a million is needed here.")
    row = outcomes.tolist() if isinstance(outcomes, np.ndarray) else outcomes
    if not isinstance(row, list | tuple) or any(not isinstance(outcome, bool | np.bool_) for outcome in row):
        raise Mistake(f"The outcomes are a list of True (Above) and False (Below), not {outcomes!r:.60}.")
    if released is not None and len(numbers) != sum(row):
        raise Mistake(f"Each Above comes with one number: {sum(row)} Aboves, and {len(numbers)} numbers.")
    try:
        on_d, on_neighbour = (
            exact.output_log_probability(mechanism, side, row, 0.0, released=numbers or None)
            for side in (here, there)
        )
    except ValueError as error:  # no run ends so
        raise Mistake(as_sentence(error)) from None
    return on_d - on_neighbour


def judge_loss(loss: float, mechanism: Mechanism, times: int) -> str:
    """Return the sentence for a loss of more than `times` times the claim; raise a `Mistake` for less."""
    epsilon = mechanism.epsilon
    found = f"On this pair of databases, your output loses {loss:.3f}"
    if loss < 0:
        raise Mistake(f"{found}: it is likelier on D′. Which of its words come as a surprise on D′?")
    if loss <= epsilon:
        raise Mistake(f"{found}, and {epsilon:g} is claimed. That refutes nothing.")
    if loss <= times * epsilon:
        raise Mistake(f"{found}. That is more than claimed, and {times * epsilon:g} is to be exceeded.")
    return f"{found}, and {epsilon:g} is claimed."


def alg4_broken(epsilon, cutoff, times, longest):
    belows = longest - cutoff
    here = [0] * belows + [1] * cutoff
    there = [1] * belows + [0] * cutoff  # each answer moves against its word
    return here, there, [False] * belows + [True] * cutoff


def check_alg4_broken(attempt, rng, *, epsilon, cutoff, times, longest):
    if not isinstance(attempt, list | tuple) or len(attempt) != 3:
        raise Mistake("Three lists are wanted: the answers on D, those on D′, and the outcomes.")
    mechanism = VARIANTS["alg4"].configure(epsilon, cutoff)
    here, there, outcomes = attempt
    return judge_loss(loss_of(mechanism, here, there, outcomes, longest), mechanism, times)


def alg3_broken(epsilon, cutoff, times, longest):
    belows = longest - cutoff
    outcomes = [False] * belows + [True] * cutoff
    numbers = [-1] * cutoff  # under the threshold: so the noisy threshold was low
    return [0] * longest, [1] * longest, outcomes, numbers


def check_alg3_broken(attempt, rng, *, epsilon, cutoff, times, longest):
    if not isinstance(attempt, list | tuple) or len(attempt) != 4:
        raise Mistake("Four lists are wanted: answers on D, answers on D′, outcomes, released numbers.")
    mechanism = VARIANTS["alg3"].configure(epsilon, cutoff)
    here, there, outcomes, numbers = attempt
    loss = loss_of(mechanism, here, there, outcomes, longest, numbers)
    if not any(outcomes):
        raise Mistake("Without a number Alg. 3 says no more than bits do: have an Above.")
    lower = [min(number, -1.0) for number in numbers]
    if loss <= times * epsilon < loss_of(mechanism, here, there, outcomes, longest, lower):
        raise Mistake(
            f"On this pair of databases, your output loses {loss:.3f}, and {times * epsilon:g} is to be "
            "exceeded. The pair will do. Which numbers tell that the noisy threshold was low?"
        )
    return judge_loss(loss, mechanism, times)


def repaired(answers, threshold, epsilon, cutoff, rng):
    epsilon_threshold, epsilon_queries = epsilon / 4, 3 * epsilon / 4
    noisy_threshold = threshold + rng.laplace(scale=1 / epsilon_threshold)
    outcomes = []
    for answer in answers:
        outcomes.append(answer + rng.laplace(scale=2 * cutoff / epsilon_queries) >= noisy_threshold)
        if sum(outcomes) == cutoff:
            break
    return outcomes


def check_repaired(attempt, rng):
    """Test the law, with the false-alarm rate that `programs.is_mechanism` derives.

    On the stream below each slip is missed less than once in 10,000 times, computed exactly.
    """
    epsilon, c = 3.0, 2
    standard, alg4 = VARIANTS["standard"].configure, VARIANTS["alg4"].configure
    right = replace(standard(epsilon, c, split=3), name="Alg. 4 repaired")
    fine = "That is private, but more was changed than the noise on the answers."
    slips = {
        f"the split were 1:1. {fine}": standard(epsilon, c, split=1),
        f"the split were that of least variance. {fine}": standard(epsilon, c),
        f"that were Alg. 2. {fine}": VARIANTS["alg2"].configure(epsilon, c),
        f"that were Alg. 4, called with a smaller ε. {fine} It has far more noise on the threshold than it "
        "needs.": alg4(4 * epsilon / (1 + 6 * c), c),
    }
    slips = {f"It looks as if {what}": (mechanism, 0.0) for what, mechanism in slips.items()}
    margins = (0.0,) * 4 + (-1.0,) * 3
    programs.is_mechanism(attempt, right, rng, margins=margins, slips=slips)
    return "Private for all neighbours, with the same split and more noise. That is its price."


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
            "exact.worst_case_loss takes neighbours=\"one-way\". Try a few lengths.",
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
                                       [True] * cutoff + [False] * 9), "go on after"),
            Wrong(lambda cutoff, **_: ([1] * 9 + [0] * cutoff, [0] * 9 + [1] * cutoff,
                                       [False] * 9 + [True] * cutoff), "likelier on D′"),
            Wrong(one_above_short, "is to be exceeded"),
            Wrong(lambda **_: ([0, 0], [1, 1], [False, False]), "refutes nothing"),
            Wrong(lambda **_: ([0, 0], [5, 1], [False, False]), "neighbours"),
            Wrong(lambda **_: ([0, 0], [1], [False, False]), "same questions"),
            Wrong(lambda **_: ([0, 0], [1, 1], ["Below", "Below"]), "True (Above)"),
            Wrong(lambda longest, **_: ([0] * 99, [1] * 99, [False] * 99), "at most"),
            Wrong(lambda **_: ([0, 0, 0], [1, 1, 1], [False]), "1 values for 3 answers"),
            Wrong(lambda **_: ([0], [1]), "Three lists"),
        ),
        {"epsilon": 0.5, "cutoff": 3, "times": 4, "longest": 20},
    ),
    Exercise(
        "6.4", "break", "value", check_alg3_broken,
        (
            "All answers move the same way, each comparison counts, and the numbers have to say something.",
            "Belows on answers that rise, then c Aboves with numbers under the threshold: ε/(2c) for each.",
        ),
        alg3_broken,
        (
            Wrong(lambda longest, **_: ([0] * longest, [1] * longest,
                                        [False] * (longest - 2) + [True] * 2, [9, 9]), "The pair will do"),
            Wrong(lambda longest, **_: ([1] * longest, [0] * longest,
                                        [False] * (longest - 2) + [True] * 2, [0, 0]), "likelier on D′"),
            Wrong(lambda **_: ([0] * 6, [1] * 6, [False] * 4 + [True] * 2, [0, 0]), "is to be exceeded"),
            Wrong(lambda **_: ([0] * 6, [1] * 6, [False] * 6, []), "have an Above"),
            Wrong(lambda **_: ([0] * 6, [1] * 6, [False] * 4 + [True] * 2, [0]), "2 Aboves, and 1 numbers"),
            Wrong(lambda **_: ([0] * 6, [1] * 6, [False] * 4 + [True] * 2, [-1e9, 0]), "beyond a million"),
            Wrong(lambda **_: ([0] * 6, [1] * 6, [False] * 4 + [True] * 2), "Four lists"),
        ),
        {"epsilon": 1.0, "cutoff": 2, "times": 2, "longest": 12},
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
