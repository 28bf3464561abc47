import dataclasses

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism
from svt_lib.variants import best_split

#: The six boxes of the paper for ε = 2, c = 5, Δ = 3: threshold scale, query scale, redraw, released, stops.
BOXES = {
    "alg1": (3.0, 30.0, False, "nothing", True),
    "alg2": (15.0, 30.0, True, "nothing", True),
    "alg3": (3.0, 15.0, False, "noisy answer", True),
    "alg4": (6.0, 2.0, False, "nothing", True),
    "alg5": (3.0, 0.0, False, "nothing", False),
    "alg6": (3.0, 3.0, False, "nothing", False),
}


@pytest.mark.parametrize("key", BOXES)
def test_scales_are_those_of_the_published_boxes(key):
    threshold, query, redraw, releases, stops = BOXES[key]
    mechanism = VARIANTS[key].configure(epsilon=2.0, cutoff=5, sensitivity=3.0)
    assert mechanism.threshold_scale == pytest.approx(threshold, rel=1e-15)
    assert mechanism.query_scale == pytest.approx(query, rel=1e-15)
    assert (mechanism.redraw, mechanism.releases) == (redraw, releases)
    assert mechanism.cutoff == (5 if stops else None)
    assert mechanism.epsilon == 2.0
    assert mechanism.epsilon_threshold + mechanism.epsilon_queries == pytest.approx(2.0, rel=1e-15)


@pytest.mark.parametrize(("monotonic", "factor"), [(False, 2), (True, 1)])
@pytest.mark.parametrize("cutoff", [1, 2, 10, 300])
def test_standard_adds_up_to_its_epsilon_and_its_default_split_is_the_best(monotonic, factor, cutoff):
    def variance(split):
        m = VARIANTS["standard"].configure(1.0, cutoff, 2.0, monotonic, split=split)
        return 2 * m.threshold_scale**2 + 2 * m.query_scale**2

    m = VARIANTS["standard"].configure(1.0, cutoff, 2.0, monotonic, epsilon_release=0.25)
    parts = (2.0 / m.threshold_scale, factor * cutoff * 2.0 / m.query_scale, cutoff * 2.0 / m.release_scale)
    assert sum(parts) == pytest.approx(m.epsilon, rel=1e-14)
    assert parts[2] == pytest.approx(0.25)
    assert m.releases == "fresh answer"
    best = best_split(factor * cutoff)
    assert variance(None) == variance(best)
    assert variance(None) == pytest.approx(2 * 4.0 * (1 + (factor * cutoff) ** (2 / 3)) ** 3, rel=1e-13)
    assert all(variance(None) <= variance(best * change) for change in (0.5, 0.99, 1.01, 2))


def test_the_paper_alg1_is_the_standard_form_with_an_even_split():
    one, standard = VARIANTS["alg1"].configure(1.0, 4), VARIANTS["standard"].configure(1.0, 4, split=1)
    assert dataclasses.replace(one, name="") == dataclasses.replace(standard, name="")


def test_published_ratios_and_table_of_variances():
    """The variance of one comparison, in Δ²/ε², for the published ratios."""
    for cutoff, alg2, even, third, best, monotonic in (
        (10, 4000, 3208, 1454, 1172, 359),
        (1, 40, 40, 46.2, 34.6, 16),
    ):
        for mechanism, value in (
            (VARIANTS["alg2"].configure(1, cutoff), alg2),
            (VARIANTS["alg1"].configure(1, cutoff), even),
            (VARIANTS["standard"].configure(1, cutoff, split=3), third),
            (VARIANTS["standard"].configure(1, cutoff), best),
            (VARIANTS["standard"].configure(1, cutoff, monotonic=True), monotonic),
        ):
            assert 2 * mechanism.threshold_scale**2 + 2 * mechanism.query_scale**2 == pytest.approx(
                value, rel=2e-3
            )


@pytest.mark.parametrize("key", VARIANTS)
def test_numpy_and_int_input_give_what_float_input_gives(key):
    expected = VARIANTS[key].configure(2.0, 3, 4.0)
    assert VARIANTS[key].configure(2, 3, 4) == expected
    assert VARIANTS[key].configure(np.float32(2), np.int64(3), np.int32(4)) == expected


@pytest.mark.parametrize("key", VARIANTS)
@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("epsilon", bad)
        for bad in (0, 0.0, np.float64(0), -1, np.nan, np.inf, "1", None, [1.0], True, 10**400, 1e-308)
    ]
    + [("cutoff", bad) for bad in (0, -1, 1.5, 3.0, np.nan, "3", None, True, [2])]
    + [("sensitivity", bad) for bad in (0, -1, np.nan, np.inf, "1", None, 1e308)],
)
def test_bad_input_is_refused_by_name(key, argument, value):
    arguments = {"epsilon": 1.0, "cutoff": 3, "sensitivity": 1.0, argument: value}
    with pytest.raises(ValueError, match=argument):
        VARIANTS[key].configure(**arguments)


@pytest.mark.parametrize("option", [{"split": 3}, {"monotonic": True}, {"epsilon_release": 0.1}])
def test_published_variants_have_no_options(option):
    (name,) = option
    for key in BOXES:
        with pytest.raises(ValueError, match=name):
            VARIANTS[key].configure(1.0, 3, **option)


@pytest.mark.parametrize(
    ("argument", "value"),
    [("split", 0), ("split", -1), ("split", np.nan), ("split", 1e-17)]
    + [("epsilon_release", bad) for bad in (0, -0.1, 1.0, 2.0, np.nan)],
)
def test_bad_options_of_the_standard_form(argument, value):
    with pytest.raises(ValueError, match=argument):
        VARIANTS["standard"].configure(1.0, 3, **{argument: value})


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("threshold_scale", -1), ("threshold_scale", np.inf), ("query_scale", np.nan), ("query_scale", 1e301),
        ("cutoff", 0), ("cutoff", 2.5), ("sensitivity", 0), ("releases", "everything"),
        ("release_scale", 1.0), ("epsilon", 0), ("epsilon_threshold", -1),
    ],
)  # fmt: skip
def test_a_mechanism_of_your_own_is_checked_too(argument, value):
    arguments = {"threshold_scale": 2, "query_scale": 4, "cutoff": 1, argument: value}
    with pytest.raises(ValueError, match=argument):
        Mechanism(**arguments)


def test_a_mechanism_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        VARIANTS["alg1"].configure(1.0, 1).query_scale = 0.0


def test_scales_as_formulas():
    formulas = {
        key: (variant.threshold_noise.formula("ε₁"), variant.query_noise.formula("ε₂"))
        for key, variant in VARIANTS.items()
    }
    assert formulas["alg1"] == formulas["standard"] == ("Δ/ε₁", "2cΔ/ε₂")
    assert formulas["alg2"] == ("cΔ/ε₁", "2cΔ/ε₂")
    assert formulas["alg3"] == ("Δ/ε₁", "cΔ/ε₂")
    assert formulas["alg5"] == ("Δ/ε₁", "0")
    assert formulas["alg6"] == formulas["alg4"] == ("Δ/ε₁", "Δ/ε₂")
