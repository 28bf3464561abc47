"""The pictures of notebook 09 say what they show."""

import itertools
import re

import numpy as np
import pytest
from matplotlib import pyplot as plt

from svt_lib import VARIANTS, accuracy, plots
from svt_lib.plots import selecting
from svt_lib.selection import selection_probabilities


def heights(ax, label) -> np.ndarray:
    chosen = next(group for group in ax.containers if group.get_label() == label)
    return np.array([bar.get_height() for bar in chosen])


@pytest.mark.parametrize(("kind", "epsilon"), itertools.product(("Gumbel", "Laplace"), (0.5, 1.0, 4.0)))
def test_noisy_largest_states_what_it_draws(ax, kind, epsilon):
    sentence = plots.noisy_largest(ax, noise_kind=kind, epsilon=epsilon)
    share = ax.lines[0].get_ydata()
    bars = heights(ax, "exponential mechanism, exact")
    assert bars == pytest.approx(selection_probabilities([3, 2, 1, 0], epsilon))
    assert share.sum() == pytest.approx(1)
    assert f"in {share[0]:.1%} of them" in sentence and f"with {bars[0]:.1%}" in sentence
    assert f"{100 * abs(share - bars).max():.1f} percentage points" in sentence


@pytest.mark.statistical
def test_gumbel_fits_and_laplace_does_not():
    """20,000 draws for each of 20 seeds, four scores: Hoeffding leaves 8 exp(-2 n t²) < 1e-6 for n = 400,000
    at t = 0.0045. Laplace is off by 0.01 and more."""
    assert 8 * np.exp(-2 * 400_000 * 0.0045**2) < 1e-6
    figure, ax = plt.subplots()
    for kind, fits in (("Gumbel", True), ("Laplace", False)):
        share = np.zeros(4)
        for seed in range(20):
            ax.clear()
            plots.noisy_largest(ax, noise_kind=kind, epsilon=1.0, noise_seed=seed)
            share += ax.lines[0].get_ydata() / 20
        gap = abs(share - selection_probabilities(selecting.SCORES, 1.0)).max()
        assert (gap < 0.0045) == fits
        assert fits or gap > 0.01
    plt.close(figure)


@pytest.mark.parametrize(
    ("answers", "epsilon", "cutoff"), itertools.product(selecting.STREAMS, (0.2, 1.0), (1, 3, 8))
)
def test_select_or_ask_states_what_it_draws(ax, answers, epsilon, cutoff):
    sentence = plots.select_or_ask(ax, answers=answers, epsilon=epsilon, cutoff=cutoff)
    em, svt = heights(ax, "exponential mechanism"), heights(ax, "SVT, once through")
    grey = [round(bar.get_x() + bar.get_width() / 2) for bar in ax.containers[0]]
    assert len(grey) == cutoff
    numbers = [float(number) for number in re.findall(r"\d+\.\d\d", sentence)]
    assert numbers[:2] == pytest.approx([em[grey].sum(), svt[grey].sum()], abs=0.005)
    assert len(numbers) == 4 and sum(numbers[1:]) == pytest.approx(cutoff, abs=0.02)
    values, drawn = selecting.STREAMS[answers]
    assert sorted(values[drawn[grey]]) == sorted(values)[-cutoff:]


@pytest.mark.parametrize("answers", selecting.STREAMS)
def test_em_is_at_least_as_good_as_svt_over_the_whole_demo(answers):
    values = selecting.STREAMS[answers][0]
    for epsilon, cutoff in itertools.product(np.arange(2, 21, 2) / 10, range(1, 9)):
        em, svt = selecting.chances(answers, float(epsilon), cutoff)
        largest = np.argsort(-values, kind="stable")[:cutoff]
        assert em[largest].sum() > svt[largest].sum() - 1e-9


def test_the_threshold_lies_between_the_largest_and_the_rest():
    for values, _ in selecting.STREAMS.values():
        for cutoff in range(1, 9):
            assert (values > selecting.threshold_between(values, cutoff)).sum() == cutoff


