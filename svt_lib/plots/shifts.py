"""Pictures of what a shift costs, and of which one is the cheapest (notebook 05)."""

import numpy as np

from svt_lib.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, layout
from svt_lib.proof import MOVES, shift_price
from svt_lib.variants import VARIANTS

SHIFTS = np.arange(-16, 17) / 8
BOXED = {"fontsize": 10, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1}}


@layout(height=4.0, left=0.08, bottom=0.22, top=0.97)
def price_of_a_shift(ax, *, shift=0.0, belows=6, aboves=1, cutoff=1) -> str:
    """Draw what comparing z on D with z + shift on D′ costs with Alg. 1 in the worst case; ε = 1, Δ = 1."""
    mechanism = VARIANTS["alg1"].configure(1.0, cutoff)
    impossible = f" No run at cutoff {cutoff} has {aboves} Aboves." if aboves > cutoff else ""
    return _prices(ax, mechanism, shift, belows, aboves, "any way") + impossible


@layout(height=4.0, left=0.08, bottom=0.22, top=0.97)
def price_with_half_the_noise(ax, *, shift=0.0, belows=3, aboves=1, moves="all up") -> str:
    """Draw the same for query noise cΔ/ε₂ in place of 2cΔ/ε₂, with c = `aboves`, by how answers move."""
    mechanism = VARIANTS["standard"].configure(1.0, max(1, aboves), monotonic=True, split=1.0)
    return f"Answers move {moves}. {_prices(ax, mechanism, shift, belows, aboves, moves)}"


def _prices(ax, mechanism, shift, belows, aboves, moves) -> str:
    """Draw the parts of the price over all shifts, stacked, with the corners of their sum marked."""
    price, chosen = (shift_price(mechanism, belows, aboves, s, moves) for s in (SHIFTS, shift))
    floor = np.zeros(SHIFTS.size)
    for part, colour, hatch, label in (
        (price.threshold, GREY, "", "threshold noise"),
        (price.belows, BLUE, "//", "Belows"),
        (price.aboves, ORANGE, "..", "Aboves"),
    ):
        ax.fill_between(
            SHIFTS, floor, floor + part, label=label,
            facecolor=colour, alpha=0.55, hatch=hatch, edgecolor="white", linewidth=0,
        )  # fmt: skip
        floor = floor + part
    corners = np.unique([0, *(-end for end in MOVES[moves])])
    heights = shift_price(mechanism, belows, aboves, corners, moves).total
    ax.plot(SHIFTS, price.total, color=BLACK, linewidth=2, label="together")
    ax.plot(corners, heights, "o", color=BLACK, markersize=7)
    for corner, height in zip(corners, heights, strict=True):
        ax.text(corner, height + 0.4, f"{height:.2f}", ha="center", va="center", **BOXED)
    ax.axhline(1, color=GREEN, linewidth=1.5, linestyle="--", label="claimed: ε = 1")
    ax.axvline(shift, color=VERMILION, linewidth=2, label="your s")
    ax.set(xlim=(-2, 2), ylim=(0, 4.7), xticks=(-2, -1, 0, 1, 2), yticks=(0, 1, 2, 3, 4))
    ax.set(xlabel="shift s, in units of Δ", ylabel="cost (same unit as ε)")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=6, frameon=False, fontsize=9)
    names = {-1: "s = −Δ", 0: "s = 0", 1: "s = Δ"}
    best = " and ".join(names[int(corner)] for corner in corners[np.isclose(heights, heights.min())])
    return (
        f"s = {shift:.2f}: threshold noise {chosen.threshold:z.3f}, Belows {chosen.belows:z.3f}, Aboves "
        f"{chosen.aboves:z.3f}, together {chosen.total:z.3f}. Cheapest is {best}, at {heights.min():.3f}."
    )
