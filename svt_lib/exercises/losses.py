"""Checks of a pair of databases and an output that are handed in to refute a claim: the loss is exact."""

import numpy as np

from svt_lib import exact
from svt_lib.exercises import answers
from svt_lib.exercises.exercise import Mistake
from svt_lib.mechanism import Mechanism


def as_outcomes(attempt) -> list[bool]:
    """Return outcomes that were handed in: True and False, or 1 and 0."""
    row = attempt.tolist() if isinstance(attempt, np.ndarray) else attempt
    if not isinstance(row, list | tuple) or not all(
        isinstance(outcome, bool | int | float | np.generic) and outcome in (0, 1) for outcome in row
    ):
        raise Mistake(f"The outcomes are a list of True (Above) and False (Below), not {attempt!r:.60}.")
    return [bool(outcome) for outcome in row]


def loss_of(mechanism: Mechanism, here, there, outcomes, most: int, numbers=()) -> float:
    """Return the exact loss of an output handed in, on a pair of databases handed in, for the threshold 0."""
    here, there = answers.neighbours(here, there, most=most)
    outcomes = as_outcomes(outcomes)
    if max(np.abs([*here, *there, *numbers])) > 1e6:  # beyond, rounding would make losses of its own
        raise Mistake("Nothing beyond a million is needed here.")
    if sum(outcomes[:-1]) >= mechanism.cutoff:
        raise Mistake(f"A run ends with Above number {mechanism.cutoff}, and your outcomes go on after it.")
    if len(outcomes) != len(here) and (len(outcomes) > len(here) or sum(outcomes) < mechanism.cutoff):
        raise Mistake(
            f"No run ends so: {len(outcomes)} outcomes, {len(here)} answers, {sum(outcomes)} Aboves."
        )
    on_d, on_neighbour = (
        exact.output_log_probability(mechanism, side, outcomes, 0.0, released=numbers or None)
        for side in (here, there)
    )
    return on_d - on_neighbour


def exceeds(loss: float, limit: float) -> bool:
    """Return whether a loss is above a limit by more than rounding and the tolerance for neighbours."""
    return loss > limit + 1e-6


def judge_loss(loss: float, mechanism: Mechanism, times: int, hint: str = "") -> str:
    """Return the sentence for a loss of more than `times` times the claim; raise a `Mistake` for less."""
    epsilon = mechanism.epsilon
    found = f"On this pair of databases, your output loses {loss:.3f}"
    if loss < 0:
        raise Mistake(f"{found}: it is likelier on D′. Which of its words come as a surprise on D′?")
    if not exceeds(loss, times * epsilon):
        what = (
            "is more than claimed" if exceeds(loss, epsilon) else f"refutes nothing: {epsilon:g} is claimed"
        )
        raise Mistake(f"{found}. That {what}. {times * epsilon:g} is to be exceeded. {hint}".strip())
    return f"{found}, and {epsilon:g} is claimed."
