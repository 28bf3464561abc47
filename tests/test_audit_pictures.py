"""The pictures of notebook 08 say what they draw."""

import itertools
import re

import numpy as np
import pytest
from matplotlib import pyplot as plt

from svt_lib import VARIANTS, audit, comparison, exact, plots
from svt_lib.plots.audit import EDGE, _intervals


@pytest.fixture
def axes():
    figure, panels = plt.subplots(2)
    yield panels
    plt.close(figure)


@pytest.fixture
def ax():
    figure, panel = plt.subplots()
    yield panel
    plt.close(figure)


def clear(panels):
    for panel in panels:
        panel.clear()


def test_seen_on_both_sides_says_what_it_draws(axes):
    top, bottom = axes
    outside = set()
    for variant, digits, seed in itertools.product(("alg1", "alg4"), (2.0, 3.0, 5.0), range(1, 7)):
        clear(axes)
        sentence = plots.seen_on_both_sides(axes, variant=variant, log10_runs=digits, noise_seed=seed)
        runs = round(10**digits)
        seen = np.array([bar.get_height() for bar in top.patches]).reshape(2, 7) * runs
        assert np.allclose(seen.sum(axis=1), runs)
        dots, crosses = (line.get_xydata() for line in bottom.lines[-2:])
        drawn = dict(map(tuple, [*dots, *crosses]))
        names = [label.get_text() for label in bottom.get_xticklabels()]
        far = names.index(re.search(r"that of ([▽▲]+):", sentence).group(1))
        log = sentence.split("log of ")[1].split(",")[0] if "infinite" not in sentence else np.inf
        assert f"{seen[0, far]:,.0f} against {seen[1, far]:,.0f}" in sentence
        largest = np.nanmax(np.abs(list(drawn.values())))
        if log == np.inf:
            assert seen[:, far].min() == 0 < seen[:, far].max()
        else:
            assert min(abs(float(log)), EDGE) == pytest.approx(largest, abs=0.006)
            assert np.log(seen[0, far] / seen[1, far]) == pytest.approx(float(log), abs=0.006)
        assert ("outside the band" in sentence) == (largest > 1)
        outside.add((variant, "outside" in sentence))
        pair, mechanism = comparison.counterexample(variant, 6), VARIANTS[variant].configure(1.0, 1)
        law = [
            exact.outcome_distribution(mechanism, side, 0) for side in (pair.answers, pair.neighbour_answers)
        ]
        exactly = (law[0].log_probabilities - law[1].log_probabilities)[far]
        assert f"The exact log is {exactly:.2f}" in sentence
    assert {("alg1", True), ("alg1", False), ("alg4", True)} <= outside


def test_intervals_are_those_of_the_limits_and_counted(axes):
    accused = {}
    for variant, digits in itertools.product(("alg1", "alg4"), (2.0, 3.0, 4.0, 6.0)):
        clear(axes)
        sentence = plots.seen_on_both_sides(axes, variant=variant, log10_runs=digits, intervals=True)
        runs = round(10**digits)
        seen = np.array([bar.get_height() for bar in axes[0].patches]).reshape(2, 7) * runs
        low, high = _intervals(np.round(seen), runs)
        out = int(((low > 1) | (high < -1)).sum())
        assert f"{out or 'none'} lie" in sentence
        accused[variant, digits] = out
    assert not any(accused["alg1", digits] for digits in (2.0, 3.0, 4.0, 6.0))
    assert accused["alg4", 6.0] == 1


@pytest.mark.statistical
def test_intervals_are_right_together():
    """Seed 6, 2,000 experiments of 300 runs, seven intervals each.

    If all seven are right with 95 % and no more, more than 154 experiments fail with probability 1e-7.
    """
    pair, alg1 = comparison.counterexample("alg1", 6), VARIANTS["alg1"].configure(1.0, 1)
    law = [exact.outcome_distribution(alg1, side, 0) for side in (pair.answers, pair.neighbour_answers)]
    truth = law[0].log_probabilities - law[1].log_probabilities
    generator, failed = np.random.default_rng(6), 0
    for _ in range(2000):
        seen = np.array([generator.multinomial(300, side.probabilities) for side in law])
        low, high = _intervals(seen, 300)
        failed += ((low > truth) | (high < truth)).any()
    assert failed <= 154


