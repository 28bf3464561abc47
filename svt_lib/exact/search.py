"""A search for the worst case, where no closed form is known: a lower bound, with the pair that shows it."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from svt_lib import checks
from svt_lib.exact.bounds import check_neighbours
from svt_lib.exact.loss import LOWER_BOUND, Loss
from svt_lib.exact.outputs import output_log_probability
from svt_lib.mechanism import Mechanism

#: How far from the threshold the first answers are tried, in sums of both scales.
DISTANCES = (0.0, 1.0, 4.0, 16.0, 64.0, 256.0)
#: How many numbers of Aboves are tried at most.
SHAPES = 7


def search_worst_case(
    mechanism: Mechanism, length: int, rng=None, *, neighbours: str = "any", tries: int = 200
) -> Loss:
    """Return the largest privacy loss that a search finds among neighbours and outputs of a stream.

    It starts from pairs that are bad for many mechanisms: Belows far above the threshold and moved up, Aboves
    far below it and moved down. Then it changes one answer, move or released number after the other, and
    keeps what is better.

    Parameters
    ----------
    mechanism : Mechanism
    length : int
        How many queries there are.
    rng : numpy.random.Generator, optional
    neighbours : {"any", "one-way"}
        As in `worst_case_loss`.
    tries : int
        How many changes are tried.

    Returns
    -------
    Loss
        A lower bound on the worst case, with the output and, for the threshold 0, the pair of answers.

    Raises
    ------
    ValueError
        Naming the argument that isn't right.
    """
    length, tries = checks.whole("length", length), checks.whole("tries", tries, minimum=0)
    check_neighbours(neighbours)
    rng = checks.generator(rng)
    best = max(_starts(mechanism, length, neighbours), key=lambda candidate: candidate.loss)
    for _ in range(tries):
        best = max(best, best.changed(rng), key=lambda candidate: candidate.loss)
    return Loss(
        best.loss,
        LOWER_BOUND,
        tuple(best.outcomes.tolist()),
        pair=(tuple(best.answers.tolist()), tuple((best.answers + best.moves).tolist())),
        released=None if best.released is None else tuple(best.released.tolist()),
    )


@dataclass(frozen=True)
class _Candidate:
    """Answers for the threshold 0, how a neighbour's differ, and an output."""

    mechanism: Mechanism
    answers: np.ndarray
    moves: np.ndarray
    allowed: tuple[float, ...]
    outcomes: np.ndarray
    released: np.ndarray | None
    loss: float = 0.0

    def evaluated(self) -> "_Candidate":
        """Return it with its loss worked out."""
        neighbour = self.answers + self.moves
        if np.abs(neighbour - self.answers).max() > self.mechanism.sensitivity * (1 + checks.ROUNDING):
            return replace(self, loss=0.0)  # far out, where a move gets lost in rounding
        one, other = (
            output_log_probability(self.mechanism, answers, self.outcomes, 0.0, self.released)
            for answers in (self.answers, neighbour)
        )
        return replace(self, loss=0.0 if one == other else abs(one - other))

    def changed(self, rng: np.random.Generator) -> "_Candidate":
        """Change one answer, one move or one released number at random."""
        answers, moves, released = self.answers.copy(), self.moves.copy(), self.released
        query = rng.integers(answers.size)
        by = rng.standard_cauchy() * _unit(self.mechanism)
        what = rng.integers(2 if released is None or not released.size else 3)
        if what == 0:
            answers[query] += by
        elif what == 1:
            moves[query] = rng.choice(self.allowed)
        else:
            released = released.copy()
            released[rng.integers(released.size)] += by
        return replace(self, answers=answers, moves=moves, released=released).evaluated()


def _starts(mechanism: Mechanism, length: int, neighbours: str):
    """Yield the pairs of `search_worst_case`, for several numbers of Aboves spread over the stream."""
    step, most_aboves = mechanism.sensitivity, min(mechanism.cutoff or length, length)
    ways = [(-step, 0.0, step)] if neighbours == "any" else [(0.0, step), (-step, 0.0)]
    # Half a move beyond the threshold two answers can change their order: without query noise that is all.
    distances = -step / 2, *(_unit(mechanism) * np.array(DISTANCES))
    for aboves in np.unique(np.linspace(0, most_aboves, SHAPES).astype(int)):
        outcomes = _spread(int(aboves), length, tail=aboves < min(length, mechanism.cutoff or np.inf))
        for distance, allowed in product(distances, ways):
            answers = np.where(outcomes, -distance, distance)
            moves = np.where(outcomes & (mechanism.releases != "noisy answer"), allowed[0], allowed[-1])
            released = _first_numbers(mechanism, answers[outcomes])
            yield _Candidate(mechanism, answers, moves, allowed, outcomes, released).evaluated()


def _spread(aboves: int, length: int, tail: bool) -> np.ndarray:
    """Return outcomes with the Aboves at equal distances, the last one at the end unless there is a tail."""
    outcomes = np.diff(np.arange(length + 1) * (aboves + tail) // length) > 0
    outcomes[-1] &= not tail
    return outcomes


def _first_numbers(mechanism: Mechanism, above_answers: np.ndarray) -> np.ndarray | None:
    """Return numbers that go well with the starts: gaps of 0, low noisy answers, fresh ones without noise.

    Numbers without noise have no density. They are left out, and the outcomes alone still give a lower bound.
    """
    if mechanism.releases == "fresh answer" and mechanism.release_scale > 0:
        return above_answers
    if mechanism.releases == "gap" and mechanism.query_scale > 0:
        return np.zeros(above_answers.size)
    if mechanism.releases == "noisy answer" and mechanism.query_scale > 0:
        return -np.abs(above_answers) - mechanism.sensitivity
    return None


def _unit(mechanism: Mechanism) -> float:
    return mechanism.threshold_scale + mechanism.query_scale or mechanism.sensitivity
