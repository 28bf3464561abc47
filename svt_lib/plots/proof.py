"""Pictures of the privacy proof, one inequality each (notebook 05).

Solid lines belong to D, dashed ones to D′. Black is the density of the threshold noise, blue the factor of
the Belows, orange that of the Aboves, purple the product. Δ = 1 throughout.
"""

import numpy as np

from svt_lib import noise
from svt_lib.exact import output_log_probability
from svt_lib.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, count, layout
from svt_lib.proof import EXAMPLES, THRESHOLD, follow, log_factors
from svt_lib.variants import VARIANTS

#: Threshold noise in steps of 1/16, which floating point holds exactly: shifting it makes no rounding.
Z = np.arange(-192, 193) / 16
TICKS = range(-12, 13, 3)
NOISE_AXIS = "threshold noise z (same unit as the answers, Δ = 1)"
ON_D = {"linewidth": 2.5}
ON_NEIGHBOUR = {"linewidth": 2, "linestyle": "--"}
RUNNING = "six Belows, one Above"

#: Pr[query noise < x] for three laws of noise. The Laplace one is that of Alg. 1 at ε = 1, c = 1.
CDFS = {
    "Laplace": lambda x: np.exp(noise.log_cdf(x, 4.0)),
    "uniform": lambda x: np.clip((x + 6) / 12, 0, 1),
    "none": lambda x: np.exp(noise.log_cdf(x, 0.0)),
}

#: The steps of the proof: title, which inequality, the shift in units of Δ, its colour.
STEPS = (
    ("Fix z. D at z (solid) and D′ at the same z (dashed)", "integrand", 0.0, PURPLE),
    ("Belows: f on D at z (solid), f on D′ at z + Δ (dashed)", "belows", 1.0, BLUE),
    ("Threshold noise: p at z (solid), p at z + Δ (dashed)", "threshold", 1.0, GREY),
    ("Aboves: g on D at z (solid), g on D′ at z + Δ (dashed)", "aboves", 1.0, ORANGE),
    ("Together: D at z (solid), D′ at z + Δ (dashed)", "integrand", 1.0, PURPLE),
)


@layout(height=4.8, panels=(0.5, 1, 0.8), left=0.09, right=0.78, bottom=0.11, top=0.98, gap=0.1)
def fixed_threshold_noise(axes, *, z=0.0, epsilon=1.0) -> str:
    """Draw p, f, g and their product over the threshold noise, for the notebook's pair and output."""
    top, middle, bottom = axes
    example = EXAMPLES[RUNNING]
    mechanism = VARIANTS["alg1"].configure(epsilon, example.cutoff)
    chances, areas, unit, at = [], [], None, int(np.abs(Z - z).argmin())
    databases = (("D", example.answers, ON_D), ("D′", example.neighbour_answers, ON_NEIGHBOUR))
    for name, answers, style in databases:
        p, f, g = np.exp(log_factors(mechanism, answers, example.outcomes, THRESHOLD, Z))
        middle.plot(Z, f, color=BLUE, label=f"f on {name}: Belows", **style)
        middle.plot(Z, g, color=ORANGE, label=f"g on {name}: Above", **style)
        product = p * f * g
        unit = unit or product.max()
        bottom.plot(Z, product / unit, color=PURPLE, label=f"p · f · g on {name}", **style)
        middle.plot([z, z], [f[at], g[at]], "o", color=BLACK, markersize=5)
        bottom.plot(z, product[at] / unit, "o", color=BLACK, markersize=5)
        chances.append(f"f = {f[at]:.3f}, g = {g[at]:.3f} on {name}")
        areas.append(output_log_probability(mechanism, answers, example.outcomes, THRESHOLD))
    top.plot(Z, p / p.max(), color=BLACK, label="p: density of z", **ON_D)
    for ax in axes:
        ax.axvline(z, color=GREEN, linewidth=1.2, linestyle=":")
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)
        ax.set(xlim=(-12, 12), xticks=TICKS, yticks=[])
    top.set(ylim=(0, 1.15), ylabel="density", xticklabels=[])
    middle.set(ylim=(-0.04, 1.08), yticks=[0, 0.5, 1], ylabel="chance given z", xticklabels=[])
    bottom.set(ylim=(0, 1.15), ylabel="product", xlabel=NOISE_AXIS)
    return (
        f"Threshold noise z = {z:.1f}: {chances[0]}; {chances[1]}. The area at the bottom, also beyond the "
        f"picture: the output has probability {np.exp(areas[0]):.4f} on D and {np.exp(areas[1]):.4f} on D′, "
        f"log ratio {areas[0] - areas[1]:.2f}."
    )


