"""The worst case over all neighbours and all outputs of a stream, in closed form."""

import numpy as np

from svt_lib import checks
from svt_lib.exact.bounds import Rule, bounds, costs_of, times
from svt_lib.exact.loss import WORST_CASE, Loss
from svt_lib.mechanism import Mechanism

#: A lower and an upper bound are equal where they differ by rounding only.
ROUNDING = 1e-12


def worst_case_loss(mechanism: Mechanism, length: int, neighbours: str = "any") -> Loss:
    """Return the largest privacy loss over all neighbours, thresholds and outputs of a stream.

    It is a supremum: pairs of databases come as close as one likes, and none need reach it.

    Parameters
    ----------
    mechanism : Mechanism
        Its noise and what it releases; not what the noise was meant for.
    length : int
        How many queries there are.
    neighbours : {"any", "one-way"}
        Each answer moves by at most the sensitivity, up or down; or all up, or all down.

    Returns
    -------
    Loss
        Its `outcomes` are the numbers of Belows and Aboves of an output that comes close; None where the
        threshold noise is redrawn, because then they alone don't make the loss.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, also where the worst case isn't known. `search_worst_case` gives
        a lower bound there.

    Notes
    -----
    The formulas stand in `svt_lib.exact.bounds`. Where numbers are released, a loss is one of densities.
    """
    length = checks.whole("length", length, minimum=0)
    find = _drawn_again if _redraws(mechanism) else _drawn_once
    value, shape = _known(mechanism, neighbours, lambda rule: find(mechanism, rule, length))
    return Loss(value, WORST_CASE[neighbours], shape)


def output_loss(mechanism: Mechanism, belows: int, aboves: int, neighbours: str = "any") -> float:
    """Return the largest privacy loss of an output with so many Belows and Aboves, over all neighbours.

    A supremum, like `worst_case_loss`.

    Parameters
    ----------
    mechanism : Mechanism
    belows, aboves : int
    neighbours : {"any", "one-way"}

    Raises
    ------
    ValueError
        Naming the argument that isn't right, also where the loss isn't known, or depends on the order of the
        outcomes because the threshold noise is redrawn.
    """
    belows = checks.whole("belows", belows, minimum=0)
    aboves = checks.whole("aboves", aboves, minimum=0)
    if mechanism.cutoff is not None and aboves > mechanism.cutoff:
        raise ValueError(f"aboves must be at most the cutoff {mechanism.cutoff}, got {aboves}")
    if _redraws(mechanism) and aboves:
        raise ValueError("aboves must be 0 where the threshold noise is redrawn: their places make the loss")
    return _known(mechanism, neighbours, lambda rule: (float(rule(belows, aboves)), None))[0]


def _redraws(mechanism: Mechanism) -> bool:
    return mechanism.redraw and mechanism.cutoff != 1


def _known(mechanism: Mechanism, neighbours: str, find):
    """Return the largest value that `find` makes of a rule; refuse where the bounds leave a gap."""
    lower, upper = bounds(mechanism, neighbours)
    least = max((find(rule) for rule in lower), key=lambda found: found[0])
    most = max(find(rule)[0] for rule in upper)
    if most > least[0] * (1 + ROUNDING):
        raise ValueError(
            f"mechanism: its loss isn't known, only that it lies between {least[0]:g} and {most:g}; "
            "search_worst_case gives a pair and what it shows"
        )
    return least


def _drawn_once(mechanism: Mechanism, rule: Rule, length: int) -> tuple[float, tuple[int, int]]:
    """Return the largest value of a rule over the outputs, and the numbers of Belows and Aboves that have it.

    One Below more never costs less, so m = length - k. Along k a rule is made of straight pieces and bends at
    some of the places below; its largest value is beside one of them.
    """
    ratio = costs_of(mechanism).ratio
    bends = np.array([0, length - ratio, length, length + ratio, 2 * (length - ratio), 2 * length]) / 2
    bends = np.clip(bends, 0, _most_aboves(mechanism, length))
    aboves = np.unique(np.concatenate([np.floor(bends), np.ceil(bends)]))
    losses = rule(length - aboves, aboves)
    best = int(losses.argmax())
    return float(losses[best]), (int(length - aboves[best]), int(aboves[best]))


def _drawn_again(mechanism: Mechanism, rule: Rule, length: int) -> tuple[float, None]:
    """Return the largest sum of a rule over the stretches of an output, each under its own threshold noise.

    Stretches that end with an Above share their queries evenly, because a rule is concave. Before the cutoff
    a tail of Belows may follow. Of its Belows b₂/b₁ are worth having; with them the tail has cost 1/b₁, and
    more of them cost nothing.
    """
    ratio, best = costs_of(mechanism).ratio, float(rule(length, 0))
    stretches = np.arange(1, _most_aboves(mechanism, length) + 1)
    room = np.where(stretches == mechanism.cutoff, 0, length - stretches)
    worthwhile = np.array([[0.0], [np.floor(ratio)], [np.ceil(ratio)]])
    tail = np.minimum(worthwhile, room)
    belows, longer = np.divmod(length - tail - stretches, stretches)
    ended = times(longer, rule(belows + 1, 1)) + times(stretches - longer, rule(belows, 1))
    return float((rule(tail, 0) + ended).max(initial=best)), None


def _most_aboves(mechanism: Mechanism, length: int) -> int:
    return length if mechanism.cutoff is None else min(mechanism.cutoff, length)
