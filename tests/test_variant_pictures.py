"""The pictures of notebook 06 say what they draw."""

import itertools
import math
import re

import numpy as np
import pytest
from matplotlib import pyplot as plt

from svt_lib import VARIANTS, exact, plots
from svt_lib.comparison import counterexample, honest_surety, play


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def figure_after(text, sentence):
    found = re.search(re.escape(text) + r"[^:]*?(infinite|-?[\d.]*\d)", sentence).group(1)
    return math.inf if found == "infinite" else float(found)


def test_loss_by_length_says_what_it_draws(ax):
    for variant, length, epsilon, cutoff in itertools.product(
        ("alg1", "alg3", "alg4", "alg5", "alg6"), (1, 2, 7, 30), (0.2, 2.0), (1, 5)
    ):
        ax.clear()
        sentence = plots.loss_by_length(ax, variant=variant, length=length, epsilon=epsilon, cutoff=cutoff)
        worst, pair = ax.lines[0].get_xydata(), dict(ax.lines[1].get_xydata())
        mechanism = VARIANTS[variant].configure(epsilon, cutoff)
        most = exact.worst_case_loss(mechanism, length).value
        assert worst[length - 1, 1] == most
        assert pair[length] <= most + 1e-9
        assert figure_after("all neighbours: ", sentence) == pytest.approx(most, abs=0.006)
        assert float(sentence.split(": ")[-1].rstrip(".").replace("infinite", "inf")) == pytest.approx(
            pair[length], abs=0.006
        )
        assert ("more than claimed" in sentence) == (most > epsilon + 1e-9)
        assert ("no cutoff" in sentence) == (mechanism.cutoff is None)
        aboves = [int(n) for n in re.findall(r"▲×(\d+)", sentence)]
        assert sum(aboves) == sum(counterexample(variant, length, cutoff).outcomes)
        assert np.isfinite(pair[length]) or any("infinite" in text.get_text() for text in ax.texts)


def test_surety_says_what_it_draws(ax):
    for variant, length, epsilon in itertools.product(
        ("alg3", "alg4", "alg5", "alg6"), (1, 2, 9), (0.2, 2.0)
    ):
        ax.clear()
        sentence = plots.surety(ax, variant=variant, length=length, epsilon=epsilon)
        sure, share = ax.lines[2].get_xydata().T
        bound = honest_surety(epsilon)
        drawn_beyond = share[sure > bound + 1e-9].max(initial=0)
        game = play(VARIANTS[variant].configure(epsilon, 1), counterexample(variant, length))
        assert drawn_beyond == pytest.approx(game.share_above(bound), abs=1e-12)
        assert sure[0] == game.surety[0]
        assert np.isclose(0.5 + np.sum(share[:-1] * -np.diff(sure)), game.score, atol=1e-5)  # the area
        assert f"wins {game.score:.1%} of the rounds" in sentence
        assert f"{bound:.1%} that ε allows" in sentence
        assert (f"{drawn_beyond:.1%} of the rounds leave" if drawn_beyond else "No round leaves") in sentence
        assert f"leaves you {sure[0]:.1%} sure" in sentence


def test_number_or_gap_says_what_it_draws_and_the_gap_keeps_its_promise(ax):
    for belows, epsilon in itertools.product((0, 1, 4, 12), (0.2, 1.0, 2.0)):
        ax.clear()
        sentence = plots.number_or_gap(ax, belows=belows, epsilon=epsilon)
        number, gap = (np.abs(line.get_ydata()).max() for line in ax.lines[:2])
        assert gap < epsilon
        assert f"noisy answer up to {number:.3f}" in sentence
        assert f"gap up to {gap:.3f}, less than claimed" in sentence
        assert ("more than claimed" in sentence) == (number > epsilon)
        low, high = ax.get_ylim()
        assert low < min(line.get_ydata().min() for line in ax.lines[:2])
        assert high > max(line.get_ydata().max() for line in ax.lines[:2])