@layout(height=4.0, bottom=0.14, top=0.97)
def shifted_belows(ax, *, shift=0.0, belows=3, query_noise="Laplace") -> str:
    """Draw the chance of so many Belows: D at z, and D′ at z + shift.

    All answers equal the threshold on D and are 1 larger on D′, the worst that a neighbour can do.
    """
    cdf = CDFS[query_noise]
    on_d, on_neighbour = cdf(Z) ** belows, cdf(Z + shift - 1) ** belows
    ax.plot(Z, cdf(Z - 1) ** belows, color=GREY, linewidth=1.5, linestyle=":", label="f on D′ at z")
    ax.fill_between(
        Z, on_neighbour, on_d, where=on_d > on_neighbour, label="D above D′",
        color=VERMILION, alpha=0.35, hatch="//", linewidth=0,
    )  # fmt: skip
    ax.plot(Z, on_d, color=SKY, linewidth=5, label="f on D at z")
    ax.plot(Z, on_neighbour, color=BLUE, label="f on D′ at z + s", **ON_NEIGHBOUR)
    ax.set(xlim=(-12, 12), ylim=(-0.04, 1.08), xticks=TICKS, yticks=[0, 0.5, 1])
    ax.set(xlabel=NOISE_AXIS, ylabel="chance of all Belows given z")
    ax.legend(loc="upper left", frameon=False, fontsize=9)
    start = f"Shift s = {shift:.2f}, {count(belows, 'Below')} (query noise: {query_noise})"
    if shift >= 1:
        return f"{start}: the solid curve is nowhere above the dashed one. The Belows cost nothing."
    if query_noise != "Laplace":
        return f"{start}: somewhere the dashed curve is 0 and the solid one isn't. No ε covers that."
    cost = belows * (noise.log_cdf(Z, 4.0) - noise.log_cdf(Z + shift - 1, 4.0)).max()
    return (
        f"{start}: the solid curve is up to {np.exp(cost):.2f} times as high as the dashed one. "
        f"The Belows cost {cost:.2f}."
    )


@layout(height=4.2, panels=(1, 1), bottom=0.12, top=0.97, gap=0.12)
def shifted_threshold(axes, *, shift=1.0, epsilon_threshold=0.5) -> str:
    """Draw the density of the threshold noise at z and at z + shift, and below it their log ratio."""
    top, bottom = axes
    here, there = (noise.log_density(place, 1 / epsilon_threshold) for place in (Z, Z + shift))
    top.plot(Z, np.exp(here), color=GREY, label="p(z)", linewidth=4)
    top.plot(Z, np.exp(there), color=BLACK, label="p(z + s)", **ON_NEIGHBOUR)
    top.set(xlim=(-12, 12), ylim=(0, 0.55 * epsilon_threshold), xticks=TICKS, xticklabels=[], yticks=[])
    top.set(ylabel="density")
    top.legend(loc="upper right", frameon=False, fontsize=9)
    bottom.axhspan(-epsilon_threshold, epsilon_threshold, color=SKY, alpha=0.3)
    bottom.plot(Z, here - there, color=BLACK, linewidth=2)
    bottom.text(11.8, epsilon_threshold + 0.1, "ε₁", ha="right", va="bottom", fontsize=10)
    bottom.text(11.8, -epsilon_threshold - 0.1, "−ε₁", ha="right", va="top", fontsize=10)
    bottom.set(xlim=(-12, 12), ylim=(-2.2, 2.2), xticks=TICKS, yticks=(-2, -1, 0, 1, 2))
    bottom.set(xlabel=NOISE_AXIS, ylabel="ln p(z) − ln p(z + s)")
    cost = abs(shift) * epsilon_threshold
    within = "which ε₁ covers" if abs(shift) <= 1 else f"more than ε₁ = {epsilon_threshold:.2f}"
    return f"Shift s = {shift:.2f}: the threshold noise pays |s|·ε₁/Δ = {cost:.2f}, {within}."