def test_event_and_bound_says_what_it_draws(ax):
    for variant, length, digits in itertools.product(
        ("alg1", "alg3", "alg4", "alg6"), (2, 6, 10), (2.0, 4.0, 7.0)
    ):
        ax.clear()
        sentence = plots.event_and_bound(ax, variant=variant, length=length, log10_runs=digits)
        _, losses, shown, best = (line.get_xydata() for line in ax.lines)
        assert (shown[:, 1] <= np.maximum(losses[:, 1], 0) + 1e-9).all()
        assert tuple(best[0]) == tuple(shown[shown[:, 1].argmax()])
        assert f"The sharpest event loses {losses[0, 1]:.2f}" in sentence
        if best[0, 1] == 0:
            assert sentence.endswith("no event shows anything.")
        else:
            assert f"loses {losses[shown[:, 1].argmax(), 1]:.2f}, and" in sentence
            assert f"shows {best[0, 1]:.2f} (lower bound at 95 %)" in sentence
            assert ("no more than claimed" in sentence) == (best[0, 1] <= 1)
        if variant != "alg3":
            mechanism, pair = VARIANTS[variant].configure(1.0, 1), comparison.counterexample(variant, length)
            largest = exact.privacy_loss(mechanism, pair.answers, pair.neighbour_answers, 0).value
            assert losses[0, 1] <= largest + 1e-9
        assert losses[:, 0].min() > ax.get_xlim()[0]
        assert losses[:, 1].max() <= ax.get_ylim()[1]


def test_more_runs_make_a_sharper_event_the_best(ax):
    places = []
    for digits in (2.0, 3.0, 4.0, 5.0, 6.0, 7.0):
        ax.clear()
        plots.event_and_bound(ax, variant="alg6", length=10, log10_runs=digits)
        places.append(ax.lines[3].get_xdata()[0])
    assert (np.diff(places) <= 0).all()
    assert places[-1] < places[0] / 10


def test_chance_to_catch_says_what_it_draws(ax):
    for epsilon, length in itertools.product((0.1, 1.0, 3.0), (1, 2, 6, 10)):
        ax.clear()
        sentence = plots.chance_to_catch(ax, epsilon=epsilon, length=length)
        for line in ax.lines[:5]:
            runs, chances = line.get_data()
            assert runs[0] == 10
            assert runs[-1] == 10**8
            assert (np.diff(chances) > -0.02).all()
            title = line.get_label()
            said = re.search(rf"{re.escape(title)} with about ([\d,]+)", sentence)
            assert (said is not None) == (chances[-1] > 0.9)
            if said:
                number = int(said.group(1).replace(",", ""))
                assert np.interp(np.log10(number), np.log10(runs), chances) == pytest.approx(0.9, abs=0.06)
            else:
                assert chances[-1] <= 0.05
                assert title in sentence.split("not enough for ")[1]
        assert f"{epsilon:.1f} claimed" in sentence


@pytest.mark.statistical
def test_an_audit_catches_about_as_often_as_the_curve_says(ax):
    """Alg. 4, six queries, seeds 0 to 199: at the runs of the 90 % mark, the event known.

    About 180 of 200 are caught; fewer than 155 or more than 197 with probability 1e-6.
    """
    sentence = plots.chance_to_catch(ax)
    runs = int(re.search(r"Alg\. 4 with about ([\d,]+)", sentence).group(1).replace(",", ""))
    pair, alg4 = comparison.counterexample("alg4", 6), VARIANTS["alg4"].configure(1.0, 1)
    caught = sum(
        audit.lower_bound(
            alg4, pair.answers, pair.neighbour_answers, 0, runs=runs, rng=np.random.default_rng(seed),
            event=lambda outcomes, released: outcomes == pair.outcomes,
        ).value > 1
        for seed in range(200)
    )  # fmt: skip
    assert 155 <= caught <= 197
