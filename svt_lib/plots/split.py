"""Pictures of how ε is split between threshold noise and query noise (notebook 04). Δ = 1 throughout."""

from functools import lru_cache

import numpy as np

from svt_lib import noise
from svt_lib.exact import above_probabilities, right_probability
from svt_lib.mechanism import Mechanism
from svt_lib.plots.streams import SURVEY, TWELVE
from svt_lib.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, count, layout
from svt_lib.variants import VARIANTS

#: The shares ε₁/ε at which every curve is computed: dense where the curves bend.
SHARES = np.concatenate([np.arange(2, 40, 2), np.arange(40, 98, 4), [98]]) / 100
#: Marks of the pictures whose horizontal axis is the share: your own, that of least variance, the best found.
YOURS = {"marker": "o", "color": VERMILION, "markeredgecolor": BLACK, "markersize": 9, "linestyle": "none"}
LEAST = {"marker": "D", "color": GREEN, "markeredgecolor": BLACK, "markersize": 8, "linestyle": "none"}
BEST = {"marker": "*", "color": "white", "markeredgecolor": BLACK, "markersize": 13, "linestyle": "none"}
QUARTERS = (0, 0.25, 0.5, 0.75, 1)
STREAMS = {"twelve queries": (TWELVE.answers, 50), "survey": (SURVEY.answers, 200)}


def shared_out(threshold_share: float, epsilon=1.0, cutoff=1, monotonic=False) -> Mechanism:
    """Return the standard SVT whose threshold noise gets the share ε₁/ε of the budget."""
    return VARIANTS["standard"].configure(
        epsilon, cutoff, monotonic=monotonic, split=(1 - threshold_share) / threshold_share
    )


def best_share(cutoff: int, monotonic=False) -> float:
    """Return the ε₁/ε at which the variance of one comparison is smallest."""
    return VARIANTS["standard"].configure(1.0, cutoff, monotonic=monotonic).epsilon_threshold


@layout(height=4.2, left=0.1, bottom=0.22, top=0.97)
def noise_on_a_stream(ax, *, threshold_share=0.5, cutoff=1, noise_seed=1) -> str:
    """Draw both noises on thirty dull queries and a large one, ε = 1, the noise being that of the seed.

    All 31 comparisons are drawn, also those after the stop.
    """
    mechanism = shared_out(threshold_share, cutoff=cutoff)
    answers = np.append(np.full(30, -20.0), 20.0)
    rng = np.random.default_rng(noise_seed)
    line = noise.draw(rng, mechanism.threshold_scale)
    noisy = answers + noise.draw(rng, mechanism.query_scale, answers.size)
    right = (noisy >= line) == (answers >= 0)
    numbers, edge = np.arange(1, 32), 76
    shown = np.clip(noisy, -edge, edge)
    ax.vlines(numbers, answers, shown, color=GREY, linewidth=1, linestyle=":")
    ax.plot(numbers, answers, "_", color=BLACK, markersize=11, markeredgewidth=2, label="true answer")
    dots = {"linestyle": "none", "markeredgecolor": BLACK, "markersize": 8}
    ax.plot(numbers[right], shown[right], "D", color=SKY, label="noisy answer, right side", **dots)
    ax.plot(numbers[~right], shown[~right], "X", color=VERMILION, label="… wrong side", **dots)
    ax.axhline(0, color=BLACK, linewidth=1.2, label="threshold")
    clipped = np.clip(line, -edge, edge)
    ax.axhline(clipped, color=ORANGE, linewidth=2.5, linestyle="--", label="noisy threshold")
    ax.set(
        xlim=(0, 32), xticks=(1, 10, 20, 31), xlabel="query", ylim=(-80, 80), yticks=(-60, -20, 0, 20, 60),
        ylabel="answer minus threshold",
    )  # fmt: skip
    ax.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=5, frameon=False, fontsize=9, columnspacing=1.1
    )
    moved = f"{line:+.1f}".replace("-", "−")
    beyond = int((np.abs(noisy) > edge).sum())
    outside = f" At the edge: {count(beyond, 'noisy answer')} beyond the picture." if beyond else ""
    return (
        f"Noise {noise_seed}: the threshold noise (scale {mechanism.threshold_scale:.1f}) moves the line by "
        f"{moved}, for all 31 at once. The query noise (scale {mechanism.query_scale:.1f}) moves each "
        f"answer on its own; {count(int((~right).sum()), 'answer')} on the wrong side.{outside}"
    )


