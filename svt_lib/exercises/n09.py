"""The exercises of notebook 09: the exponential mechanism, for one item and for c."""

import numpy as np

from svt_lib import checks
from svt_lib.accuracy import em_chances
from svt_lib.exercises import answers, selections
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.selection import selection_probabilities
from svt_lib.variants import VARIANTS


def best_is_missed(scores, epsilon, count):
    best = np.argmax(scores)
    return 1 - em_chances(scores, epsilon, count)[best]


def first_missed(scores, epsilon):
    return 1 - selection_probabilities(scores, epsilon).max()


def check_best_is_missed(attempt, rng, *, scores, epsilon, count):
    right, first = best_is_missed(scores, epsilon, count), first_missed(scores, epsilon / count)
    monotonic = 1 - em_chances(scores, epsilon, count, monotonic=True)[np.argmax(scores)]
    mistakes = (
        (1 - right, "That is the chance that it is among the selected."),
        (
            best_is_missed(scores, count * epsilon, count),
            "There each round has ε. All of them together have it.",
        ),
        (first_missed(scores, epsilon), "That is one selection with the whole of ε."),
        (first, "That is the first round. In a later one it may still be selected."),
        (first**count, "An item that was selected is out: in the next round there is one fewer."),
        (monotonic, "That is for scores that all move the same way. Here b has the 2."),
    )
    answers.number(attempt, right, mistakes)
    return "In each round it is missed with the chance that the rest leaves it."


def budget_in_the_end(epsilon, cutoff):
    return VARIANTS["standard"].configure(epsilon, cutoff, monotonic=True).epsilon_queries


def check_budget_in_the_end(attempt, rng, *, epsilon, cutoff):
    right = budget_in_the_end(epsilon, cutoff)
    general = VARIANTS["standard"].configure(epsilon, cutoff)
    mistakes = (
        (epsilon, "What was spent on the threshold noise is lost."),
        (epsilon - right, "That is what the threshold noise cost. The rest is what is left."),
        (epsilon / 2, "That is the split of Alg. 1. The best split gives more to the queries."),
        (
            general.epsilon_queries,
            "That is the best split for general answers: (2c)^(2/3). These are counts.",
        ),
        (epsilon / cutoff, "That is what one of c rounds has."),
    )
    answers.number(attempt, right, mistakes)
    return "The threshold and its noise are a factor that all clocks share: only ε₂ is left."


def distance_with_several(items, good, beta, epsilon):
    return (np.log((items - good) / good) + np.log((1 - beta) / beta)) / epsilon


def one_good(items, good, beta, epsilon):
    return distance_with_several(items, 1, beta, epsilon)


def not_added(items, good, beta, epsilon):
    return distance_with_several(items - good + 1, 1, beta, epsilon)


def apart(items, good, beta, epsilon):
    return 2 * distance_with_several(items, good, beta, epsilon)


def halved(items, good, beta, epsilon):
    return distance_with_several(items, good, beta, 2 * epsilon)


def wrong_odds(items, good, beta, epsilon):
    return np.log((items - good) / good / beta) / epsilon


def check_distance_with_several(attempt, rng):
    def by_search(items, good, beta, epsilon):
        low, high = 0.0, 1000.0 / epsilon
        for _ in range(60):
            distance = (low + high) / 2
            scores = np.repeat([distance, -distance], [good, items - good])
            enough = selection_probabilities(scores, epsilon)[:good].sum() >= 1 - beta
            low, high = (low, distance) if enough else (distance, high)
        return high

    mistakes = (
        (one_good, "That is for one good item. More of them are more likely to be hit."),
        (not_added, "The others are fewer, and the good ones more: their weights add up."),
        (apart, "That is how far apart the scores are. Each lies half as far from the threshold."),
        (halved, "That is for b = Δ/ε, where all scores move the same way."),
        (wrong_odds, "The odds of 1 − β are (1 − β)/β."),
    )
    inputs = []
    for beta, epsilon in rng.uniform([0.01, 0.2], [0.2, 3], (8, 2)).tolist():
        good = int(rng.integers(2, 10))
        inputs.append((int(rng.integers(3 * good, 60 * good)), good, beta, epsilon))
    answers.function(attempt, by_search, inputs, mistakes)
    return "At that distance one of the good ones is selected with 1 − β, exactly."


def whole_budget_broken(epsilon, count):
    items = 500
    scores, neighbour_scores = np.zeros(items), np.full(items, -1.0)
    neighbour_scores[:count] = 1
    return scores, neighbour_scores, list(range(count))


