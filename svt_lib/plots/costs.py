"""Pictures of what a run costs, and of whether it pays (notebook 03)."""

import numpy as np

from svt_lib.exact import output_loss
from svt_lib.mechanism import plain_laplace
from svt_lib.plots.streams import SURVEY, TWELVE
from svt_lib.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, count, layout
from svt_lib.sampling import noise_behind, run
from svt_lib.variants import VARIANTS

#: For each stream: its queries, the threshold, the ends of the answers' axis, ticks of the questions' axis.
STREAMS = {
    "survey": (SURVEY, 200, (-1200, 1700), (1, 100, 200, 300, 375)),
    "twelve": (TWELVE, 50, (-60, 160), tuple(range(1, 13))),
}


@layout(height=4.4, left=0.08, bottom=0.25, top=0.97)
def cost_of_a_run(ax, *, epsilon=1.0, cutoff=4, run_number=1) -> str:
    """Draw what a run of Alg. 1 on the survey has cost after each answer, by four ways of counting.

    The run is the one of the seed `run_number`: other settings rescale the same noise.
    """
    mechanism = VARIANTS["alg1"].configure(epsilon, cutoff)
    outcomes = run(mechanism, SURVEY.answers, 200, np.random.default_rng(run_number)).outcomes
    asked, aboves = np.arange(len(outcomes) + 1), np.cumsum([0, *outcomes])
    bound = mechanism.epsilon_threshold + aboves * mechanism.epsilon_queries / cutoff
    # From 3c Belows on, one more changes nothing: then ε₁ + j·ε₂/c is the least of the bounds.
    shapes = list(zip(np.minimum(asked - aboves, 3 * cutoff).tolist(), aboves.tolist(), strict=True))
    losses = {shape: output_loss(mechanism, *shape) for shape in set(shapes)}
    worst = np.array([losses[shape] for shape in shapes])
    rule = aboves * epsilon / cutoff

    ax.axhline(epsilon, color=BLACK, linewidth=1.2, label="charged at the start: ε")
    ax.step(asked, bound, where="post", color=ORANGE, linewidth=5, label="ε₁ + j·ε₂/c after j Aboves")
    ax.step(asked, worst, where="post", color=BLUE, linewidth=1.8, label="this output, worst case")
    ax.step(asked, rule, where="post", color=PURPLE, linewidth=1.8, linestyle="--", label="“ε/c an Above”")
    stops = np.flatnonzero(outcomes) + 1
    ax.plot(stops, bound[stops], "^", color=VERMILION, markeredgecolor=BLACK, markersize=9, label="an Above")
    ax.axvspan(len(outcomes), len(SURVEY), facecolor="#EEEEEE", hatch="//", edgecolor="#BBBBBB", linewidth=0)
    ax.set(
        xlim=(-4, 379), ylim=(0, 2.15), yticks=(0, 0.5, 1, 1.5, 2),
        xlabel="questions answered (hatched: not asked)", ylabel="privacy cost (same unit as ε)",
    )  # fmt: skip
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False, fontsize=9)
    belows = len(outcomes) - aboves[-1]
    return (
        f"Run {run_number}: {count(int(belows), 'Below')} and {count(int(aboves[-1]), 'Above')}. After the "
        f"fact, worst case over all neighbours, this output costs {worst[-1]:.4g}. The rule “ε/c an Above” "
        f"says {rule[-1]:.4g}, and on the way it was too low by up to {max(worst - rule):.4g}. "
        f"The ledger charged {epsilon:.4g} at the start."
    )


@layout(height=5.0, panels=(1, 1), left=0.08, bottom=0.14, top=0.94, gap=0.2)
def once_or_again(axes, *, epsilon=1.0, cutoff=3, noise_seed=1) -> str:
    """Draw Alg. 1 and Alg. 2 on the twelve queries, threshold 50, with the same noise of the seed.

    The noise on the answers is the same in both panels. That of the threshold has another scale, and Alg. 2
    draws it again after each Above.
    """
    mechanisms = [VARIANTS[key].configure(epsilon, cutoff) for key in ("alg1", "alg2")]
    said = []
    for ax, mechanism in zip(axes, mechanisms, strict=True):
        outcomes = run(mechanism, TWELVE.answers, 50, np.random.default_rng(noise_seed)).outcomes
        _thresholds_of_a_run(ax, mechanism, outcomes, noise_seed)
        how = "drawn again after each Above" if mechanism.redraw else "drawn once"
        _headline(ax, f"{mechanism.name}: threshold noise of scale {mechanism.threshold_scale:.3g}, {how}")
        said.append(f"{mechanism.name} says {''.join('▲' if above else '▽' for above in outcomes)}")
    axes[1].set_xticklabels(TWELVE.labels)
    axes[1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=5, frameon=False, fontsize=9)
    once, again = (mechanism.comparison_sd**2 for mechanism in mechanisms)
    return (
        f"Noise {noise_seed}: {said[0]}, {said[1]}. The noise on the answers is the same and has the scale "
        f"{mechanisms[0].query_scale:.3g}; a comparison of Alg. 2 has {again / once:.2f} times the variance."
    )


