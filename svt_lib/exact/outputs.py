"""The probability of one output, bits and released numbers, in the log domain."""

from dataclasses import dataclass

import numpy as np

from svt_lib import checks, noise
from svt_lib.exact.integral import log_integral
from svt_lib.mechanism import Mechanism

#: How many tails are evaluated at a time: eight megabytes.
BLOCK = 1 << 20


def output_log_probability(mechanism: Mechanism, answers, outcomes, threshold, released=None) -> float:
    """Return the natural log of the probability of an output.

    Parameters
    ----------
    mechanism : Mechanism
    answers : array_like of float
        The true answers.
    outcomes : sequence of bool
        True is Above, in order, ending where the run ended: with the last answer, or at the cutoff.
    threshold : float or array_like of float
        One, or one for each answer.
    released : sequence of float, optional
        The number that went out with each Above; the result is then a log density. Left out, the outcomes
        alone count, whatever numbers went with them.

    Returns
    -------
    float
        -inf for an impossible output. Right to 1e-10 relative.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, such as outcomes that no run can end with.

    Notes
    -----
    The integral over the threshold noise z of its density times Pr[answer + noise < threshold + z] for each
    Below and Pr[answer + noise >= threshold + z] for each Above (Lyu, Su, Li 2017, proof of Theorem 2); where
    the threshold noise is redrawn, one such integral for each stretch up to an Above. A released noisy answer
    v leaves only z <= v - threshold, a released gap fixes the query noise for each z, and a fresh answer is
    independent of the rest.
    """
    margins, outcomes, thresholds = _transcript(mechanism, answers, outcomes, threshold)
    numbers = _numbers(mechanism, outcomes, released)
    return sum(
        (
            Stretch.of(mechanism, margins[i], outcomes[i], thresholds[i], numbers[i]).log_probability()
            for i in _stretches(mechanism, outcomes)
        ),
        start=0.0,
    )


def log_belows(mechanism: Mechanism, answers, outcomes, threshold, z) -> np.ndarray:
    """Return ln f(z), the log of the probability of all Belows given the threshold noise.

    Parameters
    ----------
    mechanism, answers, outcomes, threshold
        As in `output_log_probability`, with one draw of the threshold noise.
    z : array_like of float, shape (n,)
        The threshold noise, in the unit of the answers.

    Returns
    -------
    numpy.ndarray, shape (n,)
    """
    return _only_stretch(mechanism, answers, outcomes, threshold).log_belows(checks.vector("z", z))


def log_aboves(mechanism: Mechanism, answers, outcomes, threshold, z) -> np.ndarray:
    """Return ln g(z), the log of the probability of all Aboves given the threshold noise.

    Parameters and result as in `log_belows`.
    """
    return _only_stretch(mechanism, answers, outcomes, threshold).log_aboves(checks.vector("z", z))


def log_given_threshold_noise(mechanism: Mechanism, answers, outcomes, threshold, z) -> np.ndarray:
    """Return ln f(z) + ln g(z), the log of the probability of the outcomes given the threshold noise.

    Parameters and result as in `log_belows`.
    """
    return _only_stretch(mechanism, answers, outcomes, threshold).log_given(checks.vector("z", z))


