"""Redrawing each picture where it starts, beside a figure made anew."""

from benchmarks.timing import print_table, seconds
from svt_lib import plots
from svt_lib.canvas import Canvas


def redraws():
    """Yield name, time of a redraw and time of a first drawing, slowest first."""
    rows = []
    for name in plots.__all__:
        canvas = Canvas(getattr(plots, name))
        first = seconds(lambda canvas=canvas: canvas.render({}), repeats=1)
        rows.append((name, seconds(lambda canvas=canvas: canvas.render({}), repeats=3), first))
    yield from sorted(rows, key=lambda row: -row[1])


def main():
    """Print the table."""
    print_table("redraw, with what it needs computed before", "first drawing", redraws())
