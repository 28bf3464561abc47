"""The published algorithms as data.

A `Variant` is one record: how ε is split, how the two noises scale, whether the threshold noise is redrawn,
what an Above releases, whether the run stops. `Variant.configure` turns it into a frozen `Mechanism`.

Sources: M. Lyu, D. Su, N. Li, "Understanding the Sparse Vector Technique for Differential Privacy",
PVLDB 10(6), 2017, doi 10.14778/3055330.3055331, whose numbering is used here (other tools number the broken
ones differently), and the works it cites.
"""

from dataclasses import dataclass

from svt_lib import checks
from svt_lib.mechanism import Mechanism, Releases


@dataclass(frozen=True)
class NoiseScale:
    """How a noise scale is made from the budget: ``multiplier · [c] · Δ / ε``."""

    multiplier: int
    times_cutoff: bool = False

    def at(self, sensitivity: float, epsilon: float, cutoff: int) -> float:
        """Return the scale in numbers."""
        return self.multiplier * (cutoff if self.times_cutoff else 1) * sensitivity / epsilon

    def formula(self, budget: str) -> str:
        """Return the scale as a formula, such as ``2cΔ/ε₂``."""
        if self.multiplier == 0:
            return "0"
        factor = str(self.multiplier) if self.multiplier > 1 else ""
        return f"{factor}{'c' if self.times_cutoff else ''}Δ/{budget}"


@dataclass(frozen=True)
class Variant:
    """One published form of the sparse vector technique.

    Attributes
    ----------
    key : str
        Its name in `VARIANTS`.
    title, authors, year, source : str, str, int, str
        Where it was published.
    claims, holds : str
        The privacy that its authors state, and what is true.
    threshold_share : float or None
        ε₁/ε; None where the reader chooses the split.
    threshold_noise, query_noise : NoiseScale
        In ε₁ and ε₂.
    redraw, releases, stops
        As in `Mechanism`; `stops` says whether a run ends at the cutoff.
    """

    key: str
    title: str
    authors: str
    year: int
    source: str
    claims: str
    holds: str
    threshold_share: float | None
    threshold_noise: NoiseScale
    query_noise: NoiseScale
    redraw: bool = False
    releases: Releases = "nothing"
    stops: bool = True

    def configure(
        self,
        epsilon: float,
        cutoff: int,
        sensitivity: float = 1.0,
        monotonic: bool = False,
        *,
        split: float | None = None,
        epsilon_release: float | None = None,
    ) -> Mechanism:
        """Fill in the numbers.

        Neighbouring databases: each answer changes by at most `sensitivity`; with ``monotonic=True`` moreover
        all answers change in the same direction, as counts do when one person is added or removed.

        Parameters
        ----------
        epsilon : float
            The ε claimed for the whole run, releases included.
        cutoff : int
            c, the number of Aboves after which a run stops. Variants that never stop don't use it.
        sensitivity : float
            Δ, in the unit of the answers.
        monotonic : bool
            Query noise cΔ/ε₂ instead of 2cΔ/ε₂; for ``standard`` only.
        split : float, optional
            ε₂/ε₁, for ``standard`` only. Left out, it is the one with the smallest variance of a comparison:
            (2c)^(2/3), or c^(2/3) where `monotonic`.
        epsilon_release : float, optional
            ε₃, the part of `epsilon` that pays for a numeric answer at each Above; for ``standard`` only.

        Returns
        -------
        Mechanism

        Raises
        ------
        ValueError
            Naming the argument, where one is out of range or isn't this variant's.
        """
        epsilon, cutoff = checks.budget("epsilon", epsilon), checks.whole("cutoff", cutoff)
        sensitivity = checks.positive("sensitivity", sensitivity)
        if self.threshold_share is not None:
            self._refuse(monotonic=monotonic or None, split=split, epsilon_release=epsilon_release)
        release = 0.0 if epsilon_release is None else checks.budget("epsilon_release", epsilon_release)
        if release >= epsilon:
            raise ValueError(f"epsilon_release must be below epsilon = {epsilon}, got {release}")
        noise = NoiseScale(1, times_cutoff=True) if monotonic else self.query_noise
        share = self._threshold_share(noise, cutoff, split)
        threshold_part = (epsilon - release) * share
        query_part = epsilon - release - threshold_part
        if not min(threshold_part, query_part) > 0:
            name, value = ("epsilon", epsilon) if split is None else ("split", split)
            raise ValueError(f"{name} must leave budget for both noises, got {value!r}")
        return Mechanism(
            threshold_scale=_scale(self.threshold_noise, sensitivity, threshold_part, cutoff),
            query_scale=_scale(noise, sensitivity, query_part, cutoff),
            cutoff=cutoff if self.stops else None,
            redraw=self.redraw,
            releases="fresh answer" if release else self.releases,
            release_scale=_scale(NoiseScale(1, True), sensitivity, release, cutoff) if release else None,
            sensitivity=sensitivity,
            epsilon=epsilon,
            epsilon_threshold=threshold_part,
            epsilon_queries=query_part,
            epsilon_release=release or None,
            monotonic=bool(monotonic),
            name=self.title,
        )

    def _refuse(self, **arguments):
        for name, value in arguments.items():
            if value is not None:
                raise ValueError(f"{name} is not an option of {self.key} as published; use 'standard'")

    def _threshold_share(self, noise: NoiseScale, cutoff: int, split: float | None) -> float:
        if self.threshold_share is not None:
            return self.threshold_share
        if split is None:
            return 1 / (1 + best_split(noise.multiplier * cutoff))
        return 1 / (1 + checks.positive("split", split))


