"""The one way to make a picture live, and to show it where no kernel runs.

A picture is a pure function ``draw(ax, **values) -> sentence``. `live` gives each free value a control,
redraws when one moves, and puts the sentence below the picture. What a saved notebook keeps is the first
picture and its sentence: the cell gives two outputs, the picture and the sentence, each of them a widget for
JupyterLab and plain PNG or HTML for everybody else.
"""

import base64
import html
import inspect
from collections import defaultdict
from dataclasses import dataclass

import ipywidgets as widgets
import traitlets
from IPython import get_ipython
from IPython.display import display

from svt_lib import page
from svt_lib.canvas import Canvas

LABELS = {
    "epsilon": "ε (epsilon)",
    "threshold": "threshold T",
    "cutoff": "cutoff c",
    "threshold_share": "share ε₁/ε",
    "dull": "dull queries",
    "above_by": "above T by",
    "below_by": "below T by",
    "z": "noise z",
    "belows": "Belows",
    "aboves": "Aboves",
    "epsilon_threshold": "ε₁ (threshold)",
    "epsilon_queries": "ε₂ (queries)",
    "moves": "answers move",
    "beta": "β (may fail)",
    "raised_by": "raised by (sd)",
    "noise_kind": "noise",
    "log10_runs": "runs (log₁₀)",
    "svt": "SVT",
    "against": "compare with",
}


@dataclass(frozen=True)
class Press:
    """A control: a button, whose value is 1 at first and one more with each press."""

    label: str


def still(draw, **values) -> None:
    """Show a picture that doesn't move, with its sentence."""
    png, sentence = Canvas(draw).render(values)
    _show_both(png, sentence)


def live(draw, **controls) -> "Demo":
    """Make a picture live: as the last line of a cell, it shows the controls, the picture and the sentence.

    Parameters
    ----------
    draw : callable
        ``draw(ax, **values) -> sentence``, a pure function of its values.
    **controls
        For each value its control: ``(low, high)`` or ``(low, high, step)`` is a slider that starts at the
        default of `draw`, a list is a choice, True or False a tick box, a `Press` a button. Anything else is
        handed on as it is.

    Raises
    ------
    Exception
        Whatever the first drawing raises, so that a broken demo fails its cell. Later errors appear below the
        picture and in ``Demo.errors``.
    """
    return Demo(draw, controls)


class Demo:
    """A live picture. Made by `live`."""

    def __init__(self, draw, controls: dict):
        self._canvas = Canvas(draw)
        self._fixed = {}
        self.controls: dict[str, widgets.Widget] = {}
        defaults = {name: parameter.default for name, parameter in inspect.signature(draw).parameters.items()}
        for name, control in controls.items():
            widget = _widget(name, control, defaults.get(name))
            if widget is None:
                self._fixed[name] = control
            else:
                self.controls[name] = widget
        self.errors: list[Exception] = []
        self._drawn = self._shown_values()
        png, self._sentence = self._canvas.render(self._fixed | self._drawn)
        self._image = _Picture(
            format="png",
            width=self._canvas.width,
            height=self._canvas.height,
            layout=widgets.Layout(max_width="100%", height="auto", object_fit="contain", margin="4px 0 0 0"),
        )
        self._line = widgets.HTML().add_class(page.LINE)
        self._put(png, self._sentence)
        for widget in self.controls.values():
            widget.observe(self._update, names="value")
        # Room above the first control, or the mark of the focus is cut off there.
        self._box = widgets.VBox(
            [*self.controls.values(), self._image, page.helper()], layout=widgets.Layout(padding="6px 0 0 0")
        ).add_class(page.DEMO)

    def _shown_values(self) -> dict:
        return {name: _shown_value(widget) for name, widget in self.controls.items()}

    def _update(self, _change):
        values = self._shown_values()
        if values == self._drawn:  # only dust has moved, as it does when a slider comes onto the page
            return
        self._drawn = values
        try:
            png, self._sentence = self._canvas.render(self._fixed | values)
        except Exception as error:  # shown to the reader, who has no console to look at
            self.errors.append(error)
            self._line.value = (
                '<p role="alert" class="svt-error" style="color: var(--jp-error-color1, #b00020)">'
                f"Error: {html.escape(f'{type(error).__name__}: {error}')}</p>"
            )
            return
        self._put(png, self._sentence)

    def _put(self, png: bytes, sentence: str):
        """Show picture and sentence; the picture and its name travel in one message."""
        with self._image.hold_sync():
            self._image.value, self._image.tooltip = png, sentence
        self._line.value = f'<p class="svt-sentence">{html.escape(sentence)}</p>'

    def close(self):
        """Take the demo off the page and let its figure go."""
        for widget in (self._box, self._line, *self._box.children):
            widget.close()

    def _ipython_display_(self):
        _replace_older_demos_of_this_cell(self)
        _show_both(self._image.value, self._sentence, self._box, self._line)


