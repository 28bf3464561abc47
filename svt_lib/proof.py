"""The privacy proof of the sparse vector technique as numbers: its inequalities on one pair, and its prices.

The proof fixes the threshold noise z, which makes the comparisons independent, and compares D at z with D′ at
z + s. The shift s is free; the proof takes s = Δ. Source: M. Lyu, D. Su, N. Li, PVLDB 10(6), 2017, Theorem on
Alg. 1, with the shift left open here.
"""

from dataclasses import dataclass

import numpy as np

from svt_lib import checks, exact, noise
from svt_lib.mechanism import Mechanism

#: The range of q(D) - q(D′), in units of Δ, for neighbours that move the answers any way, all up, all down.
MOVES = {"any way": (-1, 1), "all up": (-1, 0), "all down": (0, 1)}


@dataclass(frozen=True)
class Price:
    """What a shift costs in the worst case: the logarithms of the three factors that it brings in.

    Attributes
    ----------
    threshold, belows, aboves : float or numpy.ndarray
        The parts, in the unit of ε; arrays where the shift was one.
    """

    threshold: float
    belows: float
    aboves: float

    @property
    def total(self):
        """The three parts together: a bound on the privacy loss, for any shift."""
        return self.threshold + self.belows + self.aboves


def shift_price(mechanism: Mechanism, belows: int, aboves: int, shift, moves: str = "any way") -> Price:
    """Return the price of comparing z on D with z + shift on D′, in the worst case over neighbours.

    With answers that differ by d = q(D) - q(D′), a comparison sees its threshold rise by shift + d. A Below
    costs max(0, -(shift + d)) / b₂, an Above max(0, shift + d) / b₂, and the threshold noise
    abs(shift) / b₁. Each is largest at an end of the range of d.

    Parameters
    ----------
    mechanism : Mechanism
        One threshold noise for the whole run, Laplace noise on both sides, no released numbers.
    belows, aboves : int
        How many of each the output has.
    shift : float or numpy.ndarray
        s, in the unit of the answers.
    moves : {"any way", "all up", "all down"}
        Which neighbours: the answers go from D to D′ any way, all up or stay, all down or stay.

    Returns
    -------
    Price

    Raises
    ------
    ValueError
        Naming the argument that is out of range.
    """
    _check_mechanism(mechanism)
    belows, aboves = checks.whole("belows", belows, minimum=0), checks.whole("aboves", aboves, minimum=0)
    if moves not in MOVES:
        raise ValueError(f"moves must be one of {tuple(MOVES)}, got {moves!r}")
    lowest, highest = (mechanism.sensitivity * end for end in MOVES[moves])
    return Price(
        threshold=np.abs(shift) / mechanism.threshold_scale,
        belows=belows * np.maximum(0, -lowest - shift) / mechanism.query_scale,
        aboves=aboves * np.maximum(0, highest + shift) / mechanism.query_scale,
    )


@dataclass(frozen=True)
class Inequality:
    """One line of the proof on one pair: left(z) <= exp(bound) · right(z) at every z of a grid.

    Attributes
    ----------
    z : numpy.ndarray
        Values of the threshold noise, in the unit of the answers.
    log_left, log_right : numpy.ndarray
        Natural logs of both sides: D at z, and D′ at z + shift.
    bound : float
        What the proof promises, in the unit of ε.
    """

    z: np.ndarray
    log_left: np.ndarray
    log_right: np.ndarray
    bound: float

    @property
    def log_ratio(self) -> np.ndarray:
        """How far the left side is above the right one, as a logarithm, at each z."""
        return self.log_left - self.log_right

    @property
    def found(self) -> float:
        """The largest log ratio on the grid."""
        return float(self.log_ratio.max())

    @property
    def holds(self) -> bool:
        """Whether nothing on the grid is over the bound (up to rounding)."""
        return self.found <= self.bound + 1e-9


@dataclass(frozen=True)
class Proof:
    """The inequalities of the proof for one output on one pair of databases.

    Attributes
    ----------
    threshold, belows, aboves, integrand : Inequality
        The three factors, and their product.
    log_probability, neighbour_log_probability : float
        Natural logs of the output's probability on D and on D′.
    """

    threshold: Inequality
    belows: Inequality
    aboves: Inequality
    integrand: Inequality
    log_probability: float
    neighbour_log_probability: float

    @property
    def loss(self) -> float:
        """The log ratio of the two probabilities: on this pair of databases, for this output."""
        return self.log_probability - self.neighbour_log_probability

    @property
    def holds(self) -> bool:
        """Whether all four inequalities hold on the grid."""
        return all(line.holds for line in (self.belows, self.threshold, self.aboves, self.integrand))

    def __str__(self):
        lines = {
            "Belows": self.belows,
            "threshold noise": self.threshold,
            "Aboves": self.aboves,
            "together": self.integrand,
        }
        said = [
            f"{name:15}  largest log ratio {line.found:z.3f}, allowed {line.bound:z.3f}"
            for name, line in lines.items()
        ]
        return "\n".join([*said, f"this output, on this pair of databases: loss {self.loss:z.3f}"])


