"""A mechanism: one form of the sparse vector technique with every number filled in.

Sampler, exact calculator, audit, table and pictures all take a `Mechanism` and know nothing more about the
algorithm. So they can't disagree, and one that you invent is as good as a published one.
"""

import math
from dataclasses import dataclass
from typing import Literal

from svt_lib import checks

#: What an Above gives away besides the fact: nothing, the noisy answer that was compared, how far that lay
#: above the noisy threshold, or the answer with fresh noise.
Releases = Literal["nothing", "noisy answer", "gap", "fresh answer"]
RELEASES: tuple[str, ...] = ("nothing", "noisy answer", "gap", "fresh answer")


@dataclass(frozen=True)
class Mechanism:
    """An algorithm with every number filled in: all that sampling and analysis need to know.

    Neighbouring databases change each answer by at most `sensitivity`. A run compares
    ``answer + query noise >= threshold + threshold noise`` for one answer after the other, says Above or
    Below, and stops after `cutoff` Aboves.

    Parameters
    ----------
    threshold_scale, query_scale : float
        Laplace scales of the two noises, in the unit of the answers; 0 for none.
    cutoff : int or None
        The number of Aboves after which a run stops; None if it never stops.
    redraw : bool
        Whether the threshold noise is drawn again after each Above.
    releases : {"nothing", "noisy answer", "gap", "fresh answer"}
        The number that goes out with each Above.
    release_scale : float or None
        Laplace scale of the fresh noise; for ``releases="fresh answer"`` only.
    sensitivity : float
        Δ, in the unit of the answers.
    epsilon : float or None
        The ε that is *claimed* for one whole run; None for a mechanism that claims nothing.
    epsilon_threshold, epsilon_queries, epsilon_release : float or None
        ε₁, ε₂ and ε₃, the parts of it.
    monotonic : bool
        Whether the noise was scaled for answers that all move the same way.
    name : str
        What to call it in a picture.

    Raises
    ------
    ValueError
        Naming the argument that is out of range.
    """

    threshold_scale: float
    query_scale: float
    cutoff: int | None
    redraw: bool = False
    releases: Releases = "nothing"
    release_scale: float | None = None
    sensitivity: float = 1.0
    epsilon: float | None = None
    epsilon_threshold: float | None = None
    epsilon_queries: float | None = None
    epsilon_release: float | None = None
    monotonic: bool = False
    name: str = "your own"

    def __post_init__(self):
        checked = {
            "threshold_scale": checks.scale("threshold_scale", self.threshold_scale),
            "query_scale": checks.scale("query_scale", self.query_scale),
            "sensitivity": checks.positive("sensitivity", self.sensitivity),
        }
        if self.cutoff is not None:
            checked["cutoff"] = checks.whole("cutoff", self.cutoff)
        if self.releases not in RELEASES:
            raise ValueError(f"releases must be one of {RELEASES}, got {self.releases!r}")
        if (self.release_scale is not None) != (self.releases == "fresh answer"):
            raise ValueError("release_scale goes with releases='fresh answer', and only with it")
        if self.release_scale is not None:
            checked["release_scale"] = checks.scale("release_scale", self.release_scale)
        for part in ("epsilon", "epsilon_threshold", "epsilon_queries", "epsilon_release"):
            if getattr(self, part) is not None:
                checked[part] = checks.budget(part, getattr(self, part))
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def comparison_sd(self) -> float:
        """The standard deviation of query noise minus threshold noise, in the unit of the answers."""
        return math.sqrt(2) * math.hypot(self.threshold_scale, self.query_scale)


def plain_laplace(queries: int, epsilon: float, sensitivity: float = 1.0) -> Mechanism:
    """Return Laplace noise on all of `queries` answers, compared with the threshold: the plain alternative.

    Each answer gets ε/m, so the scale is mΔ/ε. What goes out are the noisy numbers, and comparing them with
    anything costs nothing more.

    Raises
    ------
    ValueError
        Naming the argument that isn't right.
    """
    scale = checks.whole("queries", queries) * checks.positive("sensitivity", sensitivity)
    scale /= checks.budget("epsilon", epsilon)
    return Mechanism(0, scale, None, sensitivity=sensitivity, epsilon=epsilon, name="plain Laplace noise")