def _headline(ax, text):
    """Write over a panel what it shows; a title would be drawn with the frame, which takes longer."""
    ax.text(0, 1.03, text, transform=ax.transAxes, fontsize=10)


def _thresholds_of_a_run(ax, mechanism, outcomes, noise_seed):
    """Draw one panel: the true answers, their noisy copies, and the noisy threshold each one met."""
    low, high = -40, 140
    asked, positions = len(outcomes), np.arange(len(TWELVE))
    for_threshold, for_queries = noise_behind(mechanism, outcomes, np.random.default_rng(noise_seed))
    noisy = np.clip(TWELVE.answers[:asked] + for_queries, low + 5, high - 5)
    above = np.array(outcomes)
    ax.vlines(positions, 0, TWELVE.answers, color="#DDDDDD", linewidth=20, zorder=0)
    ax.axhline(50, color=BLACK, linewidth=1.2, label="threshold T")
    ax.stairs(
        np.clip(50 + for_threshold, low, high), np.arange(asked + 1) - 0.5, baseline=None,
        color=VERMILION, linestyle="--", linewidth=2, label="noisy threshold",
    )  # fmt: skip
    marks = {"linestyle": "none", "markeredgecolor": BLACK, "markersize": 8}
    ax.plot(positions[:asked][above], noisy[above], "^", color=BLUE, label="answer + noise, Above", **marks)
    ax.plot(positions[:asked][~above], noisy[~above], "v", color="white", label="…, Below", **marks)
    ax.set(
        xlim=(-0.6, 11.6), xticks=positions, xticklabels=[],
        ylim=(low, high), yticks=(low, 0, 50, high), ylabel="answer",
    )  # fmt: skip


@layout(height=4.6, left=0.1, right=0.97, bottom=0.22, top=0.97)
def does_it_pay(ax, *, queries=12, cutoff=3, epsilon=1.0) -> str:
    """Draw the standard deviation of one comparison against the number of queries, plain noise against SVT.

    Plain: Laplace noise of scale mΔ/ε on all m answers, Δ = 1. SVT: Alg. 1, the standard SVT at its best
    split, and that for monotonic answers; theirs doesn't depend on m.
    """
    m = np.array([1.0, 1000.0])
    ax.plot(
        m, np.sqrt(2) * m / epsilon, color=BLACK, linewidth=2, label="plain Laplace noise on all m answers"
    )
    kinds = (
        ("SVT, ε₁ = ε₂ (Alg. 1)", VARIANTS["alg1"].configure(epsilon, cutoff), BLUE, "-", "o"),
        ("SVT, best split", VARIANTS["standard"].configure(epsilon, cutoff), GREEN, "--", "s"),
        (
            "SVT, best split, monotonic answers",
            VARIANTS["standard"].configure(epsilon, cutoff, monotonic=True),
            ORANGE, "-.", "D",
        ),
    )  # fmt: skip
    evens = []
    for label, mechanism, colour, style, marker in kinds:
        spread = mechanism.comparison_sd
        evens.append(spread * epsilon / np.sqrt(2))
        ax.plot([cutoff, 1000], [spread, spread], color=colour, linestyle=style, linewidth=2, label=label)
        ax.plot([evens[-1]] * 2, [0.3, spread], color=colour, linestyle=":", linewidth=1.5)
        ax.plot(evens[-1], spread, marker, color=colour, markeredgecolor=BLACK, markersize=8)
    plain, svt = np.sqrt(2) * queries / epsilon, kinds[0][1].comparison_sd
    ax.axvline(queries, color=GREY, linewidth=6, alpha=0.4, label="your m")
    ax.set(
        xscale="log", yscale="log", xlim=(1, 1000), ylim=(0.3, 8000),
        xticks=(1, 3, 10, 30, 100, 300, 1000), xticklabels=("1", "3", "10", "30", "100", "300", "1,000"),
        yticks=(1, 10, 100, 1000), yticklabels=("1", "10", "100", "1,000"),
        xlabel="number of queries m (logarithmic)", ylabel="standard deviation of a comparison (log.)",
    )  # fmt: skip
    ax.minorticks_off()
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3, frameon=False, fontsize=9)
    winner = "plain noise" if plain < svt else "SVT"
    return (
        f"{count(queries, 'query', 'queries')}, cutoff {cutoff}: the standard deviation is {plain:.1f} for "
        f"plain noise and {svt:.1f} for Alg. 1: {winner} wins. Break-even at m = {evens[0]:.1f}; at the best "
        f"split at {evens[1]:.1f}, for monotonic answers at {evens[2]:.1f}."
    )


