"""The experiment: pure cells, the figures we know, the order of the methods, grids that are interrupted."""

import itertools

import numpy as np
import pytest
from matplotlib import pyplot as plt

from svt_lib import VARIANTS, data, exact, experiment, plots
from svt_lib.accuracy import em_chances
from svt_lib.canvas import Canvas
from svt_lib.experiment import METHODS, Experiment, Method, run_cell, select_once
from svt_lib.selection import svt_select, threshold_between

ZIPF = data.zipf().answers
SMALL = data.zipf(10_000, 200).answers
#: Our figures for the Zipf counts, ε = 0.1, 100 runs a cell: false negative rate, score error rate.
KNOWN_METHODS = (
    "Alg. 2", "1:1", "1:3", "1:c", "1:c^(2/3)", "retraversal 1", "retraversal 3", "retraversal 5", "EM",
)  # fmt: skip
KNOWN = {
    25: ".808 .759  .138 .084  .067 .010  .092 .020  .063 .004  .031 .001  .037 .001  .034 .001  .031 .001",
    50: ".982 .971  .940 .928  .853 .811  .684 .581  .755 .724  .476 .327  .347 .091  .346 .091  .316 .082",
    75: ".983 .965  .973 .959  .957 .948  .923 .856  .937 .902  .839 .761  .615 .200  .619 .198  .600 .189",
    100: ".985 .975  .980 .967  .971 .960  .947 .890  .959 .942  .910 .818  .742 .265  .746 .269  .737 .263",
    150: ".979 .959  .976 .955  .973 .948  .961 .926  .968 .945  .937 .847  .850 .356  .857 .363  .846 .353",
    200: ".978 .950  .975 .958  .968 .939  .965 .894  .969 .944  .945 .837  .892 .411  .894 .417  .893 .412",
    300: ".968 .932  .964 .935  .963 .926  .956 .865  .960 .928  .945 .799  .923 .482  .925 .482  .921 .479",
}


def rng(seed=1):
    return np.random.default_rng(seed)


def same(one, other):
    return all(
        np.array_equal(getattr(one, part), getattr(other, part)) for part in ("fnr", "ser", "selected")
    )


def test_methods_are_the_eleven_of_the_experiment():
    assert len(METHODS) == 11
    assert all(name == method.name for name, method in METHODS.items())
    for name, split in (("1:1", 1), ("1:3", 3), ("1:c", 50), ("1:c^(2/3)", 50 ** (2 / 3))):
        mechanism = METHODS[name].mechanism(0.1, 50)
        assert mechanism.epsilon_queries / mechanism.epsilon_threshold == pytest.approx(split)
        assert mechanism.query_scale == pytest.approx(50 / mechanism.epsilon_queries)
    best = VARIANTS["standard"].configure(0.1, 50, monotonic=True)
    for k in range(1, 6):
        method = METHODS[f"retraversal {k}"]
        assert (method.mechanism(0.1, 50), method.raised_by, method.passes > 1) == (best, k, True)
    assert METHODS["Alg. 2"].mechanism(0.1, 50) == VARIANTS["alg2"].configure(0.1, 50)


@pytest.mark.parametrize("counts", [[5, 1, 4, 2], (1, 2, 4, 5), np.array([2.0, 4, 5, 1])])
def test_threshold_lies_half_way(counts):
    assert [threshold_between(counts, c) for c in (1, 2, 3)] == [4.5, 3.0, 1.5]


def test_threshold_between_ties_is_their_value():
    assert threshold_between([7, 3, 3, 3, 1], 2) == 3


@pytest.mark.parametrize("cutoff", [0, 4, 5, 1.5, None])
def test_threshold_needs_a_next_count(cutoff):
    with pytest.raises(ValueError, match="cutoff"):
        threshold_between([1, 2, 3, 4], cutoff)


