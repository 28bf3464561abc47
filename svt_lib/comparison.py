"""The published variants side by side: how they differ, the pairs of databases that break them, the game.

The pairs for Algs. 5 and 6 go back to Lyu, Su, Li 2017 (see `svt_lib.variants`); the longer ones for Alg. 5
and those for the others are made for this course.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from svt_lib import checks, exact, noise
from svt_lib.mechanism import Mechanism
from svt_lib.variants import VARIANTS

PUBLISHED = ("alg1", "alg2", "alg3", "alg4", "alg5", "alg6")
#: The threshold of every pair below.
THRESHOLD = 0.0
OUTPUTS = {"nothing": "only “Above”", "noisy answer": "the noisy answer that was compared"}


def table(keys=PUBLISHED) -> str:
    """Return what the records in `VARIANTS` say as a Markdown table, one column for each variant."""
    variants = [VARIANTS[key] for key in keys]
    rows = {
        "authors": lambda v: f"{v.authors}, {v.year}",
        "where": lambda v: v.source,
        "ε₁, for the threshold": lambda v: _share(Fraction(v.threshold_share)),
        "ε₂, for the queries": lambda v: _share(1 - Fraction(v.threshold_share)),
        "threshold noise": lambda v: _noise(v.threshold_noise.formula("ε₁")),
        "query noise": lambda v: _noise(v.query_noise.formula("ε₂")),
        "threshold noise redrawn": lambda v: "after each Above" if v.redraw else "no",
        "an Above gives away": lambda v: OUTPUTS[v.releases],
        "stops after c Aboves": lambda v: "yes" if v.stops else "no",
        "ε, claimed": lambda v: v.claims,
        "ε, worst case over all neighbours": lambda v: v.holds,
    }
    lines = [_row("", [variant.title for variant in variants]), "|---" * (1 + len(variants)) + "|"]
    return "\n".join(lines + [_row(f"**{name}**", map(cell, variants)) for name, cell in rows.items()])


def _row(name, cells) -> str:
    return f"| {' | '.join([name, *cells])} |"


def _share(share: Fraction) -> str:
    return f"{share.numerator if share.numerator > 1 else ''}ε/{share.denominator}"


def _noise(formula: str) -> str:
    return "none" if formula == "0" else f"Lap({formula})"


@dataclass(frozen=True)
class Counterexample:
    """Two neighbouring databases and an output that is far likelier on the first; Δ = 1 and T = 0.

    Attributes
    ----------
    answers, neighbour_answers : tuple of float
        The true answers on D and on D′.
    outcomes : tuple of bool
        True is Above.
    released : tuple of float
        The numbers that go out with the Aboves, for Alg. 3.
    """

    answers: tuple[float, ...]
    neighbour_answers: tuple[float, ...]
    outcomes: tuple[bool, ...]
    released: tuple[float, ...] = ()

    def log_probabilities(self, mechanism: Mechanism) -> tuple[float, float]:
        """Return the natural logs of the output's probability (for Alg. 3 its density) on D and on D′."""
        return tuple(
            exact.output_log_probability(mechanism, answers, self.outcomes, THRESHOLD, self.released or None)
            for answers in (self.answers, self.neighbour_answers)
        )

    def loss(self, mechanism: Mechanism) -> float:
        """Return the privacy loss of this output on this pair of databases: ln of the ratio, maybe inf."""
        here, there = self.log_probabilities(mechanism)
        return here - there


