"""The proof in numbers: its inequalities hold wherever one looks, its prices are the exact losses."""

import itertools
import re

import numpy as np
import pytest
from matplotlib import pyplot as plt

from svt_lib import VARIANTS, Mechanism, exact, plots
from svt_lib.plots.proof import STEPS
from svt_lib.proof import EXAMPLES, MOVES, THRESHOLD, far_example, follow, shift_price

ALG1 = VARIANTS["alg1"].configure(1.0, 1)
CORNERS = np.array([-1.0, 0.0, 1.0])


def possible(outcomes, cutoff):
    """The part of `outcomes` that a run with this cutoff can give."""
    stops = np.flatnonzero(np.cumsum(outcomes) == cutoff)
    return outcomes[: stops[0] + 1] if stops.size else outcomes


def test_no_random_pair_breaks_an_inequality_whatever_the_shift():
    rng = np.random.default_rng(51)
    for _ in range(300):
        sensitivity, cutoff, length = rng.choice([0.5, 1, 3]), rng.integers(1, 4), rng.integers(1, 12)
        mechanism = VARIANTS["standard"].configure(
            rng.choice([0.2, 1.0, 4.0]), int(cutoff), sensitivity, split=rng.choice([0.5, 1.0, 6.0])
        )
        answers = rng.normal(0, 10, length)
        neighbours = answers + sensitivity * rng.choice([-1, -0.3, 0, 1], length)
        outcomes = possible(rng.random(length) < 0.4, cutoff)
        threshold = rng.normal(0, 5, length)
        shift = rng.choice([None, 0.0, -sensitivity, 0.4, 2 * sensitivity])
        proof = follow(mechanism, answers, neighbours, outcomes, threshold, shift)
        assert proof.holds
        assert proof.loss <= proof.integrand.bound + 1e-9
        if shift is None:
            assert proof.belows.bound == 0
            assert proof.threshold.bound == pytest.approx(mechanism.epsilon_threshold)
            assert proof.aboves.bound <= mechanism.epsilon_queries * (1 + 1e-12)


def test_a_mechanism_with_too_little_noise_is_caught_in_the_line_that_it_breaks():
    """Alg. 4's Aboves may cost 3ε/2 each, and its own ε₂ is 3ε/4."""
    alg4 = VARIANTS["alg4"].configure(1.0, 1)
    proof = follow(alg4, [100] * 6 + [90], [101] * 6 + [89], [False] * 6 + [True], 100)
    assert proof.belows.found <= 1e-12
    assert proof.threshold.found == pytest.approx(alg4.epsilon_threshold)
    assert proof.aboves.found == pytest.approx(1.5) == 2 * alg4.epsilon_queries


@pytest.mark.parametrize("cutoff", [1, 2, 5])
@pytest.mark.parametrize("split", [0.5, 1.0, 3.0])
def test_price_has_the_stated_corners_and_the_cheapest_is_the_exact_worst_case(cutoff, split):
    mechanism = VARIANTS["standard"].configure(1.0, cutoff, split=split)
    b1, b2 = mechanism.threshold_scale, mechanism.query_scale
    fine = np.linspace(-3, 3, 601)
    for m, k in itertools.product(range(12), range(cutoff + 1)):
        prices = shift_price(mechanism, m, k, CORNERS).total
        assert prices == pytest.approx([1 / b1 + 2 * m / b2, (m + k) / b2, 1 / b1 + 2 * k / b2])
        assert shift_price(mechanism, m, k, fine).total.min() == pytest.approx(prices.min())
        assert exact.output_loss(mechanism, m, k) == pytest.approx(prices.min())


def test_price_for_answers_that_move_one_way_is_the_exact_worst_case_too():
    mechanism = VARIANTS["standard"].configure(1.0, 2, monotonic=True, split=1.0)
    for m, k in itertools.product(range(8), range(3)):
        cheapest = [
            shift_price(mechanism, m, k, CORNERS, moves).total.min() for moves in ("all up", "all down")
        ]
        assert exact.output_loss(mechanism, m, k, neighbours="one-way") == pytest.approx(max(cheapest))


@pytest.mark.parametrize("moves", MOVES)
def test_price_scales_with_the_sensitivity(moves):
    wide = VARIANTS["alg1"].configure(1.0, 2, sensitivity=5.0)
    narrow = VARIANTS["alg1"].configure(1.0, 2)
    for s in (-2.0, -0.5, 0.0, 1.0):
        assert shift_price(wide, 3, 2, 5 * s, moves).total == pytest.approx(
            shift_price(narrow, 3, 2, s, moves).total
        )


