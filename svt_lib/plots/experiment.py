"""Pictures of the experiment on counts: one run, the error rates, the false alarms (notebook 10)."""

from functools import lru_cache

import numpy as np

from svt_lib import data, noise
from svt_lib.experiment import (
    CLEAR,
    EPSILON,
    METHODS,
    Experiment,
    select_once,
)
from svt_lib.plots.style import BLACK, BLUE, GREY, ORANGE, PURPLE, SKY, VERMILION, count, layout
from svt_lib.selection import false_negative_rate, score_error_rate, threshold_between

#: 10,000 counts that fall off as 1/rank.
ZIPF = data.zipf().answers
RANKS = np.arange(1, ZIPF.size + 1)
#: The kinds of methods: line style and colour.
KINDS = {
    "Alg. 2": ((0, (1, 1)), PURPLE),
    "one pass": ("--", ORANGE),
    "retraversal": ("-.", SKY),
    "exponential mechanism": ("-", BLACK),
}
RATES = {"fnr": "false negative rate", "ser": "score error rate"}


@layout(height=4.4, left=0.12, bottom=0.13, top=0.97)
def one_selection(ax, *, method="1:c^(2/3)", cutoff=50, noise_seed=1) -> str:
    """Draw what one run selects from 10,000 counts that fall off as 1/rank; ε = 0.1."""
    threshold = threshold_between(ZIPF, cutoff)
    rng = np.random.default_rng(noise_seed)
    chosen = select_once(METHODS[method], ZIPF, cutoff, EPSILON, threshold, rng)
    right, wrong = chosen[chosen < cutoff], chosen[chosen >= cutoff]
    missed = np.setdiff1d(np.arange(cutoff), right)
    ax.plot(RANKS, ZIPF, color=GREY, linewidth=1, zorder=1)
    ax.axhline(threshold, color=BLACK, linewidth=1.2, linestyle="--", label="threshold T")
    for items, marker, size, face, edge, label in (
        (missed, "o", 7, "white", GREY, "among the c largest, missed"),
        (right, "o", 7, BLUE, BLACK, "… selected"),
        (wrong, "x", 7, VERMILION, VERMILION, "not among them, selected"),
    ):
        ax.plot(
            RANKS[items], ZIPF[items], marker, markersize=size, markerfacecolor=face, markeredgecolor=edge,
            label=label,
        )  # fmt: skip
    ax.set(xscale="log", yscale="log", xlim=(0.8, 14_000), ylim=(7, 300_000))
    ax.set_xticks((1, 10, 100, 1000, 10_000), ("1", "10", "100", "1,000", "10,000"))
    ax.set_yticks((10, 100, 1000, 10_000, 100_000), ("10", "100", "1,000", "10,000", "100,000"))
    ax.set(xlabel="rank of the item", ylabel="count (records)")
    ax.minorticks_off()
    ax.legend(loc="upper right", fontsize=9)
    fnr, ser = (rate(chosen, ZIPF, cutoff) for rate in (false_negative_rate, score_error_rate))
    return (
        f"{method}, c = {cutoff}, ε = {EPSILON}, run {noise_seed}: of the {cutoff} largest {right.size} are "
        f"selected and {missed.size} missed; {count(wrong.size, 'other item')} selected. "
        f"False negative rate {fnr:.1%}, score error rate {ser:.1%}."
    )


