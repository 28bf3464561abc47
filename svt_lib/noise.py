"""Laplace noise: drawing it, and the logarithms of its density, cdf and tail.

Lap(b) has the density exp(-|x| / b) / (2 b) and the variance 2 b². A scale of 0 means no noise at all: the
value 0 with certainty. Everything is a logarithm, because the probabilities of this course get as small as
exp(-8000), which no floating-point number can hold.

Teaching code: floating-point Laplace noise is not safe on real data. Notebook 01 says why and what to use.
"""

import numpy as np


def draw(rng: np.random.Generator, scale: float, size=None):
    """Draw Laplace noise, as the difference of two exponential draws: twice as fast as by inverse cdf.

    Each draw takes the same from `rng` whatever the scale, also where it is 0, and many draws at once take
    what as many single ones would. So two mechanisms that start from the same seed see the same noise, each
    multiplied by its own scale.

    Parameters
    ----------
    rng : numpy.random.Generator
    scale : float
        The scale b, in the unit of the answers; 0 for no noise.
    size : int or tuple of int, optional
        The shape of the result; one number where it is left out.

    Returns
    -------
    float or numpy.ndarray
    """
    if size is None:  # numbers are several times as fast as arrays of one
        return (rng.standard_exponential() - rng.standard_exponential()) * scale
    pairs = rng.standard_exponential((*np.atleast_1d(size), 2))
    difference = pairs[..., 0] - pairs[..., 1]
    difference *= scale
    return difference


def log_density(x, scale: float):
    """Natural log of the density at `x`; for scale 0 infinite at 0 and -inf elsewhere."""
    x = np.asarray(x, dtype=float)
    if scale == 0:
        return np.where(x == 0, np.inf, -np.inf)
    return -np.abs(x) / scale - np.log(2 * scale)


def log_cdf(x, scale: float):
    """Natural log of Pr[noise < x].

    The inequality is strict, which matters for scale 0 only: an answer that ties with the threshold comes out
    Above, so that Pr[Below] = exp(log_cdf) and Pr[Above] = exp(log_tail) always sum to 1.
    """
    x = np.asarray(x, dtype=float)
    if scale == 0:
        return np.where(x > 0, 0.0, -np.inf)
    # All in one array, since most of the time would go into fresh memory.
    result, right = np.abs(x, out=np.empty_like(x)), x > 0
    with np.errstate(over="ignore"):  # the log of what is too rare to be counted is -inf
        result /= -scale
    np.subtract(result, np.log(2), out=result, where=~right)
    np.exp(result, out=result, where=right)
    np.multiply(result, -0.5, out=result, where=right)
    return np.log1p(result, out=result, where=right)


def log_tail(x, scale: float):
    """Natural log of Pr[noise >= x]."""
    x = np.asarray(x, dtype=float)
    if scale == 0:
        return np.where(x <= 0, 0.0, -np.inf)
    return log_cdf(-x, scale)