@layout(height=4.6, panels=(1, 1), bottom=0.11, top=0.97, gap=0.12)
def shifted_aboves(axes, *, shift=1.0, cutoff=1, epsilon_queries=0.5) -> str:
    """Draw the chance of `cutoff` Aboves: D at z, D′ at z, D′ at z + shift; below, what each move costs.

    All answers equal the threshold on D and are 1 smaller on D′, the worst that a neighbour can do.
    """
    top, bottom = axes
    scale = 2 * cutoff / epsilon_queries
    on_d, moved, shifted = (cutoff * noise.log_tail(place, scale) for place in (Z, Z + 1, Z + 1 + shift))
    top.plot(Z, np.exp(on_d), color=ORANGE, label="g on D at z", **ON_D)
    top.plot(
        Z, np.exp(moved), color=GREY, linewidth=2, linestyle=":", label="g on D′ at z: the answers moved"
    )
    label = "g on D′ at z + s: the threshold moved too"
    top.plot(Z, np.exp(shifted), color=VERMILION, label=label, **ON_NEIGHBOUR)
    top.set(xlim=(-12, 12), ylim=(-0.04, 1.08), xticks=TICKS, xticklabels=[], yticks=[0, 0.5, 1])
    top.set(ylabel="chance given z")
    top.legend(loc="upper right", frameon=False, fontsize=9)
    answers_part, total = on_d - moved, on_d - shifted
    bottom.fill_between(Z, 0, answers_part, color=ORANGE, alpha=0.5, linewidth=0, label="the answers moved")
    bottom.fill_between(
        Z, answers_part, total, facecolor="none", edgecolor=VERMILION, hatch="//", linewidth=0.8,
        label="the threshold moved",
    )  # fmt: skip
    bottom.plot(Z, total, color=BLACK, linewidth=2, label="together")
    bottom.axhline(epsilon_queries, color=GREEN, linestyle="--", linewidth=1.5, label="ε₂")
    bottom.set(xlim=(-12, 12), ylim=(-1.05, 1.65), xticks=TICKS, yticks=(-1, -0.5, 0, 0.5, 1, 1.5))
    bottom.set(xlabel=NOISE_AXIS, ylabel="log ratio")
    bottom.legend(loc="lower left", frameon=False, fontsize=9, ncols=2)
    return (
        f"{count(cutoff, 'Above')}, noise scale 2c/ε₂ = {scale:.3g}. The move of the answers by Δ counts "
        f"{answers_part.max():.3f}, that of the threshold by s = {shift:.2f} counts "
        f"{cutoff * shift / scale:+.3f}: together at most {max(0.0, total.max()):.3f}; "
        f"ε₂ = {epsilon_queries:.1f}."
    )


@layout(height=4.8, panels=(1, 1), bottom=0.19, top=0.94, gap=0.1)
def proof_steps(axes, *, step=1, example=RUNNING, epsilon=1.0) -> str:
    """Draw one step of the proof for an example: both sides above, their log ratio and its bound below."""
    top, bottom = axes
    title, which, shift, colour = STEPS[step - 1]
    pair = EXAMPLES[example]
    mechanism = VARIANTS["alg1"].configure(epsilon, pair.cutoff)
    proof = follow(mechanism, pair.answers, pair.neighbour_answers, pair.outcomes, THRESHOLD, shift)
    line = getattr(proof, which)
    peak = max(line.log_left.max(), line.log_right.max())
    top.text(0, 1.03, f"Step {step} of {len(STEPS)}. {title}", transform=top.transAxes, fontsize=10)
    top.plot(line.z, np.exp(line.log_left - peak), color=colour, linewidth=4)
    top.plot(line.z, np.exp(line.log_right - peak), color=BLACK, **ON_NEIGHBOUR)
    top.set(ylim=(-0.04, 1.08), yticks=[0, 0.5, 1], ylabel="height, largest = 1", xticklabels=[])
    label = "log ratio, solid to dashed"
    bottom.plot(line.z, line.log_ratio / epsilon, color=VERMILION, linewidth=2.5, label=label)
    allowed = "at most this without a shift" if step == 1 else "what the proof allows"
    bottom.axhline(line.bound / epsilon, color=BLACK, linewidth=1.5, linestyle="--", label=allowed)
    bottom.axhline(1, color=GREEN, linewidth=1.5, linestyle=":", label="claimed: ε")
    bottom.set(ylim=(-1.6, 1.95), xlabel=NOISE_AXIS, ylabel="log ratio, in units of ε")
    width = 12 + max(abs(answer - THRESHOLD) for answer in pair.answers)
    for ax in axes:
        ax.set(xlim=(-width, width))
    bottom.legend(loc="upper center", bbox_to_anchor=(0.5, -0.24), ncols=3, frameon=False, fontsize=9)
    found = f"Step {step}: largest log ratio {line.found:z.3f}"
    if step == 1:
        each = 1 / mechanism.query_scale
        return f"{found}; without a shift it may be up to {line.bound:.3f}, {each:.3f} for each comparison."
    found = f"{found}, allowed {line.bound:z.3f}."
    if step < len(STEPS):
        return found
    return f"{found} The loss of this output on this pair of databases is {proof.loss:.3f}."