@pytest.mark.parametrize("name", METHODS)
def test_a_cell_is_a_pure_function_of_its_arguments(name):
    cell = run_cell(SMALL, METHODS[name], 5, runs=20, epsilon=0.05)
    assert same(cell, run_cell(SMALL.tolist(), METHODS[name], 5, runs=20, epsilon=0.05))
    assert cell.fnr.shape == cell.ser.shape == cell.selected.shape == (20,)
    for other in ({"seed": 2}, {"epsilon": 0.2}):
        assert not same(cell, run_cell(SMALL, METHODS[name], 5, **{"runs": 20, "epsilon": 0.05} | other))


def test_a_cell_is_the_same_alone_in_any_grid_and_in_any_order():
    options = {"epsilon": 0.2, "runs": 5, "seed": 3}
    one = Experiment(SMALL, **options).fill((3, 10))
    other = Experiment(SMALL, **options).fill((10,), ("EM", "1:1")).fill((3, 10), reversed(METHODS))
    assert one.cells.keys() == other.cells.keys()
    assert all(same(cell, other.cells[key]) for key, cell in one.cells.items())
    assert same(one.cells["1:3", 10], run_cell(SMALL, METHODS["1:3"], 10, **options))


def test_cells_do_not_share_their_noise():
    firsts = {run_cell(SMALL, METHODS[name], c, epsilon=0.01, runs=2).ser[0]
              for name in METHODS for c in (10, 11)}  # fmt: skip
    assert len(firsts) == 22


def test_rates_are_those_of_the_selected_items():
    """By hand: the share of the c largest that is missing, and the averages."""
    counts, cutoff = SMALL, 10
    cell = run_cell(counts, METHODS["1:c"], cutoff, epsilon=0.3, runs=30, seed=5)
    key = (cutoff, *b"1:c")
    generator = rng(np.random.SeedSequence(5, spawn_key=key))
    for fnr, ser, selected in zip(cell.fnr, cell.ser, cell.selected, strict=True):
        chosen = select_once(
            METHODS["1:c"], counts, cutoff, 0.3, (counts[9] + counts[10]) / 2, generator
        ).tolist()
        assert len(chosen) == selected
        assert fnr == pytest.approx(sum(i not in chosen for i in range(cutoff)) / cutoff)
        assert ser == pytest.approx(1 - (np.mean(counts[chosen]) / counts[:cutoff].mean() if chosen else 0))


def test_select_once_returns_indices_into_the_counts_whatever_the_order():
    chosen = select_once(METHODS["EM"], np.array([1.0, 9e6, 2, 8e6]), 2, 1.0, 4e6, rng())
    assert chosen.tolist() == [1, 3]
    chosen = [
        select_once(METHODS["1:1"], np.array([1.0, 9e6, 2, 8e6]), 2, 1.0, 4e6, rng(i)) for i in range(20)
    ]
    assert {tuple(indices) for indices in chosen} == {(1, 3), (3, 1)}


@pytest.mark.statistical
def test_alg_2_has_the_law_of_svt_select():
    """It goes another way, query by query. Seeds 1 and 2, n = 4,000 a side, at most 16 sets; two frequencies
    differ by more than 2t with probability at most 4 exp(-2 n t²)."""
    n, t = 4000, 0.05
    assert 16 * 4 * np.exp(-2 * n * t**2) < 1e-6
    method, counts = METHODS["Alg. 2"], np.array([3.0, 2.0, 1.0, 0.0])
    slow, fast = rng(1), rng(2)
    told = [tuple(svt_select(method.mechanism(2.0, 2), counts, 2.0, rng=slow).indices) for _ in range(n)]
    done = [tuple(method.select(counts, 2, 2.0, 2.0, fast)) for _ in range(n)]
    assert max(abs(told.count(value) - done.count(value)) / n for value in {*told, *done}) < 2 * t


