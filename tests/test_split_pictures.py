"""The pictures of notebook 04 say what they show, and the formulas behind them hold."""

import itertools
import re

import numpy as np
import pytest

from svt_lib import VARIANTS, data, plots, simulate
from svt_lib.exact import right_probability
from svt_lib.plots import split


def drawn(ax, label) -> np.ndarray:
    return next(line for line in ax.lines if line.get_label() == label).get_ydata()


def percentages(sentence) -> list[float]:
    return [float(number) / 100 for number in re.findall(r"([\d.]+)%", sentence)]


@pytest.mark.parametrize("cutoff", [1, 3, 50])
@pytest.mark.parametrize("monotonic", [False, True])
def test_best_share_is_the_split_of_least_variance(cutoff, monotonic):
    best = split.best_share(cutoff, monotonic)
    spreads = [
        split.shared_out(best + step, 1.0, cutoff, monotonic).comparison_sd for step in (-0.01, 0, 0.01)
    ]
    assert min(spreads) == spreads[1]
    assert np.isclose(split.shared_out(best, 1.0, cutoff, monotonic).epsilon_threshold, best)
    factor = cutoff if monotonic else 2 * cutoff
    assert np.isclose(spreads[1] ** 2, 2 * (1 + factor ** (2 / 3)) ** 3)


@pytest.mark.parametrize(("share", "cutoff", "seed"), itertools.product((0.1, 0.5, 0.9), (1, 6), (1, 2, 3)))
def test_noise_on_a_stream_counts_the_wrong_sides_it_draws(ax, share, cutoff, seed):
    sentence = plots.noise_on_a_stream(ax, threshold_share=share, cutoff=cutoff, noise_seed=seed)
    line, wrong = drawn(ax, "noisy threshold")[0], drawn(ax, "… wrong side")
    right = drawn(ax, "noisy answer, right side")
    assert len(right) + len(wrong) == 31
    assert f"{len(wrong)} answer" in sentence
    assert f"by {line:+.1f},".replace("-", "−") in sentence
    assert f"scale {1 / share:.1f}" in sentence
    assert f"scale {2 * cutoff / (1 - share):.1f}" in sentence
    large_is_wrong = 31 in next(x for x in ax.lines if x.get_label() == "… wrong side").get_xdata()
    assert (wrong >= line).sum() == len(wrong) - large_is_wrong
    assert ("At the edge" in sentence) == (max(abs(right).max(), abs(wrong).max(initial=0)) == 76)


def test_the_cutoff_moves_only_the_query_noise(ax):
    plots.noise_on_a_stream(ax, cutoff=1)
    line, answers = drawn(ax, "noisy threshold")[0], drawn(ax, "noisy answer, right side")
    ax.clear()
    plots.noise_on_a_stream(ax, cutoff=2)
    assert drawn(ax, "noisy threshold")[0] == line
    assert not np.isclose(drawn(ax, "noisy answer, right side")[1], answers[1])


@pytest.mark.parametrize(
    ("share", "cutoff", "epsilon", "margin"), itertools.product((0.02, 0.5), (1, 10), (0.2, 2.0), (5, 40))
)
def test_split_and_error_states_the_points_it_draws(two_axes, share, cutoff, epsilon, margin):
    sentence = plots.split_and_error(
        two_axes, threshold_share=share, cutoff=cutoff, epsilon=epsilon, margin=margin
    )
    variances = [drawn(two_axes[0], label)[0] for label in ("your split", "least variance")]
    errors = [line.get_ydata()[0] for line in two_axes[1].lines[1:3]]
    for variance, error in zip(variances, errors, strict=True):
        assert f"{variance**0.5:.1f} and {error:.1%} at" in sentence
    both = drawn(two_axes[0], "both")
    assert np.isclose(variances[1], both.min()) and variances[1] <= variances[0]
    assert np.allclose(both, drawn(two_axes[0], "threshold noise") + drawn(two_axes[0], "query noise"))