@pytest.mark.parametrize(
    ("items", "beta", "epsilon", "svt"),
    itertools.product((10, 10_000), (0.01, 0.1), (0.5, 2.0), selecting.ONE_ALARM),
)
def test_distance_needed_marks_where_the_curves_meet_beta(ax, items, beta, epsilon, svt):
    sentence = plots.distance_needed(ax, items=items, beta=beta, epsilon=epsilon, svt=svt)
    curves = {line.get_label(): line for line in ax.lines}
    marks = [line for line in ax.lines if len(line.get_xdata()) == 1]
    for label, mark in zip(("exponential mechanism", "SVT, exact"), marks, strict=True):
        x, y = curves[label].get_data()
        assert mark.get_ydata()[0] == beta
        left = np.searchsorted(x, mark.get_xdata()[0])
        assert y[left] <= beta <= y[left - 1]
    em, found = (mark.get_xdata()[0] for mark in marks)
    proved = curves["proved for Alg. 1"].get_xdata()[0]
    assert f"the distance {em:.1f};" in sentence
    assert f"needs {found:.1f}, {found / em:.2f} times" in sentence
    assert f"Proved for Alg. 1: {proved:.1f}." in sentence
    low, high = ax.get_xlim()
    assert low < em < found < proved < high


@pytest.mark.parametrize(
    ("raised_by", "passes", "epsilon"), itertools.product((0.0, 2.0, 5.0), (1, 30), (0.1, 0.6))
)
def test_retraversal_states_what_it_draws(ax, raised_by, passes, epsilon):
    sentence = plots.retraversal(ax, raised_by=raised_by, passes=passes, epsilon=epsilon)
    widths = np.array([[bar.get_width() for bar in group] for group in ax.containers])
    assert widths.sum(axis=0) == pytest.approx([8] * 4)
    missed = [float(number) for number in re.findall(r"(\d+)%", sentence)]
    assert missed == pytest.approx(100 * (1 - widths[0] / 8), abs=0.51)
    assert f"leaves {widths[3, 1]:.1f} places empty" in sentence
    assert [text.get_text() for text in ax.texts] == [f"{right:.2f}" for right in widths[0]]
    svt = VARIANTS["standard"].configure(epsilon, 8, monotonic=True)
    answers = np.sort(selecting.SURVEY.answers)[::-1]
    for row, budget in ((2, svt.epsilon_queries), (3, epsilon)):
        exact = accuracy.em_chances(answers, budget, 8, monotonic=True)
        assert widths[0, row] == pytest.approx(exact[:8].sum())


@pytest.mark.parametrize(
    ("threshold", "epsilon", "cutoff", "seed"), itertools.product((50, 300), (0.5, 4.0), (1, 12), (1, 2))
)
def test_answer_from_history_states_what_it_draws(ax, threshold, epsilon, cutoff, seed):
    sentence = plots.answer_from_history(
        ax, threshold=threshold, epsilon=epsilon, cutoff=cutoff, noise_seed=seed
    )
    drawn = {line.get_label(): line.get_ydata() for line in ax.lines}
    bought, unchecked = drawn["bought"], drawn["derived, unchecked"]
    assert len(bought) + len(unchecked) + len(drawn["derived, checked"]) == 376
    assert f"{len(bought)} of {cutoff} answer" in sentence
    assert f"{len(unchecked)} questions unchecked" in sentence
    assert (len(unchecked) > 0) <= (len(bought) == cutoff)
    assert f"same ε: {376 / epsilon:.0f} on average" in sentence
    everything = np.concatenate([bought, unchecked, drawn["derived, checked"]])
    beyond = int((everything == selecting.LARGEST_ERROR).sum())
    assert ("At the upper edge" in sentence) == (beyond > 0)
    if beyond:
        assert f"{beyond} error" in sentence
    else:
        assert f"{everything.max():.0f} at most, {everything.mean():.0f} on average" in sentence
