"""Pictures of a single alarm: what its Belows cost, and when it is false (notebook 02)."""

from bisect import bisect_left, bisect_right
from functools import lru_cache
from math import ceil

import numpy as np

from svt_lib import exact
from svt_lib.mechanism import Mechanism
from svt_lib.plots.streams import SURVEY
from svt_lib.plots.style import BLACK, BLUE, GREY, ORANGE, SKY, VERMILION, count, layout
from svt_lib.variants import VARIANTS

#: Numbers of Belows at which a loss is computed.
BELOWS = (1, 2, 3, 4, 5, 7, 10, 20, 30, 50, 100, 300, 1000)
#: The chance of going wrong that these pictures call safe.
SAFE = 0.05


def above_threshold(epsilon: float) -> Mechanism:
    """Return AboveThreshold for counts: Alg. 1 with a single alarm."""
    return VARIANTS["alg1"].configure(epsilon, cutoff=1)


@layout(height=5.6, panels=(1, 1), bottom=0.09, top=0.98, gap=0.08)
def first_alarm(axes, *, threshold=200, epsilon=0.2) -> str:
    """Draw the survey's counts in the order asked, and below them where AboveThreshold stops."""
    top, bottom = axes
    answers, positions = SURVEY.answers, np.arange(1, len(SURVEY) + 1)
    large = answers >= threshold
    questions = {"xlim": (-2, 378), "xticks": (1, 75, 150, 225, 300, 375)}
    top.vlines(positions[~large], 0, answers[~large], color=GREY, linewidth=1.5, label="answer below T")
    top.vlines(positions[large], 0, answers[large], color=BLUE, linewidth=1.5)
    style = {"color": BLUE, "markeredgecolor": BLACK}
    top.plot(positions[large], answers[large], "^", **style, label="answer of at least T")
    top.axhline(threshold, color=BLACK, linewidth=1.5, label="threshold T")
    top.set(**questions, xticklabels=[], ylim=(0, 1250), ylabel="people")
    top.legend(loc="upper left", ncols=3, frameon=False, fontsize=9)

    stops = exact.first_above_probabilities(above_threshold(epsilon), answers, threshold)
    by_false, by_any = np.cumsum(np.where(large, 0, stops)), np.cumsum(stops)
    style = {"facecolor": ORANGE, "edgecolor": BLACK, "hatch": "///", "linewidth": 0.5}
    bottom.fill_between(positions, by_false, step="post", **style, label="at a false alarm")
    bottom.fill_between(
        positions, by_false, by_any, step="post", color=SKY, linewidth=0, label="at a right one"
    )
    bottom.step(positions, by_any, where="post", color=BLACK, linewidth=1.5)
    bottom.set(**questions, ylim=(0, 1.25), yticks=(0, 0.5, 1))
    bottom.set(xlabel="question, in the order asked", ylabel="chance to have stopped")
    bottom.legend(loc="upper left", ncols=2, frameon=False, fontsize=9)
    right, false = stops[large].sum(), stops[~large].sum()
    return (
        f"Threshold {threshold}, ε = {epsilon:.1f}: the alarm is right in {percent(right)} of all "
        f"runs, false in {percent(false)}, and never comes in {percent(1 - right - false)}."
    )


def percent(probability: float) -> str:
    """Return a probability in percent, and "under" or "over" where rounding would make it 0 or 100."""
    if probability < 0.001:
        return "under 0.1%"
    return "over 99.9%" if probability > 0.999 else f"{probability:.1%}"


@layout(height=4.4, bottom=0.13, top=0.97)
def cost_of_belows(ax, *, epsilon=1.0, above_by=5) -> str:
    """Draw the privacy loss of n Belows against n: worst case, naive sum, and on one pair of databases.

    On D every answer lies `above_by` above T, on D′ one higher.
    """
    mechanism = above_threshold(epsilon)
    worst = [exact.output_loss(mechanism, n, 0) for n in BELOWS]
    again = worst[0] * np.array(BELOWS)
    here = [loss_of_belows(mechanism, n, above_by) for n in BELOWS]
    ax.plot(BELOWS, again, ":", color=VERMILION, linewidth=2, label="if each Below cost again")
    ax.plot(BELOWS, worst, color=BLACK, linewidth=2, label="worst case over all neighbours: up to ε/2")
    ax.plot(BELOWS, here, "o--", color=BLUE, markersize=5, linewidth=1, label="on this pair of databases")
    _axis_of_belows(ax, 1000)
    ax.set(ylim=(0, 1.25), ylabel="privacy loss (same unit as ε)")
    ax.legend(loc="upper right", fontsize=9)
    side = "above" if above_by >= 0 else "below"
    two, ten, thousand = (here[BELOWS.index(n)] for n in (2, 10, 1000))
    return (
        f"ε = {epsilon:.1f}, answers {abs(above_by)} {side} T on D. Loss on this pair of databases: "
        f"{two:.3f} for 2 Belows, {ten:.3f} for 10, {thousand:.3f} for 1,000. "
        f"Worst case over all neighbours, for 2 or any more: {worst[-1]:.3f}."
    )


