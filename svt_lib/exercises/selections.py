"""Checks of a learner's selection of some items out of many."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np

from svt_lib import audit
from svt_lib.exercises import answers
from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner
from svt_lib.exercises.programs import FALSE_ALARM

#: Scores, how many to select, ε and runs. Laplace noise in place of Gumbel noise moves a frequency by three
#: standard deviations more than a refusal takes, and a factor in b by many more.
SCORES, COUNT, EPSILON, RUNS = (16.0, 8.0, 8.0, 0.0, 0.0), 3, 1.5, 7_000


def is_exponential_mechanism(select: Learner, rng) -> None:
    """Test whether ``select(scores, epsilon, count, monotonic, rng)`` has the law of the rounds.

    Raises
    ------
    Mistake
        Naming the slip, where the frequencies have the law of one.

    Notes
    -----
    `audit.compare_frequencies` refuses a right program with probability `FALSE_ALARM` / 2 at most, as derived
    there, and there are two tests. Which items are selected is tested, and not in which order.
    """
    scores = rng.permutation(SCORES) + float(rng.integers(100_000, 900_000))
    try:
        for far in (scores, np.array([8e5, 4e5, 2e5, 0.0, 0.0])):
            chosen(select, far, COUNT, False, rng)
    except Mistake as mistake:
        raise Mistake(f"For scores up to a million: {mistake}") from None
    triples = list(combinations(range(scores.size), COUNT))
    names = [f"items {', '.join(map(str, triple))}" for triple in triples]
    for kind, factor in (("general", 2), ("monotonic", 1)):
        seen = Counter(chosen(select, scores, COUNT, factor == 1, rng) for _ in range(RUNS))
        counts, b = [seen[frozenset(triple)] for triple in triples], factor * COUNT / EPSILON

        def fit(law, counts=counts, claim=f"EM with b = {b:g}"):
            return audit.compare_frequencies(claim, names, counts, law, RUNS, FALSE_ALARM / 2)

        def law(scale, sign=1):
            return [chance_of(triple, sign * scores, scale) for triple in triples]

        right = fit(law(b))
        if max(counts) == RUNS:
            raise Mistake(f"For {kind} scores every run selects the same: there is hardly any noise.")
        if not right:
            slips = {
                "It looks as if small scores were preferred: the sign in the exponent is wrong. ": law(b, -1),
                "It looks as if the smallest noisy scores were taken: argsort sorts upwards. ": [
                    chance_of(set(range(scores.size)) - set(triple), scores, b) for triple in triples
                ],
                "It looks as if each round had the whole of ε: c rounds share it. ": law(b / COUNT),
                "It looks as if b lacked the 2. ": law(b / 2),
                "It looks as if b had a 2 too many. ": law(2 * b),
                "It looks as if b was passed as the location: that comes first in rng.gumbel, so write "
                "scale=. ": law(1.0),
            }
            named = next((sentence for sentence, slip in slips.items() if fit(slip)), "")
            raise Mistake(f"For {kind} scores: {named}{right.message}")


def chosen(select: Learner, scores, count: int, monotonic: bool, rng) -> frozenset[int]:
    """Return what one selection gives, as a set: any order will do."""
    selected = indices(select(np.array(scores), EPSILON, count, monotonic, rng), len(scores), count)
    if len(set(selected)) < count:
        raise Mistake(f"An item was selected twice: {selected}. It is out for the rounds after its own.")
    return frozenset(selected)


def indices(attempt, size: int, count: int | None = None) -> list[int]:
    """Return indices below `size`, `count` of them if given, of a list, a tuple, an array or a set."""
    values = answers.as_numbers(attempt, of="indices", size=count)
    for value in values:
        if value not in range(size):
            raise Mistake(f"Indices from 0 to {size - 1} are wanted, not {value:g}.")
    return [int(value) for value in values]


def chance_of(items, scores, b: float) -> float:
    """Return the chance that the rounds select these items, in any order."""
    with np.errstate(under="ignore"):
        share = np.exp((scores - scores.max()) / b)
    share, chance = share / share.sum(), 0.0
    for order in permutations(items):
        gone = np.cumsum([0.0, *share[list(order[:-1])]])
        chance += float(np.prod(share[list(order)] / np.maximum(1 - gone, 1e-300)))
    return chance
