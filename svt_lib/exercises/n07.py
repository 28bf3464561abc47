"""The exercises of notebook 07: building, breaking and repairing mechanisms."""

from dataclasses import replace

import numpy as np

from svt_lib import exact
from svt_lib.exercises import answers, privacy, programs, released
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.exercises.losses import loss_of
from svt_lib.exercises.n03 import slip
from svt_lib.exercises.released import answers_with, numbered
from svt_lib.mechanism import Mechanism
from svt_lib.variants import VARIANTS

#: So many queries are "streams of any length" to the closed formulas.
LONG = 10_000_000
#: Of a stream that shows each slip of 7.4 in so many runs, by three standard deviations or more.
MARGINS, RUNS = (-1.0,) * 6, 12_000


def first_broken_length(epsilon, cutoff):
    query_scale = 3 * cutoff / epsilon
    kept = round(epsilon * query_scale)  # so many queries cost ε, by the smallest bound: 1/b2 each
    return kept + 1


def check_first_broken_length(attempt, rng, *, epsilon, cutoff):
    mechanism, right = Mechanism(1 / epsilon, 3 * cutoff / epsilon, cutoff), 1
    while exact.worst_case_loss(mechanism, right).value <= epsilon + 1e-9:
        right += 1
    most = exact.worst_case_loss(mechanism, LONG).value
    mistakes = (
        (3 * cutoff, "There the worst case is equal to the claim. Which length is the first beyond it?"),
        (4 * cutoff + 1, "That is for answers' noise of scale 4c/ε, as E, F and G have it. Here it is 3c/ε."),
        (np.inf, f"On a long stream its worst case over all neighbours is {most:.4g}."),
    )
    answers.number(attempt, right, mistakes, within=1e-6)
    return f"Up to there (m + k)/b₂ is the smallest bound. In the end the worst case is {most:.4g}."


def least_query_scale(threshold_scale, epsilon, cutoff):
    left_for_aboves = epsilon - 1 / threshold_scale
    return cutoff / left_for_aboves


def check_least_query_scale(attempt, rng):
    def by_search(threshold_scale, epsilon, cutoff):
        low, high = 1e-3, 1e6
        for _ in range(60):
            middle = np.sqrt(low * high)
            tried = Mechanism(threshold_scale, middle, cutoff)
            kept = exact.worst_case_loss(tried, LONG, neighbours="one-way").value <= epsilon
            low, high = (low, middle) if kept else (middle, high)
        return high

    mistakes = (
        (
            lambda b1, epsilon, c: 2 * c / (epsilon - 1 / b1),
            "That keeps ε for all neighbours. If all answers move the same way, an Above pays for one move.",
        ),
        (lambda b1, epsilon, c: c / epsilon, "The threshold noise costs as well: 1/b₁ is gone already."),
        (lambda b1, epsilon, c: 1 / (epsilon - 1 / b1), "That is enough for one Above, and there are c."),
        (lambda b1, epsilon, c: c * (epsilon - 1 / b1), "Upside down: the less is left, the more noise."),
        (lambda b1, epsilon, c: c / (epsilon - 1 / b1 / 2), "The share of the threshold doesn't halve."),
    )
    inputs = [
        (share * 2 / epsilon, epsilon, int(rng.integers(2, 30)))
        for share, epsilon in rng.uniform([0.6, 0.2], [5, 3], (8, 2)).tolist()
    ]
    answers.function(attempt, by_search, inputs, mistakes)
    return "The worst case over one-way neighbours is then ε, for streams of any length."


def redrawn_broken(epsilon, cutoff):
    far, outcomes = 1000 / epsilon, ([False] * 5 + [True]) * cutoff
    answers = [-far if above else far for above in outcomes]
    neighbour_answers = [answer + np.sign(answer) for answer in answers]
    return answers, neighbour_answers, outcomes