def _show_both(png: bytes, sentence: str, picture_widget=None, sentence_widget=None) -> None:
    """Display picture and sentence as two outputs: in one bundle a page would show only one of them."""
    picture = {"image/png": base64.b64encode(png).decode(), "text/plain": sentence}
    note = (
        ""
        if picture_widget is None
        else " <em>(Live in JupyterLab: run this cell to move the controls.)</em>"
    )
    line = {"text/html": f'<p class="svt-sentence">{html.escape(sentence)}{note}</p>', "text/plain": sentence}
    for bundle, widget in ((picture, picture_widget), (line, sentence_widget)):
        view = {} if widget is None else widget._repr_mimebundle_()
        display(view | bundle, raw=True)


#: The demos that each cell of this notebook shows, and the execution that made them.
_shown: dict[str, tuple[str, list[Demo]]] = defaultdict(lambda: ("", []))


def _replace_older_demos_of_this_cell(demo: Demo) -> None:
    """Close what an earlier execution of the same cell left behind, so that nothing is drawn for nobody."""
    shell = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, execution = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id", "")
    if cell is None:
        return
    made_by, demos = _shown[cell]
    if made_by != execution:
        for old in demos:
            if old is not demo:
                old.close()
        demos = []
    _shown[cell] = (execution, [*demos, demo])


def _widget(name: str, control, start):
    """Return the widget for a control, or None where the value is fixed."""
    style, wide = {"description_width": "9em"}, widgets.Layout(width="min(100%, 520px)")
    shared = {"description": LABELS.get(name, name.replace("_", " ")), "style": style, "layout": wide}
    if isinstance(control, Press):
        return _Presses(control.label)
    if isinstance(control, bool):
        return widgets.Checkbox(value=control, **shared)
    if isinstance(control, list):
        return widgets.Dropdown(options=control, value=start if start in control else control[0], **shared)
    if isinstance(control, tuple):
        return _slider(name, control, start, shared)
    return None


def _slider(name: str, control: tuple, start, shared: dict):
    if len(control) not in (2, 3):
        raise ValueError(f"{name} must be (low, high) or (low, high, step), got {control!r}")
    low, high = control[:2]
    value = start if isinstance(start, int | float) else low
    if all(isinstance(number, int) for number in (*control, value)):
        return widgets.IntSlider(value, low, high, control[2] if len(control) == 3 else 1, **shared)
    step = control[2] if len(control) == 3 else (high - low) / 50
    decimals = max(0, len(f"{step:g}".partition(".")[2]))
    return widgets.FloatSlider(value, min=low, max=high, step=step, readout_format=f".{decimals}f", **shared)


def _shown_value(widget: widgets.Widget):
    """Return the value of a control as the page shows it.

    A slider on the page counts in per cent of its length. What it sends back has dust, 0.9999999999999999
    where 1.00 stands beside it, and a tie with a threshold would be none.
    """
    if isinstance(widget, widgets.FloatSlider):
        return float(format(widget.value, widget.readout_format))
    return widget.value


class _Picture(widgets.Image):
    """An image whose tooltip becomes its title, which is what a screen reader reads of an image.

    The page looks at a widget's description before it sets the title, and a plain Image has none: then the
    whole picture stays away.
    """

    description = traitlets.Unicode("").tag(sync=True)


class _Presses(widgets.Button):
    """A button with a value, so that a press is a change like any other."""

    value = traitlets.Int(1)

    def __init__(self, label: str):
        super().__init__(
            description=label,
            button_style="primary",
            layout=widgets.Layout(width="auto", align_self="flex-start", margin="4px 2px 4px 9.5em"),
        )
        self.on_click(self._press)

    def _press(self, _button):
        self.value += 1
