"""Every picture over the grid of its controls: it draws, its sentence is true, and it comes back the same."""

import dataclasses
import itertools
import os
import re
import sys
import warnings

import numpy as np
import pytest
from conftest import ROOT, finished
from matplotlib import pyplot as plt

from svt_lib import VARIANTS, plots
from svt_lib.canvas import Canvas
from svt_lib.experiment import METHODS
from svt_lib.live import Demo, Press, live, still
from svt_lib.plots.style import Layout
from svt_lib.proof import EXAMPLES

#: How many settings of one picture `make test` draws.
MOST_SETTINGS = 40

#: For each picture, values of each control: ends, middle, and what is awkward.
GRIDS = {
    plots.twelve_queries: {
        "threshold": (10, 50, 90), "epsilon": (0.2, 1.0, 2.0), "cutoff": (1, 3, 6), "run_number": (1, 2, 17),
    },
    plots.survey_queries: {
        "threshold": (20, 200, 500), "epsilon": (0.2, 1.0, 2.0), "cutoff": (1, 3, 8), "run_number": (1, 5),
    },
    plots.cost_of_a_run: {"epsilon": (0.2, 1.0, 2.0), "cutoff": (1, 4, 8), "run_number": (1, 2, 5)},
    plots.once_or_again: {"epsilon": (0.4, 1.0, 2.0), "cutoff": (1, 3, 6), "noise_seed": (1, 2, 5)},
    plots.does_it_pay: {"queries": (2, 12, 13, 400), "cutoff": (1, 3, 50), "epsilon": (0.2, 1.0, 2.0)},
    plots.two_desks: {
        "stream": ("survey", "twelve"), "epsilon": (0.2, 1.0, 2.0), "cutoff": (1, 3, 8), "run_number": (1, 5),
    },
    plots.first_alarm: {"threshold": (20, 40, 200, 220, 600), "epsilon": (0.1, 0.2, 2.0)},
    plots.cost_of_belows: {"epsilon": (0.2, 1.0, 2.0), "above_by": (-40, -10, 0, 5, 60)},
    plots.without_threshold_noise: {"epsilon": (0.2, 1.0, 2.0), "threshold_scale": (0.0, 0.5, 2.0, 10.0)},
    plots.false_alarms: {
        "below_by": (10, 20, 200, 400), "epsilon": (0.1, 1.0), "length": (3, 30, 300, 3000, 30_000, 300_000),
    },
    plots.proved_accuracy: {"length": (1, 10, 100, 375, 1000, 10_000), "epsilon": (0.1, 0.2, 2.0)},
    plots.guessing_game: {"epsilon": (0.05, 0.1, 1.0, 4.0), "noise_seed": (1, 9)},
    plots.shifted_densities: {
        "epsilon": (0.2, 1.0, 3.0), "shift": (0.0, 0.25, 1.0, 3.0), "shape": ("Laplace", "Gaussian"),
    },
    plots.noise_on_a_stream: {"threshold_share": (0.1, 0.5, 0.9), "cutoff": (1, 6), "noise_seed": (1, 2, 9)},
    plots.split_and_error: {
        "threshold_share": (0.02, 0.5, 0.98), "cutoff": (1, 3, 10), "epsilon": (0.2, 2.0), "margin": (5, 40),
    },
    plots.published_splits: {"cutoff": (1, 3, 50, 400)},
    plots.right_against_split: {
        "stream": ("twelve queries", "survey"), "threshold_share": (0.02, 0.5, 0.98),
        "cutoff": (1, 8), "epsilon": (0.2, 2.0),
    },
    plots.shared_threshold_noise: {
        "threshold_share": (0.02, 0.38, 0.98), "dull": (1, 10, 100, 1000, 10_000), "gap": (5, 20, 60),
    },
    plots.loss_by_length: {
        "variant": ("alg1", "alg3", "alg4", "alg5", "alg6"), "length": (1, 2, 10, 30),
        "epsilon": (0.2, 1.0, 2.0), "cutoff": (1, 6),
    },
    plots.surety: {
        "variant": ("alg3", "alg4", "alg5", "alg6"), "length": (1, 2, 3, 10), "epsilon": (0.2, 1.0, 2.0),
    },
    plots.seen_on_both_sides: {
        "variant": ("alg1", "alg4"), "log10_runs": (2.0, 3.0, 6.0), "intervals": (False, True),
        "noise_seed": (1, 2, 3, 9),
    },
    plots.event_and_bound: {
        "variant": ("alg1", "alg3", "alg4", "alg6"), "length": (2, 3, 6, 10), "log10_runs": (2.0, 4.5, 7.0),
    },
    plots.chance_to_catch: {"epsilon": (0.1, 0.5, 1.0, 3.0), "length": (1, 2, 3, 10)},
    plots.number_or_gap: {"belows": (0, 1, 8, 12), "epsilon": (0.2, 1.0, 2.0)},
    plots.fixed_threshold_noise: {"z": (-10.0, 0.0, 10.0), "epsilon": (0.2, 1.0, 2.0)},
    plots.shifted_belows: {
        "shift": (-2.0, 0.75, 1.0, 2.0), "belows": (1, 30), "query_noise": ("Laplace", "uniform", "none"),
    },
    plots.shifted_threshold: {"shift": (-2.0, 0.0, 1.0, 2.0), "epsilon_threshold": (0.1, 0.5, 1.0)},
    plots.shifted_aboves: {
        "shift": (-2.0, -1.0, 0.0, 2.0), "cutoff": (1, 5), "epsilon_queries": (0.2, 1.0),
    },
    plots.proof_steps: {"step": (1, 2, 3, 4, 5), "example": tuple(EXAMPLES), "epsilon": (0.2, 2.0)},
    plots.price_of_a_shift: {
        "shift": (-2.0, 0.0, 1.0, 2.0), "belows": (0, 3, 7), "aboves": (0, 1, 3), "cutoff": (1, 3),
    },
    plots.price_with_half_the_noise: {
        "shift": (-2.0, 0.0, 1.0, 2.0), "belows": (0, 3), "aboves": (0, 3),
        "moves": ("all up", "all down", "any way"),
    },
    plots.your_own: {
        "threshold_scale": (0, 12, 20), "query_scale": (0, 4, 30), "cutoff": (1, 6), "stops": (True, False),
        "redraw": (False, True), "releases": ("nothing", "gap", "noisy answer"), "length": (1, 3, 40),
        "epsilon": (0.2, 2.0),
    },
    plots.ward: {
        "patient": ("alg4", "alg5", "alg6"), "repaired": (False, True),
        "epsilon": (0.2, 1.0, 4.0), "cutoff": (1, 6),
    },
    plots.same_argument: {
        "aimed_at": ("Alg. 1", "GPTT"), "frozen_at": (1, 2, 10), "epsilon": (0.2, 1.0, 2.0),
    },
    plots.one_selection: {
        "method": tuple(METHODS), "cutoff": (25, 50, 300),
        "noise_seed": (1, 2),
    },
    plots.error_curves: {
        "rate": ("fnr", "ser"), "method": tuple(METHODS), "against": tuple(METHODS),
        "cutoff": (1, 8, 25),
    },
    plots.false_alarms_by_cutoff: {
        "cutoff": (5, 25, 50, 300), "epsilon": (0.1, 1.0), "raised_by": (0, 1, 5),
    },
    plots.inverse_cdf: {"u": (0.0, 0.05, 0.5, 0.95, 1.0), "scale": (0.5, 3.0)},
    plots.noise_histogram: {"epsilon": (0.1, 1.0, 5.0), "noise_seed": (1, 9)},
    plots.shared_budget: {"queries": (1, 2, 200, 375), "epsilon": (0.2, 1.0, 5.0), "noise_seed": (1, 9)},
    plots.noisy_largest: {
        "noise_kind": ("Gumbel", "Laplace"), "distance": (0.0, 1.0, 3.0), "epsilon": (0.5, 4.0),
        "noise_seed": (1, 9),
    },
    plots.select_or_ask: {
        "answers": ("twelve queries", "survey"), "epsilon": (0.2, 2.0), "cutoff": (1, 3, 8),
    },
    plots.distance_needed: {
        "items": (10, 100, 1000, 10_000), "beta": (0.01, 0.05, 0.1), "epsilon": (0.5, 2.0),
        "svt": ("1:1 (Alg. 1)", "best split", "monotonic, 1:1"),
    },
    plots.retraversal: {
        "raised_by": (0.0, 2.0, 5.0), "passes": (1, 3, 10, 30, 100, 300, 3000), "epsilon": (0.1, 0.6),
    },
    plots.answer_from_history: {
        "threshold": (50, 150, 300), "epsilon": (0.5, 2.0, 4.0), "cutoff": (1, 8, 12), "noise_seed": (1, 9),
    },
}  # fmt: skip


