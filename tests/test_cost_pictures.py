"""The pictures of notebook 03 say what they show."""

import itertools
import re

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism, plots
from svt_lib.exact import output_loss, worst_case_loss
from svt_lib.mechanism import plain_laplace
from svt_lib.plots import costs


def numbers(sentence) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\.?\d*(?<![,.])", sentence)]


def line(ax, label) -> np.ndarray:
    return next(line for line in ax.lines if line.get_label() == label).get_ydata()


@pytest.mark.parametrize(
    ("epsilon", "cutoff", "seed"), itertools.product((0.2, 1.0, 2.0), (1, 4, 8), (1, 2, 3))
)
def test_cost_of_a_run_says_what_it_shows(ax, epsilon, cutoff, seed):
    sentence = plots.cost_of_a_run(ax, epsilon=epsilon, cutoff=cutoff, run_number=seed)
    bound, worst = line(ax, "ε₁ + j·ε₂/c after j Aboves"), line(ax, "this output, worst case")
    rule = line(ax, "“ε/c an Above”")
    aboves = line(ax, "an Above").size
    said = [seed, worst.size - 1 - aboves, aboves, worst[-1], rule[-1], (worst - rule).max(), epsilon]
    assert numbers(sentence) == pytest.approx(said, rel=5e-4)
    mechanism = VARIANTS["alg1"].configure(epsilon, cutoff)
    assert worst[-1] == output_loss(mechanism, belows=worst.size - 1 - aboves, aboves=aboves)
    assert (worst <= bound + 1e-12).all()
    assert (np.diff(worst) >= -1e-12).all()
    assert bound.max() <= epsilon + 1e-12
    if aboves == cutoff:
        assert bound[-1] == pytest.approx(epsilon)
        assert rule[-1] == pytest.approx(epsilon)


@pytest.mark.parametrize(
    ("epsilon", "cutoff", "seed"), itertools.product((0.4, 1.0, 2.0), (1, 3, 6), (1, 2, 5))
)
def test_once_or_again_shows_the_same_answers_and_the_outcomes_that_it_names(two_axes, epsilon, cutoff, seed):
    sentence = plots.once_or_again(two_axes, epsilon=epsilon, cutoff=cutoff, noise_seed=seed)
    said = re.findall(r"says ([▲▽]+)", sentence)
    shown = []
    for ax, outcomes in zip(two_axes, said, strict=True):
        steps = ax.patches[-1].get_data()
        marks = [
            next(found for found in ax.lines if found.get_label() == label)
            for label in ("answer + noise, Above", "…, Below")
        ]
        heights = {
            x: (y, mark == marks[0])
            for mark in marks
            for x, y in zip(mark.get_xdata(), mark.get_ydata(), strict=True)
        }
        assert "".join("▲" if heights[i][1] else "▽" for i in range(len(heights))) == outcomes
        low, high = ax.get_ylim()
        for i, (height, above) in heights.items():
            if low + 5 < height < high - 5 and low < steps.values[i] < high:
                assert (height >= steps.values[i]) == above
        shown.append([heights[i][0] for i in range(len(heights))])
    both = min(map(len, shown))
    assert shown[0][:both] == shown[1][:both]
    if cutoff == 1:
        assert said[0] == said[1]
    assert f"{40 * cutoff**2 / (8 + 32 * cutoff**2):.2f} times the variance" in sentence


@pytest.mark.parametrize(
    ("queries", "cutoff", "epsilon"),
    [*itertools.product((2, 12, 400), (1, 3, 50), (0.2, 2.0)), (4, 1, 1.0), (5, 1, 1.0), (13, 3, 1.0)],
)
def test_does_it_pay_says_what_it_shows(ax, queries, cutoff, epsilon):
    sentence = plots.does_it_pay(ax, queries=queries, cutoff=cutoff, epsilon=epsilon)
    plain = np.interp(queries, [1, 1000], line(ax, "plain Laplace noise on all m answers"))
    svt = line(ax, "SVT, ε₁ = ε₂ (Alg. 1)")[0]
    evens = [np.sqrt(4 + 16 * cutoff**2), *((1 + f ** (2 / 3)) ** 1.5 for f in (2 * cutoff, cutoff))]
    assert numbers(sentence.replace("Alg. 1", "")) == pytest.approx(
        [queries, cutoff, plain, svt, *evens], abs=0.051
    )
    assert ("SVT wins" in sentence) == (svt < plain) == (queries > 4 * cutoff)
    markers = [found for found in ax.lines if found.get_marker() in ("o", "s", "D")]
    assert [found.get_xdata()[0] for found in markers] == pytest.approx(evens)
    assert all(ax.get_xlim()[0] < even < ax.get_xlim()[1] for even in evens)


@pytest.mark.parametrize(
    ("stream", "epsilon", "cutoff", "seed"),
    itertools.product(("survey", "twelve"), (0.2, 1.0, 2.0), (1, 3, 8), (1, 4)),
)
def test_two_desks_says_what_it_shows(two_axes, stream, epsilon, cutoff, seed):
    sentence = plots.two_desks(two_axes, stream=stream, epsilon=epsilon, cutoff=cutoff, run_number=seed)
    queries, threshold, *_ = costs.STREAMS[stream]
    for ax, said in zip(two_axes, sentence.partition("SVT: ")[::2], strict=True):
        answered, length, alarms, wrong = numbers(said.removeprefix(f"Run {seed}"))
        right_dots = next(found for found in ax.lines if found.get_label() == "noisy answer, verdict right")
        wrong_dots = next(found for found in ax.lines if found.get_label() == "… wrong")
        assert wrong_dots.get_xdata().size == wrong
        assert right_dots.get_xdata().size + wrong == answered
        assert length == len(queries)
        above = queries.answers >= threshold
        right_at, wrong_at = (dots.get_xdata().astype(int) - 1 for dots in (right_dots, wrong_dots))
        assert above[right_at].sum() + (~above[wrong_at]).sum() == alarms
        noisy_threshold = line(ax, "noisy threshold")[0]
        low, high = ax.get_ylim()
        for dots, at, verdict in ((right_dots, right_at, above), (wrong_dots, wrong_at, ~above)):
            heights = dots.get_ydata()
            inside = (heights > 0.97 * low) & (heights < 0.97 * high)
            assert ((heights >= noisy_threshold) == verdict[at])[inside].all()
    assert alarms <= cutoff


def test_plain_laplace_splits_the_budget_evenly():
    assert plain_laplace(12, 2.0) == Mechanism(0, 6.0, None, epsilon=2.0, name="plain Laplace noise")
    assert worst_case_loss(plain_laplace(375, 0.4), 375).value == pytest.approx(0.4)


def test_comparison_sd_is_that_of_both_noises():
    assert VARIANTS["alg1"].configure(1.0, 3).comparison_sd == pytest.approx(17.20, abs=0.005)
    assert VARIANTS["standard"].configure(1.0, 3).comparison_sd == pytest.approx(12.62, abs=0.005)
    monotonic = VARIANTS["standard"].configure(1.0, 3, monotonic=True)
    assert monotonic.comparison_sd == pytest.approx(7.64, abs=0.005)
