"""The probability of one output, against 40-digit values, closed forms and the laws of probability."""

import dataclasses
import json
import math

import numpy as np
import pytest
from conftest import ROOT

from svt_lib import VARIANTS, Mechanism
from svt_lib.exact import (
    log_aboves,
    log_belows,
    log_given_threshold_noise,
    outcome_distribution,
    output_log_probability,
)

CASES = json.loads((ROOT / "tests" / "exact_values.json").read_text(encoding="utf-8"))["cases"]
SETTINGS = ("epsilon", "cutoff", "sensitivity", "monotonic", "split")
ALG1, ALG3, ALG5, ALG6 = (VARIANTS[key].configure(1.0, 1) for key in ("alg1", "alg3", "alg5", "alg6"))
GAP = dataclasses.replace(ALG1, releases="gap")
FRESH = VARIANTS["standard"].configure(3.0, 2, epsilon_release=1.0)


def bits(text):
    return [sign == "+" for sign in text]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['variant']} {case['outcomes']}"[:30])
def test_forty_digit_values(case):
    mechanism = VARIANTS[case["variant"]].configure(**{k: case[k] for k in SETTINGS if k in case})
    found = output_log_probability(
        mechanism, case["answers"], bits(case["outcomes"]), case["threshold"], case.get("released")
    )
    expected = case["log_probability"]
    assert found == (-math.inf if expected is None else pytest.approx(expected, rel=1e-10))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 40])
def test_alg_6_has_a_beta_function(m):
    """With two noises of the same law the threshold's cdf is uniform: (m!)²/(2m+1)!, for every ε."""
    expected = 2 * math.lgamma(m + 1) - math.lgamma(2 * m + 2)
    for epsilon in (0.1, 1.0, 30.0):
        mechanism = VARIANTS["alg6"].configure(epsilon, 1)
        found = output_log_probability(mechanism, [0] * 2 * m, bits("-" * m + "+" * m), 0)
        assert found == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("count", [1, 1000, 10**6])
def test_equal_answers_are_counted_not_looped_over(count):
    """All Below on answers at the threshold, equal scales: the integral of u^n is 1/(n + 1)."""
    found = output_log_probability(ALG6, np.zeros(count), np.zeros(count, dtype=bool), 0)
    assert found == pytest.approx(-math.log(count + 1), rel=1e-12)


@pytest.mark.parametrize("ratio", [1e-4, 1e-2, 1.0, 1e2, 1e4])
def test_scales_that_differ_much(ratio):
    """Two programs, one for a single output and one for all at once, agree; and the sum is 1."""
    rng = np.random.default_rng(3)
    for spread in (ratio, 1.0, 30.0):
        answers, mechanism = rng.normal(0, spread, 6), Mechanism(1.0, ratio, 2)
        distribution = outcome_distribution(mechanism, answers, 0)
        singles = [output_log_probability(mechanism, answers, o, 0) for o in distribution.outcomes]
        assert distribution.log_probabilities == pytest.approx(singles, rel=1e-12, abs=1e-12)
        assert math.fsum(distribution.probabilities) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("mechanism", [ALG1, ALG6, VARIANTS["alg2"].configure(1.0, 2)])
def test_only_ratios_to_the_sensitivity_matter(mechanism):
    answers, outcomes = np.array([3.0, -1.0, 4.0]), bits("--+")
    scaled = {k: 7 * getattr(mechanism, k) for k in ("threshold_scale", "query_scale", "sensitivity")}
    larger = dataclasses.replace(mechanism, **scaled)
    expected = output_log_probability(mechanism, answers, outcomes, 1.0)
    assert output_log_probability(larger, 7 * answers, outcomes, 7.0) == pytest.approx(expected, rel=1e-12)


def test_the_mirror_image_swaps_above_and_below():
    answers = [5.0, -2.0, 1.0, 0.5]
    there = output_log_probability(ALG6, answers, bits("-+-+"), 0)
    back = output_log_probability(ALG6, np.negative(answers), bits("+-+-"), 0)
    assert there == pytest.approx(back, rel=1e-13)


def test_without_any_noise_one_output_is_certain():
    noiseless = Mechanism(0, 0, 2)
    assert output_log_probability(noiseless, [1, 5, 4.999, 7, 9], bits("-+-+"), 5) == 0
    assert output_log_probability(noiseless, [1, 5, 4.999, 7, 9], bits("---++"), 5) == -math.inf


def test_without_threshold_noise_comparisons_are_independent():
    mechanism = Mechanism(0, 3, 1)
    assert output_log_probability(mechanism, [0, 0, 3], bits("--+"), 0) == pytest.approx(
        math.log(1 / 4 * (1 - math.exp(-1) / 2)), rel=1e-14
    )


def test_alg_5_far_out():
    """Pr[700 < noise <= 701] at the scale 2, and the same on the other side."""
    expected = math.log(0.5) - 350 + math.log1p(-math.exp(-0.5))
    assert output_log_probability(ALG5, [700, 701], bits("-+"), 0) == pytest.approx(expected, rel=1e-14)
    assert output_log_probability(ALG5, [-701, -700], bits("-+"), 0) == pytest.approx(expected, rel=1e-14)


