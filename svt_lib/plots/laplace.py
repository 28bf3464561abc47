"""Pictures of Laplace noise and of what it hides (notebook 01)."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from svt_lib import noise
from svt_lib.comparison import honest_surety
from svt_lib.plots.streams import SURVEY
from svt_lib.plots.style import BLACK, BLUE, GREY, ORANGE, SKY, VERMILION, count, layout, round_up

ROUNDS = 100


@layout(height=5.2, panels=(1.2, 1), bottom=0.1, top=0.97, gap=0.12)
def guessing_game(axes, *, epsilon=1.0, noise_seed=1) -> str:
    """Draw the game: is the person in (count 101) or out (100)? Below, what an answer makes you believe."""
    top, bottom = axes
    rng, scale = np.random.default_rng(noise_seed), 1 / epsilon
    person_in = rng.random(ROUNDS) < 0.5
    answers = 100 + person_in + noise.draw(rng, scale, ROUNDS)
    right = (answers > 100.5) == person_in
    x = np.linspace(90, 111, 841)
    out, inside = (np.exp(noise.log_density(x - answer, scale)) for answer in (100, 101))
    top.plot(x, inside, color=BLUE, linewidth=2, label="person in (101)")
    top.plot(x, out, color=ORANGE, linewidth=2, linestyle="--", label="person out (100)")
    peak = 0.5 / scale
    rows = -peak * (np.where(right, 0.08, 0.3) + 0.04 * (np.arange(ROUNDS) % 4))
    beyond, shown = int(((answers < 90) | (answers > 111)).sum()), np.clip(answers, 90.2, 110.8)
    top.plot(shown[right], rows[right], "o", color=GREY, markersize=4, label="round won")
    top.plot(shown[~right], rows[~right], "x", color=VERMILION, markersize=6, label="round lost")
    top.set(xlim=(90, 111), ylim=(-0.5 * peak, 1.3 * peak), ylabel="density")
    top.set(xticks=range(90, 112, 3), yticks=[])
    top.legend(loc="upper center", ncols=4, frameon=False, fontsize=9)
    belief = inside / (inside + out)
    most = honest_surety(epsilon)
    bottom.plot(x, belief, color=BLACK, linewidth=2)
    bottom.axhspan(1 - most, most, color=SKY, alpha=0.3)
    bottom.axvline(100.5, color=GREY, linestyle=":")
    bottom.text(90.3, most, f"never above {most:.3f}", va="bottom", fontsize=9)
    bottom.set(xlim=(90, 111), ylim=(0, 1.12), xticks=range(90, 112, 3), yticks=[0, 0.5, 1])
    bottom.set(xlabel="noisy count that you are shown", ylabel="belief: person in")
    edge = f" At the edge: {count(beyond, 'noisy count')} beyond the picture." if beyond else ""
    return (
        f"With ε = {epsilon:.2f} you won {right.sum()} of these {ROUNDS} rounds.{edge} In the long run "
        f"this game gives {_laplace_score(epsilon):.1%}, and no mechanism of this ε can give more than "
        f"{most:.1%}."
    )


def _laplace_score(epsilon: float) -> float:
    """Return the best share against Laplace noise of scale Δ/ε on answers Δ apart: 1 - e^(-ε/2) / 2."""
    return 1 - 0.5 * np.exp(-epsilon / 2)


@layout(height=5.2, panels=(1, 1), bottom=0.1, top=0.97, gap=0.12)
def shifted_densities(axes, *, epsilon=1.0, shift=1.0, shape="Laplace") -> str:
    """Draw noise made for a shift of 1 around two answers `shift` apart, and below it the privacy loss."""
    top, bottom = axes
    x = np.linspace(-8, 11, 761)
    log_one, log_two = (_log_density(shape, x - answer, epsilon) for answer in (0.0, shift))
    top.plot(x, np.exp(log_one), color=BLUE, linewidth=2, label="answer on D")
    top.plot(x, np.exp(log_two), color=ORANGE, linewidth=2, linestyle="--", label="answer on D′")
    top.set(xlim=(-8, 11), ylim=(0, round_up(1.1 * np.exp(log_one).max())), ylabel="density")
    top.set(xticks=range(-8, 12, 2))
    top.legend(loc="upper right", frameon=False, fontsize=9)
    loss = log_one - log_two
    bottom.axhspan(-epsilon, epsilon, color=SKY, alpha=0.3)
    bottom.plot(x, loss, color=BLACK, linewidth=2)
    bottom.text(10.9, epsilon, "ε", va="bottom", ha="right", fontsize=11)
    bottom.text(10.9, -epsilon, "−ε", va="top", ha="right", fontsize=11)
    limit = round_up(max(1.6 * epsilon, 1.15 * epsilon * shift, 0.5))
    bottom.set(xlim=(-8, 11), ylim=(-limit, limit), xticks=range(-8, 12, 2))
    bottom.set(xlabel="noisy answer", ylabel="privacy loss")
    largest = np.abs(loss).max()
    if shape == "Gaussian" and shift > 0:
        return (
            f"Gaussian noise of the same spread: the loss is a straight line, {largest:.2f} at the edge "
            f"of the picture. It has no largest value, so no ε bounds it."
        )
    verdict = "within the promise" if largest <= epsilon + 1e-9 else f"more than the promised {epsilon:.1f}"
    return (
        f"Answers {shift:.2f} apart: the largest privacy loss is ε × {shift:.2f} = {largest:.2f}, {verdict}."
    )


def _log_density(shape, x, epsilon):
    """Return the log-density of Laplace noise of scale 1/ε, or of a Gaussian with the same spread."""
    if shape == "Laplace":
        return noise.log_density(x, 1 / epsilon)
    deviation = np.sqrt(2) / epsilon
    return -0.5 * (x / deviation) ** 2 - np.log(deviation * np.sqrt(2 * np.pi))


@layout(height=4.0, bottom=0.14, top=0.96)
def inverse_cdf(ax, *, u=0.8, scale=1.0) -> str:
    """Draw how a uniform number u becomes Laplace noise x: across to the cdf, and down."""
    x = np.linspace(-8, 8, 401)
    ax.plot(x, np.exp(noise.log_cdf(x, scale)), color=BLACK, linewidth=2)
    ax.set(xlim=(-8, 8), ylim=(-0.03, 1.03), xlabel="noise x", ylabel="u = Pr[noise < x]")
    ax.set(xticks=range(-8, 9, 2))
    if u in (0, 1):
        side, sign = (-1, "−") if u == 0 else (1, "+")
        ax.annotate(
            "", (8 * side, u), (0, u), arrowprops={"arrowstyle": "->", "color": VERMILION, "linewidth": 2}
        )
        return f"u = {u:.2f}: the curve never gets there, and the formula gives {sign}infinity."
    value = 0.0 - scale * np.sign(u - 0.5) * np.log(1 - 2 * abs(u - 0.5))
    edge = np.clip(value, -8, 8)
    ax.plot([-8, edge], [u, u], color=BLUE, linewidth=2, linestyle="--")
    if abs(value) > 8:
        return f"u = {u:.2f} becomes x = {value:.2f}, beyond the picture."
    ax.plot([value, value], [u, -0.03], color=VERMILION, linewidth=2)
    ax.plot(value, u, "o", color=BLACK)
    return f"u = {u:.2f} becomes x = {value:.2f}."


@layout(height=3.8, bottom=0.14, top=0.96)
def noise_histogram(ax, *, epsilon=1.0, noise_seed=1) -> str:
    """Draw 5,000 noise values as a histogram with the density over it; both read the same scale."""
    scale, draws = 1 / epsilon, 5000
    values = noise.draw(np.random.default_rng(noise_seed), scale, draws)
    edges = np.linspace(-20, 20, 81)
    heights = np.histogram(values, edges)[0] / draws / (edges[1] - edges[0])
    ax.stairs(heights, edges, fill=True, color=SKY, label=f"{draws:,} draws")
    x = np.linspace(-20, 20, 801)
    ax.plot(x, np.exp(noise.log_density(x, scale)), color=BLACK, linewidth=1.5, label="density")
    highest = 1.1 * max(heights.max(), 0.5 / scale)
    ax.set(xlim=(-20, 20), ylim=(0, round_up(highest)), xlabel="noise", ylabel="density")
    ax.legend(loc="upper right", frameon=False, fontsize=9)
    beyond = int((np.abs(values) > 20).sum())
    outside = f" {count(beyond, 'draw')} beyond the picture." if beyond else ""
    return f"Scale 1/ε = {scale:.2f}: half of the draws lie within {np.log(2) * scale:.2f} of zero.{outside}"


@layout(height=4.2, left=0.1, bottom=0.22, top=0.96)
def shared_budget(ax, *, queries=20, epsilon=1.0, noise_seed=1) -> str:
    """Draw the first queries of the survey, each answered with Laplace noise of scale queries/ε."""
    scale, true = queries / epsilon, SURVEY.answers[:queries]
    noisy = true + noise.draw(np.random.default_rng(noise_seed), scale, queries)
    positions = np.arange(1, queries + 1)
    ax.vlines(positions, true, noisy, color=GREY, linewidth=1, linestyle=":")
    ax.plot(positions, true, "o", color=BLUE, markersize=5, label="true count")
    ax.plot(positions, noisy, "D", color=ORANGE, markeredgecolor=BLACK, markersize=4, label="noisy count")
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlim=(0, queries + 1), ylim=(-500, 1150), xlabel="query", ylabel="people")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, frameon=False, fontsize=9)
    off = int((np.abs(noisy - true) > 20).sum())
    outside = int((np.abs(noisy - 325) > 825).sum())
    beyond = f" {count(outside, 'noisy count')} beyond the picture." if outside else ""
    return (
        f"{count(queries, 'query', 'queries')} at ε/{queries} each, noise scale {scale:.0f}: "
        f"{off} of the {queries} answers are off by more than 20 people.{beyond}"
    )