@pytest.mark.parametrize(("belows", "aboves"), [(2, 1), (8, 1), (0, 1), (5, 0)])
def test_far_pairs_climb_to_the_price_and_stay_below(belows, aboves):
    price = shift_price(ALG1, belows, aboves, CORNERS).total.min()
    losses = [far_example(belows, aboves, x).loss(ALG1) for x in (1, 10, 100, 3000)]
    assert losses == sorted(losses)
    assert losses[-1] <= price + 1e-9
    assert losses[-1] == pytest.approx(price, abs=1e-3)


def test_at_a_tie_the_climb_is_slow():
    losses = [far_example(3, 1, x).loss(ALG1) for x in (3, 10, 30, 100, 1000)]
    assert np.round(losses, 3).tolist() == [0.862, 0.930, 0.971, 0.990, 0.999]


def test_half_the_noise_is_broken_by_a_mixed_pair_only():
    half = VARIANTS["standard"].configure(1.0, 1, monotonic=True, split=1.0)
    mixed = far_example(6, 1, 3)
    assert mixed.loss(half) == pytest.approx(1.5, abs=1e-4)
    up = follow(half, mixed.answers, [a + 1 for a in mixed.answers], mixed.outcomes, THRESHOLD)
    assert up.loss <= 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_neighbours_and_their_outputs_possible(name):
    example = EXAMPLES[name]
    mechanism = VARIANTS["alg1"].configure(1.0, example.cutoff)
    proof = follow(mechanism, example.answers, example.neighbour_answers, example.outcomes, THRESHOLD)
    assert proof.holds
    assert proof.loss == pytest.approx(example.loss(mechanism))
    assert f"loss {proof.loss:.3f}" in str(proof)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"neighbour_answers": [1, 4]}, r"neighbour_answers\[1\] = 4 is further than"),
        ({"neighbour_answers": [1]}, "neighbour_answers has 1 values for 2"),
        ({"answers": [1, np.nan]}, r"answers\[1\]"),
        ({"shift": np.inf}, "shift"),
        ({"outcomes": [True, False]}, "outcomes"),
        ({"threshold": [1, 2, 3]}, "threshold"),
        ({"mechanism": VARIANTS["alg2"].configure(1.0, 2)}, "mechanism"),
        ({"mechanism": VARIANTS["alg3"].configure(1.0, 2)}, "mechanism"),
        ({"mechanism": VARIANTS["alg5"].configure(1.0, 2)}, "mechanism"),
        ({"mechanism": Mechanism(threshold_scale=0, query_scale=1, cutoff=1)}, "mechanism"),
    ],
)
def test_bad_input_is_named(changed, named):
    good = {
        "mechanism": ALG1, "answers": [1, 2], "neighbour_answers": [1, 3], "outcomes": [False, True],
        "threshold": 0,
    }  # fmt: skip
    assert follow(**good).holds
    with pytest.raises(ValueError, match=named):
        follow(**good | changed)


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"belows": -1}, "belows"), ({"aboves": 1.5}, "aboves"), ({"moves": "up"}, "moves")],
)
def test_bad_price_is_named(changed, named):
    with pytest.raises(ValueError, match=named):
        shift_price(**{"mechanism": ALG1, "belows": 1, "aboves": 1, "shift": 0.0} | changed)


@pytest.fixture
def panels():
    figure, axes = plt.subplots(3)
    yield axes
    plt.close(figure)


def numbers(sentence):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", sentence)]


def test_fixed_threshold_noise_states_the_areas_and_the_chances_that_it_draws(panels):
    for z, epsilon in itertools.product((-10.0, 0.0, 2.5), (0.2, 1.0, 2.0)):
        for ax in panels:
            ax.clear()
        said = numbers(plots.fixed_threshold_noise(panels, z=z, epsilon=epsilon))
        assert said[0] == z
        marks = [line for line in panels[1].lines if line.get_marker() == "o"]
        drawn = [y for line in marks for y in line.get_ydata()]
        assert said[1:5] == pytest.approx(drawn, abs=6e-4)
        assert said[7] == pytest.approx(np.log(said[5] / said[6]), abs=0.01)
        products = [line for line in panels[2].lines if len(line.get_xdata()) > 2]
        ratio = np.divide(*(line.get_ydata().sum() for line in products))
        if epsilon > 0.2:  # there, the picture holds nearly all of the area
            assert np.log(ratio) == pytest.approx(said[7], abs=0.02)