@lru_cache(maxsize=4096)
def loss_of_belows(mechanism: Mechanism, belows: int, above_by: float) -> float:
    """Return the loss of so many Belows on a pair of databases: answers `above_by` above T, and one more."""
    outcomes = [False] * belows
    here, beside = (
        exact.output_log_probability(mechanism, [answer] * belows, outcomes, threshold=0)
        for answer in (above_by, above_by + 1)
    )
    return here - beside


def _axis_of_belows(ax, last: int):
    ax.set_xscale("log")
    ticks = [10**power for power in range(len(str(last)))]
    ax.set(xlim=(0.9, 1.15 * last), xlabel="n, the number of Belows")
    ax.set(xticks=ticks, xticklabels=[f"{tick:,}" for tick in ticks])


@layout(height=4.4, bottom=0.13, top=0.97)
def without_threshold_noise(ax, *, epsilon=1.0, threshold_scale=2.0) -> str:
    """Draw the loss of n Belows without threshold noise and with it; the noise on the answers is the same.

    Lines are the worst case over all neighbours; marks are one pair, answers 50 above T on D and 51 on D′.
    """
    query_scale = above_threshold(epsilon).query_scale
    numbers, marked = range(1, 101), [n for n in BELOWS if n <= 100]
    of_hundred = []
    for scale, name, line, mark, colour in (
        (0, "no threshold noise", "--", "x", VERMILION),
        (threshold_scale, "shared threshold noise", "-", "o", BLUE),
    ):
        mechanism = Mechanism(scale, query_scale, cutoff=1)
        worst = [exact.output_loss(mechanism, n, 0) for n in numbers]
        here = [loss_of_belows(mechanism, n, 50) for n in marked]
        ax.plot(numbers, worst, line, color=colour, linewidth=2, label=f"{name}: worst case")
        ax.plot(marked, here, mark, color=colour, markersize=6, label=f"{name}: one pair, 50 above T")
        of_hundred.append(worst[-1])
    _axis_of_belows(ax, 100)
    ax.set_yscale("log")
    ticks = (0.1, 1, 10, 100)
    ax.set(ylim=(0.03, 200), yticks=ticks, yticklabels=[f"{tick:g}" for tick in ticks])
    ax.set(ylabel="privacy loss (same unit as ε)")
    ax.legend(loc="upper left", fontsize=9)
    start = (
        f"ε = {epsilon:.1f}, 100 Belows, worst case over all neighbours: "
        f"{of_hundred[0]:.2f} without threshold noise"
    )
    if threshold_scale == 0:
        return f"{start}. The other mechanism is now the same one."
    return f"{start}, {of_hundred[1]:.2f} with shared threshold noise of scale {threshold_scale:.1f}."


