"""Pictures of mechanisms that are built, broken and repaired (notebook 07)."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from svt_lib import exact, noise
from svt_lib.mechanism import Mechanism
from svt_lib.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, count, layout, round_up
from svt_lib.variants import VARIANTS

#: The stream lengths that `your_own` and `ward` are drawn through.
SHORT = np.arange(1, 41)
LONG = np.unique(np.logspace(0, 3, 46).round().astype(int))
#: A loss that still grows between these lengths grows for ever, at the scales and cutoffs of `your_own`.
VERY_LONG = (500, 1000)
#: Where `ward` draws an infinite loss.
INFINITY = 9000.0

#: Broken mechanisms and their repairs, as functions of ε and the cutoff.
PUBLISHED = {key: VARIANTS[key].configure for key in ("alg4", "alg5", "alg6")}
REPAIRS = {key: VARIANTS["alg1"].configure for key in PUBLISHED}


@layout(height=4.6, left=0.08, bottom=0.25, top=0.97)
def your_own(
    ax, *, threshold_scale=2, query_scale=12, cutoff=3, stops=True, redraw=False, releases="nothing",
    length=12, epsilon=1.0,
) -> str:  # fmt: skip
    """Draw the worst case of a mechanism of your own against the length of the stream, Δ = 1.

    `epsilon` is the target. Where no formula is known, a lower bound is drawn instead: the worst case of the
    same mechanism when it keeps its numbers to itself.
    """
    mechanism = Mechanism(
        threshold_scale, query_scale, cutoff if stops else None, redraw=redraw, releases=releases
    )
    losses, known = losses_or_bounds(mechanism, SHORT)
    top = 2.5 * epsilon
    drawn, inside = np.minimum(losses, 0.97 * top), losses <= 0.97 * top
    ax.fill_between(
        SHORT, epsilon, drawn, where=~keeps(drawn, epsilon),
        facecolor="#F6D5C3", hatch="///", edgecolor=VERMILION, linewidth=0, label="more than the target",
    )  # fmt: skip
    ax.axhline(epsilon, color=BLACK, linestyle="--", linewidth=1.8, label="target ε")
    ax.axvline(length, color=GREY, linewidth=6, alpha=0.4, label="your stream")
    marks = (
        (inside & known, "o", BLUE, "worst case over all neighbours"),
        (inside & ~known, "o", "white", "… lower bound"),
        (~inside, "^", BLUE, "… beyond the picture"),
    )
    ax.plot(SHORT[inside], drawn[inside], color=BLUE, linewidth=1.5)
    for chosen, marker, colour, label in marks:
        style = {"color": colour, "markeredgecolor": BLUE, "markersize": 5, "label": label}
        ax.plot(SHORT[chosen], drawn[chosen], marker, **style)
    here = losses[length - 1]
    ax.plot(
        length, drawn[length - 1], "o" if keeps(here, epsilon) else "X",
        color=ORANGE, markeredgecolor=BLACK, markersize=10,
    )  # fmt: skip
    ax.set(
        xlim=(0, SHORT[-1] + 1), xticks=(1, 10, 20, 30, 40), xlabel="number of queries in the stream",
        ylim=(0, top), yticks=np.arange(6) * epsilon / 2, ylabel="privacy loss (same unit as ε)",
    )  # fmt: skip
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, frameon=False, fontsize=9)
    return (
        f"{count(length, 'query', 'queries')}: {_verdict(here, known[length - 1], epsilon)} "
        f"{_long_run(mechanism)} Standard deviation of a comparison: {mechanism.comparison_sd:.2f}."
        f"{_infinite_pair(mechanism, here)}"
    )


@layout(height=4.4, left=0.09, bottom=0.2, top=0.97)
def ward(
    ax, *, patients=PUBLISHED, repairs=REPAIRS, patient="alg4", repaired=False, epsilon=1.0, cutoff=3
) -> str:  # fmt: skip
    """Draw what a mechanism claims and its worst case against the length of the stream, both logarithmic.

    `patients` and `repairs` map each name to a function of ε and the cutoff that returns a `Mechanism`.
    """
    mechanism = (repairs if repaired else patients)[patient](epsilon, cutoff)
    claimed = mechanism.epsilon
    losses = np.array([exact.worst_case_loss(mechanism, int(length)).value for length in LONG])
    drawn, too_much = np.minimum(losses, INFINITY), ~keeps(losses, claimed)
    ax.fill_between(
        LONG, claimed, drawn, where=too_much,
        facecolor="#F6D5C3", hatch="///", edgecolor=VERMILION, linewidth=0, label="more than claimed",
    )  # fmt: skip
    ax.axhline(claimed, color=BLACK, linestyle="--", linewidth=1.8, label="claimed ε")
    ax.plot(LONG, drawn, "o-", color=BLUE, markersize=4, label="worst case over all neighbours")
    ax.set(
        xscale="log", xlim=(0.9, 1100), xticks=(1, 10, 100, 1000), xticklabels=("1", "10", "100", "1,000"),
        xlabel="number of queries in the stream (logarithmic)",
        yscale="log", ylim=(0.004, 1.6 * INFINITY), yticks=(0.01, 0.1, 1, 10, 100, 1000, INFINITY),
        yticklabels=("0.01", "0.1", "1", "10", "100", "1,000", "∞"), ylabel="privacy loss (logarithmic)",
    )  # fmt: skip
    ax.minorticks_off()
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, frameon=False, fontsize=9)
    verdict = "is never more than that"
    if too_much.any():
        verdict = f"is more than that from {count(_first_broken(mechanism, too_much), 'query', 'queries')} on"
    return (
        f"{patient}{', repaired' if repaired else ''}: claimed ε = {claimed:.1f}. The worst case over all "
        f"neighbours {verdict}; at 1,000 queries it is {_number(losses[-1])}. "
        f"Standard deviation of a comparison: {mechanism.comparison_sd:.2f}."
    )


def _first_broken(mechanism: Mechanism, too_much: np.ndarray) -> int:
    """Return the shortest stream that costs more than claimed, given for which of `LONG` this is so."""
    first = int(too_much.argmax())
    return next(
        length
        for length in range(LONG[first - 1] + 1 if first else 1, LONG[first] + 1)
        if not keeps(exact.worst_case_loss(mechanism, length).value, mechanism.epsilon)
    )


@layout(height=4.4, left=0.1, bottom=0.2, top=0.97)
def same_argument(ax, *, aimed_at="Alg. 1", frozen_at=1, epsilon=1.0) -> str:
    """Draw the logarithm of a ratio of probabilities, and what the κ argument makes of it.

    `aimed_at` is "Alg. 1" (c = 1, t Belows) or "GPTT" (Alg. 6, t Belows and t Aboves); `frozen_at` is the t
    whose κ is used for every t.
    """
    t = np.array([1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 35, 40])
    truth, log_kappa = np.array([kappa_argument(aimed_at, int(n), epsilon) for n in t]).T
    frozen = kappa_argument(aimed_at, frozen_at, epsilon)[1]
    honest, bogus = t * log_kappa - np.log(2), t * frozen - np.log(2)
    proved = np.full(t.size, epsilon / 2) if aimed_at == "Alg. 1" else t * epsilon / 2
    says = "proved ceiling: ε₁" if aimed_at == "Alg. 1" else "repaired proof: at least t·ε₂"
    ax.plot(t, truth, color=BLUE, linewidth=2.5, marker="o", markersize=5, label="the truth")
    ax.plot(t, proved, color=BLACK, linewidth=1.5, linestyle=":", label=says)
    ax.plot(t, honest, color=GREEN, linewidth=2, linestyle="-.", label="argument, κ of each t")
    ax.plot(t, bogus, color=VERMILION, linewidth=2, linestyle="--", label="argument, frozen κ")
    ax.axhline(0, color=GREY, linewidth=1)
    # The κ of t = 1 is the largest. The axis has room for it at any `frozen_at`, so the line is seen to turn.
    steepest = t[-1] * kappa_argument(aimed_at, 1, epsilon)[1] - np.log(2)
    ax.set(
        xlim=(0, 41), xticks=(1, 10, 20, 30, 40),
        xlabel="t, the number of Belows" if aimed_at == "Alg. 1" else "t, the number of Belows and of Aboves",
        ylim=(-1, round_up(1.05 * max(truth[-1], steepest, 1))), ylabel="ln of the ratio of probabilities",
    )  # fmt: skip
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.46, -0.14),
        ncols=4,
        frameon=False,
        fontsize=9,
        columnspacing=1.2,
    )
    start = (
        f"{aimed_at}, ε = {epsilon:.1f}, t = 40: the ratio is e^{truth[-1]:.2f}. The argument shows "
        f"e^{honest[-1]:.2f} with the κ of t = 40, and claims e^{bogus[-1]:.2f} with that of t = {frozen_at}."
    )
    if aimed_at == "GPTT":
        return f"{start} The repaired proof shows e^{proved[-1]:.2f}, and it grows with t without bound."
    passes = int((epsilon / 2 + np.log(2)) // frozen) + 1
    return f"{start} From t = {passes} on, that is more than e^{epsilon / 2:.2f}, which no stream can pass."


@lru_cache(maxsize=1000)
def kappa_argument(aimed_at: str, t: int, epsilon: float) -> tuple[float, float]:
    """Return ln of the true ratio and ln κ(t), the two sides of the argument against GPTT.

    Answers around threshold 0: for Alg. 1 with c = 1, t Belows on answers 0 against 1; for GPTT (as Alg. 6),
    t Belows on 0 against 1 and then t Aboves on 1 against 0. κ(z) is the ratio for one query, or one pair,
    given the threshold noise z; κ(t) is its minimum for z from -δ to δ, where all but the share α/2 of the
    threshold noise lies and α is the probability of the output on the second database.

    Source: the argument of Y. Chen, A. Machanavajjhala, arXiv 1508.07306, as we understand it.
    """
    if aimed_at == "Alg. 1":
        mechanism = VARIANTS["alg1"].configure(epsilon, 1)
        answers, outcomes = np.zeros(t), np.zeros(t, dtype=bool)
    elif aimed_at == "GPTT":
        mechanism = VARIANTS["alg6"].configure(epsilon, 1)
        answers = np.repeat([0.0, 1.0], t)
        outcomes = answers == 1
    else:
        raise ValueError(f"aimed_at must be 'Alg. 1' or 'GPTT', got {aimed_at!r}")
    first, second = (
        exact.output_log_probability(mechanism, side, outcomes, 0) for side in (answers, 1 - answers)
    )
    delta = mechanism.threshold_scale * (np.log(2) - second)
    b = mechanism.query_scale
    if aimed_at == "Alg. 1":
        return first - second, float(noise.log_cdf(delta, b) - noise.log_cdf(delta - 1, b))
    below = noise.log_cdf(-delta, b) - noise.log_cdf(-delta - 1, b)
    above = noise.log_tail(-delta - 1, b) - noise.log_tail(-delta, b)
    return first - second, float(below + above)


def losses_or_bounds(mechanism: Mechanism, lengths) -> tuple[np.ndarray, np.ndarray]:
    """Return the worst case over all neighbours for each length of the stream, and whether it is known.

    Where it isn't, the value is a lower bound: that of the outcomes alone. Whoever sees the released numbers
    too learns no less.
    """
    found = []
    for length in lengths:
        try:
            found.append((exact.worst_case_loss(mechanism, int(length)).value, True))
        except ValueError:
            bits = replace(mechanism, releases="nothing")
            found.append((exact.worst_case_loss(bits, int(length)).value, False))
    losses, known = zip(*found, strict=True)
    return np.array(losses), np.array(known)


def least_noise(cutoff: int, length: int, redraw: bool = False, epsilon: float = 1.0) -> Mechanism:
    """Return the mechanism with whole scales that keeps `epsilon` with the smallest variance of a comparison.

    Among the threshold scales 0 to 20 and the query scales 0 to 30, those of the sliders of `your_own`.
    """
    tried = (Mechanism(b1, b2, cutoff, redraw=redraw) for b1 in range(21) for b2 in range(31))
    kept = (
        mechanism for mechanism in tried if keeps(exact.worst_case_loss(mechanism, length).value, epsilon)
    )
    return min(kept, key=lambda mechanism: mechanism.comparison_sd)


def keeps(loss, epsilon: float):
    """Return whether a loss is at most ε, but for the last digits of the arithmetic."""
    return loss <= epsilon * (1 + 1e-9)


def _number(loss: float) -> str:
    return "infinite" if np.isinf(loss) else f"{loss:,.3f}"


def _verdict(loss: float, known: bool, epsilon: float) -> str:
    kept, target = keeps(loss, epsilon), f"the target ε = {epsilon:.1f}"
    if known:
        keeps_it = "keeps" if kept else "breaks"
        return f"the worst case over all neighbours is {_number(loss)}, which {keeps_it} {target}."
    open_question = f"so {target} may be kept or not" if kept else f"which breaks {target}"
    return f"no formula is known; the lower bound is {_number(loss)}, {open_question}."


def _long_run(mechanism: Mechanism) -> str:
    (before, after), known = losses_or_bounds(mechanism, VERY_LONG)
    if np.isinf(after):
        return "On longer streams it is infinite."
    if not keeps(after, before):
        return "On longer streams it grows without bound."
    bound = "at most" if known[-1] else "perhaps more than"
    return f"However long the stream, it is {bound} {after:.3f}."


def _infinite_pair(mechanism: Mechanism, loss: float) -> str:
    """Say which pair of databases shows an infinite loss."""
    if np.isfinite(loss):
        return ""
    if mechanism.releases == "noisy answer":
        return " An Above gives away the true answer, say 1; on a neighbour it is 0."
    if mechanism.threshold_scale == 0:
        return " Answer 0 against −1, threshold 0: Above is possible on the first only."
    return " Answers 0, 1 against 1, 0, threshold 0: Below, then Above is possible on the first only."
