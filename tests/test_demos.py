"""What the notebooks hand to `live`, against what `test_pictures` sweeps: every control, from end to end."""

import ast
import contextlib
import inspect
import re

import ipywidgets as widgets
import numpy as np
import pytest
from conftest import ROOT
from test_pictures import GRIDS

from svt_lib import plots
from svt_lib.experiment import METHODS
from svt_lib.live import Press, _shown_value, _widget
from svt_lib.proof import EXAMPLES

CELLS = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SOURCES = sorted((ROOT / "notebooks" / "source").glob("*.md"))
KNOWN = {"plots": plots, "Press": Press, "EXAMPLES": EXAMPLES, "METHODS": METHODS}
#: Controls whose values a notebook makes itself.
MADE_THERE = {("loss_by_length", "variant"), ("ward", "patient"), ("error_curves", "cutoff")}


def demos():
    """Yield name of the notebook, picture, and controls as source text, for each `live` in the sources."""
    for source in SOURCES:
        for cell in CELLS.findall(source.read_text(encoding="utf-8")):
            if "live(plots." in re.sub(r"\s", "", cell):
                code = "\n".join(line for line in cell.splitlines() if not line.startswith((":", "%")))
                for node in ast.walk(ast.parse(code)):
                    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "live":
                        controls = {entry.arg: ast.unparse(entry.value) for entry in node.keywords}
                        yield source.stem, getattr(plots, node.args[0].attr), controls


DEMOS = list(demos())


def test_every_notebook_has_demos_here():
    assert {name for name, _, _ in DEMOS} == {source.stem for source in SOURCES}


def read(controls):
    """Yield name and control, without those whose values a notebook made and nobody moves."""
    for name, source in controls.items():
        with contextlib.suppress(NameError):
            yield name, eval(source, dict(KNOWN))


every_demo = pytest.mark.parametrize(
    "draw, controls", [demo[1:] for demo in DEMOS], ids=[demo[1].__name__ for demo in DEMOS]
)


@every_demo
def test_the_sweep_covers_every_control_from_end_to_end(draw, controls):
    grid = GRIDS[draw]
    assert {name for picture, name in MADE_THERE if picture == draw.__name__} <= set(grid)
    for name, control in read(controls):
        if isinstance(control, Press):
            wanted = {1}
        elif isinstance(control, bool):
            wanted = {False, True}
        else:
            wanted = set(control[:2] if isinstance(control, tuple) else control)
        assert wanted <= set(grid.get(name, ())), name


@every_demo
def test_a_slider_can_show_each_number_it_stands_on(draw, controls):
    """The picture is drawn for the number beside the slider; more decimals than it has would be lost."""
    defaults = inspect.signature(draw).parameters
    for name, control in read(controls):
        slider = _widget(name, control, defaults[name].default)
        if isinstance(slider, widgets.FloatSlider):
            for value in [slider.value, *np.arange(slider.min, slider.max, slider.step), slider.max]:
                slider.value = value
                assert _shown_value(slider) == pytest.approx(value, rel=1e-12, abs=1e-12), name