@layout(height=5.6, panels=(1.7, 1), bottom=0.09, right=0.96, top=0.98, gap=0.08)
def false_alarms(axes, *, below_by=200, epsilon=0.1, length=300) -> str:
    """Draw the chance of a false alarm, and below it the privacy loss, against the length of a stream.

    Every answer of the stream lies `below_by` below T, so that each alarm is a false one.
    """
    top, bottom = axes
    mechanism = above_threshold(epsilon)
    lengths = np.logspace(0, 6, 61)
    here = exact.alarm_probability(mechanism, -below_by, 0, length)
    chances = exact.alarm_probabilities(mechanism, -below_by, 0, lengths)
    top.plot(lengths, chances, color=VERMILION, linewidth=2)
    top.plot(length, here, "o", color=VERMILION, markeredgecolor=BLACK, markersize=9)
    top.vlines(length, -0.03, here, color=GREY, linestyle=":")
    top.axhline(SAFE, color=BLACK, linestyle="--", linewidth=1)
    top.text(1.1, SAFE + 0.02, f"{SAFE:.0%}", fontsize=9)
    top.set(ylim=(-0.03, 1.03), yticks=(0, 0.25, 0.5, 0.75, 1), ylabel="chance of a false alarm")

    whole = (1, 2, 3, 4, 10**6)
    losses = [exact.worst_case_loss(mechanism, n).value for n in whole]
    bottom.step(whole, losses, where="post", color=BLUE, linewidth=2)
    bottom.axhline(epsilon, color=BLACK, linestyle="--", linewidth=1)
    bottom.text(1.1, epsilon, "ε", va="bottom", fontsize=11)
    bottom.set(
        ylim=(0, 1.3), yticks=(0, 0.5, 1), ylabel="worst-case loss", xlabel="n, the length of the stream"
    )
    ticks = [10**power for power in range(7)]
    for ax, names in ((top, []), (bottom, [f"{tick:,}" for tick in ticks])):
        ax.set_xscale("log")
        ax.set(xlim=(0.9, 1.2e6), xticks=ticks, xticklabels=names)
    safe = bisect_right(
        range(1, 10**6 + 1), SAFE, key=lambda n: exact.alarm_probabilities(mechanism, -below_by, 0, [n])[0]
    )
    loss = exact.worst_case_loss(mechanism, length).value
    return (
        f"All answers {below_by} below T, ε = {epsilon:.1f}: {percent(here)} chance of a false alarm within "
        f"{length:,} questions. {_safe_up_to(safe)} "
        f"The privacy loss, worst case over all neighbours, is {loss:.3f}."
    )


def _safe_up_to(length: int) -> str:
    if length == 0:
        return f"Already one question has more than {SAFE:.0%}."
    if length == 10**6:
        return f"It stays within {SAFE:.0%} up to a million questions and more."
    two_digits = length - length % 10 ** max(0, len(str(length)) - 2)
    return f"It stays within {SAFE:.0%} up to about {count(two_digits, 'question')}."


@layout(height=4.4, left=0.1, bottom=0.22, top=0.97)
def proved_accuracy(ax, *, length=375, epsilon=0.2) -> str:
    """Draw how likely AboveThreshold fails on the hardest stream, against the distance α from the threshold.

    All answers but the last lie α below T, the last one α above; it fails unless only the last is an Above.
    Proved for n questions and the chance β to fail: α = 8 (ln n + ln(2/β))/ε (Dwork, Roth 2014, Thm 3.24).
    """
    distances, chances, found = failure_curve(length)
    proved = 8 * (np.log(length) + np.log(2 / SAFE)) / epsilon
    ax.plot(distances / epsilon, chances, color=VERMILION, linewidth=2, label="chance to fail, exact")
    ax.axhline(SAFE, color=BLACK, linestyle="--", linewidth=1, label=f"β = {SAFE:.0%}")
    ax.axvline(found / epsilon, color=BLUE, linewidth=2, label="α that we find")
    ax.axvline(proved, color=BLACK, linestyle=":", linewidth=2, label="α that is proved")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set(xlim=(2, 2000), xticks=(10, 100, 1000), xticklabels=("10", "100", "1,000"), ylim=(1e-8, 2))
    ax.set(xlabel="α, the distance from the threshold", ylabel="chance to fail")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=4, frameon=False, fontsize=9)
    return (
        f"{count(length, 'question')}, ε = {epsilon:.1f}, at most {SAFE:.0%} chance to fail: proved for "
        f"answers {ceil(proved)} away from T; we find that {ceil(found / epsilon)} is enough."
    )


@lru_cache
def failure_curve(length: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return distances α, the chances to fail at them, and the α whose chance is `SAFE`, all at ε = 1.

    For another ε divide the distances by it: all noise scales with 1/ε.
    """
    mechanism, wanted = above_threshold(1.0), np.arange(1, length + 1) == length

    def chance(distance):
        answers = np.where(wanted, distance, -distance)
        return -np.expm1(exact.output_log_probability(mechanism, answers, wanted, threshold=0))

    distances = np.logspace(-1, 2.2, 49)
    hundredths = bisect_left(range(20_000), -SAFE, key=lambda number: -chance(number / 100))
    return distances, np.array([chance(distance) for distance in distances]), hundredths / 100