@layout(height=5.2, panels=(1, 1), left=0.1, bottom=0.16, top=0.94, gap=0.2)
def two_desks(axes, *, stream="survey", epsilon=1.0, cutoff=8, run_number=1) -> str:
    """Draw the verdicts of plain Laplace noise on all answers and those of Alg. 1, for the same ε.

    `stream` is "survey" (threshold 200) or "twelve" (threshold 50). The run is the one of the seed
    `run_number`, for both desks.
    """
    queries, threshold, _, ticks = STREAMS[stream]
    desks = {
        "plain Laplace noise": plain_laplace(len(queries), epsilon),
        "SVT": VARIANTS["alg1"].configure(epsilon, cutoff),
    }
    said = []
    for ax, (name, mechanism) in zip(axes, desks.items(), strict=True):
        outcomes = run(mechanism, queries.answers, threshold, np.random.default_rng(run_number)).outcomes
        right = np.array(outcomes) == (queries.answers[: len(outcomes)] >= threshold)
        _verdicts(ax, mechanism, stream, right, run_number)
        _headline(ax, f"{name}: scale {mechanism.query_scale:.4g} on each answer")
        said.append(
            f"{len(outcomes)} of {len(queries)} questions answered, {count(sum(outcomes), 'alarm')}, "
            f"{count(int(np.sum(~right)), 'wrong verdict')}"
        )
    axes[1].set_xticks(ticks, ticks)
    axes[1].set_xlabel("number of the question (hatched: not asked)", labelpad=1)
    axes[1].legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=5, frameon=False, fontsize=9, columnspacing=1.1
    )
    return f"Run {run_number}. Plain noise: {said[0]}. SVT: {said[1]}."


def _verdicts(ax, mechanism, stream, right, run_number):
    """Draw one panel: true answers, noisy copies (at the edge if beyond it), which verdicts were right."""
    queries, threshold, (low, high), ticks = STREAMS[stream]
    asked, length, numbers = right.size, len(queries), np.arange(1, right.size + 1)
    # Without redraws the outcomes decide nothing about the noise but how much of it there is.
    threshold_noise, query_noise = noise_behind(
        mechanism, np.zeros(asked, bool), np.random.default_rng(run_number)
    )
    noisy = np.clip(queries.answers[:asked] + query_noise, 0.98 * low, 0.98 * high)
    edges, heights = np.arange(length + 1) + 0.5, np.append(queries.answers, queries.answers[-1])
    ax.fill_between(edges, heights, step="post", color="#BBBBBB", label="true answer")
    ax.axhline(threshold, color=BLACK, linewidth=1.2, label="threshold T")
    ax.axhline(
        threshold + threshold_noise[0], color=ORANGE, linewidth=1.8, linestyle="--", label="noisy threshold"
    )
    dots = {"linestyle": "none", "markersize": 4 if stream == "survey" else 8}
    ax.plot(numbers[right], noisy[right], "o", color=BLUE, label="noisy answer, verdict right", **dots)
    ax.plot(numbers[~right], noisy[~right], "x", color=VERMILION, label="… wrong", **dots)
    ax.axvspan(
        asked + 0.5, length + 0.5, facecolor="#EEEEEE", hatch="//", edgecolor="#CCCCCC", linewidth=0, zorder=0
    )
    ax.set(
        xlim=(0.4 - 0.01 * length, 0.6 + 1.01 * length), xticks=ticks, xticklabels=[],
        ylim=(low, high), yticks=(low, 0, threshold, high), ylabel="answer",
    )  # fmt: skip