def test_shifted_belows_says_whether_the_solid_curve_is_above(panels):
    ax = panels[0]
    for law, shift, m in itertools.product(("Laplace", "uniform", "none"), np.arange(-8, 9) / 4, (1, 3, 30)):
        ax.clear()
        sentence = plots.shifted_belows(ax, shift=shift, belows=m, query_noise=law)
        on_d, shifted = (ax.lines[i].get_ydata() for i in (1, 2))
        assert ("nowhere above" in sentence) == bool((on_d <= shifted).all()) == (shift >= 1)
        if "isn't" in sentence:
            assert (on_d[shifted == 0] > 0).any()
        elif shift < 1:
            assert numbers(sentence)[-1] == pytest.approx(m * (1 - shift) / 4, abs=0.006)
            assert np.log(on_d / shifted).max() == pytest.approx(m * (1 - shift) / 4)


def test_shifted_threshold_states_the_largest_log_ratio_that_it_draws(panels):
    for shift, epsilon in itertools.product((-2.0, -0.25, 0.0, 1.0, 1.25), (0.1, 0.5, 1.0)):
        for ax in panels[:2]:
            ax.clear()
        sentence = plots.shifted_threshold(panels[:2], shift=shift, epsilon_threshold=epsilon)
        assert np.abs(panels[1].lines[0].get_ydata()).max() == pytest.approx(abs(shift) * epsilon)
        assert f"= {abs(shift) * epsilon:.2f}" in sentence
        assert ("covers" in sentence) == (abs(shift) <= 1)


def test_shifted_aboves_adds_up_what_it_draws(panels):
    for shift, cutoff, epsilon in itertools.product((-2.0, -1.0, 0.0, 1.0, 2.0), (1, 5), (0.2, 1.0)):
        for ax in panels[:2]:
            ax.clear()
        sentence = plots.shifted_aboves(panels[:2], shift=shift, cutoff=cutoff, epsilon_queries=epsilon)
        total = panels[1].lines[0].get_ydata()
        allowed = max(0, epsilon * (1 + shift) / 2)
        assert total.max() <= allowed + 1e-12
        assert f"together at most {allowed:.3f}" in sentence


def test_proof_steps_states_what_it_draws_and_never_more_than_allowed(panels):
    for step, (name, example) in itertools.product(range(1, len(STEPS) + 1), EXAMPLES.items()):
        for ax in panels[:2]:
            ax.clear()
        said = numbers(plots.proof_steps(panels[:2], step=step, example=name))
        ratio, bound = panels[1].lines[0].get_ydata(), panels[1].lines[1].get_ydata()[0]
        assert said[0] == pytest.approx(ratio.max(), abs=6e-4)
        assert said[1] == pytest.approx(bound, abs=6e-4)
        assert ratio.max() <= bound + 1e-9
        if step == len(STEPS):
            mechanism = VARIANTS["alg1"].configure(1.0, example.cutoff)
            assert said[2] == pytest.approx(example.loss(mechanism), abs=6e-4)


def test_price_pictures_state_the_parts_and_the_cheapest_shift(panels):
    ax = panels[0]
    for draw, extra in (
        (plots.price_of_a_shift, ({"cutoff": 1}, {"cutoff": 3})),
        (plots.price_with_half_the_noise, tuple({"moves": moves} for moves in MOVES)),
    ):
        for more, shift, m, k in itertools.product(extra, (-1.5, 0.0, 1.0), (0, 1, 3), (0, 1, 3)):
            ax.clear()
            sentence = draw(ax, shift=shift, belows=m, aboves=k, **more)
            _, *parts, total, cheapest = numbers(sentence)
            assert sum(parts) == pytest.approx(total, abs=2e-3)
            curve = ax.lines[0]
            at = curve.get_ydata()[curve.get_xdata() == shift]
            assert at == pytest.approx(total, abs=6e-4)
            assert curve.get_ydata().min() == pytest.approx(cheapest, abs=6e-4)
            assert ("No run" in sentence) == (k > more.get("cutoff", k))