def _scale(noise: NoiseScale, sensitivity: float, epsilon: float, cutoff: int) -> float:
    number = noise.at(sensitivity, epsilon, cutoff)
    if number > checks.LARGEST:
        raise ValueError(
            f"epsilon = {epsilon:g} is too small for sensitivity {sensitivity:g}: scales overflow"
        )
    return number


def best_split(factor: float) -> float:
    """Return the ε₂/ε₁ that makes the variance of one comparison smallest.

    That variance is 2(Δ/ε₁)² + 2(factor·Δ/ε₂)²; setting its derivative to zero for a fixed ε₁ + ε₂ gives
    ε₂/ε₁ = factor^(2/3). `factor` is 2c, or c for monotonic queries (Lyu, Su, Li 2017, section 4).
    """
    return checks.positive("factor", factor) ** (2 / 3)


_ONE_TIME = NoiseScale(1)
_PER_ABOVE = NoiseScale(2, times_cutoff=True)

VARIANTS: dict[str, Variant] = {
    variant.key: variant
    for variant in (
        Variant(
            "alg1", "Alg. 1", "M. Lyu, D. Su, N. Li", 2017,
            "Understanding the Sparse Vector Technique for Differential Privacy, PVLDB 10(6)",
            "ε", "ε", 1 / 2, _ONE_TIME, _PER_ABOVE,
        ),
        Variant(
            "alg2", "Alg. 2", "C. Dwork, A. Roth", 2014,
            "The Algorithmic Foundations of Differential Privacy",
            "ε", "ε", 1 / 2, NoiseScale(1, times_cutoff=True), _PER_ABOVE, redraw=True,
        ),
        Variant(
            "alg3", "Alg. 3", "A. Roth", 2011,
            "lecture notes on the sparse vector technique",
            "ε", "∞", 1 / 2, _ONE_TIME, NoiseScale(1, times_cutoff=True), releases="noisy answer",
        ),
        Variant(
            "alg4", "Alg. 4", "J. Lee, C. Clifton", 2014,
            "Top-k Frequent Itemsets via Differentially Private FP-trees, KDD",
            "ε", "(1 + 6c)/4 · ε", 1 / 4, _ONE_TIME, NoiseScale(1),
        ),
        Variant(
            "alg5", "Alg. 5", "B. Stoddard, Y. Chen, A. Machanavajjhala", 2014,
            "feature selection for private classifiers, arXiv 1411.5428",
            "ε", "∞", 1 / 2, _ONE_TIME, NoiseScale(0), stops=False,
        ),
        Variant(
            "alg6", "Alg. 6", "R. Chen, Q. Xiao, Y. Zhang, J. Xu", 2015,
            "publishing high-dimensional data, KDD",
            "ε", "∞", 1 / 2, _ONE_TIME, NoiseScale(1), stops=False,
        ),
        Variant(
            "standard", "standard SVT", "M. Lyu, D. Su, N. Li", 2017,
            "Alg. 7 of the same paper: any split, numeric answers with noise of their own",
            "ε", "ε", None, _ONE_TIME, _PER_ABOVE,
        ),
    )
}  # fmt: skip