def some_of(settings: list) -> list:
    """Return the corners and a seeded choice of a large grid; all of it where SVT_FULL_SWEEP is set."""
    if os.environ.get("SVT_FULL_SWEEP") or len(settings) <= MOST_SETTINGS:
        return settings
    chosen = np.random.default_rng(len(settings)).choice(len(settings), MOST_SETTINGS, replace=False)
    return [settings[0], *(settings[i] for i in sorted(chosen)), settings[-1]]


def test_every_picture_is_swept():
    assert {draw.__name__ for draw in GRIDS} == set(plots.__all__)


@pytest.mark.parametrize("draw", GRIDS, ids=lambda draw: draw.__name__)
def test_draws_everywhere_without_a_warning_and_comes_back_the_same(draw):
    canvas = Canvas(draw)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = canvas.render({})
        for values in some_of(list(itertools.product(*GRIDS[draw].values()))):
            png, sentence = canvas.render(dict(zip(GRIDS[draw], values, strict=True)))
            assert png.startswith(b"\x89PNG")
            assert sentence.endswith((".", "?"))
            assert "nan" not in sentence
        assert canvas.render({}) == first


@pytest.mark.parametrize("draw", GRIDS, ids=lambda draw: draw.__name__)
def test_draws_on_plain_axes_too(draw):
    panels = len(draw.layout.panels)
    figure, axes = plt.subplots(panels)
    assert isinstance(draw(axes), str)
    plt.close(figure)