def counterexample(key: str, length: int, cutoff: int = 1) -> Counterexample:
    """Return a pair of databases, `length` answers each, and an output that sets them apart.

    Parameters
    ----------
    key : str
        Of `VARIANTS`.
    length : int
        Number of answers.
    cutoff : int
        c; the output has no more Aboves than that where the variant stops.

    Raises
    ------
    ValueError
        Naming the argument that is out of range.
    """
    length, cutoff = checks.whole("length", length), checks.whole("cutoff", cutoff)
    if key == "alg3":
        return Counterexample((0,) * length, (1,) * length, (False,) * (length - 1) + (True,), (0.0,))
    if key == "alg5":
        return _ladder(length)
    if key == "alg6":
        belows, aboves = length - length // 2, length // 2
        return Counterexample(
            (0,) * length, (1,) * belows + (-1,) * aboves, (False,) * belows + (True,) * aboves
        )
    if key not in VARIANTS:
        raise ValueError(f"key must be one of {tuple(VARIANTS)}, got {key!r}")
    aboves = min(cutoff, (length + 1) // 2)
    belows = length - aboves
    return Counterexample(
        (0,) * belows + (1,) * aboves, (1,) * belows + (0,) * aboves, (False,) * belows + (True,) * aboves
    )


def _ladder(length: int) -> Counterexample:
    """Return the pairs (k, k+1) against (k+1, k) for k around 0, and 0 against 1 where the length is odd.

    Without query noise each rung shows, on D, whether the threshold noise lies between k and k+1: then it
    says Below, Above. On D′ no rung can say that.
    """
    count = length // 2
    rungs = range(-((count - 1) // 2), -((count - 1) // 2) + count)
    odd = length % 2
    answers = [k + step for k in rungs for step in (0, 1)] + [0] * odd
    neighbours = [k + step for k in rungs for step in (1, 0)] + [1] * odd
    return Counterexample(tuple(answers), tuple(neighbours), tuple(answer > 0 for answer in answers))


@dataclass(frozen=True)
class Game:
    """The guessing game on a pair of databases: a coin picks D or D′, and you guess which from the output.

    Attributes
    ----------
    surety : numpy.ndarray
        For each output, the probability that the guess is right: that of the likelier database. Largest
        first.
    share : numpy.ndarray
        For each output, the share of rounds in which it comes up.
    """

    surety: np.ndarray
    share: np.ndarray

    @property
    def score(self) -> float:
        """The share of rounds that the best player wins: one half plus half the total variation distance."""
        return float(self.surety @ self.share)

    def share_above(self, surety: float) -> float:
        """Return the share of rounds whose output leaves you surer than `surety`."""
        return float(self.share[self.surety > surety + 1e-9].sum())


def honest_surety(epsilon: float) -> float:
    """Return how sure of a guess an ε-private output can leave anybody: e^ε / (1 + e^ε) (notebook 01)."""
    return float(1 / (1 + np.exp(-checks.budget("epsilon", epsilon))))


def play(mechanism: Mechanism, pair: Counterexample) -> Game:
    """Return the guessing game on `pair`, from the exact probabilities of all outputs on both sides.

    For a mechanism that releases the noisy answer, numbers are cells of a fine grid (which is right to 1e-5),
    and the cutoff has to be 1.

    Raises
    ------
    ValueError
        Where the outputs can't be listed.
    """
    outputs = _numbers if mechanism.releases == "noisy answer" else _verdicts
    here, there = (outputs(mechanism, answers) for answers in (pair.answers, pair.neighbour_answers))
    share = (here + there) / 2
    happens = share > 0
    share, likelier = share[happens], np.maximum(here, there)[happens]
    order = np.argsort(-likelier / share, kind="stable")
    return Game((likelier / share / 2)[order], share[order])


def _verdicts(mechanism: Mechanism, answers) -> np.ndarray:
    return exact.outcome_distribution(mechanism, answers, THRESHOLD).probabilities


def _numbers(mechanism: Mechanism, answers) -> np.ndarray:
    """Return the probability of each output (which query is Above, cell of its number), and of no Above.

    A number v at an Above means that the threshold noise is at most v - T. So with the noise z on the same
    grid as the numbers, one running sum over z gives the probability of the Belows before it.
    """
    if mechanism.cutoff != 1:
        raise ValueError(f"cutoff must be 1 where numbers are released, got {mechanism.cutoff}")
    scales = mechanism.threshold_scale, mechanism.query_scale
    cells = max(1, round(200 / min(scales)))
    reach = round(20 * max(scales))
    z = np.arange(-reach * cells, reach * cells + 1) / cells
    weights, outputs = np.exp(noise.log_density(z, scales[0])) / cells, []
    for answer in answers:
        reached = np.cumsum(weights) - weights / 2
        outputs.append(reached * np.exp(noise.log_density(z - (answer - THRESHOLD), scales[1])) / cells)
        weights = weights * np.exp(noise.log_cdf(z - (answer - THRESHOLD), scales[1]))
    return np.concatenate([*outputs, [weights.sum()]])