@pytest.mark.parametrize("cutoff", [1, 3, 50, 400])
def test_published_splits_states_the_spreads_of_the_points_it_draws(ax, cutoff):
    sentence = plots.published_splits(ax, cutoff=cutoff)
    points = [line.get_ydata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
    best = VARIANTS["standard"].configure(1.0, cutoff).comparison_sd
    for (name, _), ratio in zip(split.SPLITS.items(), points, strict=True):
        between = ": " if name == "Alg. 4" else " "
        assert f"{name}{between}{best * ratio**0.5:.1f}" in sentence
    assert min(points[:5]) == points[4] == 1


def test_right_against_split_marks_its_three_points(ax):
    for stream, cutoff, epsilon in (
        ("twelve queries", 3, 1.0),
        ("survey", 8, 1.0),
        ("twelve queries", 1, 0.2),
    ):
        ax.clear()
        sentence = plots.right_against_split(ax, stream=stream, cutoff=cutoff, epsilon=epsilon)
        points = [line.get_ydata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
        curves = [line.get_ydata() for line in ax.lines if len(line.get_xdata()) > 1]
        for (least, best, yours), curve in zip((points[:3], points[3:6]), curves, strict=True):
            assert f"{yours:.1%} at your split 0.50, {least:.1%} at the least variance" in sentence
            assert f"{best:.1%} at the best of the curve" in sentence
            assert best == curve.max() >= max(least, yours)


def test_the_demo_of_the_twelve_queries():
    """At ε = 1, c = 3, threshold 50: 21.7 % at 1:1, 27.5 % at the best split, 45 % with monotonic noise."""
    assert np.isclose(split.right_chance("twelve queries", 0.5, 3, 1.0), 0.217, atol=5e-4)
    assert np.isclose(split.right_chance("twelve queries", split.best_share(3), 3, 1.0), 0.275, atol=5e-4)
    assert np.isclose(
        split.right_chance("twelve queries", split.best_share(3, True), 3, 1.0, True), 0.45, atol=5e-3
    )


@pytest.mark.statistical
def test_the_best_split_on_the_twelve_queries_by_simulation():
    """200,000 runs, seed 4: 5.2 standard errors, false-alarm rate below 2e-7 (two-sided normal)."""
    runs, mechanism = 200_000, VARIANTS["standard"].configure(1.0, 3)
    many = simulate(mechanism, data.twelve().answers, 50, runs=runs, rng=np.random.default_rng(4))
    right = (many.asked == 6) & (many.outcomes[:, :6] == [False, False, True, True, False, True]).all(axis=1)
    chance = right_probability(mechanism, data.twelve().answers, 50)
    assert abs(right.mean() - chance) < 5.2 * (chance * (1 - chance) / runs) ** 0.5


@pytest.mark.parametrize(("dull", "gap"), itertools.product((1, 1000), (5, 20, 60)))
def test_shared_threshold_noise_states_the_points_it_draws(ax, dull, gap):
    sentence = plots.shared_threshold_noise(ax, dull=dull, gap=gap)
    points = [line.get_ydata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
    curves = [line.get_ydata().max() for line in ax.lines if len(line.get_xdata()) > 2]
    if min(curves) < 0.0005:  # no star where the curve is flat at zero
        assert "nowhere as much as 0.05%" in sentence
        return
    for (least, best, yours), said in zip(
        (points[:3], points[3:6]), (percentages(sentence)[:3], percentages(sentence)[3:]), strict=True
    ):
        assert np.allclose(said, (yours, least, best), atol=5.1e-4)
        assert best >= max(least, yours)
    assert f"all {dull + 1:,} answers" in sentence


def test_sharing_moves_the_best_split():
    least, shares = split.best_share(1), np.arange(1, 100) / 100
    shared, own = (
        np.array([split.alarm_chance(share, 1000, 20, kind) for share in shares.tolist()])
        for kind in (False, True)
    )
    assert shares[shared.argmax()] == 0.18
    assert shares[own.argmax()] == 0.37
    assert np.isclose(split.alarm_chance(least, 1000, 20), 0.360, atol=5e-4)
    assert np.isclose(split.alarm_chance(least, 1000, 20, own=True), 0.077, atol=5e-4)
    assert np.isclose(shared.max(), 0.684, atol=5e-4)