def test_twelve_queries_says_what_it_shows():
    figure, ax = plt.subplots()
    for epsilon, cutoff, run_number in itertools.product((0.2, 2.0), (1, 6), (1, 2, 3)):
        ax.clear()
        sentence = plots.twelve_queries(ax, epsilon=epsilon, cutoff=cutoff, run_number=run_number)
        badges = [text.get_text() for text in ax.texts]
        aboves, unasked = sum("Above" in badge for badge in badges), sum("asked" in badge for badge in badges)
        assert f"{aboves} Above" in sentence
        assert ("exhausted" in sentence) == (aboves == cutoff)
        assert len(badges) == 12
        if unasked:
            assert f"{unasked} quer" in sentence
        assert f"{run_number * epsilon:.1f}" in sentence
    plt.close(figure)


def simple(ax, *, size=3, colour="red", bold=False, presses=1):
    """A picture with every kind of control."""
    ax.plot([0, size], [0, presses], color=colour, linewidth=3 if bold else 1)
    return f"A {colour} line of {size}."


def controls(**more):
    return {"size": (1, 5), "colour": ["red", "blue"], "bold": False, "presses": Press("Again")} | more


def test_live_makes_a_control_for_each_free_value_and_starts_at_the_defaults():
    demo = live(simple, **controls())
    assert {name: widget.value for name, widget in demo.controls.items()} == {
        "size": 3, "colour": "red", "bold": False, "presses": 1,
    }  # fmt: skip
    demo.controls["size"].value = 5
    demo.controls["colour"].value = "blue"
    assert "A blue line of 5." in demo._line.value
    assert demo.errors == []


def test_a_button_counts_its_presses():
    demo = live(simple, **controls())
    before = demo._image.value
    demo.controls["presses"].click()
    assert demo.controls["presses"].value == 2
    assert demo._image.value != before


def test_going_back_gives_the_same_picture():
    demo = live(simple, **controls())
    before = demo._image.value
    demo.controls["size"].value = 4
    assert demo._image.value != before
    demo.controls["size"].value = 3
    assert demo._image.value == before


def test_the_readers_way_without_sliders_works():
    """The line of Python in the README, as it stands there."""
    (line,) = re.findall(r"`(from matplotlib[^`]*)`", (ROOT / "README.md").read_text(encoding="utf-8"))
    said = finished(sys.executable, "-c", line).stdout
    assert said.startswith("Run 1:")


def test_colours_that_nobody_chose_stay_the_same():
    def lines(ax, *, size=1):
        ax.plot([0, size], label="line")
        ax.scatter([0, 1], [0, size])
        ax.bar([0], [size])
        return "Default colours."

    canvas = Canvas(lines)
    assert canvas.render({}) == canvas.render({})