@dataclass(frozen=True)
class Group:
    """Comparisons of one kind: where their kinks are, each once, and how many share it."""

    kinks: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, kinks: np.ndarray) -> "Group":
        """Count the equal ones."""
        return cls(*np.unique(kinks, return_counts=True))

    def log_product(self, log_factor, z: np.ndarray, scale: float) -> np.ndarray:
        """Return, for each z, the sum over the comparisons of log_factor(z - kink, scale)."""
        result = np.zeros(z.size)
        if self.kinks.size:
            height = max(1, BLOCK // self.kinks.size)
            for start in range(0, z.size, height):
                block = slice(start, start + height)
                result[block] = log_factor(z[block, np.newaxis] - self.kinks, scale) @ self.counts
        return result


@dataclass(frozen=True)
class Stretch:
    """The comparisons made under one draw z of the threshold noise.

    Attributes
    ----------
    threshold_scale, query_scale : float
        Of the mechanism.
    belows, aboves : Group
        Those that need query noise < z - kink, and those that need query noise >= z - kink.
    exact : Group
        Those that need query noise = z - kink, because the gap went out.
    limit : float
        The largest z that a released noisy answer leaves possible.
    log_factor : float
        The log of the factors without z.
    """

    threshold_scale: float
    query_scale: float
    belows: Group
    aboves: Group
    exact: Group
    limit: float
    log_factor: float

    @classmethod
    def of(cls, mechanism: Mechanism, margins, outcomes, thresholds, numbers) -> "Stretch":
        """Sort comparisons by what they need; `numbers` holds what went out, NaN for nothing."""
        above, numbers, nothing = margins[outcomes], numbers[outcomes], np.empty(0)
        exact, limit, log_factor = nothing, np.inf, 0.0
        if np.isfinite(numbers).any():
            noisy = numbers - thresholds[outcomes] - above  # the noise on the number, unless that is a gap
            if mechanism.releases == "fresh answer":
                log_factor = noise.log_density(noisy, mechanism.release_scale).sum()
            elif mechanism.releases == "noisy answer":
                log_factor = noise.log_density(noisy, mechanism.query_scale).sum()
                above, limit = nothing, (numbers - thresholds[outcomes]).min()
            else:
                above, exact = nothing, above - numbers
                log_factor = 0.0 if numbers.min() >= 0 else -np.inf
        groups = [Group.of(kinks) for kinks in (margins[~outcomes], above, exact)]
        return cls(mechanism.threshold_scale, mechanism.query_scale, *groups, limit, log_factor)

    def log_belows(self, z: np.ndarray) -> np.ndarray:
        """Return ln f(z)."""
        return self.belows.log_product(noise.log_cdf, z, self.query_scale)

    def log_aboves(self, z: np.ndarray) -> np.ndarray:
        """Return ln g(z)."""
        return self.aboves.log_product(noise.log_tail, z, self.query_scale)

    def log_given(self, z: np.ndarray) -> np.ndarray:
        """Return the log of the probability of all comparisons, of the density where a gap went out."""
        gaps = self.exact.log_product(noise.log_density, z, self.query_scale)
        return self.log_belows(z) + self.log_aboves(z) + gaps

    def log_probability(self) -> float:
        """Return the log of the integral over z."""
        if self.log_factor == -np.inf:
            return -np.inf
        return float(self.log_factor + self._log_integral())

    def _log_integral(self) -> float:
        if self.query_scale == 0:
            low, high = self.belows.kinks.max(initial=-np.inf), self.aboves.kinks.min(initial=np.inf)
            return log_interval(low, high, self.threshold_scale)
        if self.threshold_scale == 0:
            return self.log_given(np.zeros(1))[0] if self.limit >= 0 else -np.inf
        groups = self.belows, self.aboves, self.exact
        return log_integral(
            lambda z: self.log_given(z) + noise.log_density(z, self.threshold_scale),
            np.unique(np.concatenate([[0.0], *(group.kinks for group in groups)])),
            self.threshold_scale,
            self.query_scale,
            sum(int(group.counts.sum()) for group in groups),
            self.limit,
        )


def log_interval(low, high, scale: float) -> np.ndarray:
    """Return ln Pr[low < noise <= high] for Laplace noise, without cancellation."""
    if scale == 0:
        return np.where((low < 0) & (high >= 0), 0.0, -np.inf)
    low, high = np.where(low >= 0, -high, low), np.where(low >= 0, -low, high)  # to the left, by symmetry
    with np.errstate(all="ignore"):  # each branch is evaluated where it doesn't apply, too
        left_of_0 = noise.log_cdf(high, scale) + np.log(-np.expm1((low - high) / scale))
        around_0 = np.log(-0.5 * (np.expm1(-high / scale) + np.expm1(low / scale)))
    return np.where(low < high, np.where(high <= 0, left_of_0, around_0), -np.inf)


def _transcript(mechanism: Mechanism, answers, outcomes, threshold):
    """Return answers minus thresholds, outcomes and thresholds of the queries that were asked.

    Raises
    ------
    ValueError
        Unless a run on these answers can end with these outcomes.
    """
    answers = checks.vector("answers", answers)
    thresholds = checks.thresholds(threshold, answers.size)
    outcomes = outcomes if isinstance(outcomes, np.ndarray) else np.array(list(outcomes))
    asked = outcomes.size
    if asked and (outcomes.dtype != bool or outcomes.ndim != 1):
        raise ValueError("outcomes must be True (Above) or False (Below), one for each query that was asked")
    outcomes = outcomes.astype(bool)
    stops = np.flatnonzero(np.cumsum(outcomes) == mechanism.cutoff)
    if asked > answers.size:
        raise ValueError(f"outcomes has {asked} values for {answers.size} answers")
    if stops.size and stops[0] + 1 < asked:
        raise ValueError(f"outcomes go on after {stops[0] + 1}, where the run stops at its cutoff")
    if not stops.size and asked < answers.size:
        raise ValueError(f"outcomes has {asked} values for {answers.size} answers, and no stop at the cutoff")
    return answers[:asked] - thresholds[:asked], outcomes, thresholds[:asked]


def _stretches(mechanism: Mechanism, outcomes: np.ndarray) -> list[np.ndarray]:
    """Return the queries of each stretch of a run under one draw of the threshold noise."""
    queries = np.arange(outcomes.size)
    if not mechanism.redraw:
        return [queries]
    return [part for part in np.split(queries, np.flatnonzero(outcomes) + 1) if part.size]


def _only_stretch(mechanism: Mechanism, answers, outcomes, threshold) -> Stretch:
    margins, outcomes, thresholds = _transcript(mechanism, answers, outcomes, threshold)
    if len(_stretches(mechanism, outcomes)) > 1:
        raise ValueError("outcomes must come from one draw of the threshold noise; here it is redrawn")
    return Stretch.of(mechanism, margins, outcomes, thresholds, np.full(outcomes.size, np.nan))


def _numbers(mechanism: Mechanism, outcomes: np.ndarray, released) -> np.ndarray:
    """Return the number that went out with each query, NaN where none did."""
    numbers = np.full(outcomes.size, np.nan)
    if released is None:
        return numbers
    released = checks.vector("released", released)
    if mechanism.releases == "nothing":
        raise ValueError("released must be left out: this mechanism releases no numbers")
    if released.size != outcomes.sum():
        raise ValueError(f"released has {released.size} values for {outcomes.sum()} Aboves")
    if (mechanism.release_scale if mechanism.releases == "fresh answer" else mechanism.query_scale) == 0:
        raise ValueError("released numbers have no density: there is no noise on them")
    numbers[outcomes] = released
    return numbers
