"""The largest loss of an output with m Belows and k Aboves, over all neighbours.

Let b₁ and b₂ be the threshold and the query scale in units of Δ, and let one threshold noise serve the whole
output. It loses at most

- (m + k)/b₂, because every comparison moves by Δ at most;
- 1/b₁ + 2k/b₂, because a shift of the threshold noise by Δ makes the Belows free;
- 1/b₁ + 2m/b₂, because a shift the other way makes the Aboves free.

The smallest of the three is the supremum: some pairs of databases come as close as one likes. Where all
answers rise, the supremum is min{m/b₂, 1/b₁ + k/b₂}; where all fall, min{k/b₂, 1/b₁ + m/b₂}. The second of
the three bounds is the proof of Lyu, Su, Li 2017, Theorem 2; notebook 05 has the rest.

Released numbers come on top. With them the supremum is known between two bounds only, which mostly agree.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from svt_lib.mechanism import Mechanism

#: From m and k, numbers or arrays, to the loss.
Rule = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Costs(NamedTuple):
    """What a move by Δ costs under each noise: 1/b₁, 1/b₂, the like for fresh answers, and the ratio b₂/b₁.

    Infinite where there is no noise.
    """

    threshold: float
    query: float
    release: float
    ratio: float


def bounds(mechanism: Mechanism, neighbours: str) -> tuple[list[Rule], list[Rule]]:
    """Return lower and upper bounds on the loss, one rule for each way in which the answers may move.

    Parameters
    ----------
    mechanism : Mechanism
    neighbours : {"any", "one-way"}

    Raises
    ------
    ValueError
        Where `neighbours` is neither.
    """
    check_neighbours(neighbours)
    outcomes_alone = [any_way] if neighbours == "any" else [rising, falling]
    lower = upper = [with_noisy_answers] if mechanism.releases == "noisy answer" else outcomes_alone
    if mechanism.releases == "gap":
        lower = [partial(with_gaps, rule, whole=True) for rule in outcomes_alone]
        upper = [partial(with_gaps, rule, whole=False) for rule in outcomes_alone]
    elif mechanism.releases == "fresh answer":
        lower = [partial(with_fresh_answers, rule, whole=True) for rule in outcomes_alone]
        upper = [partial(with_fresh_answers, rule, whole=False) for rule in outcomes_alone]
    costs = costs_of(mechanism)
    return [partial(rule, costs=costs) for rule in lower], [partial(rule, costs=costs) for rule in upper]


def check_neighbours(neighbours: str):
    """Raise a ValueError unless `neighbours` says which pairs of databases count."""
    if neighbours not in ("any", "one-way"):
        raise ValueError(f"neighbours must be 'any' or 'one-way', got {neighbours!r}")


def costs_of(mechanism: Mechanism) -> Costs:
    """Return the costs of a mechanism."""
    scales = mechanism.threshold_scale, mechanism.query_scale, mechanism.release_scale or 0.0
    ratio = mechanism.query_scale / mechanism.threshold_scale if mechanism.threshold_scale else np.inf
    return Costs(*(mechanism.sensitivity / scale if scale else np.inf for scale in scales), ratio)


def times(number, cost):
    """Multiply, with nothing costing nothing even where a cost is infinite."""
    with np.errstate(invalid="ignore"):
        return np.where(np.equal(number, 0), 0.0, np.multiply(number, cost))


def any_way(m, k, costs: Costs):
    """Outcomes alone, each answer moving as it likes: the smallest of three."""
    return np.minimum(times(m + k, costs.query), costs.threshold + times(2 * np.minimum(m, k), costs.query))


def rising(m, k, costs: Costs):
    """Outcomes alone, all answers rising: worst where those of the Aboves stay."""
    return np.minimum(times(m, costs.query), costs.threshold + times(k, costs.query))


def falling(m, k, costs: Costs):
    """Outcomes alone, all answers falling: worst where those of the Belows stay."""
    return rising(k, m, costs)


def with_noisy_answers(m, k, costs: Costs):
    """With an Above, (m + k)/b₂ exactly.

    No output loses more. This much is lost where all answers rise by Δ and the released numbers lie so low
    that every factor of the density is a pure exponential.
    """
    return np.where(np.greater(k, 0), times(m + k, costs.query), rising(m, k, costs))


def with_gaps(rule, m, k, costs: Costs, whole: bool):
    """Count some of the Aboves as Belows, whichever is worse; j of them are left.

    The density of a gap rises to a peak and falls behind it. So it is like the tail of an Above on one side,
    and like that of a Below on the other. For each whole j there are pairs that come as close as one likes.
    No pair has more than the best j, whole or not, because a part of a move counts as a part of an Above.
    """
    bends = [(m + k - costs.ratio) / 2, (m + k) / 2, (m + k + costs.ratio) / 2]
    left = _between(bends, k, whole)
    return rule(m + k - left, left, costs).max(axis=0)


def with_fresh_answers(rule, m, k, costs: Costs, whole: bool):
    """Add the move of its answer for each number.

    Where answers may fall, an Above is worst if its answer does, to the outcomes and to the number alike.
    Where all rise, it is worst for the outcomes if its answer stays, for the number if it rises; j of them
    stay, and about j the same is true as in `with_gaps`.
    """
    if rule is not rising:
        return rule(m, k, costs) + times(k, costs.release)
    choices = _between([m - costs.ratio], k, whole)
    return (rising(m, choices, costs) + times(k - choices, costs.release)).max(axis=0)


def _between(bends, most, whole: bool) -> np.ndarray:
    """Return where a concave function on 0 … most, made of straight pieces, may have its largest value.

    The places lie along the first axis.
    """
    bends = [np.clip(bend, 0, most) for bend in bends]
    if whole:
        bends = [rounded(bend) for bend in bends for rounded in (np.floor, np.ceil)]
    return np.array([np.zeros_like(bends[0]), *bends, np.zeros_like(bends[0]) + most])