@layout(height=5.8, panels=(1.1, 1), left=0.1, bottom=0.18, top=0.98, gap=0.1)
def split_and_error(axes, *, threshold_share=0.5, cutoff=3, epsilon=1.0, margin=20) -> str:
    """Draw, against the split, the variance of a comparison and the exact chance of one wrong answer.

    The answer lies `margin` from the threshold and is asked first.
    """
    top, bottom = axes
    best = best_share(cutoff)
    shares = np.union1d(SHARES, [threshold_share, best])
    from_threshold = 2 / (epsilon * shares) ** 2
    from_queries = 2 * (2 * cutoff / (epsilon * (1 - shares))) ** 2
    top.plot(shares, from_threshold + from_queries, color=BLACK, linewidth=2.5, label="both")
    top.plot(shares, from_threshold, color=ORANGE, linewidth=1.8, linestyle="--", label="threshold noise")
    top.plot(shares, from_queries, color=BLUE, linewidth=1.8, linestyle="-.", label="query noise")
    top.set(yscale="log", ylim=(1, 1e6), ylabel="variance (logarithmic)", xticklabels=[])
    top.set_yticks((1, 100, 1e4, 1e6), ("1", "100", "10⁴", "10⁶"))
    top.minorticks_off()
    errors = [error_chance(share, cutoff, epsilon, margin) for share in shares]
    bottom.plot(shares, errors, color=BLACK, linewidth=2.5)
    bottom.set(ylim=(-0.02, 0.52), yticks=(0, 0.1, 0.2, 0.3, 0.4, 0.5), ylabel="chance of a wrong answer")
    said = []
    for share, mark, label in ((threshold_share, YOURS, "your split"), (best, LEAST, "least variance")):
        spread = shared_out(share, epsilon, cutoff).comparison_sd
        error = error_chance(share, cutoff, epsilon, margin)
        top.plot(share, spread**2, label=label, **mark)
        bottom.plot(share, error, **mark)
        said.append(f"{spread:.1f} and {error:.1%} at {label} {share:.2f}")
    bottom.legend(
        handles=list(top.lines), loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=5,
        frameon=False, fontsize=9,
    )  # fmt: skip
    for ax in axes:
        ax.axvline(threshold_share, color=VERMILION, linewidth=1, zorder=0)
        ax.axvline(best, color=GREEN, linewidth=1.5, linestyle=":", zorder=0)
        ax.set(xlim=(0, 1), xticks=QUARTERS)
    bottom.set_xlabel("share of ε for the threshold noise, ε₁/ε", labelpad=1)
    return (
        f"Standard deviation of a comparison, and the chance that an answer {margin} from the threshold "
        f"comes out wrong: {'; '.join(said)}."
    )


@lru_cache(maxsize=10_000)
def error_chance(threshold_share, cutoff, epsilon, margin) -> float:
    """Return the chance that an answer `margin` below the threshold, asked alone, comes out Above.

    By symmetry it is also the chance that one as far above comes out Below.
    """
    return float(above_probabilities(shared_out(threshold_share, epsilon, cutoff), [-margin], 0)[0])


#: The published ways to split ε, each with what makes the mechanism for a cutoff, a colour and a line style.
SPLITS = {
    "Alg. 2": (lambda c: VARIANTS["alg2"].configure(1.0, c), PURPLE, (0, (1, 1))),
    "1:1 (Alg. 1)": (lambda c: VARIANTS["alg1"].configure(1.0, c), BLUE, "-"),
    "1:3": (lambda c: VARIANTS["standard"].configure(1.0, c, split=3), ORANGE, "--"),
    "1:c": (lambda c: VARIANTS["standard"].configure(1.0, c, split=c), SKY, "-."),
    "optimum": (lambda c: VARIANTS["standard"].configure(1.0, c), BLACK, "-"),
    "monotonic optimum": (lambda c: VARIANTS["standard"].configure(1.0, c, monotonic=True), GREEN, "--"),
    "Alg. 4": (lambda c: VARIANTS["alg4"].configure(1.0, c), VERMILION, ":"),
}
CUTOFFS = np.unique(np.logspace(0, np.log10(400), 40).round().astype(int)).tolist()


@layout(height=4.8, left=0.1, right=0.8, bottom=0.12, top=0.97)
def published_splits(ax, *, cutoff=50) -> str:
    """Draw the variance of a comparison, relative to the optimal split, of the published ways to split ε."""
    for name, (_, colour, style) in SPLITS.items():
        ratios = [_relative_variance(name, c) for c in CUTOFFS]
        ax.plot(CUTOFFS, ratios, color=colour, linestyle=style, linewidth=2.2)
        here = _relative_variance(name, cutoff)
        ax.plot(cutoff, here, "o", color=colour, markeredgecolor=BLACK, markersize=7)
        if name != "Alg. 4":
            ax.text(455, ratios[-1], name, fontsize=9, va="center")
    ax.text(4.3, 0.145, "Alg. 4, not private\nas claimed", fontsize=9)
    ax.axvline(cutoff, color=GREY, linewidth=1, zorder=0)
    ax.set(
        xscale="log", yscale="log", xlim=(0.93, 430), ylim=(0.13, 6.5),
        xlabel="cutoff c (logarithmic)", ylabel="variance ÷ that of the optimal split (log.)",
    )  # fmt: skip
    ax.set_xticks((1, 3, 10, 30, 100, 400), ("1", "3", "10", "30", "100", "400"))
    ax.set_yticks((0.25, 0.5, 1, 2, 4, 5), ("1/4", "1/2", "1", "2", "4", "5"))
    ax.minorticks_off()
    spreads = {name: make(cutoff).comparison_sd for name, (make, *_) in SPLITS.items()}
    listed = ", ".join(f"{name} {spread:.1f}" for name, spread in spreads.items() if name != "Alg. 4")
    return (
        f"c = {cutoff}, ε = 1, standard deviation of a comparison: {listed}. Alg. 4: "
        f"{spreads['Alg. 4']:.1f}, but not private as claimed."
    )


