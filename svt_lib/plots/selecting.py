"""Pictures of selecting among known questions, and of a desk whose questions aren't known (notebook 09)."""

from functools import lru_cache

import numpy as np

from svt_lib import accuracy, interactive, noise
from svt_lib.plots.streams import SURVEY, TWELVE
from svt_lib.plots.style import BLACK, BLUE, GREY, ORANGE, SKY, VERMILION, count, layout
from svt_lib.selection import selection_probabilities, svt_select, threshold_between
from svt_lib.variants import VARIANTS

SCORES = np.array([3.0, 2.0, 1.0, 0.0])
DRAWS = 20_000
#: Answers in the order in which SVT is asked them, and which of them are drawn.
STREAMS = {
    "twelve queries": (TWELVE.answers, np.arange(12)),
    "survey": (SURVEY.answers, np.argsort(-SURVEY.answers, kind="stable")[:16]),
}
#: The retraversal: how many are to be selected, and in how many runs it is counted.
PLACES, RUNS = 8, 200
#: Mechanisms for one alarm at ε = 1. Where one counts on monotonic answers, EM does so too.
ONE_ALARM = {
    "1:1 (Alg. 1)": VARIANTS["alg1"].configure(1.0, 1),
    "best split": VARIANTS["standard"].configure(1.0, 1),
    "monotonic, 1:1": VARIANTS["standard"].configure(1.0, 1, monotonic=True, split=1),
}
QUESTIONS = interactive.survey_questions()
#: Where the errors of `answer_from_history` are cut off.
LARGEST_ERROR = 450.0


@layout(height=4.0, bottom=0.22, top=0.97)
def noisy_largest(ax, *, noise_kind="Gumbel", distance=1.0, epsilon=1.0, noise_seed=1) -> str:
    """Draw how often each of four scores is the largest after noise of scale 2/ε, beside the softmax.

    Neighbouring scores are `distance` apart.
    """
    scores = distance * SCORES
    exact = selection_probabilities(scores, epsilon)
    rng, size = np.random.default_rng(noise_seed), (DRAWS, SCORES.size)
    scale = 2 / epsilon
    drawn = scale * rng.gumbel(size=size) if noise_kind == "Gumbel" else noise.draw(rng, scale, size)
    share = np.bincount((scores + drawn).argmax(axis=1), minlength=SCORES.size) / DRAWS
    places = np.arange(SCORES.size)
    ax.bar(places, exact, width=0.7, color=SKY, edgecolor=BLACK, label="exponential mechanism, exact")
    ax.plot(
        places, share, "D", color=ORANGE, markeredgecolor=BLACK, markersize=9,
        label=f"largest after {noise_kind} noise, counted",
    )  # fmt: skip
    ax.set(
        xlim=(-0.6, 3.6), xticks=places, xticklabels=[f"{score:g}" for score in scores], xlabel="score",
        ylim=(0, 1.03), yticks=(0, 0.25, 0.5, 0.75, 1), ylabel="chance to be selected",
    )  # fmt: skip
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False, fontsize=9)
    gap = np.abs(share - exact).max()
    return (
        f"{noise_kind} noise of scale {scale:.2f}, {DRAWS:,} draws: the score {scores[0]:g} is the largest "
        f"in {share[0]:.1%} of them, the exponential mechanism selects it with {exact[0]:.1%}. The largest "
        f"difference among the four is {100 * gap:.1f} percentage points."
    )


