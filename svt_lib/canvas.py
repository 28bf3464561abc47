"""A drawing function made into a PNG and a sentence, again and again and fast.

The figure is kept, with fixed margins, so that nothing has to be laid out anew. What stays the same from one
picture to the next (frames, ticks and their labels) is drawn once and kept as pixels: text is what costs
time, and much of the text of a picture is there. Legends, the slowest of all to lay out, are kept in the same
way, on a layer of their own.
"""

import io

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.image import imsave
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import Bbox

from svt_lib.plots.style import Layout

#: Pixels per inch of the PNG. A page shows it at `PAGE_DPI`, so that it is sharp on a dense screen too.
DPI = 125
PAGE_DPI = 100
SMALL_AND_FAST = {"pil_kwargs": {"compress_level": 3}}


class Canvas:
    """A figure that is kept, and drawn on again and again.

    Parameters
    ----------
    draw : callable
        ``draw(ax, **values) -> sentence``. It is handed one axes, or a list where its layout has more panels.
        Its `layout`, if it has one, says how large the figure is.
    """

    def __init__(self, draw):
        self._draw = draw
        size = getattr(draw, "layout", Layout())
        self.width, self.height = round(size.width * PAGE_DPI), round(size.height * PAGE_DPI)
        self.figure = Figure((size.width, size.height), dpi=DPI, facecolor="white")
        self._canvas = FigureCanvasAgg(self.figure)
        self.figure.subplots_adjust(size.left, size.bottom, size.right, size.top, hspace=size.gap)
        rows = self.figure.subplots(len(size.panels), squeeze=False, height_ratios=size.panels)
        self._axes = [row[0] for row in rows]
        for ax in self._axes:
            _put_on_whole_pixels(ax)
        self._frame, self._frame_pixels = None, None
        self._legends = {}

    def render(self, values: dict) -> tuple[bytes, str]:
        """Draw with these values; return the PNG and the sentence."""
        for ax in self._axes:
            _clear(ax)
        sentence = self._draw(self._axes[0] if len(self._axes) == 1 else self._axes, **values)
        if not isinstance(sentence, str):
            raise TypeError(f"{self._draw.__name__} must return the sentence that says what it shows")
        self._paint()
        png = io.BytesIO()
        imsave(png, self._canvas.buffer_rgba(), format="png", metadata={"Software": None}, **SMALL_AND_FAST)
        return png.getvalue(), sentence

    def _paint(self):
        """Put the frames on the canvas, as pixels where they are as before, and on top what was drawn."""
        if len(self.figure.axes) > len(self._axes) or any(ax.child_axes for ax in self._axes):
            raise TypeError(f"{self._draw.__name__} must draw on the axes it is handed, and add none")
        drawn = [(ax, artist) for ax in self._axes for artist in _artists(ax)]
        for _, artist in drawn:
            artist.set_animated(True)  # left out when the whole figure is drawn
        frame = [_frame(ax) for ax in self._axes]
        if frame != self._frame:
            self._canvas.draw()
            self._frame, self._frame_pixels = frame, self._canvas.copy_from_bbox(self.figure.bbox)
        self._canvas.restore_region(self._frame_pixels)
        for ax, artist in sorted(drawn, key=lambda pair: pair[1].get_zorder()):
            if isinstance(artist, Legend):
                self._draw_legend(artist)
            else:
                ax.draw_artist(artist)

    def _draw_legend(self, legend: Legend):
        """Put a legend on the canvas: as pixels where it looks as the last one of its axes did."""
        look = _look(legend)
        known, layer = self._legends.get(legend.axes, (None, None))
        if look is None or look != known:
            layer = self._layer(legend)
            self._legends[legend.axes] = look, layer
        renderer = self._canvas.get_renderer()
        renderer.draw_image(renderer.new_gc(), *layer)

    def _layer(self, legend: Legend) -> tuple[int, int, np.ndarray]:
        """Draw a legend by itself; return where its lower left corner lies, and its pixels from there up."""
        renderer = RendererAgg(*self._canvas.get_width_height(), self.figure.dpi)
        legend.draw(renderer)
        pixels = np.asarray(renderer.buffer_rgba())[::-1]
        rows, columns = (np.flatnonzero(pixels[..., 3].any(axis=axis)) for axis in (1, 0))
        if not rows.size:  # a legend of nothing
            return 0, 0, pixels[:1, :1].copy()
        bottom, left = rows[0], columns[0]
        return int(left), int(bottom), pixels[bottom : rows[-1] + 1, left : columns[-1] + 1].copy()


def _put_on_whole_pixels(ax):
    """Move the edges of the axes: the last bit of a limit would decide where one between two pixels goes."""
    edges = np.round(ax.bbox.get_points())
    ax.set_position(Bbox(edges).transformed(ax.figure.transFigure.inverted()))


def _artists(ax) -> list:
    """Return what a drawing function put on the axes, in the order in which it did."""
    legend = ax.get_legend()
    return [*ax.images, *ax.patches, *ax.collections, *ax.lines, *ax.texts, *([legend] if legend else [])]


def _frame(ax) -> tuple:
    """Return all that the look of the empty axes depends on.

    Limits are no part of it, only where the ticks come to lie: a panel without ticks looks the same with any.
    """
    parts = [*(ax.get_title(place) for place in ("left", "center", "right")), ax.axison]
    for axis in (ax.xaxis, ax.yaxis):
        ticks, formatter = axis.get_majorticklocs(), axis.get_major_formatter()
        places = [_places(axis, numbers) for numbers in (ticks, axis.get_minorticklocs())]
        parts += [axis.get_label_text(), formatter.format_ticks(ticks), formatter.get_offset(), places]
    return tuple(parts)


def _places(axis, numbers) -> tuple:
    """Return where on an axis these numbers lie: 0 at its beginning, 1 at its end."""
    low, high = axis.get_transform().transform(np.asarray(axis.get_view_interval(), dtype=float))
    return tuple((axis.get_transform().transform(np.asarray(numbers, dtype=float)) - low) / (high - low))


def _look(legend: Legend) -> tuple | None:
    """Return all that the look of a legend depends on, or None where that can't be told.

    Lines and patches hold their look as plain values (and a marker), other artists in arrays and objects.
    """
    handles, texts = legend.legend_handles, [*legend.get_texts(), legend.get_title()]
    if not all(isinstance(handle, Line2D | Patch) for handle in handles):
        return None
    parts = [
        [value for value in vars(artist).values() if isinstance(value, str | int | float | tuple | None)]
        for artist in (legend, legend.get_frame(), *handles, *texts)
    ]
    markers = [handle.get_marker() for handle in handles if isinstance(handle, Line2D)]
    fonts = [(text.get_fontsize(), text.get_weight(), text.get_style(), text.get_family()) for text in texts]
    return legend.get_bbox_to_anchor().bounds, parts, markers, fonts


def _clear(ax):
    """Remove what was drawn but keep the axes and their ticks."""
    for artist in _artists(ax):
        artist.remove()
    ax.containers.clear()
    ax.set_prop_cycle(None)  # or each picture would go on with the next colour
    ax.relim()
    ax.autoscale()