@pytest.mark.statistical
def test_em_misses_what_it_misses_exactly():
    """Against exact chances on the survey. Seed 1, n = 2,000 runs; the rate lies between 0 and 1 and
    Hoeffding's t = 0.062 leaves 5e-7."""
    n, t = 2000, 0.062
    assert 2 * np.exp(-2 * n * t**2) < 1e-6
    counts = data.survey().answers
    chances = np.sort(em_chances(counts, 0.1, 8, monotonic=True))[-8:]
    assert abs(run_cell(counts, METHODS["EM"], 8, runs=n).fnr.mean() - (1 - chances.mean())) < t


@pytest.mark.statistical
@pytest.mark.parametrize("cutoff", KNOWN)
def test_the_table_of_zipf_counts(cutoff):
    """Seed 1, 100 runs a cell, as the known figures. Each mean has a standard error s, ours the one measured
    here, theirs about the same: the difference has √2 s. For 126 differences 6.5 of these leave 5e-7, by
    Student's t of 99 degrees; 0.0005 more is the rounding."""
    grid = Experiment(ZIPF).fill((cutoff,), KNOWN_METHODS)
    known = iter(KNOWN[cutoff].split())
    assert all(grid.cells[f"retraversal {k}", cutoff].selected.min() == cutoff for k in (1, 3, 5))
    for name, rate in itertools.product(KNOWN_METHODS, ("fnr", "ser")):
        summary = grid.cells[name, cutoff].summary(rate)
        assert abs(summary.mean - float(next(known))) < 6.5 * np.sqrt(2) * summary.error + 0.0005


def test_summary_is_mean_error_and_quantiles():
    values = np.arange(11) / 10
    cell = experiment.Cell(values, 1 - values, np.full(11, 3))
    summary = cell.summary()
    assert summary.mean == pytest.approx(0.5)
    assert summary.error == pytest.approx(np.std(values, ddof=1) / np.sqrt(11))
    assert (summary.low, summary.high) == pytest.approx((0.1, 0.9))
    assert cell.summary("ser").mean == pytest.approx(0.5)
    with pytest.raises(ValueError, match="rate"):
        cell.summary("selected")


def of_cells(**rates):
    """An experiment whose cells hold the given false negative rates, at c = 1."""
    made = Experiment(SMALL)
    for name, values in rates.items():
        values = np.array(values, dtype=float)
        made.cells[name, 1] = experiment.Cell(values, values, np.ones(values.size, dtype=int))
    return made


def test_an_order_is_clear_from_four_standard_errors_on():
    grid = of_cells(a=[0, 0.2], b=[0.2, 0.4], c=[0.9, 0.9], d=[0.9, 0.9], e=[1, 1])
    assert grid.gap("b", "a", 1) == pytest.approx(0.2 / np.hypot(0.1, 0.1))
    assert grid.gap("a", "b", 1) == -grid.gap("b", "a", 1)
    assert (grid.gap("c", "d", 1), grid.gap("e", "d", 1), grid.gap("d", "e", 1)) == (0, np.inf, -np.inf)
    assert grid.ranking(1) == "a ~ b < c ~ d < e"


def test_table_shows_what_is_done_and_marks_what_is_missing():
    grid = Experiment(SMALL, runs=3).fill((2, 5), ("EM",)).fill((5,), ("1:1",))
    lines = grid.table().splitlines()
    assert lines[0].split() == ["c", "=", "2", "5"]
    assert [line.split()[0] for line in lines[1:4]] == ["Alg.", "1:1", "1:3"]
    assert lines[2].split()[1] == "–"
    assert f"{100 * grid.cells['1:1', 5].fnr.mean():.1f} ±" in lines[2]


