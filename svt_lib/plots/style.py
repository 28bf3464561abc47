"""What all pictures share: colours, sizes, and the small words of a caption."""

from dataclasses import dataclass

import numpy as np

#: Okabe and Ito's colours, which people with any colour vision can tell apart.
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
GREY = "#9A9A9A"


@dataclass(frozen=True)
class Layout:
    """The figure a picture is drawn on: inches, panels from top to bottom, margins as fractions."""

    width: float = 8.0
    height: float = 4.0
    panels: tuple[float, ...] = (1.0,)
    left: float = 0.09
    right: float = 0.98
    bottom: float = 0.14
    top: float = 0.9
    gap: float = 0.35


def layout(**sizes):
    """Give a drawing function the layout of its figure; with several panels it is handed a list of axes."""

    def attach(draw):
        draw.layout = Layout(**sizes)
        return draw

    return attach


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun, such as ``1 query`` or ``3 queries``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def round_up(value: float) -> float:
    """Return the next of 1, 1.5, 2, 3, 5, 7, 10, 15, … for the end of an axis, also below 1.

    So the axis holds still while a slider moves by a few steps, and what changes is the picture.
    """
    ladder = 10.0 ** np.floor(np.log10(value)) * np.array([1, 1.5, 2, 3, 5, 7, 10])
    return float(ladder[ladder >= value * (1 - 1e-12)][0])  # the last bit of a product takes no step
