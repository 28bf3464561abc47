"""Many runs at once: the same law as one run, and the same rules."""

import dataclasses
import tracemalloc

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism, data, run, simulate

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

    A transcript's two relative frequencies differ by more than t = 0.056 with probability at most
    4 exp(-n t²) by Hoeffding on both sides (t/2 each): 2.7e-8, times 63 possible transcripts < 2e-6 for one
    mechanism by the union bound. The statement is made for each of eleven mechanisms, so t is taken as 0.062.
    """
    n, t = 6000, 0.062
    assert 11 * 63 * 4 * np.exp(-n * t**2) < 1e-6
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


def test_demo_figures_of_the_first_notebook():
    """6.24 queries, 99.8 % halts and 21.7 % right transcripts, as computed exactly (seed 6, n = 100,000; each
    within five standard errors, a false alarm of 6e-7)."""
    n = 100_000
    simulation = simulate(VARIANTS["alg1"].configure(1.0, 3), data.twelve().answers, 50, runs=n,
                          rng=np.random.default_rng(6))  # fmt: skip
    right = (simulation.asked == 6) & (simulation.outcomes[:, :6] == [0, 0, 1, 1, 0, 1]).all(axis=1)
    for share, expected, margin in ((simulation.stopped, 0.998, 5e-4), (right, 0.217, 5e-4)):
        assert abs(share.mean() - expected) < 5 * np.sqrt(expected * (1 - expected) / n) + margin
    assert abs(simulation.asked.mean() - 6.24) < 5 * simulation.asked.std() / np.sqrt(n) + 0.005


def test_empty_stream():
    simulation = simulate(NOISELESS, [], 5, runs=4)
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
    with pytest.raises(ValueError, match=argument):
        simulate(NOISELESS, arguments.pop("answers"), arguments.pop("threshold"), **arguments)