def test_a_slider_hands_on_the_number_beside_it():
    """The page counts in per cent of its length, which leaves dust: 0.9999999999999999, shown as 1.00.

    Dust alone draws nothing anew.
    """
    drawn = []

    def note(ax, *, size=1.0):
        drawn.append(size)
        return f"{size}"

    demo = live(note, size=(0.05, 4.0, 0.05))
    for value in (1.0499999999999998, 0.9999999999999999, 1.0000000000000002, 0.30000000000000004, 0.05):
        demo.controls["size"].value = value
    assert drawn == [1.0, 1.05, 1.0, 0.3, 0.05]


def failing(ax, *, size=1):
    """A picture that breaks from size 3 on."""
    if size >= 3:
        raise ValueError("too <large>")
    return f"Size {size}."


def test_a_first_drawing_that_fails_raises():
    with pytest.raises(ValueError, match="too <large>"):
        live(failing, size=3)


def test_a_later_error_is_shown_kept_and_gone_when_the_picture_is_good_again():
    demo = live(failing, size=(1, 5))
    demo.controls["size"].value = 4
    assert "too &lt;large&gt;" in demo._line.value
    assert 'role="alert"' in demo._line.value
    assert [str(error) for error in demo.errors] == ["too <large>"]
    demo.controls["size"].value = 2
    assert "Size 2." in demo._line.value


def test_a_picture_must_return_its_sentence():
    with pytest.raises(TypeError, match="sentence"):
        live(lambda ax: None)


def test_bad_slider_is_named():
    with pytest.raises(ValueError, match="size"):
        live(simple, size=(1, 2, 3, 4))


def test_a_picture_may_not_add_axes():
    for add in ("twinx", "inset_axes"):
        with pytest.raises(TypeError, match="add none"):
            Canvas(
                lambda ax, add=add: str(getattr(ax, add)(*([[0, 0, 1, 1]] if add == "inset_axes" else [])))
            ).render({})


def test_frames_follow_limits_ticks_and_labels():
    """What is kept as pixels is drawn anew when anything about it changes."""
    looks = [
        {"xlim": (0, 1)}, {"xlim": (0, 2)}, {"xlim": (0, 2), "xlabel": "time"},
        {"xlim": (0, 2), "title": "T"}, {"xlim": (0, 2), "xticks": [0, 1]},
        {"xlim": (0, 2), "xticks": [0, 1], "xticklabels": ["a", "b"]},
        {"xlim": (1, 2), "xscale": "log"}, {"xlim": (2, 0)}, {"xlim": (0, 1e6)}, {"xlim": (0, 1e7)},
    ]  # fmt: skip

    def look(ax, *, number):
        ax.set(**{"title": "", "xlabel": "", "xscale": "linear"})
        ax.set(**looks[number])
        ax.set_ylim(0, 1)
        return "A look."

    fresh = [Canvas(look).render({"number": number})[0] for number in range(len(looks))]
    assert len(set(fresh)) == len(looks)
    canvas = Canvas(look)
    for number in (0, 1, 2, 3, 1, 0, 2, 3, 7, 1, 8, 9, 8):
        assert canvas.render({"number": number})[0] == fresh[number]


def test_a_frame_without_ticks_is_kept_at_any_limits():
    """Redrawing it would double the time of a demo whose curve has the height 1/scale."""
    canvas, kept = Canvas(lambda ax, *, top: ax.set(ylim=(0, top), yticks=[]) and "A frame."), []
    for top in (1, 2, 3.7):
        canvas.render({"top": top})
        kept.append(canvas._frame_pixels)
    assert kept[0] is kept[1] is kept[2]


def test_the_end_of_an_axis_goes_up_in_steps():
    numbers = np.geomspace(1e-3, 1e3, 601)
    ends = np.array([plots.style.round_up(number) for number in numbers])
    assert (ends >= numbers * (1 - 1e-12)).all() and (ends <= 5 / 3 * numbers * (1 + 1e-9)).all()
    assert len(set(ends.round(9))) == 6 * 6 + 1
    assert [plots.style.round_up(number) for number in (0.04, 0.5, 1, 1.01, 1.5, 6, 8, 12, 40)] == [
        *(0.05, 0.5, 1, 1.5, 1.5, 7, 10, 15, 50),
    ]


LINE = {"label": "a", "color": "red", "linewidth": 2, "marker": "o"}
BARS = {"label": "b", "facecolor": "red", "edgecolor": "black", "hatch": "//"}
PLACE = {"loc": "upper left", "fontsize": 9, "bbox_to_anchor": (0, 1)}


