"""Integrals over the threshold noise z, in the log domain.

Given z the comparisons of a run are independent. So the probability of an output is one integral over z: the
Laplace density of z times a Laplace tail for each answer. Such an integrand is log-concave, and smooth but
for kinks: at 0, where the density has its peak, and at each answer minus its threshold.

The rule is Gauss-Legendre on panels that end at the kinks. Near a kink a panel is a few query scales wide.
With the distance the tails turn into 1 or into exponentials, and the panels widen. What lies e^-36 below the
peak of the integrand is left out.
"""

import numpy as np

#: e^-36 is the rounding error of a double: what lies so far below the peak doesn't count.
NEGLIGIBLE = 36.0
LONG, SHORT = np.polynomial.legendre.leggauss(24), np.polynomial.legendre.leggauss(10)
#: Where a search looks, on the way from one end to the other.
GRID = np.linspace(0.0, 1.0, 33)


def log_sum_exp(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """Return ln Σ exp(values) along `axis`."""
    peak = values.max(axis=axis, keepdims=True)
    return np.log(np.exp(values - peak).sum(axis=axis)) + np.squeeze(peak, axis=axis)


def log_integral(
    log_integrand, kinks: np.ndarray, threshold_scale: float, query_scale: float, count: int, limit=np.inf
) -> float:
    """Return the log of the integral of exp(log_integrand) from -inf to `limit`.

    Parameters
    ----------
    log_integrand : callable
        From an array of z to an array of the same shape; concave, the density of z included.
    kinks : numpy.ndarray
        Where it isn't smooth, in order, 0 included.
    threshold_scale, query_scale : float
        Laplace scales, positive.
    count : int
        The number of comparisons in it.
    limit : float
    """
    low, high = reach(kinks, threshold_scale, count)
    low, high = min(low, limit - (high - low)), min(high, limit)
    mode, peak = _mode(log_integrand, low, high)
    low = _edge(log_integrand, mode, low, peak - NEGLIGIBLE)
    high = _edge(log_integrand, mode, high, peak - NEGLIGIBLE)
    ends = panel_ends(kinks, low, high, 4 * query_scale, zone(query_scale, count))
    ends = np.union1d(ends, [*np.linspace(low, mode, 5), *np.linspace(mode, high, 5)])
    short = (np.diff(ends) <= query_scale / 4) & (np.abs(np.diff(log_integrand(ends))) < 3)
    z, log_weights = nodes(ends, short)
    return float(log_sum_exp(log_integrand(z) + log_weights))


def reach(kinks: np.ndarray, threshold_scale: float, count: int) -> tuple[float, float]:
    """Return bounds outside of which no integrand with these kinks and so many comparisons counts.

    Right of the last kink the probability of a Below lies between 1/2 and 1, and everything else falls. So
    (36 + count · ln 2) threshold scales further on the integrand is at most e^-36 of what it is at that kink.
    """
    beyond = threshold_scale * (NEGLIGIBLE + count * np.log(2))
    return kinks[0] - beyond, kinks[-1] + beyond


def zone(query_scale: float, count: int) -> float:
    """Return how far from its kink a product of so many equal tails is all but 1, or an exponential."""
    return query_scale * (6 + np.log1p(count))


def panel_ends(kinks: np.ndarray, low: float, high: float, step: float, near: float) -> np.ndarray:
    """Return where panels end between `low` and `high`.

    They end at the kinks. Up to `near` from the nearest kink they are at most `step` wide; further off each
    is as wide as that kink is away.
    """
    span = high - low
    steps = step * np.arange(1, np.ceil(min(near, span) / step) + 1)
    doublings = np.ceil(np.log2(max(span / steps[-1], 1.0)))
    offsets = np.concatenate([steps, steps[-1] * 2.0 ** np.arange(1, doublings + 1)])
    half_gaps = np.concatenate([[np.inf], np.diff(kinks) / 2, [np.inf]])[:, np.newaxis]
    left = (kinks[:, np.newaxis] - offsets)[offsets < half_gaps[:-1]]
    right = (kinks[:, np.newaxis] + offsets)[offsets < half_gaps[1:]]
    ends = np.concatenate([kinks, left, right])
    return np.unique([low, high, *ends[(low < ends) & (ends < high)]])


def nodes(ends: np.ndarray, short: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Gauss-Legendre nodes and the logs of their weights, 10 for each `short` panel, else 24."""
    starts, width, z, log_weights = ends[:-1], np.diff(ends), [], []
    for (unit, weights), chosen in ((LONG, ~short), (SHORT, short)):
        half = width[chosen, np.newaxis] / 2
        z.append((starts[chosen, np.newaxis] + half * (1 + unit)).ravel())
        with np.errstate(divide="ignore"):  # a panel may be too narrow to weigh anything
            log_weights.append(np.log(half * weights).ravel())
    return np.concatenate(z), np.concatenate(log_weights)


def _mode(log_integrand, low: float, high: float) -> tuple[float, float]:
    """Return a place where a concave function comes within about 1 of its maximum, and the value there."""
    while True:
        z = low + (high - low) * GRID
        values = log_integrand(z)
        best = int(values.argmax())
        left, right = max(best - 1, 0), min(best + 1, GRID.size - 1)
        flat = values[best] - min(values[left], values[right]) < 1
        if flat or (z[left], z[right]) == (low, high):
            return float(z[best]), float(values[best])
        low, high = z[left], z[right]


def _edge(log_integrand, inside: float, outside: float, floor: float) -> float:
    """Return where a function that falls from `inside` to `outside` has just come below `floor`.

    That is `outside` where it doesn't.
    """
    while True:
        z = inside + (outside - inside) * GRID
        values = log_integrand(z)
        if values[-1] >= floor:
            return float(outside)
        first = int((values < floor).argmax())
        if values[first] > floor - NEGLIGIBLE or (z[first - 1], z[first]) == (inside, outside):
            return float(z[first])
        inside, outside = z[first - 1], z[first]
