"""The pictures of notebook 07 say what they show, and the argument they draw is computed as it is told."""

import itertools
import re

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism, exact, noise, plots
from svt_lib.plots import lab


def drawn(ax, label) -> np.ndarray:
    return next(line for line in ax.lines if line.get_label() == label).get_ydata()


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.0])
def test_your_own_says_whether_the_target_is_kept(ax, epsilon):
    """At every point of a coarse grid, and never with a number that looks like the target but isn't."""
    for b1, b2, cutoff, length in itertools.product((0, 2, 4, 11), (0, 8, 12), (1, 6), (8, 40)):
        ax.clear()
        sentence = plots.your_own(
            ax, threshold_scale=b1, query_scale=b2, cutoff=cutoff, length=length, epsilon=epsilon
        )
        loss = exact.worst_case_loss(Mechanism(b1, b2, cutoff), length).value
        shown = "infinite" if np.isinf(loss) else f"{loss:,.3f}"
        assert f"worst case over all neighbours is {shown}, which" in sentence
        assert ("keeps the target" in sentence) == (loss <= epsilon + 1e-9)
        assert (shown == f"{epsilon:.3f}") == bool(np.isclose(loss, epsilon, rtol=1e-9))


def test_your_own_tells_what_longer_streams_cost(ax):
    assert "However long the stream, it is at most 1.000." in plots.your_own(ax)
    assert "at most 2.000" in plots.your_own(ax, redraw=True)
    assert "at most 1.000" in plots.your_own(ax, releases="gap")
    for values in ({"stops": False}, {"threshold_scale": 0}, {"releases": "noisy answer"}):
        assert "grows without bound" in plots.your_own(ax, **values)
    assert "it is infinite" in plots.your_own(ax, query_scale=0, length=1)


def test_very_long_streams_are_long_enough_to_tell_growth(ax):
    """At the scales of the notebook where growth stops latest, it has stopped at 500 queries."""
    for redraw, releases in itertools.product((False, True), ("nothing", "gap")):
        mechanism = Mechanism(1, 30, 6, redraw=redraw, releases=releases)
        before, after = (exact.worst_case_loss(mechanism, length).value for length in (500, 10**6))
        assert np.isclose(before, after)


def test_an_infinite_loss_comes_with_a_pair_that_shows_it(ax):
    sentence = plots.your_own(ax, query_scale=0, length=2)
    assert "is infinite" in sentence and "Answers 0, 1 against 1, 0, threshold 0" in sentence
    mechanism = Mechanism(2, 0, 3)
    assert np.isfinite(exact.output_log_probability(mechanism, [0, 1], [False, True], 0))
    assert exact.output_log_probability(mechanism, [1, 0], [False, True], 0) == -np.inf
    assert "Answer 0 against −1" in plots.your_own(ax, query_scale=0, threshold_scale=0, length=1)
    assert exact.output_log_probability(Mechanism(0, 0, 3), [0], [True], 0) == 0
    assert exact.output_log_probability(Mechanism(0, 0, 3), [-1], [True], 0) == -np.inf
    assert "gives away the true answer" in plots.your_own(ax, query_scale=0, releases="noisy answer")


def test_where_no_formula_is_known_your_own_shows_a_lower_bound(ax):
    values = {"threshold_scale": 12, "query_scale": 4, "releases": "gap", "length": 3}
    sentence = plots.your_own(ax, **values)
    assert (
        "no formula is known; the lower bound is 0.583, so the target ε = 1.0 may be kept or not" in sentence
    )
    assert "which breaks the target ε = 0.2" in plots.your_own(ax, **values, epsilon=0.2)
    ax.clear()
    plots.your_own(ax, **values)
    found = exact.search_worst_case(
        Mechanism(12, 4, 3, releases="gap"), 3, np.random.default_rng(1), tries=0
    ).value
    assert np.isclose(drawn(ax, "… lower bound")[1], found, rtol=1e-3)


def test_least_noise_keeps_the_target_and_is_near_the_best_split():
    best = VARIANTS["standard"].configure(1.0, 3)
    found = lab.least_noise(cutoff=3, length=10_000)
    assert (found.threshold_scale, found.query_scale) == (4, 8)
    assert 1 <= found.comparison_sd / best.comparison_sd < 1.003
    short = lab.least_noise(cutoff=3, length=8)
    assert (short.threshold_scale, short.query_scale) == (0, 8)


