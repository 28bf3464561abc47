"""Checks of a learner's pass over counts, which selects those that come out above a raised threshold."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np

from svt_lib import audit, checks, exact
from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner
from svt_lib.exercises.programs import FALSE_ALARM
from svt_lib.selection import threshold_between
from svt_lib.variants import VARIANTS

#: Counts, c, ε and runs. Each slip that `is_one_pass` names, query noise of 9/10, threshold noise of
#: 3/4, the splits 1:1 and 1:c and normal noise of the same spread move some frequency by four standard
#: deviations more than a refusal takes.
COUNTS, CUTOFF, EPSILON, RUNS = (5.0, 5.0, 2.0, 2.0, 0.0), 3, 5.0, 16_000


def is_one_pass(select: Learner, rng) -> None:
    """Test whether ``select(counts, threshold, epsilon, cutoff, rng)`` has the law of one raised pass.

    The pass is that of the standard SVT with monotonic noise and the split of least variance, over a random
    order, with the threshold raised by one standard deviation of the query noise.

    Raises
    ------
    Mistake
        Naming the slip, where the frequencies have the law of one.

    Notes
    -----
    `audit.compare_frequencies` refuses a right program with probability `FALSE_ALARM` at most, as derived
    there. The frequencies can't tell noise that is off by less than a twentieth on the counts or less than a
    seventh on the threshold, the order in which items are selected, or what happens at another cutoff.
    """
    counts = rng.permutation(COUNTS) + int(rng.integers(5, 90))
    threshold = threshold_between(counts, CUTOFF)
    tally = Counter(indices_of(select(counts.copy(), threshold, EPSILON, CUTOFF, rng)) for _ in range(RUNS))
    if max(tally.values()) == RUNS:
        raise Mistake("Here every run selects the same. Noise has to be drawn anew in each run.")

    def fit(*, raised_by=1.0, monotonic=True, split=None, **changes):
        mechanism = VARIANTS["standard"].configure(EPSILON, CUTOFF, monotonic=monotonic, split=split)
        level = threshold + raised_by * np.sqrt(2) * mechanism.query_scale
        law = selection_law(mechanism, counts, level, **changes)
        names, table = events(law)
        seen, expected = (table @ [of[chosen] for chosen in law] for of in (tally, law))
        claim = "one pass over a random order, raised by one sd"
        return audit.compare_frequencies(claim, names, seen, expected, RUNS, FALSE_ALARM)

    slips = {
        "The threshold isn't raised.": {"raised_by": 0.0},
        "It is raised by the scale, not by the standard deviation.": {"raised_by": 1 / np.sqrt(2)},
        "The items come in the order given: those in front get the places.": {"shuffled": False},
        "These are places in the shuffled row, not indices into counts.": {"translated": False},
        "That is the noise for answers that move any way. Counts are monotonic.": {"monotonic": False},
        "The noise on the counts gets too small a share of ε: the split is 1:c^(2/3).": {"split": 1},
        "The noise on the counts gets too large a share of ε: the split is 1:c^(2/3).": {"split": CUTOFF},
    }
    right = fit()
    if not right:
        slip = next((slip for slip, changes in slips.items() if fit(**changes)), "")
        raise Mistake(f"{slip} {right.message}".strip())


def selection_law(mechanism, counts, threshold, *, shuffled=True, translated=True) -> dict[frozenset, float]:
    """Return the probability of each set that one pass selects.

    Think of a pass that goes on to the end, and then takes the first c of its Aboves. Which items are Above
    doesn't depend on their order, so in a random order each c of them are equally likely to come first.
    """
    to_the_end = exact.outcome_distribution(replace(mechanism, cutoff=None), counts, threshold)
    law: dict[frozenset, float] = Counter()
    for row, probability in zip(to_the_end.table, to_the_end.probabilities, strict=True):
        above = np.flatnonzero(row).tolist()
        taken = min(mechanism.cutoff, len(above))
        if not translated:  # the Aboves may stand at any places in the row
            ways = [places[:taken] for places in combinations(range(counts.size), len(above))]
        else:
            ways = [*combinations(above, taken)] if shuffled else [above[:taken]]
        for way in ways:
            law[frozenset(way)] += probability / len(ways)
    return law


def events(selections) -> tuple[list[str], np.ndarray]:
    """Return the names of what is counted, and a table of the selections in which each happens.

    Counted are each selection by itself, all that hold an item, and all of a size.
    """
    kinds = {f"{{{', '.join(map(str, sorted(one)))}}}" if one else "nothing": {one} for one in selections}
    for item in range(len(COUNTS)):
        kinds[f"a set with {item}"] = {one for one in selections if item in one}
    for size in range(1, CUTOFF + 1):
        kinds[f"a set of {size}"] = {one for one in selections if len(one) == size}
    return [*kinds], np.array([[one in kind for one in selections] for kind in kinds.values()], dtype=int)


def indices_of(result) -> frozenset[int]:
    """Return what one run selected."""
    if hasattr(result, "indices"):
        raise Mistake("That is all that svt_select returns. Its indices are wanted, translated back.")
    row = list(result) if isinstance(result, set | frozenset) else result
    try:
        chosen = [checks.whole("index", i, minimum=0) for i in checks.sequence("selected", row)]
    except (ValueError, TypeError):  # no list, or an array without axes
        raise Mistake(f"A list of indices is wanted, not {result!r:.60}.") from None
    if len(chosen) > CUTOFF or len({*chosen}) < len(chosen) or max(chosen, default=0) >= len(COUNTS):
        raise Mistake(f"At most c = {CUTOFF} distinct indices into counts are wanted, not {result!r:.50}.")
    return frozenset(chosen)
