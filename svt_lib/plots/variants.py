"""Pictures of what the published variants really cost (notebook 06)."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from svt_lib import exact
from svt_lib.comparison import counterexample, honest_surety, play
from svt_lib.mechanism import Mechanism
from svt_lib.plots.style import BLACK, BLUE, GREY, SKY, VERMILION, count, layout
from svt_lib.variants import VARIANTS

#: Stream lengths at which the loss on the pair is marked, and the largest loss that the picture has room for.
LENGTHS, TOP = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30), 6.0
#: Released numbers, and gaps (which are never negative), at which the loss is computed.
NUMBERS, GAPS = (-10, 0, 0.5, 1, 2, 4, 8, 16, 30), (0, 1, 2, 4, 8, 30)


@layout(height=4.6, left=0.08, bottom=0.28, top=0.97)
def loss_by_length(ax, *, variant="alg4", length=10, epsilon=1.0, cutoff=1) -> str:
    """Draw claimed and exact privacy loss of a variant against the length of the stream."""
    mechanism = VARIANTS[variant].configure(epsilon, cutoff)
    worst = _worst_cases(mechanism)
    marked = sorted({*LENGTHS, length})
    pair = [_loss_on_pair(variant, epsilon, cutoff, n) for n in marked]
    here, most = pair[marked.index(length)], worst[length - 1]
    label = f"worst case over all neighbours: {_say(most)}"
    ax.plot(range(1, LENGTHS[-1] + 1), worst, color=VERMILION, linewidth=2.5, label=label)
    ax.plot(marked, pair, "o", color=BLUE, markersize=5, label=f"on this pair of databases: {_say(here)}")
    ax.axhline(epsilon, color=BLACK, linewidth=1.5, linestyle="--", label=f"claimed: {epsilon:.2f}")
    ax.axvline(length, color=GREY, linewidth=1, linestyle=":")
    beyond = [n for n, loss in zip(marked, pair, strict=True) if loss >= TOP]
    ax.plot(beyond, [0.97 * TOP] * len(beyond), "^", color=BLUE, markersize=7)
    ax.plot(length, min(here, 0.97 * TOP), "s", markersize=10, markerfacecolor="none", color=BLACK)
    if np.isinf(most):
        ax.text(16, 0.88 * TOP, "infinite from two queries on", ha="center", fontsize=10)
    ax.set(xlim=(0, 31), ylim=(0, TOP), xticks=(1, 5, 10, 15, 20, 25, 30), yticks=range(7))
    ax.set(xlabel="queries in the stream", ylabel="privacy loss (same unit as ε)")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=3, frameon=False, fontsize=9)
    return (
        f"{_claim(mechanism, length)} Worst case over all neighbours: {_say(most)}, "
        f"{_verdict(most, epsilon)}. On this pair of databases, with the output "
        f"{_output(variant, length, cutoff)}: {_say(here)}."
    )


@lru_cache(maxsize=256)
def _worst_cases(mechanism: Mechanism) -> list[float]:
    return [exact.worst_case_loss(mechanism, length).value for length in range(1, LENGTHS[-1] + 1)]


@lru_cache(maxsize=4096)
def _loss_on_pair(variant: str, epsilon: float, cutoff: int, length: int) -> float:
    return counterexample(variant, length, cutoff).loss(VARIANTS[variant].configure(epsilon, cutoff))


def _claim(mechanism: Mechanism, length: int) -> str:
    stop = f"c = {mechanism.cutoff}" if mechanism.cutoff else "no cutoff"
    return (
        f"{mechanism.name}, ε = {mechanism.epsilon:.1f} claimed, {stop}, {count(length, 'query', 'queries')}."
    )


def _say(loss: float) -> str:
    return f"{loss:.2f}" if np.isfinite(loss) else "infinite"


def _verdict(loss: float, epsilon: float) -> str:
    """Compare a loss with the claim, leaving rounding aside."""
    if loss > epsilon * (1 + 1e-9):
        return "more than claimed"
    return "all that is claimed" if loss > epsilon * (1 - 1e-9) else "less than claimed"


def _output(variant: str, length: int, cutoff: int) -> str:
    """Return the output of a counterexample in runs, such as ``▽×9 ▲×1``."""
    outcomes = counterexample(variant, length, cutoff).outcomes
    runs, start = [], 0
    for i in range(1, length + 1):
        if i == length or outcomes[i] != outcomes[start]:
            runs.append(f"{'▲' if outcomes[start] else '▽'}×{i - start}")
            start = i
    return " ".join(runs)


@layout(height=4.4, left=0.09, bottom=0.26, top=0.97)
def surety(ax, *, variant="alg6", length=6, epsilon=1.0) -> str:
    """Draw how sure the outputs of a variant leave the player of the guessing game, beside Alg. 1; c = 1."""
    bound = honest_surety(epsilon)
    for key, colour, style in (("alg1", BLUE, "--"), (variant, VERMILION, "-")):
        mechanism = VARIANTS[key].configure(epsilon, 1)
        game = play(mechanism, counterexample(key, length))
        sure = np.concatenate([game.surety[:1], game.surety, [0.5]])
        share = np.concatenate([[0], np.cumsum(game.share), [1]])
        ax.plot(sure, share, drawstyle="steps-post", color=colour, linestyle=style, linewidth=2.2)
        ax.plot([], [], color=colour, linestyle=style, linewidth=2.2, label=mechanism.name)
    ax.axvspan(
        bound, 1.01, facecolor="#EEEEEE", alpha=0.7, hatch="//", edgecolor="#BBBBBB", linewidth=0,
        label="out of reach for an ε-private mechanism",
    )  # fmt: skip
    ax.axvline(bound, color=BLACK, linewidth=1.5)
    ax.set(xlim=(0.5, 1.01), ylim=(0, 1.02), xticks=np.linspace(0.5, 1, 6), yticks=np.linspace(0, 1, 6))
    ax.set_xticklabels([f"{tick:.0%}" for tick in np.linspace(0.5, 1, 6)])
    ax.set(xlabel="how sure the output leaves you of your guess", ylabel="share of rounds, at least so sure")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=3, frameon=False, fontsize=9)
    beyond = game.share_above(bound)
    return (
        f"{_claim(mechanism, length)} On this pair of databases the best player wins {game.score:.1%} of the "
        f"rounds. {_rounds(beyond)} you surer than the {bound:.1%} that ε allows; the surest output leaves "
        f"you {game.surety[0]:.1%} sure."
    )


def _rounds(share: float) -> str:
    return "No round leaves" if share == 0 else f"{share:.1%} of the rounds leave"


@layout(height=4.4, left=0.09, bottom=0.26, top=0.97)
def number_or_gap(ax, *, belows=8, epsilon=1.0) -> str:
    """Draw the loss when the Above comes with the noisy answer, and when it comes with the gap.

    Both mechanisms have the noise of Alg. 1, c = 1. The threshold is 0; D has `belows` answers of 0 and then
    a 1, D′ has ones and then a 0.
    """
    alg1 = VARIANTS["alg1"].configure(epsilon, 1)
    ax.axhspan(-epsilon, epsilon, color=SKY, alpha=0.3, linewidth=0, label="within ±ε")
    largest = {}
    for releases, numbers, colour, marker, style in (
        ("noisy answer", NUMBERS, VERMILION, "s", "-"),
        ("gap", GAPS, BLUE, "o", "--"),
    ):
        mechanism = replace(alg1, releases=releases)
        losses = [_loss_of_number(mechanism, belows, number) for number in numbers]
        ax.plot(
            numbers, losses, f"{marker}{style}", color=colour, linewidth=2, label=f"the {releases} goes out"
        )
        largest[releases] = max(np.abs(losses))
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.set(xlim=(-11, 31), xticks=range(-10, 31, 5))
    ax.set(ylim=(-1.3 * epsilon, 3.3 * epsilon), yticks=epsilon * np.arange(-1, 4))
    ax.set(xlabel="the number that goes out (noisy answer, or gap)", ylabel="privacy loss (same unit as ε)")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=3, frameon=False, fontsize=9)
    number, gap = largest["noisy answer"], largest["gap"]
    return (
        f"ε = {epsilon:.1f} claimed, {count(belows, 'Below')} and then an Above. Loss on this pair of "
        f"databases, at the marked numbers: with the noisy answer up to {number:.3f}, "
        f"{_verdict(number, epsilon)}; with the gap up to {gap:.3f}, {_verdict(gap, epsilon)}."
    )


@lru_cache(maxsize=4096)
def _loss_of_number(mechanism: Mechanism, belows: int, number: float) -> float:
    """Return the loss of `belows` Belows and an Above with `number`, on the pair of `number_or_gap`."""
    pair = counterexample("alg1", belows + 1)
    return replace(pair, released=(float(number),)).loss(mechanism)