@layout(height=4.4, bottom=0.22, top=0.97)
def select_or_ask(ax, *, answers="twelve queries", epsilon=1.0, cutoff=3) -> str:
    """Draw each item's exact chance to be selected, by the exponential mechanism and by SVT.

    Both use the noise for monotonic answers; SVT has the best split, goes through the items once, and gets
    the threshold half-way between the c-th largest answer and the next.
    """
    values, drawn = STREAMS[answers]
    by_em, by_svt = chances(answers, epsilon, cutoff)
    largest = _largest(values, cutoff)
    places = np.arange(drawn.size)
    wanted = np.isin(drawn, largest)
    ax.bar(places[wanted], 1.2, width=1, color="#E8E8E8", zorder=0, label=f"the {cutoff} largest")
    ax.bar(places - 0.2, by_em[drawn], width=0.4, color=BLUE, label="exponential mechanism")
    light = {"color": "#FBE3D6", "edgecolor": VERMILION, "linewidth": 1.5}
    ax.bar(places + 0.2, by_svt[drawn], width=0.4, label="SVT, once through", **light)
    what = "answers, in the order asked" if drawn.size == values.size else "the sixteen largest counts"
    ax.set(
        xlim=(-0.6, drawn.size - 0.4), xticks=places, xticklabels=[f"{value:g}" for value in values[drawn]],
        xlabel=what, ylim=(0, 1.03), yticks=(0, 0.25, 0.5, 0.75, 1), ylabel="chance to be selected",
    )  # fmt: skip
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False, fontsize=9)
    em_right, svt_right = right_on_average(answers, epsilon, cutoff)
    return (
        f"ε = {epsilon:.1f}: of the {cutoff} largest among {values.size}, the exponential mechanism selects "
        f"{em_right:.2f} on average and SVT {svt_right:.2f}; SVT also selects "
        f"{by_svt.sum() - svt_right:.2f} others, and leaves {cutoff - by_svt.sum():.2f} of its places empty."
    )