@pytest.fixture
def interrupted(monkeypatch):
    """An experiment that is interrupted in its fourth cell."""
    real, calls = run_cell, []

    def interrupt(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(experiment, "run_cell", interrupt)
    return Experiment(SMALL, runs=3), calls


def test_an_interrupt_keeps_what_is_done_and_the_rest_can_be_asked_for(interrupted, capsys):
    grid, calls = interrupted
    assert grid.fill((2, 5)) is grid
    assert list(grid.cells) == [(name, 2) for name in list(METHODS)[:3]]
    assert capsys.readouterr().out == "Interrupted. 3 cells were added, 19 are missing.\n"
    assert "–" in grid.table()
    assert sorted(grid.ranking(2).replace("<", "~").split(" ~ ")) == sorted(list(METHODS)[:3])
    assert (grid.cutoffs, grid.complete) == ([2], [])
    with pytest.raises(ValueError, match="experiment"):
        Canvas(plots.error_curves).render({"experiment": grid})
    grid.fill((2, 5))
    assert len(calls) == 4 + 19
    assert grid.complete == [2, 5]
    whole = Experiment(SMALL, runs=3).fill((2, 5))
    assert grid.cells.keys() == whole.cells.keys()
    assert all(same(cell, grid.cells[key]) for key, cell in whole.cells.items())


def test_what_is_done_is_not_done_again():
    grid = Experiment(SMALL, runs=3).fill((2,))
    before = dict(grid.cells)
    grid.fill((2, 5))
    assert all(grid.cells[key] is cell for key, cell in before.items())
    assert grid.cutoffs == [2, 5]


def test_progress_is_shown_where_asked_for_and_only_there(capsys):
    Experiment(SMALL, runs=2).fill((2,))
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == ("", "")
    Experiment(SMALL, runs=2).fill((2,), progress=True)
    assert "11/11" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argument", "arguments"),
    [
        ("counts", {"counts": [1, np.nan, 3]}), ("counts", {"counts": [[1.0, 2.0]]}),
        ("cutoff", {"cutoff": 0}), ("cutoff", {"cutoff": 200}), ("cutoff", {"cutoff": 2.5}),
        ("epsilon", {"epsilon": 0}), ("epsilon", {"epsilon": np.inf}),
        ("runs", {"runs": 1}), ("runs", {"runs": 2.5}), ("seed", {"seed": -1}), ("seed", {"seed": None}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["Alg. 2", "1:1", "EM"])
def test_bad_input_is_refused_by_name(name, argument, arguments):
    given = {"counts": SMALL, "method": METHODS[name], "cutoff": 3, "runs": 2} | arguments
    with pytest.raises(ValueError, match=argument):
        run_cell(**given)


def test_unknown_methods_and_bad_counts_are_refused_before_anything_runs():
    with pytest.raises(ValueError, match="methods"):
        Experiment(SMALL).fill((2,), ("EM", "EN"))
    with pytest.raises(ValueError, match="counts"):
        Experiment([np.inf])


def test_a_method_of_your_own_is_one_more_record():
    halves = Method("halves", split=lambda c: 2, raised_by=1, passes=3)
    cell = run_cell(SMALL, halves, 5, runs=4, epsilon=1.0)
    assert cell.fnr.mean() < 1


@pytest.mark.parametrize("seed", range(6))
def test_a_threshold_from_the_data_leaves_a_run_private(seed):
    """Exact, over all 2^5 records that may come in and counts with many ties."""
    generator = rng(seed)
    counts, cutoff = generator.integers(0, 4, 5).astype(float), int(generator.integers(1, 4))
    mechanism = VARIANTS["standard"].configure(1.0, cutoff, monotonic=True)

    def law(values):
        threshold = threshold_between(values, cutoff)
        return exact.outcome_distribution(mechanism, values, threshold).probabilities

    here = law(counts)
    for record in itertools.product((0.0, 1.0), repeat=5):
        assert abs(np.log(here / law(counts + record))).max() <= 1 + 1e-9


# The pictures.


def test_one_selection_counts_what_it_draws():
    figure, ax = plt.subplots()
    for method, cutoff, seed in itertools.product(("Alg. 2", "1:c", "EM"), (25, 300), (1, 2)):
        ax.clear()
        sentence = plots.one_selection(ax, method=method, cutoff=cutoff, noise_seed=seed)
        missed, right, wrong = (np.asarray(line.get_xdata()) for line in ax.lines[2:5])
        assert missed.size + right.size == cutoff
        assert f"of the {cutoff} largest {right.size} are selected and {missed.size} missed; " in sentence
        assert f"; {wrong.size} other item" in sentence
        assert max([0, *missed, *right]) <= cutoff < min([10**6, *wrong])
        assert f"False negative rate {missed.size / cutoff:.1%}" in sentence
        if method != "1:c":
            assert right.size + wrong.size == cutoff
    plt.close(figure)


def test_error_curves_draws_the_means_and_says_whether_the_order_is_clear():
    grid = plots.experiment.survey_experiment()
    figure, ax = plt.subplots()
    for rate, method, cutoff in itertools.product(("fnr", "ser"), METHODS, grid.cutoffs):
        ax.clear()
        sentence = plots.error_curves(ax, rate=rate, method=method, against="EM", cutoff=cutoff)
        one, other = (line.get_ydata() for line in ax.lines[len(plots.experiment.KINDS) :][:2])
        here, there = (grid.cells[name, cutoff].summary(rate) for name in (method, "EM"))
        place = grid.cutoffs.index(cutoff)
        assert (one[place], other[place]) == (here.mean, there.mean)
        assert f"{method} {here.mean:.1%} ± {here.error:.1%}, EM {there.mean:.1%}" in sentence
        decided = abs(here.mean - there.mean) > 4 * np.hypot(here.error, there.error)
        assert ("clear" in sentence) == decided
        assert ("the same method" in sentence) == (method == "EM")
        drawn = sum(np.isfinite(line.get_ydata()).sum() for line in ax.lines[: len(plots.experiment.KINDS)])
        assert drawn == len(METHODS) * len(grid.cutoffs)
    plt.close(figure)


def test_expected_false_alarms_are_those_we_know():
    """Σ ½ exp(-(T - q)/b) on the Zipf counts; our figures for ε = 0.1."""
    for cutoff, known in ((25, 1.0), (40, 22), (50, 137), (75, 970), (100, 1969)):
        mechanism = VARIANTS["standard"].configure(0.1, cutoff, monotonic=True)
        room = threshold_between(ZIPF, cutoff) - ZIPF[cutoff:]
        false = (np.exp(-room / mechanism.query_scale) / 2).sum()
        assert plots.experiment.right_and_false(cutoff, 0.1)[1] == pytest.approx(false)
        assert false == pytest.approx(known, abs=0.51 if known > 1 else 0.05)


def test_false_alarms_by_cutoff_says_what_it_draws():
    figure, axes = plt.subplots(2)
    for cutoff, epsilon, raised_by in itertools.product((5, 50, 300), (0.1, 1.0), (0, 3)):
        for ax in axes:
            ax.clear()
        sentence = plots.false_alarms_by_cutoff(axes, cutoff=cutoff, epsilon=epsilon, raised_by=raised_by)
        places, right, false = (line.get_ydata() for line in axes[0].lines[:3])
        here = plots.experiment.CURVE.index(cutoff)
        assert places[here] == cutoff
        assert f"{right[here]:,.1f} right Aboves and {false[here]:,.1f} false alarms" in sentence
        assert ("use up the cutoff" in sentence) == (not raised_by and false[here] >= cutoff)
        bars = [patch.get_data() for patch in axes[1].patches]
        for (values, edges, _), total in zip(bars, (right[here], false[here]), strict=True):
            tiny = plots.experiment.LOWEST * len(values)
            assert values.sum() == pytest.approx(total, abs=tiny)
            assert (edges[-1] == cutoff + 1) or (edges[0] == cutoff + 1)
    plt.close(figure)