def follow(mechanism: Mechanism, answers, neighbour_answers, outcomes, threshold, shift=None) -> Proof:
    """Compute both sides of each inequality of the proof on a grid of z.

    Parameters
    ----------
    mechanism : Mechanism
        As in `shift_price`.
    answers, neighbour_answers : sequence of float
        The true answers on D and on D′; each pair at most Δ apart.
    outcomes : sequence of bool
        The output, True for Above, ending where the run ended.
    threshold : float or sequence of float
        One for all queries, or the i-th for the i-th query.
    shift : float, optional
        s, in the unit of the answers; Δ, as in the proof, where it is left out.

    Returns
    -------
    Proof

    Raises
    ------
    ValueError
        Naming the argument that is out of range, or the answer that moves by more than Δ.
    """
    _check_mechanism(mechanism)
    answers, neighbours = checks.neighbours(answers, neighbour_answers, mechanism.sensitivity)
    shift = mechanism.sensitivity if shift is None else checks.finite("shift", shift)
    z = _grid(mechanism, answers, neighbours, checks.thresholds(threshold, answers.size), shift)
    left = log_factors(mechanism, answers, outcomes, threshold, z)
    right = log_factors(mechanism, neighbours, outcomes, threshold, z + shift)
    aboves = sum(bool(above) for above in outcomes)
    price = shift_price(mechanism, len(outcomes) - aboves, aboves, shift)
    bounds = (price.threshold, price.belows, price.aboves)
    parts = [Inequality(z, *sides) for sides in zip(left, right, bounds, strict=True)]
    return Proof(
        *parts,
        integrand=Inequality(z, sum(left), sum(right), price.total),
        log_probability=exact.output_log_probability(mechanism, answers, outcomes, threshold),
        neighbour_log_probability=exact.output_log_probability(mechanism, neighbours, outcomes, threshold),
    )


def log_factors(mechanism: Mechanism, answers, outcomes, threshold, z):
    """Return the logs of the integrand's three factors at each z.

    Returns
    -------
    tuple of numpy.ndarray
        log p(z), the density of the threshold noise; log f(z), the chance of all Belows given z; log g(z),
        that of all Aboves given z.
    """
    return (
        noise.log_density(z, mechanism.threshold_scale),
        exact.log_belows(mechanism, answers, outcomes, threshold, z),
        exact.log_aboves(mechanism, answers, outcomes, threshold, z),
    )


def _grid(mechanism, answers, neighbours, thresholds, shift):
    """Return 801 values of z: past every kink of both sides by six of the larger noise scale."""
    kinks = np.concatenate([[0, -shift], answers - thresholds, neighbours - thresholds - shift])
    margin = 6 * max(mechanism.threshold_scale, mechanism.query_scale)
    return np.linspace(kinks.min() - margin, kinks.max() + margin, 801)


def _check_mechanism(mechanism):
    if mechanism.redraw or mechanism.releases != "nothing":
        raise ValueError("mechanism must keep one threshold noise and release no numbers")
    if min(mechanism.threshold_scale, mechanism.query_scale) == 0:
        raise ValueError("mechanism must have noise on the threshold and on the answers")


#: The threshold of all examples, in the unit of the answers.
THRESHOLD = 100.0
BELOW, ABOVE = False, True


@dataclass(frozen=True)
class Example:
    """An output on a pair of databases, given by the answers; Δ = 1 and the threshold is 100."""

    answers: tuple[float, ...]
    neighbour_answers: tuple[float, ...]
    outcomes: tuple[bool, ...]

    @property
    def cutoff(self) -> int:
        """The number of Aboves, and at least 1."""
        return max(1, sum(self.outcomes))

    def loss(self, mechanism: Mechanism) -> float:
        """Return the privacy loss of this output on this pair of databases: the log ratio of its chances."""
        on_d, on_neighbour = (
            exact.output_log_probability(mechanism, answers, self.outcomes, THRESHOLD)
            for answers in (self.answers, self.neighbour_answers)
        )
        return on_d - on_neighbour


def far_example(belows: int, aboves: int, distance: float) -> Example:
    """Return so many Belows and then so many Aboves on the worst pair whose answers lie this far out.

    On D the Below answers lie `distance` over the threshold and the Above answers as far under it; on D′ each
    lies Δ = 1 further out. As the distance grows, the loss tends to the worst case over all neighbours.
    """
    sides = np.repeat([1.0, -1.0], (belows, aboves))
    answers, neighbours = (THRESHOLD + sides * place for place in (distance, distance + 1))
    return Example(tuple(answers), tuple(neighbours), (BELOW,) * belows + (ABOVE,) * aboves)


_DULL, _DULL_MOVED = (99, 97, 100, 98, 96, 99), (100, 98, 101, 99, 97, 100)

EXAMPLES: dict[str, Example] = {
    "six Belows, one Above": Example((*_DULL, 103), (*_DULL_MOVED, 102), (*[BELOW] * 6, ABOVE)),
    "the same, D and D′ swapped": Example((*_DULL_MOVED, 102), (*_DULL, 103), (*[BELOW] * 6, ABOVE)),
    "six Belows": Example(_DULL, _DULL_MOVED, (BELOW,) * 6),
    "one Above at once": Example((99,), (98,), (ABOVE,)),
    "two Aboves": Example((99, 103, 98, 104), (100, 102, 99, 103), (BELOW, ABOVE, BELOW, ABOVE)),
    "far from the threshold": Example((*[130] * 6, 70), (*[131] * 6, 69), (*[BELOW] * 6, ABOVE)),
}