@lru_cache(maxsize=1000)
def chances(answers: str, epsilon: float, cutoff: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for each item the exact chances that EM and SVT select it."""
    values = STREAMS[answers][0]
    mechanism = VARIANTS["standard"].configure(epsilon, cutoff, monotonic=True)
    by_svt = accuracy.svt_chances(mechanism, values, threshold_between(values, cutoff))
    return accuracy.em_chances(values, epsilon, cutoff, monotonic=True), by_svt


def right_on_average(answers: str, epsilon: float, cutoff: int) -> tuple[float, float]:
    """Return how many of the largest EM and SVT select on average, exactly."""
    largest = _largest(STREAMS[answers][0], cutoff)
    return tuple(float(by_item[largest].sum()) for by_item in chances(answers, epsilon, cutoff))


def _largest(values: np.ndarray, cutoff: int) -> np.ndarray:
    return np.argsort(-values, kind="stable")[:cutoff]


@layout(height=4.4, bottom=0.22, top=0.97)
def distance_needed(ax, *, items=100, beta=0.05, epsilon=1.0, svt="1:1 (Alg. 1)") -> str:
    """Draw the exact chance to select wrongly against the distance α from the threshold.

    All items but one have the answer T - α, that one T + α, and SVT is asked it last; it fails too when it
    selects none.
    """
    monotonic = ONE_ALARM[svt].monotonic
    distances, failures = failure_curve(items, svt)
    exponents = np.log(items - 1) - (2 if monotonic else 1) * distances
    em, found = accuracy.em_distance(items, beta, 1.0, monotonic=monotonic), needed(items, beta, svt)
    proved = accuracy.proved_distance(items, beta, 1.0)
    alphas, wide = distances / epsilon, {"linewidth": 2.5}
    ax.plot(alphas, 1 / (1 + np.exp(-exponents)), color=BLUE, label="exponential mechanism", **wide)
    ax.plot(alphas, failures, color=VERMILION, linestyle="--", label="SVT, exact", **wide)
    ax.axhline(beta, color=GREY, linewidth=1.2, label=f"β = {beta:.0%}")
    ax.axvline(proved / epsilon, color=BLACK, linewidth=2, linestyle=":", label="proved for Alg. 1")
    ax.plot(em / epsilon, beta, "o", color=BLUE, markeredgecolor=BLACK, markersize=9)
    ax.plot(found / epsilon, beta, "D", color=VERMILION, markeredgecolor=BLACK, markersize=8)
    ax.set(
        xscale="log", xlim=(1, 300), xlabel="α, the distance from the threshold (logarithmic)",
        yscale="log", ylim=(1e-7, 1.5), ylabel="chance to fail (logarithmic)",
    )  # fmt: skip
    ax.set_xticks((1, 3, 10, 30, 100, 300), ("1", "3", "10", "30", "100", "300"))
    ax.set_yticks((1e-6, 1e-4, 1e-2, 1), ("10⁻⁶", "10⁻⁴", "0.01", "1"))
    ax.minorticks_off()
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4, frameon=False, fontsize=9)
    return (
        f"{items:,} items, ε = {epsilon:.1f}, β = {beta:.0%}: the exponential mechanism needs the distance "
        f"{em / epsilon:.1f}; SVT, {svt}, needs {found / epsilon:.1f}, {found / em:.2f} times as much. "
        f"Proved for Alg. 1: {proved / epsilon:.1f}."
    )


@lru_cache
def failure_curve(items: int, svt: str) -> tuple[np.ndarray, np.ndarray]:
    """Return distances and the exact chances that SVT fails at them, at ε = 1; all noise scales with 1/ε."""
    distances = np.logspace(-0.3, 2.2, 41)
    return distances, np.array([accuracy.svt_failure(ONE_ALARM[svt], items, x) for x in distances])


@lru_cache
def needed(items: int, beta: float, svt: str) -> float:
    """Return the distance at which SVT fails with the chance β, at ε = 1."""
    return accuracy.svt_distance(ONE_ALARM[svt], items, beta)


@layout(height=3.8, left=0.22, bottom=0.26, top=0.97)
def retraversal(ax, *, raised_by=2.0, passes=30, epsilon=0.2) -> str:
    """Draw who gets the eight places on the survey: SVT once through, with retraversal, and EM.

    SVT has monotonic noise, the best split and a new random order in each run. What it does is counted in
    200 runs with a fixed seed; EM's bars are exact.
    """
    mechanism = VARIANTS["standard"].configure(epsilon, PLACES, monotonic=True)
    once, _ = counted(epsilon, 0.0, 1)
    yours, used = counted(epsilon, raised_by, passes)
    bars = {
        "SVT, one pass,\nnot raised": once,
        f"raised by {raised_by:g},\nup to {count(passes, 'pass', 'passes')}": yours,
        "EM with ε₂ only": em_shares(mechanism.epsilon_queries),
        "EM": em_shares(epsilon),
    }
    shares, rows = np.array(list(bars.values())), np.arange(len(bars))
    left = np.zeros(rows.size)
    for share, (name, colour, hatch) in zip(
        shares.T,
        (
            ("the 8 largest", BLUE, ""), ("ranks 9 to 24", SKY, ""),
            ("ranks 25 to 375", ORANGE, "///"), ("left empty", "white", ""),
        ),
        strict=True,
    ):  # fmt: skip
        ax.barh(rows, share, left=left, height=0.7, color=colour, hatch=hatch, edgecolor=BLACK, label=name)
        left += share
    for row, right in enumerate(shares[:, 0]):
        ax.text(right / 2, row, f"{right:.2f}", color="white", weight="bold", ha="center", va="center")
    ax.set(
        ylim=(3.6, -0.6), yticks=rows, yticklabels=list(bars), xlim=(0, 8.02), xticks=range(9),
        xlabel="places, on average",
    )  # fmt: skip
    ax.legend(loc="upper center", bbox_to_anchor=(0.4, -0.2), ncols=4, frameon=False, fontsize=9)
    missed = 1 - shares[:, 0] / PLACES
    return (
        f"ε = {epsilon:.1f}: of the 8 largest counts, one pass misses {missed[0]:.0%}; with the threshold "
        f"raised by {raised_by:.1f} standard deviations and up to {count(passes, 'pass', 'passes')}, "
        f"{missed[1]:.0%} (it makes {used:.1f} on average, and leaves {yours[3]:.1f} places empty); "
        f"EM with ε₂ alone misses {missed[2]:.0%}, and EM {missed[3]:.0%}."
    )


@lru_cache(maxsize=1000)
def counted(epsilon: float, raised_by: float, passes: int, runs: int = RUNS) -> tuple[np.ndarray, float]:
    """Return how the places of SVT are shared out on average, and how many passes it makes."""
    mechanism = VARIANTS["standard"].configure(epsilon, PLACES, monotonic=True)
    answers, rng = np.sort(SURVEY.answers)[::-1], np.random.default_rng(9)
    threshold, ranks, used = threshold_between(answers, PLACES), [], 0
    for _ in range(runs):
        order = rng.permutation(answers.size)
        selection = svt_select(
            mechanism, answers[order], threshold, raised_by=raised_by, passes=passes, rng=rng
        )
        ranks.extend(order[selection.indices])
        used += selection.passes
    return _shared_out(np.bincount(ranks, minlength=answers.size) / runs), used / runs


@lru_cache(maxsize=1000)
def em_shares(epsilon: float) -> np.ndarray:
    """Return how the places of EM are shared out, exactly."""
    answers = np.sort(SURVEY.answers)[::-1]
    return _shared_out(accuracy.em_chances(answers, epsilon, PLACES, monotonic=True))


def _shared_out(by_rank: np.ndarray) -> np.ndarray:
    """Return the places of the 8 largest, of the next 16, of the rest, and of nobody."""
    parts = np.split(by_rank, [PLACES, 3 * PLACES])
    return np.array([*(part.sum() for part in parts), PLACES - by_rank.sum()])


@layout(height=4.4, bottom=0.22, top=0.97)
def answer_from_history(ax, *, threshold=150, epsilon=2.0, cutoff=8, noise_seed=1) -> str:
    """Draw the error of each answer that the desk gives, in the order in which the questions come."""
    said = interactive.answer_from_history(
        QUESTIONS, threshold, epsilon, cutoff, np.random.default_rng(noise_seed)
    )
    errors, numbers = np.abs(said.answers - QUESTIONS.answers), 1 + np.arange(len(QUESTIONS))
    kinds = (
        (said.checked & ~said.bought, "o", SKY, 5, "derived, checked"),
        (said.bought, "D", BLUE, 8, "bought"),
        (~said.checked, "x", VERMILION, 5, "derived, unchecked"),
    )
    for chosen, marker, colour, size, label in kinds:
        edge = colour if marker == "x" else BLACK
        ax.plot(
            numbers[chosen], np.minimum(errors[chosen], LARGEST_ERROR), marker, color=colour,
            markeredgecolor=edge, markeredgewidth=0.6 if marker != "x" else 1.5, markersize=size, label=label,
        )  # fmt: skip
    ax.axhline(threshold, color=BLACK, linewidth=1.2, linestyle="--", label="threshold T")
    ax.set(
        xlim=(-5, 382), xticks=(1, 26, 76, 376), ylim=(-12, 1.05 * LARGEST_ERROR), yticks=range(0, 451, 50),
        xlabel="question, in the order in which they come", ylabel="error (people)",
    )  # fmt: skip
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4, frameon=False, fontsize=9)
    beyond = int((errors > LARGEST_ERROR).sum())
    edge = f" At the upper edge: {count(beyond, 'error')} beyond it." if beyond else ""
    return (
        f"Noise {noise_seed}: {len(QUESTIONS)} questions for ε = {epsilon:.1f}; {int(said.bought.sum())} of "
        f"{count(cutoff, 'answer')} bought, {int((~said.checked).sum())} questions unchecked. The errors: "
        f"{errors.max():.0f} at most, {errors.mean():.0f} on average. Plain noise on all, same ε: "
        f"{len(QUESTIONS) / epsilon:.0f} on average.{edge}"
    )
