"""Pictures of catching a mechanism by running it (notebook 08).

Counts are drawn from the exact distribution of the outputs: the law is that of so many runs, and quicker.
"""

from functools import lru_cache

import numpy as np

from svt_lib import audit, exact
from svt_lib.comparison import THRESHOLD, counterexample
from svt_lib.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, count, layout
from svt_lib.variants import VARIANTS

#: What the mechanisms of `seen_on_both_sides` and `event_and_bound` claim, and the stream of the first.
CLAIM, LENGTH, CONFIDENCE = 1.0, 6, 0.95
#: The largest log ratio that `seen_on_both_sides` has room for, and the largest loss of `event_and_bound`.
EDGE, TOP = 3.2, 5.0
CURVES = {
    "alg5": (PURPLE, ":"),
    "alg6": (ORANGE, "-."),
    "alg4": (VERMILION, "-"),
    "alg3": (GREEN, (0, (5, 1, 1, 1, 1, 1))),
    "alg1": (BLUE, "--"),
}
#: The numbers of runs at which a power curve is computed, relative to where an average audit gets there.
STEPS = np.array([1e-3, 1e-2, 3e-2, 0.1, 0.25, 0.45, 0.65, 0.85, 1.1, 1.4, 1.75, 2.2, 3.0, 10.0])
LEAST_RUNS, MOST_RUNS, SURE = 10, 10**8, 0.9


@layout(height=5.4, panels=(1, 1.1), left=0.09, bottom=0.19, top=0.98, gap=0.12)
def seen_on_both_sides(axes, *, variant="alg1", log10_runs=3.0, intervals=False, noise_seed=1) -> str:
    """Draw how often each output came up on D and on D′, and the log of the ratio; ε = 1 claimed, c = 1."""
    top, bottom = axes
    runs = round(10**log10_runs)
    names, log_ratios, seen = _counted(variant, runs, noise_seed)
    places = np.arange(len(names))
    for shift, counts, look in (
        (-0.2, seen[0], {"color": SKY, "edgecolor": BLACK}),
        (0.2, seen[1], {"color": ORANGE, "edgecolor": BLACK, "hatch": "//"}),
    ):
        top.bar(places + shift, counts / runs, width=0.38, linewidth=0.8, **look)
    top.set(xlim=(-0.6, len(names) - 0.4), ylim=(0, 0.7), xticks=places, xticklabels=[])
    top.set(ylabel="share of the runs", yticks=np.arange(0, 0.8, 0.2))
    top.text(-0.45, 0.6, "left: on D; right, hatched: on D′", fontsize=10)

    bottom.axhspan(-CLAIM, CLAIM, color=SKY, alpha=0.3, label="claimed: within ±ε")
    bottom.axhline(0, color=GREY, linewidth=0.8)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios, zero = np.log(seen[0]) - np.log(seen[1]), seen.min(axis=0) == 0
    beyond = np.abs(ratios) > EDGE
    drawn = np.clip(ratios, -EDGE, EDGE)
    if intervals:
        low, high = _intervals(seen, runs)
        ends = np.maximum(low, -EDGE), np.minimum(high, EDGE)
        bottom.vlines(places, *ends, color=BLACK, linewidth=2.5)
    exactly = {"color": BLUE, "linewidth": 2, "label": "exact, on this pair"}
    bottom.hlines(log_ratios, places - 0.3, places + 0.3, **exactly)
    for marker, size, these, label in (
        ("D", 7, ~beyond, "ratio of the counts"),
        ("x", 9, beyond, "beyond the picture"),
    ):
        bottom.plot(places[these], drawn[these], marker, color=VERMILION, markersize=size, label=label)
    limits = {"xlim": (-0.6, len(names) - 0.4), "ylim": (-EDGE - 0.3, EDGE + 0.3)}
    bottom.set(**limits, xticks=places, xticklabels=names, yticks=range(-3, 4))
    bottom.set(xlabel="output", ylabel="ln of the ratio")
    bottom.legend(loc="upper center", bbox_to_anchor=(0.5, -0.27), ncols=4, frameon=False, fontsize=9)

    said = f"{VARIANTS[variant].title}, ε = {CLAIM:.1f} claimed, {count(runs, 'run')} on each side. "
    if intervals:
        out = int(((low > CLAIM) | (high < -CLAIM)).sum())
        return said + (
            f"Of {len(names)} intervals, which are all right together with 95 %, "
            f"{out or 'none'} {'lies' if out <= 1 else 'lie'} wholly outside the band."
        )
    far = int(np.nanargmax(np.abs(ratios)))
    estimate = "an infinite ratio" if zero[far] else f"a log of {ratios[far]:.2f}"
    verdict = "outside the band" if np.abs(ratios[far]) > CLAIM else "inside the band"
    return said + (
        f"The ratio furthest from even is that of {names[far]}: {seen[0, far]:,} against {seen[1, far]:,}, "
        f"{estimate}, {verdict}. The exact log is {log_ratios[far]:.2f}."
    )


def _counted(variant: str, runs: int, noise_seed: int):
    """Return the names of the outputs, the exact log ratios, and the counts on both sides."""
    pair, mechanism = counterexample(variant, LENGTH), VARIANTS[variant].configure(CLAIM, 1)
    sides = [
        exact.outcome_distribution(mechanism, side, THRESHOLD)
        for side in (pair.answers, pair.neighbour_answers)
    ]
    rng = np.random.default_rng(noise_seed)
    seen = np.array([rng.multinomial(runs, side.probabilities) for side in sides])
    names = [audit.arrows(outcomes) for outcomes in sides[0].outcomes]
    return names, sides[0].log_probabilities - sides[1].log_probabilities, seen