def check_redrawn_broken(attempt, rng, *, epsilon, cutoff):
    mechanism = Mechanism(2 / epsilon, 4 * cutoff / epsilon, cutoff, redraw=True)
    wanted = "Three lists are wanted: the answers on D, those on D′, the outcomes"
    here, there, outcomes = answers.parts(attempt, 3, wanted)
    loss = abs(loss_of(mechanism, here, there, outcomes, most=100))
    if loss > epsilon * (1 + 1e-6):
        return f"Loss {loss:.4g} on this pair of databases; {exact.worst_case_loss(mechanism, LONG)}."
    found = f"On this pair of databases that output has the loss {loss:.3g}, and ε = {epsilon:g} is claimed."
    if sum(outcomes) < 2:
        raise Mistake(f"{found} With fewer than two Aboves the threshold noise was hardly drawn again.")
    if np.ptp(np.sign(np.subtract(there, here))) < 2:
        raise Mistake(f"{found} Let the answers behind Aboves and behind Belows move in opposite directions.")
    raise Mistake(f"{found} Does each new draw have Belows of its own to pay for?")


def repaired(answers, threshold, epsilon, cutoff, rng):
    noisy_threshold, outcomes = threshold + rng.laplace(scale=4 / epsilon), []
    for answer in answers:
        outcomes.append(bool(answer + rng.laplace(scale=8 * cutoff / (3 * epsilon)) >= noisy_threshold))
        if sum(outcomes) == cutoff:
            break
    return outcomes


def check_repaired(attempt, rng):
    """Test the law, with the false-alarm rate that `programs.is_mechanism` derives."""
    epsilon, cutoff = 3.0, 2
    right, further = (
        Mechanism(4 / epsilon, 8 * c / (3 * epsilon), c, epsilon=epsilon, name="the repair")
        for c in (cutoff, 3)
    )
    looks = "It looks as if the answers' noise "
    slips = {
        f"{looks}had the scale 4c/ε of Alg. 1. That is private, and more than needed: the threshold costs "
        "ε/4 here.": {"query_scale": 4 * cutoff / epsilon},
        f"{looks}had the scale 2c/ε. Together with the threshold that is 5/4 of ε.": {
            "query_scale": 2 * cutoff / epsilon
        },
        f"{looks}still had the scale 2/ε.": {"query_scale": 2 / epsilon},
        "It looks like Alg. 1. The noise on the threshold was to stay as it is.": {
            "threshold_scale": 2 / epsilon, "query_scale": 4 * cutoff / epsilon,
        },
    }  # fmt: skip
    slips = {sentence: (replace(right, **changes), 0.0) for sentence, changes in slips.items()}
    programs.is_mechanism(attempt, right, rng, further=further, margins=MARGINS, runs=RUNS, slips=slips)
    loss = exact.worst_case_loss(right, LONG)
    return f"Its frequencies fit. For ε = {epsilon:g} that is a loss of {loss}."


def always_one(answers, threshold, epsilon, cutoff, rng):
    outcomes = repaired(answers, threshold, epsilon, cutoff, rng)
    return outcomes if any(outcomes) else [*outcomes[:-1], True]


def alarms_with_numbers(answers, threshold, epsilon, cutoff, rng):
    noisy_threshold, outcomes, numbers = threshold + rng.laplace(scale=6 / epsilon), [], []
    for answer in answers:
        gap = answer + rng.laplace(scale=12 * cutoff / epsilon) - noisy_threshold
        outcomes.append(bool(gap >= 0))
        if gap >= 0:
            numbers.append(gap)
        if sum(outcomes) == cutoff:
            break
    return outcomes, numbers