@lru_cache(maxsize=10_000)
def _relative_variance(name: str, cutoff: int) -> float:
    """Return the variance of a comparison, divided by that at the optimal split."""
    return (SPLITS[name][0](cutoff).comparison_sd / SPLITS["optimum"][0](cutoff).comparison_sd) ** 2


@layout(height=4.6, left=0.1, bottom=0.25, top=0.97)
def right_against_split(ax, *, stream="twelve queries", threshold_share=0.5, cutoff=3, epsilon=1.0) -> str:
    """Draw the exact chance that the whole transcript is right against the split, two kinds of query noise.

    `stream` is "twelve queries" (threshold 50) or "survey" (threshold 200).
    """
    said = []
    for monotonic, colour, style, kind in ((False, BLUE, "-", "general"), (True, ORANGE, "--", "monotonic")):
        least = best_share(cutoff, monotonic)
        label = f"{kind} noise"
        numbers = _curve(
            ax, lambda share, m=monotonic: right_chance(stream, share, cutoff, epsilon, m),
            threshold_share, least, color=colour, linestyle=style, label=label,
        )  # fmt: skip
        said.append(f"{label} {numbers}")
    _share_axis(ax)
    return f"Chance that the whole transcript is right. With {'; with '.join(said)}."


@lru_cache(maxsize=10_000)
def right_chance(stream, threshold_share, cutoff, epsilon, monotonic=False) -> float:
    """Return the exact chance that the whole transcript equals the noiseless one."""
    answers, threshold = STREAMS[stream]
    return right_probability(shared_out(threshold_share, epsilon, cutoff, monotonic), answers, threshold)


@layout(height=4.6, left=0.1, bottom=0.25, top=0.97)
def shared_threshold_noise(ax, *, threshold_share=0.38, dull=1000, gap=20) -> str:
    """Draw the exact chance that one alarm (c = 1, ε = 1) comes at the right query, against the split.

    The stream is `dull` queries that lie `gap` below the threshold, then one as far above. Beside the truth,
    where one threshold noise serves all comparisons, what it would be if each had one of its own.
    """
    said = []
    for own, colour, style, kind in (
        (False, BLUE, "-", "one threshold noise for all (SVT)"),
        (True, PURPLE, "--", "one for each comparison"),
    ):
        numbers = _curve(
            ax, lambda share, own=own: alarm_chance(share, dull, gap, own), threshold_share, best_share(1),
            color=colour, linestyle=style, label=kind,
        )  # fmt: skip
        said.append(f"{kind}: {numbers}")
    _share_axis(ax)
    total = count(dull + 1, "answer")
    return f"Chance that all {total} are right. With {'. With '.join(said)}."


@lru_cache(maxsize=10_000)
def alarm_chance(threshold_share, dull, gap, own=False) -> float:
    """Return the exact chance of a right alarm; with `own`, for comparisons that share no noise."""
    mechanism = shared_out(threshold_share)
    if own:
        false_alarm, alarm = above_probabilities(mechanism, [-gap, gap], 0)
        return float((1 - false_alarm) ** dull * alarm)
    return right_probability(mechanism, np.append(np.full(dull, -float(gap)), float(gap)), 0)


def _curve(ax, chance, yours, least, **style) -> str:
    """Draw a chance against the share, with its three marks, and return what they say."""
    shares = np.union1d(SHARES, [yours, least])
    chances = np.array([chance(share) for share in shares.tolist()])
    best = chances.argmax()
    ax.plot(shares, chances, linewidth=2.2, **style)
    ax.plot(least, chance(least), **LEAST)
    at_least = f"{chance(least):.1%} at the least variance {least:.2f}"
    said = [f"{chance(yours):.1%} at your split {yours:.2f}", at_least]
    if chances[best] < 0.0005:
        said.append("nowhere as much as 0.05%")
    else:
        ax.plot(shares[best], chances[best], **BEST)
        said.append(f"{chances[best]:.1%} at the best of the curve {shares[best]:.2f}")
    ax.plot(yours, chance(yours), **YOURS)
    return ", ".join(said)


def _share_axis(ax):
    """Finish a picture of chances against the share."""
    for mark, label in ((YOURS, "your split"), (LEAST, "least variance"), (BEST, "best of the curve")):
        ax.plot([], [], label=label, **mark)
    ax.set(xlim=(0, 1), xticks=QUARTERS, ylim=(0, 1.03), yticks=QUARTERS)
    ax.set(xlabel="share of ε for the threshold noise, ε₁/ε", ylabel="chance that all is right")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=3, frameon=False, fontsize=9)