@pytest.mark.parametrize(
    "looks",
    [
        [
            ("plot", LINE | change, PLACE)
            for change in (
                {}, {"label": "c"}, {"color": "blue"}, {"linewidth": 3}, {"linestyle": "--"},
                {"linestyle": (0, (1, 1))}, {"marker": "D"}, {"marker": (5, 1)}, {"markersize": 9},
                {"markeredgecolor": "black"}, {"alpha": 0.5},
            )
        ],
        [
            ("bar", BARS | change, PLACE)
            for change in ({}, {"hatch": "xx"}, {"facecolor": "blue"}, {"edgecolor": "green"}, {"lw": 3})
        ],
        [("scatter", {"label": "s", "s": area}, PLACE) for area in (20, 80)],
        [
            ("plot", LINE, PLACE | change)
            for change in (
                {}, {"loc": "lower right"}, {"bbox_to_anchor": (0.5, 0.5)}, {"fontsize": 12},
                {"frameon": False}, {"title": "T"}, {"labelcolor": "red"}, {"handlelength": 5},
                {"prop": {"weight": "bold", "size": 9}},
            )
        ],
    ],
)  # fmt: skip
def test_legends_follow_what_they_show(looks):
    """What is kept as pixels is drawn anew when anything about it changes."""

    def look(ax, *, number):
        kind, style, place = looks[number]
        getattr(ax, kind)([1, 2], [1, 2], **style)
        ax.legend(**place)
        return "A look."

    fresh = [Canvas(look).render({"number": number})[0] for number in range(len(looks))]
    assert len(set(fresh)) == len(looks)
    canvas = Canvas(look)
    for number in range(len(looks)):  # each after the first, from which it differs in one thing
        assert canvas.render({"number": 0})[0] == fresh[0]
        assert canvas.render({"number": number})[0] == fresh[number]


def test_a_legend_of_nothing_draws_nothing():
    def bare(ax):
        return "Nothing."

    def empty(ax):
        ax.legend([], [], frameon=False)
        return "Nothing."

    assert Canvas(empty).render({}) == Canvas(bare).render({})