def test_ward_says_from_where_on_more_is_lost_than_claimed(ax):
    for key, epsilon, cutoff in itertools.product(lab.PUBLISHED, (0.2, 1.0, 4.0), (1, 3, 6)):
        ax.clear()
        sentence = plots.ward(ax, patient=key, epsilon=epsilon, cutoff=cutoff)
        mechanism = VARIANTS[key].configure(epsilon, cutoff)
        start = re.search(r"more than that from ([\d,]+) quer", sentence)
        length = int(start[1].replace(",", ""))
        assert lab.keeps(exact.worst_case_loss(mechanism, length - 1).value, epsilon)
        assert not lab.keeps(exact.worst_case_loss(mechanism, length).value, epsilon)
        assert (drawn(ax, "worst case over all neighbours")[-1] == lab.INFINITY) == ("infinite" in sentence)
        repaired = plots.ward(ax, patient=key, epsilon=epsilon, cutoff=cutoff, repaired=True)
        assert "is never more than that" in repaired


@pytest.mark.parametrize(("aimed_at", "sign"), [("Alg. 1", 1), ("GPTT", -1)])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.0])
def test_kappa_is_smallest_at_the_end_where_it_is_taken(aimed_at, sign, epsilon):
    key = {"Alg. 1": "alg1", "GPTT": "alg6"}[aimed_at]
    mechanism = VARIANTS[key].configure(epsilon, 1)
    for t in (1, 5, 40):
        answers = np.zeros(t) if aimed_at == "Alg. 1" else np.repeat([0, 1], t)
        log_alpha = exact.output_log_probability(mechanism, 1 - answers, answers == 1, 0)
        delta = mechanism.threshold_scale * (np.log(2) - log_alpha)
        z, b = np.linspace(-delta, delta, 20_001), mechanism.query_scale
        log_kappa = noise.log_cdf(z, b) - noise.log_cdf(z - 1, b)
        if aimed_at == "GPTT":
            log_kappa += noise.log_tail(z - 1, b) - noise.log_tail(z, b)
        assert np.isclose(lab.kappa_argument(aimed_at, t, epsilon)[1], log_kappa.min(), rtol=0, atol=1e-12)


def test_kappa_argument_has_the_known_values():
    for t, kappa, ratio in ((1, 1.0919, 1.196), (10, 1.0145, 1.647), (1000, 1.000156, 1.6487)):
        truth, log_kappa = lab.kappa_argument("Alg. 1", t, 1.0)
        assert np.exp(log_kappa) == pytest.approx(kappa, rel=5e-5)
        assert np.exp(truth) == pytest.approx(ratio, rel=5e-4)


def test_kappa_argument_names_what_is_wrong():
    with pytest.raises(ValueError, match="aimed_at"):
        lab.kappa_argument("alg1", 1, 1.0)


def test_same_argument_says_what_it_draws(ax):
    tops = {}  # by ε: the axis is the same at each `frozen_at`
    for frozen_at, epsilon in itertools.product((1, 4, 10), (0.2, 1.0, 2.0)):
        ax.clear()
        sentence = plots.same_argument(ax, frozen_at=frozen_at, epsilon=epsilon)
        truth, frozen = drawn(ax, "the truth"), drawn(ax, "argument, frozen κ")
        assert (truth <= epsilon / 2 + 1e-9).all()
        assert (drawn(ax, "argument, κ of each t") <= truth).all()
        assert f"the ratio is e^{truth[-1]:.2f}" in sentence
        assert f"claims e^{frozen[-1]:.2f}" in sentence
        assert max(truth.max(), frozen.max()) < ax.get_ylim()[1] == tops.setdefault(epsilon, ax.get_ylim()[1])
        passes = int(re.search(r"From t = (\d+) on", sentence)[1])
        log_kappa = lab.kappa_argument("Alg. 1", frozen_at, epsilon)[1]
        assert (passes - 1) * log_kappa - np.log(2) <= epsilon / 2 < passes * log_kappa - np.log(2)
        ax.clear()
        assert "grows with t without bound" in plots.same_argument(
            ax, aimed_at="GPTT", frozen_at=frozen_at, epsilon=epsilon
        )
        truth, repaired = drawn(ax, "the truth"), drawn(ax, "repaired proof: at least t·ε₂")
        assert (repaired <= truth).all()
        assert (drawn(ax, "argument, κ of each t") <= truth).all()