def check_alarms_with_numbers(attempt, rng):
    """Test the outcomes as `programs.is_mechanism` does, and the numbers as `released.gaps_or_fresh` does.

    The false-alarm rates derived there are below 1e-6 together.
    """
    alone, right, further = (
        replace(VARIANTS["alg1"].configure(3.0, c), epsilon=9.0, name="Alg. 1 on a third of the budget")
        for c in (1, 2, 3)
    )
    slips = {
        "It looks as if the outcomes had spent the whole of ε.": (
            replace(right, threshold_scale=right.threshold_scale / 3, query_scale=right.query_scale / 3), 0.0,
        ),
    }  # fmt: skip
    programs.is_mechanism(attempt, right, rng, further=further, slips=slips, numbers=True)
    kind = released.gaps_or_fresh(attempt, right, alone, 2 / 3 * right.epsilon, rng)
    left = ": two thirds are left unspent" if kind == "gaps" else ""
    return f"The outcomes fit Alg. 1 on a third of the budget, and the numbers are {kind}{left}."


def my_private_svt(answers, threshold, epsilon, cutoff, rng):
    epsilon_threshold, epsilon_queries = epsilon / 3, 2 * epsilon / 3
    noisy_threshold, outcomes = threshold + rng.laplace(scale=1 / epsilon_threshold), []
    for answer in answers:
        outcomes.append(bool(answer + rng.laplace(scale=2 * cutoff / epsilon_queries) >= noisy_threshold))
        if sum(outcomes) == cutoff:
            break
    return outcomes


def check_private(attempt, rng):
    """Test whether any private member of a family fits; `privacy.is_private` derives the false-alarm rate."""
    member = privacy.is_private(attempt, rng)
    return f"Nothing speaks against it. It could be {privacy.describe(member)}, and that keeps ε = 3."