def check_whole_budget_broken(attempt, rng, *, epsilon, count):
    wanted = "Three lists are wanted: the scores on D, those on D′, the selected indices"
    *sides, chosen = answers.parts(attempt, 3, wanted)
    here, there = scores_on_neighbours(*sides)
    if not count <= here.size <= 2000:
        raise Mistake(f"At least {count} items and at most 2,000, please.")
    chosen = selections.indices(chosen, here.size, count)
    if len(set(chosen)) < count:
        raise Mistake(f"{count} different indices of your items are wanted, in order.")
    loss = abs(np.subtract(*(log_chance(scores, epsilon, chosen) for scores in (here, there))))
    found = f"On this pair of databases that selection has the loss {loss:.3f}"
    if loss >= 0.9 * count * epsilon:
        return f"{found}, and ε = {epsilon:g} is claimed."
    if np.ptp(np.sign(there - here)) < 2:
        raise Mistake(f"{found}. Where all scores move the same way a round costs half of what it may.")
    raise Mistake(f"{found}: not yet 90 % of {count * epsilon:g}. What do all the others weigh, on D and D′?")


def scores_on_neighbours(here, there) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores as arrays, if they can be those of neighbours for Δ = 1."""
    here, there = (np.array(answers.as_numbers(side, of="scores")) for side in (here, there))
    if here.size != there.size:
        raise Mistake(f"The same items on both: {here.size} scores on D and {there.size} on D′.")
    if not np.all(np.abs([here, there]) <= checks.LARGEST):
        raise Mistake("The scores must be finite.")
    for i in np.flatnonzero(np.abs(here - there) > 1 + checks.ROUNDING):
        raise Mistake(
            f"These aren't neighbours: no score may differ by more than 1, and item {i} has {here[i]:g} on D "
            f"and {there[i]:g} on D′."
        )
    return here, there


def log_chance(scores, epsilon: float, chosen) -> float:
    """Return the log of the chance to select these items in this order, each with the whole of ε."""
    rest, total = np.ones(scores.size, dtype=bool), 0.0
    for i in chosen:
        law = np.zeros(scores.size)
        law[rest] = selection_probabilities(scores[rest], epsilon)
        if law[i] == 0:
            raise Mistake(
                "These scores are so far apart that the chance of this selection is 0 in a computer."
            )
        total, rest[i] = total + float(np.log(law[i])), False
    return total


def select(scores, epsilon, count, monotonic, rng):
    b = (1 if monotonic else 2) * count / epsilon
    noisy = np.array(scores) + rng.gumbel(scale=b, size=len(scores))
    return np.argsort(-noisy)[:count].tolist()


def check_select(attempt, rng):
    """Test the law, with the false-alarm rate that `selections.is_exponential_mechanism` derives."""
    selections.is_exponential_mechanism(attempt, rng)
    return "Which three are selected has the law of the exponential mechanism, for both kinds of scores."


def laplace_largest(scores, epsilon, count, monotonic, rng):
    b = (1 if monotonic else 2) * count / epsilon
    return np.argsort(-(scores + rng.laplace(scale=b, size=len(scores))))[:count]


def smallest(scores, epsilon, count, monotonic, rng):
    b = (1 if monotonic else 2) * count / epsilon
    return np.argsort(scores + rng.gumbel(scale=b, size=len(scores)))[:count]


def located(scores, epsilon, count, monotonic, rng):
    b = (1 if monotonic else 2) * count / epsilon
    return np.argsort(-scores - rng.gumbel(b, size=len(scores)))[:count]


def with_replacement(scores, epsilon, count, monotonic, rng):
    return [select(scores, epsilon / count, 1, monotonic, rng)[0] for _ in range(count)]


def overflows(scores, epsilon, count, monotonic, rng):
    weights = np.exp(scores * epsilon / count)
    return rng.choice(len(scores), count, replace=False, p=weights / weights.sum())


EXERCISES = (
    Exercise(
        "9.1", "compute", "value", check_best_is_missed,
        (
            "It is missed if it is in none of the rounds, and each round has ε/c.",
            "em_chances gives for each item the chance to be among the selected.",
        ),
        best_is_missed,
        (
            Wrong(lambda scores, epsilon, count: 1 - best_is_missed(scores, epsilon, count), "is among"),
            Wrong(lambda scores, epsilon, count: best_is_missed(scores, count * epsilon, count), "together"),
            Wrong(lambda scores, epsilon, count: first_missed(scores, epsilon), "one selection"),
            Wrong(lambda scores, epsilon, count: first_missed(scores, epsilon / count), "first round"),
            Wrong(lambda scores, epsilon, count: first_missed(scores, epsilon / count) ** count, "one fewer"),
        ),
        {"scores": [7.0, 5.0, 5.0, 4.0, 1.0], "epsilon": 2.0, "count": 3},
    ),
    Exercise(
        "9.2", "predict", "value", check_budget_in_the_end,
        (
            "The threshold noise is a factor that all clocks share. Which part of ε is not in it?",
            "The best split for counts is ε₂/ε₁ = c^(2/3).",
        ),
        budget_in_the_end,
        (
            Wrong(lambda epsilon, cutoff: epsilon, "is lost"),
            Wrong(lambda epsilon, cutoff: epsilon / (1 + cutoff ** (2 / 3)), "threshold noise cost"),
            Wrong(lambda epsilon, cutoff: epsilon / 2, "split of Alg. 1"),
            Wrong(lambda epsilon, cutoff: epsilon * (1 - 1 / (1 + (2 * cutoff) ** (2 / 3))), "(2c)"),
            Wrong(lambda epsilon, cutoff: epsilon / cutoff, "one of c rounds"),
        ),
        {"epsilon": 0.5, "cutoff": 27},
    ),
    Exercise(
        "9.3", "compute", "function", check_distance_with_several,
        (
            "Write down the chance that one of the good ones is selected: their weights over all weights.",
            "good/(good + (items − good)·exp(−εα)) = 1 − β. Solve for α.",
        ),
        distance_with_several,
        (
            Wrong(one_good, "one good item"),
            Wrong(not_added, "add up"),
            Wrong(apart, "half as far"),
            Wrong(halved, "the same way"),
            Wrong(wrong_odds, "odds"),
            Wrong(lambda k, good, beta, e: 8 * np.log(2 * k / beta) / e, "is right"),
        ),
    ),
    Exercise(
        "9.4", "break", "value", check_whole_budget_broken,
        (
            "The loss of a round has two parts: the weight of the selected item, and the sum of all weights.",
            "Let the selected items rise by 1 and all the others fall by 1, and take many others.",
        ),
        whole_budget_broken,
        (
            Wrong(lambda epsilon, count: ([0] * 99, [1] * count + [0] * (99 - count), range(count)), "half"),
            Wrong(lambda epsilon, count: ([0] * 6, [1] * count + [-1] * (6 - count), range(count)), "90 %"),
            Wrong(lambda epsilon, count: ([0] * 99, [2] * 99, range(count)), "aren't neighbours"),
            Wrong(lambda epsilon, count: ([0] * 99, [1] * 99, [0] * count), "different indices"),
            Wrong(lambda epsilon, count: ([0] * 9999, [1] * 9999, range(count)), "at most 2,000"),
            Wrong(lambda epsilon, count: ([0] * 9, [1] * 9, [0.5] * count), "Indices from 0 to 8"),
            Wrong(lambda epsilon, count: ([0] * 9, [1] * 8, range(count)), "The same items on both"),
        ),
        {"epsilon": 1.0, "count": 3},
    ),
    Exercise(
        "9.5", "write", "function", check_select,
        (
            "c rounds with ε/c each, without what is gone; or one draw of Gumbel noise, and the c largest.",
            "b = 2c/ε, or c/ε for monotonic scores. In each round, before exp, subtract the largest of what "
            "is left.",
        ),
        select,
        (
            Wrong(lambda s, e, c, monotonic, rng: select(s, 2 * e, c, monotonic, rng), "lacked the 2"),
            Wrong(lambda s, e, c, monotonic, rng: select(s, e, c, False, rng), "2 too many"),
            Wrong(lambda s, e, c, monotonic, rng: select(s, c * e, c, monotonic, rng), "whole of ε"),
            Wrong(lambda s, e, c, monotonic, rng: select(-s, e, c, monotonic, rng), "sign"),
            Wrong(smallest, "sorts upwards"),
            Wrong(located, "as the location"),
            Wrong(laplace_largest, "This isn't EM"),
            Wrong(lambda s, e, c, monotonic, rng: np.argsort(-s)[:c], "hardly any noise"),
            Wrong(with_replacement, "selected twice"),
            Wrong(overflows, "up to a million"),
            Wrong(lambda *given: select(*given)[:1], "3 indices"),
        ),
    ),
)  # fmt: skip
