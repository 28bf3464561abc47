"""The privacy loss between two databases."""

from dataclasses import dataclass

import numpy as np

from svt_lib import checks
from svt_lib.exact.bounds import costs_of, times
from svt_lib.exact.distribution import all_outcomes, log_probabilities
from svt_lib.mechanism import Mechanism

ON_THIS_PAIR = "on this pair of databases"
WORST_CASE = {"any": "worst case over all neighbours", "one-way": "worst case over one-way neighbours"}
LOWER_BOUND = "lower bound"


@dataclass(frozen=True)
class Loss:
    """A privacy loss, the largest |ln P/P'|, and what it was taken over.

    Attributes
    ----------
    value : float
        Natural log; inf where an output is possible on one side only.
    label : str
        "on this pair of databases", "worst case over all neighbours" or "… over one-way neighbours"
        (both a supremum), or "lower bound".
    outcomes : tuple of bool, tuple of int, or None
        What reaches it: the outcomes of a run. For a worst case the numbers of Belows and Aboves of outputs
        that come close.
    released : tuple of float, or None
        The numbers that went out with the Aboves, where they matter.
    pair : tuple of two tuples of float, or None
        The answers on both databases, for the threshold 0, where a search found them.
    """

    value: float
    label: str
    outcomes: tuple | None = None
    released: tuple[float, ...] | None = None
    pair: tuple[tuple[float, ...], tuple[float, ...]] | None = None

    def __str__(self):
        note = ", a supremum: pairs come as close as one likes" if self.label in WORST_CASE.values() else ""
        return f"{self.value:.4g} ({self.label}{note})"


def privacy_loss(mechanism: Mechanism, answers, neighbour_answers, threshold) -> Loss:
    """Return the largest |ln P/P'| over all outputs, for the answers on two neighbouring databases.

    Parameters
    ----------
    mechanism : Mechanism
    answers, neighbour_answers : array_like of float
        Each differs from the other by at most the sensitivity.
    threshold : float or array_like of float

    Returns
    -------
    Loss
        With the outcomes that reach it. Right to 1e-10.

    Raises
    ------
    ValueError
        Naming the argument that isn't right: a pair that isn't neighbouring, a stream with more than a
        million outcomes, or released numbers for which the loss isn't known.

    Notes
    -----
    All outcomes are compared. Released numbers have formulas of their own:

    - ``"fresh answer"``: each Above adds the move of its answer over the release scale.
    - ``"noisy answer"``, where all answers move the same way: the sum of all moves over the query scale. That
      is the loss of Belows up to the last query and of a number there that lies below everything; no output
      has more. Where answers move both ways no formula is known.
    - ``"gap"``: no formula is known.
    """
    answers, neighbour = checks.neighbours(answers, neighbour_answers, mechanism.sensitivity)
    thresholds = checks.thresholds(threshold, answers.size)
    if mechanism.releases == "noisy answer" and answers.size:
        return _with_noisy_answers(mechanism, answers, neighbour, thresholds)
    if mechanism.releases == "gap":
        raise ValueError(
            "mechanism releases gaps, for which the loss on a pair has no formula; output_log_probability "
            "gives that of one output, worst_case_loss that over all neighbours"
        )
    table, asked = all_outcomes(answers.size, mechanism.cutoff)
    one, other = (
        log_probabilities(mechanism, side - thresholds, table, asked) for side in (answers, neighbour)
    )
    losses = np.abs(np.subtract(one, other, out=np.zeros(one.size), where=one != other))
    if mechanism.releases == "fresh answer":
        moves = table @ np.abs(answers - neighbour) / mechanism.sensitivity
        losses += times(moves, costs_of(mechanism).release)
    best = int(losses.argmax())
    return Loss(float(losses[best]), ON_THIS_PAIR, tuple(table[best, : asked[best]].tolist()))


def _with_noisy_answers(mechanism: Mechanism, answers, neighbour, thresholds) -> Loss:
    """Return the loss of Belows up to the last query, and of a low number there.

    A number v leaves only threshold noise of v minus the threshold and less. Where that lies below every
    answer minus its threshold, each factor of the density is a pure exponential.
    """
    moves = neighbour - answers
    if mechanism.threshold_scale == 0 or moves.min() < 0 < moves.max():
        raise ValueError(
            "neighbour_answers: where noisy answers are released, the loss has a formula only if all answers "
            "move the same way, under threshold noise; output_log_probability gives that of one output"
        )
    lowest = np.minimum(answers, neighbour)
    number = min(lowest[-1], thresholds[-1] + (lowest - thresholds).min())
    value = float(times(np.abs(moves).sum() / mechanism.sensitivity, costs_of(mechanism).query))
    return Loss(value, ON_THIS_PAIR, (False,) * (answers.size - 1) + (True,), released=(float(number),))
