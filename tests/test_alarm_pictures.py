"""The pictures of notebook 02: what they say is what they draw, and what they draw is right."""

import itertools
import math

import numpy as np
import pytest

from svt_lib import exact, plots
from svt_lib.plots import alarms


def line(ax, label):
    return next(line.get_xydata() for line in ax.lines if line.get_label().startswith(label))


def test_first_alarm_says_how_high_the_areas_end(two_axes):
    for epsilon, threshold in itertools.product((0.1, 2.0), (40, 200, 600)):
        for ax in two_axes:
            ax.clear()
        sentence = plots.first_alarm(two_axes, epsilon=epsilon, threshold=threshold)
        last = two_axes[1].lines[0].get_ydata()[-1]
        false = max(path.vertices[:, 1].max() for path in two_axes[1].collections[0].get_paths())
        assert f"never comes in {alarms.percent(1 - last)}." in sentence
        assert f"false in {alarms.percent(false)}," in sentence
        assert f"right in {alarms.percent(last - false)} " in sentence


def test_cost_of_belows_says_what_it_draws_and_never_passes_the_worst_case(ax):
    for epsilon, above_by in itertools.product((0.2, 1.0, 2.0), (-40, -10, 0, 5, 60)):
        ax.clear()
        sentence = plots.cost_of_belows(ax, epsilon=epsilon, above_by=above_by)
        here, worst = dict(line(ax, "on this pair")), dict(line(ax, "worst case"))
        assert all(0 <= here[n] <= worst[n] * (1 + 1e-9) for n in alarms.BELOWS)
        assert f"{here[2]:.3f} for 2 Belows, {here[10]:.3f} for 10, {here[1000]:.3f} for 1,000" in sentence
        assert worst[1] == pytest.approx(epsilon / 4)
        assert all(worst[n] == pytest.approx(epsilon / 2) for n in alarms.BELOWS[1:])
        assert f"{epsilon / 2:.3f}." in sentence


def test_losses_of_belows_are_the_published_ones():
    """Figures that two other programs found."""
    mechanism = alarms.above_threshold(1.0)
    five_above = [alarms.loss_of_belows(mechanism, n, 5) for n in (1, 2, 5, 10)]
    assert five_above == pytest.approx([0.233, 0.402, 0.499, 0.500], abs=6e-4)
    further = [alarms.loss_of_belows(mechanism, 2, above_by) for above_by in (5, 50, 200, 2000)]
    assert further == pytest.approx([0.402, 0.482, 0.495, 0.4995], abs=6e-4)


def test_without_threshold_noise_the_loss_grows_with_the_belows(ax):
    for epsilon, scale in itertools.product((0.2, 2.0), (0.0, 0.5, 10.0)):
        ax.clear()
        sentence = plots.without_threshold_noise(ax, epsilon=epsilon, threshold_scale=scale)
        numbers = np.arange(1, 101)
        assert line(ax, "no threshold noise: worst")[:, 1] == pytest.approx(numbers * epsilon / 4)
        shared = line(ax, "shared threshold noise: worst")[:, 1]
        bound = np.minimum(numbers * epsilon / 4, 1 / scale) if scale else numbers * epsilon / 4
        assert shared == pytest.approx(bound)
        assert f"{25 * epsilon:.2f} without" in sentence
        assert ("the same one" in sentence) == (scale == 0)
        assert scale == 0 or f"{shared[-1]:.2f} with shared" in sentence


def test_false_alarms_says_what_it_draws_and_up_to_where_it_is_safe(two_axes):
    for below_by, epsilon, length in itertools.product((10, 20, 200), (0.1, 0.2), (3, 3000)):
        for ax in two_axes:
            ax.clear()
        sentence = plots.false_alarms(two_axes, below_by=below_by, epsilon=epsilon, length=length)
        mechanism = alarms.above_threshold(epsilon)
        chance = exact.alarm_probability(mechanism, -below_by, 0, length)
        assert two_axes[0].lines[1].get_ydata()[0] == chance
        assert f"{alarms.percent(chance)} chance of a false alarm within {length:,} questions" in sentence
        assert f"is {exact.worst_case_loss(mechanism, length).value:.3f}." in sentence
        if "Already one" in sentence:
            assert exact.alarm_probability(mechanism, -below_by, 0, 1) > 0.05
        else:
            safe = int(sentence.split("up to about ")[1].split(" ")[0].replace(",", ""))
            assert exact.alarm_probability(mechanism, -below_by, 0, safe) <= 0.05 + 1e-4
            assert exact.alarm_probability(mechanism, -below_by, 0, math.ceil(1.1 * safe) + 1) > 0.05 - 1e-4


def test_safe_for_ever_is_said_where_it_is_so(two_axes):
    sentence = plots.false_alarms(two_axes, below_by=400, epsilon=1.0, length=30)
    assert "a million questions and more" in sentence
    assert exact.alarm_probability(alarms.above_threshold(1.0), -400, 0, 10**6) < 0.05


@pytest.mark.parametrize("length", [1, 10, 375])
def test_the_distance_that_is_enough_is_enough_and_no_larger_than_needed(ax, length):
    sentence = plots.proved_accuracy(ax, length=length, epsilon=0.2)
    mechanism = alarms.above_threshold(0.2)

    def failing(distance):
        answers = [-distance] * (length - 1) + [distance]
        return 1 - exact.right_probability(mechanism, answers, 0)

    enough = int(sentence.split("we find that ")[1].split(" ")[0])
    proved = int(sentence.split("proved for answers ")[1].split(" ")[0])
    assert failing(enough) <= 0.05 < failing(enough - 1)
    assert proved - 1 < 8 * (math.log(length) + math.log(40)) / 0.2 <= proved
    assert failing(proved) < 1e-3