@layout(height=4.6, left=0.09, bottom=0.22, top=0.97)
def error_curves(ax, *, experiment=None, rate="fnr", method="1:c^(2/3)", against="EM", cutoff=None) -> str:
    """Draw an error rate of all methods against the cutoff, and two methods with their spread.

    Parameters
    ----------
    experiment : Experiment
        A small one on the survey's counts where it is left out. Cutoffs at which a method is missing aren't
        drawn.
    rate : str
        "fnr" or "ser".
    method, against : str
        The two to compare.
    cutoff : int
        Where to compare them; the middle one of the experiment where it is left out.
    """
    experiment = experiment or survey_experiment()
    cutoffs = experiment.complete
    if not cutoffs:
        raise ValueError("experiment must have a cutoff at which every method is done")
    cutoff = cutoffs[len(cutoffs) // 2] if cutoff is None else cutoff
    _all_methods(ax, experiment, rate)
    for name, marker, colour, hatch in ((method, "o", VERMILION, None), (against, "s", BLUE, "///")):
        _with_spread(ax, experiment, name, rate, marker=marker, colour=colour, hatch=hatch)
    ax.axvline(cutoff, color=GREY, linewidth=1, linestyle=":", zorder=0)
    ax.set(xlim=(0, 1.04 * cutoffs[-1]), xticks=cutoffs, xlabel="cutoff c", ylabel=RATES[rate])
    ax.set(ylim=(-0.12, 1.05))
    ax.set_yticks((0, 0.25, 0.5, 0.75, 1), ("0", "25%", "50%", "75%", "100%"))
    ax.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=6, frameon=False, fontsize=9, columnspacing=1.2
    )
    return f"c = {cutoff}, ε = {experiment.epsilon:g}. {_verdict(experiment, method, against, cutoff, rate)}"


def _all_methods(ax, experiment, rate):
    """Draw the mean of every method, one line for each kind: its methods are parted by NaN."""
    cutoffs = experiment.complete
    for name_of_kind, (style, colour) in KINDS.items():
        names = [name for name in METHODS if kind(name) == name_of_kind]
        means = [
            [getattr(experiment.cells[name, c], rate).mean() for c in cutoffs] + [np.nan] for name in names
        ]
        xs = [*cutoffs, np.nan] * len(names)
        ax.plot(xs, np.concatenate(means), linestyle=style, color=colour, linewidth=1.3, label=name_of_kind)


def kind(name: str) -> str:
    """Return the kind of a method: a key of `KINDS`."""
    method = METHODS[name]
    if method.variant is None:
        return "exponential mechanism"
    if method.passes > 1:
        return "retraversal"
    return "one pass" if method.split else "Alg. 2"


@lru_cache(maxsize=1)
def survey_experiment() -> Experiment:
    """Return a small experiment on the survey's counts: quick, and made only where it is asked for."""
    return Experiment(data.survey().answers, runs=50).fill((1, 4, 8, 25))


def _with_spread(ax, experiment, name, rate, *, marker, colour, hatch):
    cutoffs = experiment.complete
    parts = [experiment.cells[name, c].summary(rate) for c in cutoffs]
    low, high = [part.low for part in parts], [part.high for part in parts]
    ax.fill_between(
        cutoffs, low, high, facecolor=colour, alpha=0.25, hatch=hatch, edgecolor=colour, linewidth=0.5
    )
    means = [part.mean for part in parts]
    ax.plot(cutoffs, means, marker=marker, color=colour, linewidth=2.2, markersize=6, label=name)


def _verdict(experiment, method, against, cutoff, rate) -> str:
    one, other = (experiment.cells[name, cutoff].summary(rate) for name in (method, against))
    said = (
        f"{RATES[rate].capitalize()}: {method} {one.mean:.1%} ± {one.error:.1%}, "
        f"{against} {other.mean:.1%} ± {other.error:.1%}"
    )
    if method == against:
        return f"{said}, the same method."
    gap = abs(experiment.gap(method, against, cutoff, rate))
    return f"{said}, {gap:.1f} standard errors apart: {'clear' if gap > CLEAR else 'not decided'}."


#: Cutoffs at which the expected false alarms are computed.
CURVE = np.unique(np.logspace(np.log10(5), np.log10(300), 40).round().astype(int)).tolist()
#: The bottom of the picture of expected Aboves.
LOWEST = 0.01
#: Edges of the classes of ranks, five to a factor of ten.
EDGES = np.unique(np.logspace(0, 4, 21).round()).astype(int)


