"""The table of variants, their counterexamples, and the guessing game, against formulas known by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from svt_lib import VARIANTS, comparison, exact
from svt_lib.comparison import counterexample, honest_surety, play

BITS = ("alg1", "alg2", "alg4", "alg5", "alg6", "standard")


def column(key):
    rows = [line.strip("| ").split(" | ") for line in comparison.table((key,)).splitlines()]
    return {row[0].strip("*"): row[1] for row in rows[2:]}


def test_table_says_what_the_boxes_of_the_paper_say():
    """Threshold share, threshold noise, query noise, redrawn, released, stops: as in the published boxes."""
    only, number = "only “Above”", "the noisy answer that was compared"
    boxes = {
        "alg1": ("ε/2", "ε/2", "Lap(Δ/ε₁)", "Lap(2cΔ/ε₂)", "no", only, "yes", "ε", "ε"),
        "alg2": ("ε/2", "ε/2", "Lap(cΔ/ε₁)", "Lap(2cΔ/ε₂)", "after each Above", only, "yes", "ε", "ε"),
        "alg3": ("ε/2", "ε/2", "Lap(Δ/ε₁)", "Lap(cΔ/ε₂)", "no", number, "yes", "ε", "∞"),
        "alg4": ("ε/4", "3ε/4", "Lap(Δ/ε₁)", "Lap(Δ/ε₂)", "no", only, "yes", "ε", "(1 + 6c)/4 · ε"),
        "alg5": ("ε/2", "ε/2", "Lap(Δ/ε₁)", "none", "no", only, "no", "ε", "∞"),
        "alg6": ("ε/2", "ε/2", "Lap(Δ/ε₁)", "Lap(Δ/ε₂)", "no", only, "no", "ε", "∞"),
    }  # fmt: skip
    for key, box in boxes.items():
        assert tuple(column(key).values())[2:] == box


def test_table_has_one_column_for_each_published_variant():
    widths = {line.count("|") for line in comparison.table().splitlines()}
    assert widths == {2 + len(comparison.PUBLISHED)}
    assert [VARIANTS[key].title in comparison.table() for key in comparison.PUBLISHED] == [True] * 6


@pytest.mark.parametrize("key", VARIANTS)
@pytest.mark.parametrize("cutoff", [1, 3])
def test_counterexamples_are_neighbours_and_their_outputs_are_possible(key, cutoff):
    for length in (1, 2, 3, 4, 7, 12):
        pair, mechanism = counterexample(key, length, cutoff), VARIANTS[key].configure(1.0, cutoff)
        assert len(pair.answers) == len(pair.neighbour_answers) == len(pair.outcomes) == length
        assert np.abs(np.subtract(pair.answers, pair.neighbour_answers)).max() <= 1
        loss = pair.loss(mechanism)
        assert 0 < loss <= exact.worst_case_loss(mechanism, length).value + 1e-9


def test_known_losses():
    def loss(key, length, epsilon=1.0, cutoff=1):
        return counterexample(key, length, cutoff).loss(VARIANTS[key].configure(epsilon, cutoff))

    six = [loss("alg6", 2 * m) for m in (1, 2, 3, 4, 5, 10, 20, 40)]
    assert np.allclose(six, [0.820, 1.704, 2.617, 3.546, 4.486, 9.276, 19.03, 38.76], rtol=5e-4)
    tenth = [loss("alg6", 2 * m, 0.1) for m in (1, 5, 10, 100, 1000)]
    assert np.allclose(tenth, [0.0759, 0.420, 0.876, 9.59, 99.0], rtol=2e-3)
    four = [loss("alg4", 6, epsilon) / epsilon for epsilon in (0.1, 1.0, 2.0)]
    assert np.allclose(four, [1.721, 1.707, 1.651], atol=6e-4)
    assert np.isclose(loss("alg5", 1), 0.5)
    assert loss("alg5", 2) == math.inf
    for length, cutoff in ((3, 1), (10, 1), (10, 4)):
        assert np.isclose(loss("alg3", length, 1.0, cutoff), length / (2 * cutoff))


def test_the_mixed_pair_for_alg3():
    """Belows on 0 against 1, then the number 0 on 1 against 0: the loss is (m - 1) ε / 2c."""
    for m, cutoff in ((3, 1), (5, 1), (10, 2)):
        pair = replace(counterexample("alg1", m + 1), released=(0.0,))
        assert np.isclose(pair.loss(VARIANTS["alg3"].configure(1.0, cutoff)), (m - 1) / (2 * cutoff))


@pytest.mark.parametrize(
    ("arguments", "name"),
    [(("alg9", 3), "key"), (("alg1", 0), "length"), (("alg1", 2.5), "length"), (("alg1", 3, 0), "cutoff")],
)
def test_bad_input_is_named(arguments, name):
    with pytest.raises(ValueError, match=name):
        counterexample(*arguments)


@pytest.mark.parametrize("key", BITS)
def test_game_is_half_plus_half_the_total_variation_distance(key):
    for length in (1, 2, 5):
        pair, mechanism = counterexample(key, length, 2), VARIANTS[key].configure(0.7, 2)
        p, q = (
            exact.outcome_distribution(mechanism, answers, 0).probabilities
            for answers in (pair.answers, pair.neighbour_answers)
        )
        game = play(mechanism, pair)
        assert np.isclose(game.score, 0.5 + np.abs(p - q).sum() / 4)
        assert np.isclose(game.share.sum(), 1)
        assert (np.diff(game.surety) <= 0).all()
        loss = exact.privacy_loss(mechanism, pair.answers, pair.neighbour_answers, 0).value
        assert np.isclose(game.surety[0], honest_surety(loss) if np.isfinite(loss) else 1)


def test_nobody_is_surer_against_alg1_than_its_epsilon_allows():
    for epsilon in (0.2, 1.0, 2.0):
        for length in (1, 4, 10):
            game = play(VARIANTS["alg1"].configure(epsilon, 1), counterexample("alg1", length))
            assert game.share_above(honest_surety(epsilon)) == 0


def test_ladder_of_alg5_is_won_where_the_threshold_noise_lies_on_it():
    """Ten answers: rungs from -2 to 3. The score is 1/2 + Pr[-2 < noise <= 3] / 2."""
    game = play(VARIANTS["alg5"].configure(1.0, 1), counterexample("alg5", 10))
    on_it = 1 - (math.exp(-1) + math.exp(-1.5)) / 2
    assert np.isclose(game.score, 0.5 + on_it / 2)
    assert np.isclose(game.share_above(0.99), on_it)


def test_game_against_alg3_is_right_to_its_grid():
    """The event of l - 1 Belows and a number of at most 0 has surety 1/(1 + e^(-lε/2)), and a known share."""
    alg3 = VARIANTS["alg3"].configure(1.0, 1)
    for length in (2, 3, 6):
        game, m = play(alg3, counterexample("alg3", length)), length - 1
        assert np.isclose(game.share.sum(), 1, atol=1e-5)
        assert np.isclose(game.surety[0], honest_surety(length / 2))
        here = 2.0 ** -(m + 2) / ((m + 1) * (m + 2))
        share = here * (1 + math.exp(-length / 2)) / 2
        assert np.isclose(game.share_above(honest_surety(length / 2) - 1e-6), share, rtol=0.02)
    with pytest.raises(ValueError, match="cutoff"):
        play(VARIANTS["alg3"].configure(1.0, 2), counterexample("alg3", 3, 2))


def test_one_number_of_alg3_against_the_engine():
    """One query: the number v has the density of the noise times the chance of a threshold below v."""
    alg3, pair = VARIANTS["alg3"].configure(1.0, 1), counterexample("alg3", 1)
    v = np.linspace(-60, 60, 4801)
    p, q = (
        np.exp([exact.output_log_probability(alg3, answers, (True,), 0, (x,)) for x in v])
        for answers in (pair.answers, pair.neighbour_answers)
    )
    rest_p, rest_q = (
        math.exp(exact.output_log_probability(alg3, answers, (False,), 0))
        for answers in (pair.answers, pair.neighbour_answers)
    )
    distance = (np.abs(p - q).sum() * (v[1] - v[0]) + abs(rest_p - rest_q)) / 2
    assert np.isclose(play(alg3, pair).score, 0.5 + distance / 2, atol=2e-5)
