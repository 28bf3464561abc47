"""Checks of single steps of the privacy proof, by numbers: what a shift frees and costs, which line falls.

Everything is in units of Δ.
"""

import numpy as np

from svt_lib import exact, noise
from svt_lib.exercises import answers
from svt_lib.exercises.exercise import Mistake
from svt_lib.mechanism import Mechanism
from svt_lib.proof import shift_price

#: The threshold noises on which an inequality is tried.
Z = np.linspace(-60, 60, 1201)
#: For each law of a noise: its density, the chance of less than x, and that of at least x.
LAWS = {
    "Laplace": tuple(
        lambda x, log=log: np.exp(log(x, 4.0)) for log in (noise.log_density, noise.log_cdf, noise.log_tail)
    ),
    "uniform": (
        lambda x: np.where(np.abs(x) <= 10, 0.05, 0.0),
        lambda x: np.clip(0.5 + x / 20, 0, 1),
        lambda x: np.clip(0.5 - x / 20, 0, 1),
    ),
}


def as_shift(attempt) -> float:
    """Return a shift that was handed in."""
    shift = answers.as_number(attempt, "A shift is a number, not")
    if abs(shift) > 1e6:
        raise Mistake(f"No shift needs to be as large as {shift:g}.")
    return shift


def is_free(shift: float, moves: tuple[float, float], above: bool) -> bool:
    """Return whether a comparison on D′ at z + shift is nowhere less likely to come out so than on D at z.

    Parameters
    ----------
    shift : float
    moves : tuple of float
        How far the answer may move from D to D′: the least, and the most.
    above : bool
        Whether it comes out Above.
    """
    mechanism = Mechanism(2.0, 4.0, cutoff=1)
    chance = exact.log_aboves if above else exact.log_belows
    here = chance(mechanism, [0.0], [above], 0.0, Z)
    there = [chance(mechanism, [move], [above], 0.0, Z + shift) for move in np.linspace(*moves, 5)]
    return bool(np.all(here <= np.array(there) + 1e-9))


def price(belows: int, aboves: int, threshold_scale: float, query_scale: float, shift, moves="any way"):
    """Return what a shift costs in all, as `svt_lib.proof.shift_price` has it."""
    mechanism = Mechanism(threshold_scale, query_scale, cutoff=None)
    return shift_price(mechanism, belows, aboves, shift, moves).total


def least_price(belows: int, aboves: int, threshold_scale: float, query_scale: float, moves="any way"):
    """Return what the cheapest shift costs: the price is made of straight pieces that meet at −1, 0 and 1."""
    corners = np.array([-1.0, 0.0, 1.0])
    return float(price(belows, aboves, threshold_scale, query_scale, corners, moves).min())


def line_that_falls(threshold_law: str, query_law: str, aboves: int = 1, told: bool = False) -> int:
    """Return the first of the lines 2 to 5 of the proof that fails, for ε₁ = ε₂ = 1/2 and c = 1.

    Parameters
    ----------
    threshold_law, query_law : {"Laplace", "uniform"}
        The laws of the two noises.
    aboves : int
        How many an output may have.
    told : bool
        Whether the noisy threshold goes out with the output: then D and D′ are compared at the same z, where
        the Belows aren't free, and line 5 can't rename it.
    """
    density, (_, below, above) = LAWS[threshold_law][0], LAWS[query_law]
    allowed = np.exp(0.5) * (1 + 1e-9)
    fails = {
        2: any(np.any(below(Z) > below(Z + 1 - move) + 1e-12) for move in (-1, 0, 1)),
        3: np.any(density(Z) > allowed * density(Z + 1)),
        4: np.any(above(Z) ** aboves > allowed * above(Z + 2) ** aboves),
        5: told and np.any(below(Z) ** 20 > allowed**2 * below(Z - 1) ** 20),
    }
    return next(line for line, failing in fails.items() if failing)
