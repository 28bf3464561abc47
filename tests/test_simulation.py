"""Many runs at once: the same law as one run, and the same rules."""

import dataclasses
import tracemalloc

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism, data, run, simulate
from svt_lib.exact import above_probabilities, outcome_distribution
from svt_lib.simulation import simulate_outcomes

ALL = [
    *(variant.configure(2.0, 2) for variant in VARIANTS.values()),
    VARIANTS["standard"].configure(3.0, 2, monotonic=True, epsilon_release=1.0),
    dataclasses.replace(VARIANTS["alg1"].configure(2.0, 2), releases="gap", name="gap"),
    dataclasses.replace(VARIANTS["alg2"].configure(2.0, 2), releases="gap", name="redrawn"),
    dataclasses.replace(VARIANTS["alg2"].configure(2.0, 2), releases="noisy answer", name="redrawn"),
]
NAMED = [pytest.param(mechanism, id=mechanism.name + " " + mechanism.releases) for mechanism in ALL]
ANSWERS = np.array([3.0, 9.0, 5.0, 12.0, 4.0])
NOISELESS = Mechanism(threshold_scale=0, query_scale=0, cutoff=2)


def transcripts(simulation):
    outcomes = simulation.outcomes
    return [tuple(outcomes[i, : simulation.asked[i]].tolist()) for i in range(simulation.asked.size)]


def test_without_noise_every_run_is_the_same():
    simulation = simulate(NOISELESS, [1, 5, 4.999, 7, 9], 5, runs=3)
    assert transcripts(simulation) == [run(NOISELESS, [1, 5, 4.999, 7, 9], 5).outcomes] * 3
    assert simulation.stopped.all()
    assert simulation.aboves.tolist() == [2, 2, 2]


@pytest.mark.statistical
@pytest.mark.parametrize("mechanism", NAMED)
def test_the_law_is_that_of_run(mechanism):
    """Seeds 1 and 2, n = 6,000 a side, the 32 or fewer transcripts of five queries.

    A transcript's two relative frequencies differ by more than t with probability at most 2 exp(-n t²), by
    Hoeffding for the 2n runs together. For 63 possible transcripts of 11 mechanisms and t = 0.062
    that is 2e-7.
    """
    n, t = 6000, 0.062
    assert 11 * 63 * 2 * np.exp(-n * t**2) < 1e-6
    rng = np.random.default_rng(1)
    one_by_one = [run(mechanism, ANSWERS, 6.0, rng).outcomes for _ in range(n)]
    at_once = transcripts(simulate(mechanism, ANSWERS, 6.0, runs=n, rng=np.random.default_rng(2)))
    for outcome in {*one_by_one, *at_once}:
        assert abs(one_by_one.count(outcome) - at_once.count(outcome)) / n < t


@pytest.mark.statistical
@pytest.mark.parametrize("mechanism", [m for m in NAMED if m.values[0].releases != "nothing"])
def test_released_numbers_have_the_law_of_run(mechanism):
    """Seeds 3 and 4: two samples of 4,000 last released numbers. By the DKW inequality (with
    Massart's constant) on both sides their largest cdf gap exceeds 2s with probability 4 exp(-2 n s²)."""
    n, s = 4000, 0.047
    assert 6 * 4 * np.exp(-2 * n * s**2) < 1e-6
    rng, answers = np.random.default_rng(3), [80.0, 50.0]
    one = np.sort([run(mechanism, answers, [6.0, 7.0], rng).released[-1] for _ in range(n)])
    simulation = simulate(mechanism, answers, [6.0, 7.0], runs=n, rng=np.random.default_rng(4))
    two = np.sort(simulation.released[np.flatnonzero(np.diff(simulation.above_run, append=n))])
    grid = np.concatenate([one, two])
    gap = np.searchsorted(one, grid, "right") / one.size - np.searchsorted(two, grid, "right") / two.size
    assert one.size == two.size == n
    assert abs(gap).max() < 2 * s


