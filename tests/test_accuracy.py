"""Exact chances of selection against enumeration and simulation, and the distances that are needed."""

import itertools
import math
import warnings

import numpy as np
import pytest

from svt_lib import VARIANTS, data, exact, simulate
from svt_lib.accuracy import (
    em_chances,
    em_distance,
    proved_distance,
    svt_chances,
    svt_distance,
    svt_failure,
)
from svt_lib.selection import exponential_mechanism, selection_probabilities, svt_select

TWELVE = data.twelve().answers
STANDARD = VARIANTS["standard"].configure


def by_rounds(scores, epsilon, count, factor):
    """The chance of each item, added up over all orders in which the rounds can select."""
    weights = np.exp((np.asarray(scores) - max(scores)) * epsilon / (factor * count))
    chances = np.zeros(weights.size)
    for order in itertools.permutations(range(weights.size), count):
        probability, left = 1.0, weights.sum()
        for item in order:
            probability, left = probability * weights[item] / left, left - weights[item]
        chances[list(order)] += probability
    return chances


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize(("epsilon", "sensitivity", "monotonic"), [(1.0, 1.0, False), (0.3, 2.0, True)])
def test_em_chances_are_those_of_the_rounds(count, epsilon, sensitivity, monotonic):
    factor = (1 if monotonic else 2) * sensitivity
    found = em_chances(TWELVE, epsilon, count, sensitivity=sensitivity, monotonic=monotonic)
    assert found == pytest.approx(by_rounds(TWELVE, epsilon, count, factor), abs=1e-9)
    if count == 1:
        assert found == pytest.approx(
            selection_probabilities(TWELVE, epsilon, sensitivity=sensitivity, monotonic=monotonic), abs=1e-9
        )


@pytest.mark.parametrize(("count", "epsilon"), [*itertools.product((1, 8, 30), (0.01, 0.2, 1.0)), (8, 9.0)])
def test_em_chances_on_the_survey_sum_to_the_count_and_fall_with_the_rank(count, epsilon):
    scores = np.sort(data.survey().answers)[::-1]
    found = em_chances(scores, epsilon, count, monotonic=True)
    assert found.sum() == pytest.approx(count, abs=1e-9)
    assert (np.diff(found) <= 1e-12).all()


def test_em_chances_where_all_are_selected_or_all_are_equal():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert em_chances([5, 0, -5], 1.0, 3) == pytest.approx([1, 1, 1])
        assert em_chances([7] * 5, 1.0, 2) == pytest.approx([0.4] * 5)
        assert em_chances([1e4, 0], 1.0, 1) == pytest.approx([1, 0], abs=1e-9)
        assert em_chances([3], 1.0) == pytest.approx([1])
        assert em_chances(np.zeros(100), 1.0, 99) == pytest.approx([0.99] * 100)


@pytest.mark.statistical
def test_em_chances_by_simulation():
    """Seed 1, n = 20,000, twelve items. Hoeffding: 24 exp(-2 n t²) is below 1e-6 at t = 0.0207."""
    n, t, rng = 20_000, 0.0207, np.random.default_rng(1)
    assert 24 * math.exp(-2 * n * t**2) < 1e-6
    counted = np.zeros(12)
    for _ in range(n):
        counted[exponential_mechanism(TWELVE, 0.4, 3, rng=rng)] += 1
    assert abs(counted / n - em_chances(TWELVE, 0.4, 3)).max() < t


@pytest.mark.parametrize(
    ("argument", "values"),
    [
        ("scores", ([], 1.0)), ("scores", ([1, np.nan], 1.0)), ("count", ([1, 2], 1.0, 3)),
        ("count", ([1, 2], 1.0, 0)), ("epsilon", ([1, 2], 0)), ("scores", ([1e300, 0], 1.0, 2)),
        ("scores", (np.arange(1e5), 1.0, 50)),
    ],
)  # fmt: skip
def test_em_chances_refuses_by_name(argument, values):
    with pytest.raises(ValueError, match=argument):
        em_chances(*values)


@pytest.mark.parametrize("cutoff", [1, 3, 12])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_svt_chances_are_those_of_the_outcomes(cutoff, epsilon):
    for mechanism in (STANDARD(epsilon, cutoff, monotonic=True), VARIANTS["alg1"].configure(epsilon, cutoff)):
        law = exact.outcome_distribution(mechanism, TWELVE, 50)
        assert svt_chances(mechanism, TWELVE, 50) == pytest.approx(law.probabilities @ law.table, abs=1e-9)


@pytest.mark.statistical
def test_svt_chances_on_the_survey_by_simulation():
    """Seed 2, n = 20,000 runs of `simulate`, 375 items. Hoeffding: 750 exp(-2 n t²) < 1e-6 at t = 0.0227."""
    n, t, answers, mechanism = 20_000, 0.0227, data.survey().answers, STANDARD(0.2, 8, monotonic=True)
    assert 750 * math.exp(-2 * n * t**2) < 1e-6
    many = simulate(mechanism, answers, 204.5, runs=n, rng=np.random.default_rng(2))
    counted = np.bincount(many.above_query, minlength=answers.size) / n
    assert abs(counted - svt_chances(mechanism, answers, 204.5)).max() < t


