import numpy as np
import pytest

from svt_lib import noise

SCALES = (0.01, 1.0, 12.0, 1e6)


@pytest.mark.parametrize("scale", SCALES)
def test_density_and_cdf_are_the_formulas(scale):
    x = scale * np.array([-30.0, -1.0, -0.2, 0.0, 0.3, 2.0, 30.0])
    assert np.allclose(np.exp(noise.log_density(x, scale)), np.exp(-abs(x) / scale) / (2 * scale), rtol=1e-13)
    cdf = np.where(x <= 0, 0.5 * np.exp(x / scale), 1 - 0.5 * np.exp(-x / scale))
    assert np.allclose(np.exp(noise.log_cdf(x, scale)), cdf, rtol=1e-13)


@pytest.mark.parametrize("scale", (0.0, *SCALES))
def test_below_and_above_sum_to_one(scale):
    x = np.linspace(-50, 50, 101) * max(scale, 1.0)
    total = np.exp(noise.log_cdf(x, scale)) + np.exp(noise.log_tail(x, scale))
    assert np.allclose(total, 1, rtol=0, atol=1e-15)


def test_far_tails_are_exact_where_probabilities_are_not_numbers_any_more():
    assert noise.log_tail(8000.0, 1.0) == -8000 - np.log(2)
    assert noise.log_cdf(-8000.0, 1.0) == -8000 - np.log(2)
    assert noise.log_cdf(8000.0, 1.0) == 0
    assert noise.log_density(-8000.0, 1.0) == -8000 - np.log(2)


def test_scale_zero_is_no_noise_and_a_tie_is_above():
    assert noise.draw(np.random.default_rng(1), 0.0) == 0
    assert np.exp(noise.log_tail([-1.0, 0.0, 1.0], 0.0)).tolist() == [1, 1, 0]
    assert np.exp(noise.log_cdf([-1.0, 0.0, 1.0], 0.0)).tolist() == [0, 0, 1]
    assert np.exp(noise.log_density([0.0, 1.0], 0.0)).tolist() == [np.inf, 0]


def test_the_same_seed_gives_the_same_noise_stretched_by_the_scale():
    one, ten, none = (noise.draw(np.random.default_rng(5), scale, 50) for scale in (1.0, 10.0, 0.0))
    assert np.array_equal(10 * one, ten)
    assert not none.any()
    rng = np.random.default_rng(5)
    assert np.array_equal(one, [noise.draw(rng, 1.0) for _ in range(50)])


@pytest.mark.statistical
def test_draws_have_the_law():
    """Seed 11, n = 200,000. By the DKW inequality the largest gap to the cdf exceeds 0.00608 with
    probability at most 2 exp(-2 n gap²) < 1e-6."""
    n, gap = 200_000, 0.00608
    assert 2 * np.exp(-2 * n * gap**2) < 1e-6
    x = np.sort(noise.draw(np.random.default_rng(11), 3.0, n))
    cdf = np.exp(noise.log_cdf(x, 3.0))
    ranks = np.arange(n + 1) / n
    assert max((cdf - ranks[:-1]).max(), (ranks[1:] - cdf).max()) < gap