OUTCOMES_ALONE = [
    *NAMED,
    *(
        pytest.param(Mechanism(*scales), id=f"scales {scales}")
        for scales in ((0, 4, 2), (4, 0, 2), (0, 0, 2), (30, 1, 3), (1, 30, None), (5, 5, 1))
    ),
]


@pytest.mark.statistical
@pytest.mark.parametrize("mechanism", OUTCOMES_ALONE)
@pytest.mark.parametrize("block", [1 << 17, 64])
def test_outcomes_alone_have_the_exact_law(mechanism, block, monkeypatch):
    """Seed 8, n = 200,000, up to 32 outcomes of five queries with a threshold for each, few blocks or many.

    A relative frequency is off by more than t with probability at most 2 exp(-2 n t²), by Hoeffding. For 32
    outcomes, 17 mechanisms and two sizes of block, of which one goes with 20,000 runs, that is below 1e-6.
    """
    n, t = (200_000, 0.0082) if block > 64 else (20_000, 0.026)
    assert 2 * 17 * 32 * 2 * np.exp(-2 * n * t**2) < 1e-6
    assert len(OUTCOMES_ALONE) == 17
    monkeypatch.setattr("svt_lib.simulation.OUTCOME_BLOCK", block)
    thresholds = [6.0, 5.0, 6.0, 9.0, 6.5]
    simulation = simulate_outcomes(mechanism, ANSWERS, thresholds, runs=n, rng=np.random.default_rng(8))
    law, key = outcome_distribution(mechanism, ANSWERS, thresholds), 1 << np.arange(5)
    frequencies = np.bincount(simulation.outcomes @ key, minlength=32)[law.table @ key] / n
    assert np.abs(frequencies - law.probabilities).max() < t
    assert simulation.released.size == 0


@pytest.mark.statistical
def test_rare_outcomes_alone_are_as_rare_as_they_should_be():
    """Seed 9, n = 1,000,000 runs of one query, from 2 to 20 query scales below the threshold.

    The number of Aboves has a mean μ, and is further from it than x = 7 √μ + 12 with probability at most
    2 exp(-x²/(2μ + 2x/3)), by Bernstein: below 5e-8, and below 2e-7 for the four answers together.
    """
    mechanism, n = Mechanism(threshold_scale=2, query_scale=3, cutoff=1), 1_000_000
    rng = np.random.default_rng(9)
    for answer in (-6.0, -15.0, -30.0, -60.0):
        mean = n * above_probabilities(mechanism, [answer], 0)[0]
        margin = 7 * np.sqrt(mean) + 12
        assert 2 * np.exp(-(margin**2) / (2 * mean + 2 * margin / 3)) < 5e-8
        count = simulate_outcomes(mechanism, [answer], 0, runs=n, rng=rng).aboves.sum()
        assert abs(count - mean) < margin


def test_outcomes_alone_keep_the_order_and_the_rules():
    answers = np.linspace(-40, 10, 300)
    for mechanism in (VARIANTS["alg1"].configure(1.0, 3), VARIANTS["alg6"].configure(1.0, 3)):
        simulation = simulate_outcomes(mechanism, answers, 0, runs=2000, rng=np.random.default_rng(5))
        order = np.lexsort((simulation.above_query, simulation.above_run))
        assert np.array_equal(order, np.arange(order.size))
        if mechanism.cutoff:
            assert simulation.aboves.max() == mechanism.cutoff
            assert np.array_equal(simulation.stopped, simulation.aboves == mechanism.cutoff)
            last = simulation.outcomes[np.arange(2000), simulation.asked - 1]
            assert last[simulation.stopped].all()
        assert (simulation.asked[~simulation.stopped] == 300).all()
    again = simulate_outcomes(mechanism, answers, 0, runs=2000, rng=np.random.default_rng(5))
    assert np.array_equal(again.outcomes, simulation.outcomes)


