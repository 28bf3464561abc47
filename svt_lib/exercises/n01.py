"""The exercises of notebook 01: Laplace noise."""

import numpy as np

from svt_lib import noise
from svt_lib.exercises import answers, programs
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong


def scale(epsilon, sensitivity):
    return sensitivity / epsilon


def check_scale(attempt, rng, *, epsilon, sensitivity):
    mistakes = (
        (epsilon / sensitivity, "That is ε/Δ. A small ε promises much privacy, so it must give much noise."),
        (1 / epsilon, "That is 1/ε, for answers that one person changes by 1. Here it is another number."),
    )
    answers.number(attempt, sensitivity / epsilon, mistakes)
    return f"Noise of scale Δ/ε keeps ε = {epsilon:g} for answers that move by up to {sensitivity:g}."


def both_doubled(epsilon, sensitivity):
    before, after = sensitivity / epsilon, (2 * sensitivity) / (2 * epsilon)
    return "stays" if before == after else "grows" if after > before else "shrinks"


def check_both_doubled(attempt, rng, *, epsilon, sensitivity):
    options = {
        "grows": "A larger Δ alone would make it grow. What does a larger ε do?",
        "shrinks": "A larger ε alone would make it shrink. What does a larger Δ do?",
        "stays": "It doesn't stay: put the numbers into Δ/ε.",
    }
    answers.choice(attempt, both_doubled(epsilon, sensitivity), options)
    return "Only the ratio Δ/ε counts: other units, same noise."


def far_off(scale, distance):
    return np.exp(-distance / scale)


def check_far_off(attempt, rng):
    mistakes = (
        (lambda b, d: np.exp(-d / b) / 2, "That is one side. The answer may be off in both directions."),
        (lambda b, d: 1 - np.exp(-d / b), "That is the chance of being nearer than the distance."),
        (lambda b, d: np.exp(-d * b), "There the scale stands upside down, as a factor."),
        (lambda b, d: np.exp(-d / b) / (2 * b), "That is the density, not a probability."),
    )
    inputs = [(b, t * b) for b, t in rng.uniform([0.5, 0.1], [40, 5], (8, 2)).tolist()]
    answers.function(attempt, far_off, inputs, mistakes)
    return "Each scale further off is e times less likely."


def laplace_draws(scale, size, rng):
    u = rng.uniform(-0.5, 0.5, size)
    return -scale * np.sign(u) * np.log1p(-2 * np.abs(u))


def check_draws(attempt, rng):
    """Make two tests, each with half of the false-alarm rate that `programs.laplace_draws` derives."""
    for scale in rng.uniform([0.2, 3], [0.6, 12]).tolist():
        draws = np.asarray(attempt(scale, 20_000, rng))
        if draws.shape != (20_000,) or draws.dtype.kind not in "fi":
            raise Mistake(f"For size = 20000 an array of 20,000 numbers is wanted, not {draws!r:.50}.")
        if not np.all(np.isfinite(draws)):
            raise Mistake("Some draws aren't finite. What does the logarithm do at the end of the interval?")
        programs.laplace_draws(draws, scale, false_alarm=programs.FALSE_ALARM / 2)
    return "Your draws can't be told from Laplace noise, in 20,000 each of two scales."


def uniform_noise_broken(width):
    return 10, 11, 10 - width / 2 + 0.25


def check_uniform_noise(attempt, rng, *, width):
    if not isinstance(attempt, list | tuple) or len(attempt) != 3:
        raise Mistake("Three numbers are wanted: the count on D, the count on D′, the output.")
    here, there, output = (answers.as_number(part) for part in attempt)
    if not float(here).is_integer() or not float(there).is_integer():
        raise Mistake("The first two are counts of people: whole numbers.")
    if abs(here - there) != 1:
        raise Mistake("One person changes a count by 1: the two must be 1 apart.")
    possible = [abs(output - count) <= width / 2 for count in (here, there)]
    if all(possible):
        raise Mistake("This output is possible on both, and equally likely. It tells nothing about anybody.")
    if not any(possible):
        raise Mistake("This output can't come from either of the two.")
    return "Whoever sees this output knows which of the two it was. No ε is large enough for that."


EXERCISES = (
    Exercise(
        "1.1", "compute", "value", check_scale,
        ("The noise has to cover what one person changes.", "The scale is Δ/ε."),
        scale,
        (
            Wrong(lambda epsilon, sensitivity: epsilon / sensitivity, "ε/Δ"),
            Wrong(lambda epsilon, sensitivity: 1 / epsilon, "changes by 1"),
            Wrong(lambda epsilon, sensitivity: 2 * sensitivity / epsilon, "too large"),
        ),
        {"epsilon": 0.4, "sensitivity": 3.0},
    ),
    Exercise(
        "1.2", "predict", "value", check_both_doubled,
        ("Write down the scale before and after.", "In Δ/ε, numerator and denominator both double."),
        both_doubled,
        (
            Wrong(lambda **given: "grows", "larger Δ alone"),
            Wrong(lambda **given: "shrinks", "larger ε alone"),
            Wrong(lambda **given: "no idea", "Choose one of"),
        ),
        {"epsilon": 0.5, "sensitivity": 2.0},
    ),
    Exercise(
        "1.3", "compute", "function", check_far_off,
        (
            "Both sides of the peak count, and they are equally likely.",
            "Above d lies half of exp(−d/b), and below −d as much again.",
        ),
        far_off,
        (
            Wrong(lambda scale, distance: np.exp(-distance / scale) / 2, "one side"),
            Wrong(lambda scale, distance: 1 - np.exp(-distance / scale), "nearer"),
            Wrong(lambda scale, distance: np.exp(-distance * scale), "upside down"),
            Wrong(lambda scale, distance: np.exp(noise.log_density(distance, scale)), "the density"),
            Wrong(lambda scale, distance: 1 / scale, "For scale ="),
        ),
    ),
    Exercise(
        "1.4", "write", "function", check_draws,
        (
            "Draw u evenly between −1/2 and 1/2. Its sign gives the side, its size how far out.",
            "The noise is −b · sign(u) · ln(1 − 2|u|). The difference of two exponential draws works too.",
        ),
        laplace_draws,
        (
            Wrong(lambda scale, size, rng: rng.exponential(scale, size), "to one side"),
            Wrong(lambda scale, size, rng: rng.laplace(0, 1 / scale, size), "by their median size"),
            Wrong(lambda scale, size, rng: rng.laplace(scale, 1, size), "to one side"),
            Wrong(lambda scale, size, rng: rng.normal(0, scale, size), "don't have the law"),
            Wrong(lambda scale, size, rng: np.full(size, rng.laplace(0, scale)), "all the same"),
            Wrong(lambda scale, size, rng: np.zeros(size), "all the same"),
            Wrong(lambda scale, size, rng: rng.laplace(0, scale), "20,000 numbers"),
            Wrong(lambda scale, size, rng: np.full(size, np.inf), "aren't finite"),
        ),
    ),
    Exercise(
        "1.5", "break", "value", check_uniform_noise,
        (
            "Where does evenly spread noise end? Laplace noise ends nowhere.",
            "An output near the left end for one count is beyond the end for a count that is 1 larger.",
        ),
        uniform_noise_broken,
        (
            Wrong(lambda width: (10, 11, 10.5), "possible on both"),
            Wrong(lambda width: (10, 15, 8), "1 apart"),
            Wrong(lambda width: (10, 11, 100), "either"),
            Wrong(lambda width: (10.5, 11.5, 9), "whole numbers"),
            Wrong(lambda width: 9, "Three numbers"),
        ),
        {"width": 4.0},
    ),
)  # fmt: skip
