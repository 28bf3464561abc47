"""Pictures of one run over a stream of queries (notebook 00)."""

import numpy as np

from svt_lib import data
from svt_lib.plots.style import BLACK, BLUE, GREY, ORANGE, SKY, VERMILION, count, layout
from svt_lib.sampling import noise_behind, run
from svt_lib.variants import VARIANTS

TWELVE = data.twelve()
SURVEY = data.survey().shuffled(np.random.default_rng(1629))


LOW, HIGH = -20.0, 120.0


@layout(height=4.2, left=0.08, bottom=0.16, top=0.88)
def twelve_queries(ax, *, threshold=50, epsilon=1.0, cutoff=3, run_number=1) -> str:
    """Draw Alg. 1 on the twelve queries: true answers, what the noise made of them, the two thresholds.

    The run is the one of the seed `run_number`: other settings rescale the same noise.
    """
    _, outcomes, noisy, noisy_threshold, stopped = _one_run(
        TWELVE.answers, threshold, epsilon, cutoff, run_number
    )
    positions, asked = np.arange(len(TWELVE)), len(outcomes)
    colours = [BLUE if above else SKY for above in outcomes] + ["#DDDDDD"] * (len(TWELVE) - asked)
    hatches = ["" if i < asked else "//" for i in positions]
    ax.bar(
        positions, TWELVE.answers, width=0.7, color=colours, hatch=hatches, edgecolor="#555555", linewidth=0.8
    )
    ax.vlines(positions[:asked], TWELVE.answers[:asked], noisy, color=BLACK, linewidth=1, linestyle=":")
    _noisy_answers(ax, noisy)
    _thresholds(ax, threshold, noisy_threshold)
    for position in positions:
        above = position < asked and outcomes[position]
        badge = ("▲\nAbove" if above else "▽\nBelow") if position < asked else "not\nasked"
        ax.text(
            position,
            HIGH + 2,
            badge,
            ha="center",
            va="bottom",
            fontsize=9,
            weight="bold" if above else "normal",
        )
    ax.set(xlim=(-0.6, 11.6), ylim=(LOW, HIGH), xticks=positions, xticklabels=TWELVE.labels, ylabel="answer")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=5, frameon=False, fontsize=9)
    return f"Run {run_number}: {_status(outcomes, stopped, len(TWELVE))} {_spent(run_number, epsilon)}"


def _noisy_answers(ax, noisy):
    """Mark the noisy answers; an arrow at the edge stands for one that lies beyond it."""
    positions = np.arange(noisy.size)
    inside = (noisy >= LOW) & (noisy <= HIGH)
    style = {"color": ORANGE, "markeredgecolor": BLACK, "linestyle": "none"}
    ax.plot(positions[inside], noisy[inside], marker="D", markersize=7, label="answer + noise", **style)
    for beyond, edge, marker in ((noisy < LOW, LOW + 4, "v"), (noisy > HIGH, HIGH - 4, "^")):
        ax.plot(positions[beyond], np.full(beyond.sum(), edge), marker=marker, markersize=9, **style)
    if not inside.all():
        ax.plot([], [], marker="^", markersize=9, label="… beyond the picture", **style)


@layout(height=4.0, left=0.09, bottom=0.22, top=0.97)
def survey_queries(ax, *, threshold=200, epsilon=1.0, cutoff=3, run_number=1) -> str:
    """Draw Alg. 1 on the survey's 375 counts, in a random order that is the same each time."""
    answers, outcomes, noisy, noisy_threshold, stopped = _one_run(
        SURVEY.answers, threshold, epsilon, cutoff, run_number
    )
    positions, asked = np.arange(answers.size), len(outcomes)
    above = np.flatnonzero(outcomes)
    below = np.setdiff1d(positions[:asked], above)
    ax.vlines(
        positions[asked:], 0, answers[asked:], color=GREY, linewidth=1, linestyle=":", label="not asked"
    )
    ax.vlines(below, 0, answers[below], color=BLUE, linewidth=1.5, label="Below")
    ax.vlines(above, 0, answers[above], color=VERMILION, linewidth=2.5)
    ax.plot(above, answers[above], "^", color=VERMILION, markeredgecolor=BLACK, markersize=9, label="Above")
    low, high = -250, 1150
    shown = np.clip(noisy, 0.98 * low, 0.99 * high)
    ax.plot(positions[:asked], shown, ".", color=ORANGE, markersize=4, label="answer + noise")
    _thresholds(ax, threshold, noisy_threshold)
    for row, position in enumerate(above):
        _name(ax, SURVEY.labels[position], position, answers[position], 1090 - 65 * row)
    ax.set(xlim=(-3, 378), ylim=(low, high), xlabel="query, in the order asked", ylabel="people")
    ax.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=6, frameon=False, fontsize=9, columnspacing=1.2
    )
    right = int(np.sum(np.asarray(outcomes) == (answers[:asked] >= threshold)))
    beyond = int(((noisy < low) | (noisy > high)).sum())
    edge = f" At the edge: {count(beyond, 'noisy answer')} beyond the picture." if beyond else ""
    return (
        f"Run {run_number}: {_status(outcomes, stopped, answers.size)} "
        f"{right} of the {asked} answers given are right.{edge} {_spent(run_number, epsilon)}"
    )


def _name(ax, label, position, answer, height):
    """Write a label on a row of its own, with a thin line down to its query."""
    ax.vlines(position, answer, height, color=GREY, linewidth=0.7)
    side, shift = ("left", 3) if position < len(SURVEY) / 2 else ("right", -3)
    ax.text(position + shift, height, label, ha=side, va="center", fontsize=9)


def _one_run(answers, threshold, epsilon, cutoff, run_number):
    """Run Alg. 1 with the noise of the seed `run_number`, and derive that noise again for the picture."""
    mechanism = VARIANTS["alg1"].configure(epsilon, cutoff)
    transcript = run(mechanism, answers, threshold, np.random.default_rng(run_number))
    outcomes = transcript.outcomes
    threshold_noise, query_noise = noise_behind(mechanism, outcomes, np.random.default_rng(run_number))
    noisy = answers[: len(outcomes)] + query_noise
    return answers, outcomes, noisy, threshold + threshold_noise[0], transcript.stopped


def _thresholds(ax, threshold, noisy_threshold):
    ax.axhline(threshold, color=BLACK, linewidth=1.5, label="threshold T")
    ax.axhline(noisy_threshold, color=VERMILION, linewidth=1.5, linestyle="--", label="noisy threshold")


def _status(outcomes, stopped, length) -> str:
    aboves = count(sum(outcomes), "Above")
    if not stopped:
        return f"stream complete after {aboves}; all {length} queries were answered."
    left = length - len(outcomes)
    rest = "none was left unasked" if left == 0 else f"{count(left, 'query', 'queries')} not asked"
    return f"budget exhausted after {aboves}; {rest}."


def _spent(runs, epsilon) -> str:
    if runs == 1:
        return f"Spent on these data: ε = {epsilon:.1f}."
    return f"{runs} runs on these data, each at ε = {epsilon:.1f}, cost {runs * epsilon:.1f} together."