def test_blocks_do_not_show(monkeypatch):
    """Cut into other blocks, a noiseless stream with per-query thresholds gives the same result."""
    answers, thresholds = np.arange(100.0), np.full(100, 60.0)
    expected = simulate(dataclasses.replace(NOISELESS, cutoff=7), answers, thresholds, runs=5)
    monkeypatch.setattr("svt_lib.simulation.BLOCK", 40)
    again = simulate(dataclasses.replace(NOISELESS, cutoff=7), answers, thresholds, runs=5)
    assert np.array_equal(expected.outcomes, again.outcomes)
    assert again.asked.tolist() == [67] * 5


@pytest.mark.parametrize("mechanism", NAMED)
def test_counts_and_order(mechanism):
    simulation = simulate(mechanism, data.twelve().answers, 50, runs=500, rng=np.random.default_rng(5))
    assert np.array_equal(simulation.outcomes.sum(axis=1), simulation.aboves)
    order = np.lexsort((simulation.above_query, simulation.above_run))
    assert np.array_equal(order, np.arange(order.size))
    if mechanism.cutoff is None:
        assert not simulation.stopped.any()
    else:
        assert np.array_equal(simulation.stopped, simulation.aboves == mechanism.cutoff)
        last = simulation.outcomes[np.arange(500), simulation.asked - 1]
        assert last[simulation.stopped].all()
    assert (simulation.asked[~simulation.stopped] == 12).all()
    assert simulation.released.size == (0 if mechanism.releases == "nothing" else simulation.aboves.sum())


@pytest.mark.statistical
def test_demo_figures_of_the_first_notebook():
    """6.24 queries, 99.8 % halts and 21.7 % right transcripts, as computed exactly (seed 6, n = 100,000; each
    within 5.2 standard errors and the rounding, together a false alarm of 6e-7)."""
    n = 100_000
    simulation = simulate(VARIANTS["alg1"].configure(1.0, 3), data.twelve().answers, 50, runs=n,
                          rng=np.random.default_rng(6))  # fmt: skip
    right = (simulation.asked == 6) & (simulation.outcomes[:, :6] == [0, 0, 1, 1, 0, 1]).all(axis=1)
    for share, expected, margin in ((simulation.stopped, 0.998, 5e-4), (right, 0.217, 5e-4)):
        assert abs(share.mean() - expected) < 5.2 * np.sqrt(expected * (1 - expected) / n) + margin
    assert abs(simulation.asked.mean() - 6.24) < 5.2 * simulation.asked.std() / np.sqrt(n) + 0.005


@pytest.mark.parametrize("many", [simulate, simulate_outcomes])
@pytest.mark.parametrize("mechanism", [NOISELESS, VARIANTS["alg1"].configure(1.0, 3)])
def test_empty_stream(many, mechanism):
    simulation = many(mechanism, [], 5, runs=4)
    assert simulation.outcomes.shape == (4, 0)
    assert simulation.asked.tolist() == [0] * 4
    assert not simulation.stopped.any()


@pytest.mark.parametrize("key", ["alg1", "alg2"])
def test_a_million_queries_stay_in_bounded_memory(key):
    answers = np.zeros(1_000_000)
    tracemalloc.start()
    simulation = simulate(
        VARIANTS[key].configure(1.0, 5), answers, 1000, runs=20, rng=np.random.default_rng(7)
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (simulation.asked == 1_000_000).all()
    assert peak < 60e6  # one float per comparison would be 160 MB


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("answers", [1.0, np.nan]), ("answers", [[1.0], [2.0]]), ("answers", ["a"]), ("threshold", [1.0]),
        ("threshold", np.inf), ("threshold", [1.0, np.nan]), ("runs", 0), ("runs", 2.5), ("rng", 3),
    ],
)  # fmt: skip
def test_bad_input_is_refused_by_name(argument, value):
    arguments = {"answers": [1.0, 2.0], "threshold": 1.0, "runs": 2, argument: value}
    for many in (simulate, simulate_outcomes):
        with pytest.raises(ValueError, match=argument):
            many(VARIANTS["alg1"].configure(1.0, 3), **arguments)