@layout(height=5.4, panels=(1.2, 1), left=0.1, right=0.97, bottom=0.09, top=0.98, gap=0.3)
def false_alarms_by_cutoff(axes, *, cutoff=50, epsilon=0.1, raised_by=0) -> str:
    """Draw the expected Aboves of one pass over 10,000 counts: right and false ones, and at which ranks.

    The threshold noise is left out, and the pass doesn't stop. The split is the monotonic 1:c^(2/3).
    """
    top, bottom = axes
    sums = np.array([right_and_false(c, epsilon, raised_by) for c in CURVE])
    top.plot(CURVE, CURVE, "--", color=BLACK, linewidth=1.2, label="cutoff c: there a pass stops")
    top.plot(CURVE, sums[:, 0], color=BLUE, linewidth=2.2, label="right: among the c largest")
    top.plot(CURVE, sums[:, 1], "-.", color=VERMILION, linewidth=2.2, label="false alarms")
    right, false = right_and_false(cutoff, epsilon, raised_by)
    style = {"markeredgecolor": BLACK, "markersize": 9}
    top.plot(cutoff, right, "o", color=BLUE, **style)
    top.plot(cutoff, max(false, LOWEST), "D", color=VERMILION, **style)
    top.axvline(cutoff, color=GREY, linewidth=1, linestyle=":", zorder=0)
    top.set(xscale="log", yscale="log", xlim=(4.7, 320), ylim=(LOWEST, 2e4))
    top.set_xticks((5, 10, 25, 50, 100, 200, 300), ("5", "10", "25", "50", "100", "200", "300"))
    top.set_yticks((0.01, 1, 100, 10_000), ("0.01", "1", "100", "10,000"))
    top.set(xlabel="cutoff c", ylabel="expected Aboves in a pass")
    top.xaxis.labelpad = 1
    top.minorticks_off()
    top.legend(loc="lower right", fontsize=9)
    _by_rank(bottom, cutoff, _chances(cutoff, epsilon, raised_by))
    raised = f", threshold raised by {raised_by}" if raised_by else ""
    return (
        f"c = {cutoff}, ε = {epsilon:.1f}{raised}: expected in one pass are {right:,.1f} right Aboves and "
        f"{false:,.1f} false alarms. {_meaning(cutoff, right, false, raised_by)}"
    )


@lru_cache(maxsize=200)
def _chances(cutoff: int, epsilon: float, raised_by: float) -> np.ndarray:
    """Return the chance of an Above for each rank."""
    mechanism = METHODS["1:c^(2/3)"].mechanism(epsilon, cutoff)
    raise_by = raised_by * np.sqrt(2) * mechanism.query_scale
    return np.exp(noise.log_tail(threshold_between(ZIPF, cutoff) + raise_by - ZIPF, mechanism.query_scale))


@lru_cache(maxsize=10_000)
def right_and_false(cutoff: int, epsilon: float, raised_by: float = 0.0) -> tuple[float, float]:
    """Return the expected right and false Aboves of one pass."""
    chances = _chances(cutoff, epsilon, raised_by)
    return float(chances[:cutoff].sum()), float(chances[cutoff:].sum())


def _by_rank(ax, cutoff, chances):
    """Draw the expected Aboves in each class of ranks."""
    edges = np.union1d(EDGES, [cutoff + 1])
    sums = np.maximum(np.add.reduceat(chances, edges[:-1] - 1), LOWEST)
    first_false = int(np.searchsorted(edges, cutoff + 1))
    style = {"fill": True, "baseline": LOWEST, "edgecolor": BLACK}
    ax.stairs(sums[:first_false], edges[: first_false + 1], color=BLUE, **style)
    ax.stairs(sums[first_false:], edges[first_false:], color=VERMILION, hatch="///", **style)
    ax.axvline(cutoff + 1, color=GREY, linewidth=1, linestyle=":")
    ax.set(xscale="log", yscale="log", xlim=(0.9, 11_000), ylim=(LOWEST, 2e4), xlabel="rank of the item")
    ax.set_xticks((1, 10, 100, 1000, 10_000), ("1", "10", "100", "1,000", "10,000"))
    ax.set_yticks((0.01, 1, 100, 10_000), ("0.01", "1", "100", "10,000"))
    ax.set(ylabel="expected Aboves")
    ax.minorticks_off()


def _meaning(cutoff, right, false, raised_by) -> str:
    if raised_by:
        return f"Of 100 Aboves in that pass about {100 * right / (right + false):.0f} are right."
    if false < cutoff / 10:
        return "The false ones hardly matter."
    return "They use up the cutoff." if false >= cutoff else "They take a good part of the cutoff."