def test_svt_chances_refuses_what_it_cannot_do():
    for key in ("alg2", "alg5", "alg6"):
        with pytest.raises(ValueError, match="mechanism"):
            svt_chances(VARIANTS[key].configure(1.0, 2), TWELVE, 50)
    with pytest.raises(ValueError, match="threshold"):
        svt_chances(STANDARD(1.0, 2), TWELVE, np.nan)


@pytest.mark.parametrize(
    ("items", "beta", "epsilon"), itertools.product((2, 100, 10**4), (0.01, 0.1), (0.1, 2))
)
def test_em_distance_is_exact(items, beta, epsilon):
    for monotonic in (False, True):
        distance = em_distance(items, beta, epsilon, monotonic=monotonic)
        scores = np.append(np.full(items - 1, -distance), distance)
        found = selection_probabilities(scores, epsilon, monotonic=monotonic)[-1]
        assert found == pytest.approx(1 - beta)
    assert proved_distance(items, beta, epsilon) > 8 * em_distance(items, beta, epsilon)


def test_the_known_distances():
    """For 1,000 items at β = 5 %, ε = 1: 84.8 proved, 9.85 needed by EM; 66.4 proved for 100 items."""
    assert proved_distance(1000, 0.05, 1.0) == pytest.approx(84.8, abs=0.05)
    assert em_distance(1000, 0.05, 1.0) == pytest.approx(9.851, abs=0.001)
    assert proved_distance(100, 0.05, 1.0) == pytest.approx(66.4, abs=0.05)


@pytest.mark.parametrize("key", ["alg1", "standard"])
def test_svt_distance_has_the_chance_to_fail_that_was_asked_for(key):
    mechanism = VARIANTS[key].configure(0.5, 1)
    distance = svt_distance(mechanism, 50, 0.05)
    assert svt_failure(mechanism, 50, distance) == pytest.approx(0.05, rel=1e-5)
    answers = [-distance] * 49 + [distance]
    assert exact.right_probability(mechanism, answers, 0) == pytest.approx(0.95, rel=1e-6)


@pytest.mark.parametrize(
    ("options", "low", "high"),
    [({"split": 1}, 3.73, 3.88), ({}, 3.20, 3.35), ({"split": 1, "monotonic": True}, 4.0, 4.45)],
)
def test_the_measured_factor(options, low, high):
    """SVT against EM: one alarm, the large answer last; our figures, for each setting."""
    mechanism, monotonic = STANDARD(1.0, 1, **options), options.get("monotonic", False)
    for items, beta in itertools.product((10, 1000), (0.01, 0.1)):
        ratio = svt_distance(mechanism, items, beta) / em_distance(items, beta, 1.0, monotonic=monotonic)
        assert low - 0.005 < ratio < high + 0.005


@pytest.mark.statistical
def test_a_retraversal_that_is_raised_far_becomes_em_with_the_query_budget():
    """Seed 3, n = 2,000 runs; the number of right ones of 8. Hoeffding on an average of numbers from 0 to 8:
    it is off by more than 0.5 with probability 2 exp(-2 n (0.5/8)²), below 1e-6. At 5 standard deviations
    the limit itself is off by far less than that."""
    answers, mechanism, rng = (
        data.survey().answers,
        STANDARD(0.2, 8, monotonic=True),
        np.random.default_rng(3),
    )
    largest = answers > 204.5
    assert 2 * math.exp(-2 * 2000 * (0.5 / 8) ** 2) < 1e-6
    found = [
        largest[svt_select(mechanism, answers, 204.5, raised_by=5, passes=10**9, rng=rng).indices].sum()
        for _ in range(2000)
    ]
    limit = em_chances(answers, mechanism.epsilon_queries, 8, monotonic=True)[largest].sum()
    whole = em_chances(answers, mechanism.epsilon, 8, monotonic=True)[largest].sum()
    assert abs(np.mean(found) - limit) < 0.5 < whole - limit


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("items", lambda: em_distance(1, 0.05, 1.0)), ("beta", lambda: em_distance(10, 0.5, 1.0)),
        ("beta", lambda: proved_distance(10, 0.0, 1.0)), ("epsilon", lambda: proved_distance(10, 0.1, 0)),
        ("mechanism", lambda: svt_failure(STANDARD(1.0, 2), 10, 1.0)),
        ("distance", lambda: svt_failure(STANDARD(1.0, 1), 10, np.inf)),
    ],
)  # fmt: skip
def test_distances_refuse_by_name(argument, call):
    with pytest.raises(ValueError, match=argument):
        call()
