"""Pictures: pure functions ``draw(ax, **values)`` that return the sentence which says what is to be seen.

They draw on the axes they are handed and set everything they rely on; `svt_lib.live` makes one move, and
``fig, ax = plt.subplots()`` is enough to draw one without it.
"""

from svt_lib.plots.laplace import (
    guessing_game,
    inverse_cdf,
    noise_histogram,
    shared_budget,
    shifted_densities,
)
from svt_lib.plots.streams import survey_queries, twelve_queries
from svt_lib.plots.style import layout  # noqa: F401, for a picture of your own

__all__ = [
    "guessing_game",
    "inverse_cdf",
    "noise_histogram",
    "shared_budget",
    "shifted_densities",
    "survey_queries",
    "twelve_queries",
]