EXERCISES = (
    Exercise(
        "7.1", "predict", "value", check_first_broken_length,
        (
            "On a short stream the first of the three bounds is the smallest.",
            "(m + k)/b₂ passes ε when there are more than b₂·ε queries.",
        ),
        first_broken_length,
        (
            Wrong(lambda epsilon, cutoff: 3 * cutoff, "equal to the claim"),
            Wrong(lambda epsilon, cutoff: 4 * cutoff + 1, "as E, F and G have it"),
            Wrong(lambda epsilon, cutoff: float("inf"), "On a long stream"),
            Wrong(lambda epsilon, cutoff: 2, "too small"),
        ),
        {"epsilon": 0.5, "cutoff": 5},
    ),
    Exercise(
        "7.2", "compute", "function", check_least_query_scale,
        (
            "What does the threshold noise cost, and what does one Above cost if all answers move one way?",
            "Solve 1/b₁ + c/b₂ = ε for b₂.",
        ),
        least_query_scale,
        (
            Wrong(lambda b1, epsilon, c: 2 * c / (epsilon - 1 / b1), "for all neighbours"),
            Wrong(lambda b1, epsilon, c: c / epsilon, "gone already"),
            Wrong(lambda b1, epsilon, c: 1 / (epsilon - 1 / b1), "there are c"),
            Wrong(lambda b1, epsilon, c: c * (epsilon - 1 / b1), "Upside down"),
            Wrong(lambda b1, epsilon, c: c / (epsilon - 0.5 / b1), "doesn't halve"),
        ),
    ),
    Exercise(
        "7.3", "break", "value", check_redrawn_broken,
        (
            "Each new draw of the threshold noise hides one row of Belows. How many draws can you use up?",
            "Some Belows before every Above: answers far above the threshold where the outcome is Below, far "
            "below where it is Above, and every answer on D′ moved further away.",
        ),
        redrawn_broken,
        (
            Wrong(lambda epsilon, cutoff: ([0] * 50, [1] * 50, [False] * 50), "fewer than two Aboves"),
            Wrong(lambda epsilon, cutoff: ([0] * 5, [2] * 5, [False] * 5), "aren't neighbours"),
            Wrong(
                lambda epsilon, cutoff: ([9e5] * 5 * cutoff, [900_001] * 5 * cutoff, [False, True] * cutoff),
                "opposite directions",
            ),
            Wrong(lambda epsilon, cutoff: ([-9] * 9, [-10] * 8 + [-8], [True] * cutoff), "Belows of its own"),
            Wrong(lambda epsilon, cutoff: ([0] * 200, [1] * 200, [False] * 200), "at most 100"),
            Wrong(lambda epsilon, cutoff: ([0], [1], ["Below"]), "list of True (Above) and False (Below)"),
            Wrong(lambda epsilon, cutoff: ([0, 0], [1, 1]), "Three lists"),
        ),
        {"epsilon": 1.0, "cutoff": 3},
    ),
    Exercise(
        "7.4", "repair", "function", check_repaired,
        (
            "There are three faults: the answers' noise, the stop, and the last two lines before the return.",
            "The threshold noise costs ε/4. So 2c/b₂ may cost 3ε/4.",
        ),
        repaired,
        (
            Wrong(slip(threshold=4, query=4), "more than needed"),
            Wrong(slip(threshold=4, query=2), "5/4 of ε"),
            Wrong(lambda *given: slip(threshold=4, query=2 / given[3])(*given), "still had"),
            Wrong(slip(threshold=2, query=4), "like Alg. 1"),
            Wrong(slip(threshold=4, query=4 / 3), "lacked a factor of 2"),
            Wrong(slip(threshold=0, query=8 / 3), "the threshold had no noise"),
            Wrong(slip(threshold=4, query=8 / 3, again=True), "pays for one draw"),
            Wrong(slip(threshold=4, query=8 / 3, late=1), "goes on after Above number 2"),
            Wrong(always_one, "Far from the threshold"),
        ),
    ),
    Exercise(
        "7.5", "write", "function", check_alarms_with_numbers,
        (
            "Two numbers may go out: the gap, which costs nothing, or the answer with noise of its own.",
            "The outcomes need the scales 6/ε and 12c/ε. Fresh noise needs the scale c/(2ε/3).",
        ),
        alarms_with_numbers,
        (
            Wrong(numbered(lambda a, noisy, gap, T, rng: [noisy]), "that was compared"),
            Wrong(numbered(lambda a, noisy, gap, T, rng: [abs(noisy - T)]), "With c = 1"),
            Wrong(numbered(lambda a, noisy, gap, T, rng: [gap + 1]), "the law of gaps"),
            Wrong(numbered(lambda a, noisy, gap, T, rng: [gap + rng.laplace()]), "never negative"),
            Wrong(numbered(lambda *_: []), "each Above has one"),
            Wrong(answers_with(lambda b, n, rng: 0.0), "there is no noise"),
            Wrong(answers_with(lambda b, n, rng: rng.laplace(0, b / 1.5, n)), "by their median size"),
            Wrong(answers_with(lambda b, n, rng: rng.laplace(0, b)), "share one draw"),
            Wrong(answers_with(lambda b, n, rng: [rng.laplace(0, b), *[0.0] * n][:n]), "of second Aboves"),
            Wrong(numbered(lambda a, noisy, gap, *_: [gap], threshold=2, query=4), "whole of ε"),
            Wrong(numbered(lambda a, noisy, gap, *_: [gap], again=True), "pays for one draw"),
            Wrong(numbered(lambda a, noisy, gap, *_: [gap], late=1), "goes on after"),
        ),
    ),
    Exercise(
        "7.6", "write", "function", check_private,
        (
            "Choose a split: a part of ε for the threshold, the rest for the answers.",
            "Drawn once, the threshold noise costs 1/b₁, drawn again after each Above c/b₁. Add 2c/b₂.",
        ),
        my_private_svt,
        (
            Wrong(slip(threshold=0, query=4), "Is there any noise on the threshold"),
            Wrong(slip(threshold=2, query=2), "isn't private"),
            Wrong(slip(threshold=2, query=4, again=True), "drawn again after each Above"),
            Wrong(slip(threshold=2, query=4, draw=lambda rng, b: rng.exponential(b)), "no private SVT"),
            Wrong(slip(threshold=2, query=4, late=1), "goes on after"),
            Wrong(always_one, "Far from the threshold"),
        ),
    ),
)  # fmt: skip