def _intervals(seen, runs: int):
    """Return intervals for the log ratios that are all right with `CONFIDENCE`: two limits on each count."""
    miss = (1 - CONFIDENCE) / (2 * seen.size)
    least, most = audit.lower_limit(seen, runs, miss), audit.upper_limit(seen, runs, miss)
    with np.errstate(divide="ignore"):
        return np.log(least[0]) - np.log(most[1]), np.log(most[0]) - np.log(least[1])


@layout(height=4.6, left=0.08, bottom=0.27, top=0.97)
def event_and_bound(ax, *, variant="alg6", length=8, log10_runs=4.0) -> str:
    """Draw the exact loss of each event against its probability, and what so many runs show of it."""
    runs, ladder = round(10**log10_runs), _ladder(variant, CLAIM, length)
    losses = ladder.losses
    shown = ladder.shown(runs, CONFIDENCE)
    best = int(shown.argmax())
    ax.axhline(CLAIM, color=BLACK, linewidth=1.5, linestyle="--", label=f"claimed: {CLAIM:.2f}")
    here, circle = ladder.here, {"markersize": 14, "markerfacecolor": "none", "color": BLACK}
    ax.plot(here, losses, "o-", color=BLUE, linewidth=1.5, markersize=6, label="exact loss")
    ax.plot(here, shown, "s:", color=VERMILION, linewidth=1.5, markersize=5, label="shown with average luck")
    ax.plot(here[best], shown[best], "o", **circle, label="best event")
    ax.set(xscale="log", xlim=(1e-6, 1.5), ylim=(-0.1, TOP + 0.1), yticks=range(6))
    ax.set(xlabel="probability of the event on D", ylabel="privacy loss (same unit as ε)")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=4, frameon=False, fontsize=9)
    said = (
        f"{VARIANTS[variant].title}, ε = {CLAIM:.1f} claimed, {count(length, 'query', 'queries')}, "
        f"{count(runs, 'run')} a side. The sharpest event loses {losses[0]:.2f} on this pair of databases, "
        f"in {_share(here[0])} of the runs on D. "
    )
    if shown[best] == 0:
        return f"{said}With so few runs, and average luck, no event shows anything."
    verdict = "more than claimed" if shown[best] > CLAIM else "no more than claimed"
    return (
        f"{said}The best for so many runs comes in {_share(here[best])}, loses {losses[best]:.2f}, and with "
        f"average luck shows {shown[best]:.2f} (lower bound at 95 %), {verdict}."
    )


def _share(probability: float) -> str:
    return f"{float(f'{100 * probability:.2g}'):g} %"


@lru_cache(maxsize=256)
def _ladder(variant: str, epsilon: float, length: int) -> audit.Ladder:
    pair = counterexample(variant, length)
    mechanism = VARIANTS[variant].configure(epsilon, 1)
    return audit.ladder(mechanism, pair.answers, pair.neighbour_answers, THRESHOLD)


@layout(height=4.6, left=0.09, bottom=0.27, top=0.97)
def chance_to_catch(ax, *, epsilon=1.0, length=6) -> str:
    """Draw the chance that an audit shows more than is claimed, against the number of runs; c = 1."""
    needed = {}
    for variant, (colour, style) in CURVES.items():
        runs, chances = _power(variant, round(epsilon, 6), length)
        title = VARIANTS[variant].title
        ax.plot(runs, chances, color=colour, linestyle=style, linewidth=2.2, label=title)
        if chances[-1] > SURE:
            needed[title] = _where_sure(runs, chances)
    ax.axhline(SURE, color=GREY, linewidth=1, linestyle=":")
    ax.set(xscale="log", xlim=(LEAST_RUNS, MOST_RUNS), ylim=(-0.03, 1.03), yticks=np.linspace(0, 1, 6))
    ax.set(xlabel="runs on each side", ylabel="chance to be caught")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=5, frameon=False, fontsize=9)
    texts = [f"{title} with about {_about(runs)}" for title, runs in needed.items()]
    caught = f"Nine audits of ten catch {', '.join(texts)} runs a side. " if texts else ""
    safe = [VARIANTS[variant].title for variant in CURVES if VARIANTS[variant].title not in needed]
    return (
        f"ε = {epsilon:.1f} claimed, {count(length, 'query', 'queries')}. {caught}On these pairs of "
        f"databases a hundred million runs are not enough for {', '.join(safe)}."
    )


@lru_cache(maxsize=1024)
def _power(variant: str, epsilon: float, length: int) -> tuple[np.ndarray, list[float]]:
    """Return numbers of runs and the chance to catch a variant with each, by the event that needs fewest.

    Where no event is enough, it is the sharpest one.
    """
    ladder = _ladder(variant, epsilon, length)
    needed = audit.runs_to_catch(ladder.here, ladder.there, epsilon, CONFIDENCE)
    best = int(needed.argmin())
    event = float(ladder.here[best]), float(ladder.there[best])
    runs = needed[best] * STEPS if np.isfinite(needed[best]) else np.geomspace(LEAST_RUNS, MOST_RUNS, 4)
    runs = np.unique(np.clip([LEAST_RUNS, *runs], LEAST_RUNS, MOST_RUNS).round())
    chances = [audit.catch_probability(*event, epsilon, int(n), CONFIDENCE) for n in runs]
    return np.append(runs, MOST_RUNS), [*chances, chances[-1]]  # with ten times the runs it is 1 already


def _where_sure(runs, chances) -> float:
    """Return the number of runs at which the drawn line reaches `SURE`."""
    after = int(np.argmax(np.array(chances) >= SURE))
    around = slice(max(0, after - 1), after + 1)
    return 10 ** np.interp(SURE, chances[around], np.log10(runs[around]))


def _about(number: float) -> str:
    return f"{float(f'{number:.1e}'):,.0f}"