@pytest.mark.parametrize("draw", GRIDS, ids=lambda draw: draw.__name__)
def test_kept_legends_and_frames_leave_nothing_of_the_picture_before(draw):
    kept, grid = Canvas(draw), GRIDS[draw]
    settings = list(itertools.product(*grid.values()))
    for values in settings[:: max(1, len(settings) // 3)]:
        values = dict(zip(grid, values, strict=True))
        assert kept.render(values)[0] == Canvas(draw).render(values)[0], values


@pytest.mark.parametrize("size", {getattr(draw, "layout", Layout()): None for draw in GRIDS})
def test_the_last_bit_of_a_limit_moves_no_pixel(size):
    """Half-way between two pixels it would: the corners of a frame then differ between equal pictures."""

    @plots.layout(**dataclasses.asdict(size))
    def frame(axes, *, top):
        for ax in np.atleast_1d(axes):
            ax.set(ylim=(0, top), yticks=[])
        return "A frame."

    canvas = Canvas(frame)
    tops = 1.0, np.nextafter(1.0, 0), np.nextafter(1.0, 2)
    assert len({canvas.render({"top": top})[0] for top in tops}) == 1


def test_two_panels_are_handed_over_as_a_list():
    @plots.layout(panels=(2, 1))
    def two(axes):
        return f"{len(axes)} panels."

    assert Canvas(two).render({})[1] == "2 panels."


def test_many_updates_leave_one_figure_and_no_pyplot_figure():
    demo = live(simple, **controls())
    for size in (1, 2, 3, 4, 5) * 6:
        demo.controls["size"].value = size
    assert plt.get_fignums() == []
    assert len(demo._canvas.figure.axes) == 1
    assert len(demo._canvas.figure.axes[0].lines) == 1


@pytest.fixture
def shown(monkeypatch):
    bundles = []
    monkeypatch.setattr("svt_lib.live.display", lambda bundle, raw: bundles.append(bundle))
    return bundles


def test_what_is_shown_is_a_picture_and_then_its_sentence(shown):
    live(simple, **controls())._ipython_display_()
    picture, line = shown
    assert {"image/png", "text/plain", "application/vnd.jupyter.widget-view+json"} == set(picture)
    assert "A red line of 3." in line["text/html"]
    assert "Live in JupyterLab" in line["text/html"]
    assert picture["text/plain"] == "A red line of 3."


def test_a_still_picture_has_no_widget(shown):
    still(simple, size=2)
    picture, line = shown
    assert set(picture) == {"image/png", "text/plain"}
    assert "A red line of 2." in line["text/html"]
    assert "Live" not in line["text/html"]


def test_running_a_cell_again_closes_the_demo_it_showed_before(monkeypatch, shown):
    @dataclasses.dataclass
    class Shell:
        cell: str
        execution: str

        def get_parent(self):
            return {"metadata": {"cellId": self.cell}, "header": {"msg_id": self.execution}}

    def show(cell, execution) -> Demo:
        monkeypatch.setattr("svt_lib.live.get_ipython", lambda: Shell(cell, execution))
        demo = live(simple, **controls())
        demo._ipython_display_()
        return demo

    first, beside, elsewhere = show("a", "1"), show("a", "1"), show("b", "2")
    again = show("a", "3")
    closed = [demo._image.comm is None for demo in (first, beside, elsewhere, again)]
    assert closed == [True, True, False, False]


def test_the_same_noise_is_rescaled_when_epsilon_moves():
    """Twice the ε, half the distance between each answer and its noisy copy."""
    from svt_lib.plots.streams import TWELVE, _one_run

    _, one, noisy_one, line_one, _ = _one_run(TWELVE.answers, -1000, 1.0, 6, 3)
    _, two, noisy_two, line_two, _ = _one_run(TWELVE.answers, -1000, 2.0, 6, 3)
    assert one == two
    assert np.allclose(noisy_one - TWELVE.answers[: len(one)], 2 * (noisy_two - TWELVE.answers[: len(two)]))
    assert np.isclose(line_one + 1000, 2 * (line_two + 1000))
    assert VARIANTS["alg1"].configure(2.0, 6).query_scale == 12


def test_guessing_game_counts_what_it_draws_and_states_the_formulas():
    figure, axes = plt.subplots(2)
    for epsilon in (0.1, 1.0, 4.0):
        for ax in axes:
            ax.clear()
        sentence = plots.guessing_game(axes, epsilon=epsilon, noise_seed=3)
        won, lost = (len(line.get_xdata()) for line in axes[0].lines[2:4])
        assert won + lost == 100
        assert f"won {won} of these 100" in sentence
        assert f"{1 - np.exp(-epsilon / 2) / 2:.1%}" in sentence
        assert f"{np.exp(epsilon) / (1 + np.exp(epsilon)):.1%}" in sentence
        belief = axes[1].lines[0].get_ydata()
        assert belief.max() <= 1 / (1 + np.exp(-epsilon)) + 1e-12
        assert belief.min() >= 1 / (1 + np.exp(epsilon)) - 1e-12
    plt.close(figure)


def test_shifted_densities_states_the_largest_loss_it_draws():
    figure, axes = plt.subplots(2)
    for epsilon, shift in itertools.product((0.2, 1.0, 3.0), (0.0, 1.0, 1.25, 3.0)):
        for ax in axes:
            ax.clear()
        sentence = plots.shifted_densities(axes, epsilon=epsilon, shift=shift)
        assert np.isclose(np.abs(axes[1].lines[0].get_ydata()).max(), epsilon * shift)
        assert f"= {epsilon * shift:.2f}" in sentence
        assert ("within the promise" in sentence) == (shift <= 1)
    plt.close(figure)


def test_inverse_cdf_inverts_the_cdf_and_names_the_infinite_ends():
    from svt_lib import noise

    figure, ax = plt.subplots()
    for u, scale in itertools.product((0.05, 0.3, 0.5, 0.95), (0.5, 3.0)):
        ax.clear()
        value = float(plots.inverse_cdf(ax, u=u, scale=scale).split("x = ")[1].split(",")[0].rstrip("."))
        assert np.isclose(np.exp(noise.log_cdf(value, scale)), u, atol=0.01)
    assert "x = 0.00." in plots.inverse_cdf(ax, u=0.5)
    assert "−infinity" in plots.inverse_cdf(ax, u=0.0)
    assert "+infinity" in plots.inverse_cdf(ax, u=1.0)
    plt.close(figure)


def test_shared_budget_counts_the_answers_it_draws_far_off():
    figure, ax = plt.subplots()
    for queries, epsilon in itertools.product((1, 20, 375), (0.2, 5.0)):
        ax.clear()
        sentence = plots.shared_budget(ax, queries=queries, epsilon=epsilon)
        true, noisy = (line.get_ydata() for line in ax.lines[:2])
        assert f"{(abs(noisy - true) > 20).sum()} of the {queries} answers" in sentence
        assert f"scale {queries / epsilon:.0f}" in sentence
    plt.close(figure)