def test_redrawn_threshold_noise_makes_stretches_independent():
    twice = VARIANTS["alg2"].configure(1.0, 2)
    once = dataclasses.replace(twice, cutoff=1)
    parts = [([1.0, 2.0], "-+"), ([3.0, 0.5, 1.0], "--+")]
    expected = sum(output_log_probability(once, answers, bits(text), 0) for answers, text in parts)
    whole = output_log_probability(twice, [1.0, 2.0, 3.0, 0.5, 1.0], bits("-+--+"), 0)
    assert whole == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("mechanism", [ALG3, GAP, dataclasses.replace(FRESH, cutoff=1)])
def test_a_density_integrates_to_the_probability_of_the_outcomes(mechanism):
    """Over the released number v, by 27 panels of 12 nodes that end at the kinks of the density."""
    answers, outcomes, threshold = [1.0, 2.0], bits("-+"), [0.5, 1.0]
    unit, weights = np.polynomial.legendre.leggauss(12)
    ends = np.unique([*np.linspace(-120, 120, 21), -0.5, 0.0, 0.5, 1.0, 1.5, 2.0])
    half = np.diff(ends)[:, np.newaxis] / 2
    numbers, weights = (ends[:-1, np.newaxis] + half * (1 + unit)).ravel(), (half * weights).ravel()
    logs = [output_log_probability(mechanism, answers, outcomes, threshold, [v]) for v in numbers]
    expected = math.exp(output_log_probability(mechanism, answers, outcomes, threshold))
    assert weights @ np.exp(logs) == pytest.approx(expected, rel=1e-7)


def test_numbers_that_cannot_be():
    assert output_log_probability(GAP, [0.0], [True], 0, [-1e-9]) == -math.inf
    assert (
        output_log_probability(dataclasses.replace(ALG3, threshold_scale=0), [0], [True], 0, [-1])
        == -math.inf
    )
    assert output_log_probability(FRESH, [0, 1], [True, False], 0, [3]) > -math.inf


def test_the_factors_of_the_proof():
    """By hand at one z; and under the shift f is free, and g pays 2Δ/b for its Above."""
    answers, neighbour, outcomes, z = [0.0, 1.0, -1.0], [1.0, 2.0, -2.0], bits("--+"), np.linspace(-30, 30, 7)
    tail = {x: 1 - math.exp(-x / 4) / 2 if x > 0 else math.exp(x / 4) / 2 for x in (0.0, 1.0, 2.0)}
    assert log_belows(ALG1, answers, outcomes, 0, [1.0]) == pytest.approx([math.log(tail[1.0] * tail[0.0])])
    assert log_aboves(ALG1, answers, outcomes, 0, [1.0]) == pytest.approx([math.log(1 - tail[2.0])])
    f, g = (log(ALG1, answers, outcomes, 0, z) for log in (log_belows, log_aboves))
    shifted_f, shifted_g = (log(ALG1, neighbour, outcomes, 0, z + 1) for log in (log_belows, log_aboves))
    assert np.all(f <= shifted_f + 1e-12)
    assert np.all(g <= shifted_g + 2 / ALG1.query_scale + 1e-12)
    assert log_given_threshold_noise(ALG1, answers, outcomes, 0, z) == pytest.approx(f + g)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": [1, np.nan, 2]}, r"answers\[1\]"),
        ({"threshold": [1, 2]}, "threshold has 2 values for 3 answers"),
        ({"outcomes": [False, False, False, False]}, "outcomes has 4 values for 3 answers"),
        ({"outcomes": [False]}, "outcomes has 1 values for 3 answers, and no stop"),
        ({"outcomes": [True, False, False]}, "outcomes go on after 1"),
        ({"outcomes": [0, 0, 1]}, "outcomes must be True"),
        ({"released": [1.0]}, "released must be left out"),
        ({"mechanism": GAP, "released": [1.0, 2.0]}, "released has 2 values for 1 Aboves"),
        ({"mechanism": GAP, "released": [np.inf]}, r"released\[0\]"),
        (
            {"mechanism": Mechanism(1, 0, 1, releases="gap"), "released": [1.0]},
            "have no density",
        ),
    ],
)
def test_bad_input(change, message):
    good = {"mechanism": ALG1, "answers": [1, 2, 3], "outcomes": bits("--+"), "threshold": 0}
    output_log_probability(**good)
    with pytest.raises(ValueError, match=message):
        output_log_probability(**good | change)


def test_a_redrawn_threshold_noise_has_no_single_z():
    with pytest.raises(ValueError, match="outcomes"):
        log_belows(VARIANTS["alg2"].configure(1.0, 2), [1, 2], [True, False], 0, [0.0])


def test_small_streams():
    assert output_log_probability(ALG1, [], [], 0) == pytest.approx(0, abs=1e-14)
    assert output_log_probability(ALG1, [1], np.array([True]), 1) == pytest.approx(math.log(0.5))
