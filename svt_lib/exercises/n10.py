"""The exercises of notebook 10: the experiment."""

import numpy as np

from svt_lib import noise
from svt_lib.exercises import answers, passes
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong
from svt_lib.selection import svt_select, threshold_between
from svt_lib.variants import VARIANTS


def right_aboves(counts, threshold, scale):
    heavy = counts[counts >= threshold]
    return (1 - np.exp(-(heavy - threshold) / scale) / 2).sum()


def check_right_aboves(attempt, rng):
    def by_library(counts, threshold, scale):
        return np.exp(noise.log_tail(threshold - counts[counts >= threshold], scale)).sum()

    mistakes = (
        (lambda q, T, b: (np.exp(-(T - q[q < T]) / b) / 2).sum(), "That counts the false alarms."),
        (lambda q, T, b: (np.exp(-(q[q >= T] - T) / b) / 2).sum(), "That counts the heavy items missed."),
        (lambda q, T, b: np.exp(noise.log_tail(T - q, b)).sum(), "That counts all Aboves, light items too."),
        (lambda q, T, b: (q >= T).sum(), "That is how many there would be without noise."),
        (lambda q, T, b: (1 - np.exp(-(q[q >= T] - T) / b)).sum(), "Half of the noise helps: look at ½."),
    )
    inputs = []
    for size in (8, 30, 200):
        counts = np.sort(rng.integers(1, 2000, size))[::-1].astype(float)
        inputs.append((counts, threshold_between(counts, size // 4), float(rng.uniform(50, 900))))
    answers.function(attempt, by_library, inputs, mistakes)
    return "With the false alarms, that says how many places of a pass go where."


def standard_errors_apart(one, other):
    errors = [np.std(rates, ddof=1) / np.sqrt(len(rates)) for rates in (one, other)]
    return (np.mean(one) - np.mean(other)) / np.hypot(*errors)


def check_standard_errors_apart(attempt, rng):
    def with_errors(combine):
        def gap(one, other):
            one, other = np.asarray(one), np.asarray(other)
            return (one.mean() - other.mean()) / combine(one, other)

        return gap

    def error(rates):
        return rates.std(ddof=1) / np.sqrt(rates.size)

    mistakes = (
        (with_errors(lambda x, y: error(x) + error(y)), "Errors of independent means add up as squares."),
        (with_errors(lambda x, y: np.hypot(x.std(ddof=1), y.std(ddof=1))), "Of a mean: divide by √runs."),
        (with_errors(lambda x, y: error(x)), "The other mean has an error of its own."),
        (with_errors(lambda x, y: -np.hypot(error(x), error(y))), "The sign: positive where one is larger."),
        (lambda x, y: abs(standard_errors_apart(x, y)), "The sign: negative where one lies below other."),
        (with_errors(lambda x, y: np.hypot(x.std(), y.std()) / np.sqrt(x.size)), "The variance: ddof=1."),
    )
    inputs = [tuple(rng.beta(a, b, n) for a, b in rng.uniform(1, 9, (2, 2))) for n in (7, 40, 100)]
    inputs.append(inputs[0][::-1])  # so that both signs come
    answers.function(attempt, standard_errors_apart, inputs, mistakes)
    return "Beyond 4 we call an order decided."


def budget_for_more(epsilon, cutoff, new_cutoff):
    def growth(c):  # T/b is proportional to ε over this: T falls as 1/c, and b is c(1 + c^(-2/3))/ε
        return c**2 * (1 + c ** (-2 / 3))

    return epsilon * growth(new_cutoff) / growth(cutoff)


def check_budget_for_more(attempt, rng, *, epsilon, cutoff, new_cutoff):
    def factor(**options):  # b·ε grows by this, and c·T stays
        scales = [VARIANTS["standard"].configure(1.0, c, **options).query_scale for c in (cutoff, new_cutoff)]
        return ratio * scales[1] / scales[0]

    ratio = new_cutoff / cutoff
    right = factor(monotonic=True)
    mistakes = (
        (epsilon * ratio, "That makes up for the noise, which grows with c. But the threshold falls, too."),
        (epsilon * ratio**2, "That takes b as proportional to c. It grows a little more slowly."),
        (epsilon * factor(), "That is the noise for answers that move any way. Counts are monotonic."),
        (epsilon, "With the same ε the noise grows and the threshold falls."),
        (epsilon / ratio**2, "That is less ε. It takes more."),
    )
    answers.number(attempt, epsilon * right, mistakes, within=0.01)
    return f"{ratio:g} times the items take {right:.3g} times the ε: nearly the square, {ratio**2:g}."


def for_any_neighbours(epsilon, cutoff, new_cutoff):
    scale, new_scale = (VARIANTS["standard"].configure(1.0, c).query_scale for c in (cutoff, new_cutoff))
    return epsilon * new_scale / scale * new_cutoff / cutoff


def select_raised(counts, threshold, epsilon, cutoff, rng):
    mechanism = VARIANTS["standard"].configure(epsilon, cutoff, monotonic=True)
    order = rng.permutation(len(counts))
    return order[svt_select(mechanism, counts[order], threshold, raised_by=1, rng=rng).indices]


def laplace(rng, scale, size=None):
    return rng.laplace(0, scale, size)


def normal(rng, scale, size=None):
    return rng.normal(0, np.sqrt(2) * scale, size)


def one_pass(
    *, raised_by=1.0, shuffled=True, translated=True, draw=laplace, threshold=1.0, query=1.0, **options
):
    """Return `select_raised` with a mistake; `threshold` and `query` are factors of its two noises."""

    def select(counts, T, epsilon, cutoff, rng):
        mechanism = VARIANTS["standard"].configure(epsilon, cutoff, **{"monotonic": True} | options)
        order = rng.permutation(counts.size) if shuffled else np.arange(counts.size)
        level = T + raised_by * np.sqrt(2) * mechanism.query_scale
        level += draw(rng, threshold * mechanism.threshold_scale)
        noisy = counts[order] + draw(rng, query * mechanism.query_scale, counts.size)
        places = np.flatnonzero(noisy >= level)[:cutoff]
        return order[places] if translated else places

    return select


def check_select_raised(attempt, rng):
    """Test the law, with the false-alarm rate that `passes.is_one_pass` derives."""
    passes.is_one_pass(attempt, rng)
    return "The frequencies of all sets fit those of one pass over a random order, raised by one sd."


def same_but_for_rounding(cutoff, rounded_to):
    just_below_the_jump = int(np.ceil(2.5 * rounded_to)) - 1
    here = [just_below_the_jump] * (cutoff + 1)
    return here, [count + 1 for count in here]


def check_rounding(attempt, rng, *, cutoff, rounded_to):
    sides = answers.parts(attempt, 2, "Two lists are wanted: the counts on D, and those on D′")
    here, there = (answers.as_numbers(side, of="counts") for side in sides)
    if max(len(here), len(there)) > 50:
        raise Mistake("At most 50 counts are wanted on each side.")
    if any(count < 0 or not count.is_integer() for count in [*here, *there]):
        raise Mistake("Counts are whole numbers, 0 or more.")
    if len(here) != len(there) or len(here) <= cutoff:
        raise Mistake(f"The same items on both, and more than c = {cutoff} of them.")
    if not {b - a for a, b in zip(here, there, strict=True)} <= {0.0, 1.0}:
        raise Mistake("D′ has one record more: each count stays or rises by 1.")
    thresholds = [threshold_between(side, cutoff) for side in (here, there)]
    published = [rounded_to * np.floor(threshold / rounded_to + 0.5) for threshold in thresholds]
    if published[0] == published[1]:
        raise Mistake(
            f"T is {thresholds[0]:g} on D and {thresholds[1]:g} on D′, and both are published as "
            f"{published[0]:g}. Between which two thresholds does the rounding jump?"
        )
    return f"{published[0]:g} or {published[1]:g}: rounding hides T nearly always, and nearly isn't private."


EXERCISES = (
    Exercise(
        "10.1", "compute", "function", check_right_aboves,
        (
            "A heavy item is missed where its noise is below −(q − T). How likely is that?",
            "Missed with ½·exp(−(q − T)/b), so found with 1 minus that. Sum over the items with q ≥ T.",
        ),
        right_aboves,
        (
            Wrong(lambda q, T, b: (np.exp(-(T - q[q < T]) / b) / 2).sum(), "false alarms"),
            Wrong(lambda q, T, b: (np.exp(-(q[q >= T] - T) / b) / 2).sum(), "missed"),
            Wrong(lambda q, T, b: np.exp(noise.log_tail(T - q, b)).sum(), "all Aboves"),
            Wrong(lambda q, T, b: (q >= T).sum(), "without noise"),
            Wrong(lambda q, T, b: (1 - np.exp(-(q[q >= T] - T) / b)).sum(), "½"),
        ),
    ),
    Exercise(
        "10.2", "compute", "function", check_standard_errors_apart,
        (
            "The standard error of a mean is the standard deviation over the root of the number of runs.",
            "The error of a difference is the root of the sum of the squared errors.",
        ),
        standard_errors_apart,
        (
            Wrong(lambda x, y: (x.mean() - y.mean()) / np.hypot(x.std(ddof=1), y.std(ddof=1)), "√runs"),
            Wrong(
                lambda x, y: (x.mean() - y.mean()) / ((x.std(ddof=1) + y.std(ddof=1)) / np.sqrt(x.size)),
                "as squares",
            ),
            Wrong(lambda x, y: (x.mean() - y.mean()) / (x.std(ddof=1) / np.sqrt(x.size)), "of its own"),
            Wrong(lambda x, y: -standard_errors_apart(x, y), "The sign: positive"),
            Wrong(lambda x, y: abs(standard_errors_apart(x, y)), "The sign: negative"),
            Wrong(
                lambda x, y: (x.mean() - y.mean()) / (np.hypot(x.std(), y.std()) / np.sqrt(x.size)), "ddof=1"
            ),
            Wrong(lambda x, y: x.mean() - y.mean(), "yours returns"),
        ),
    ),
    Exercise(
        "10.3", "explain", "value", check_budget_for_more,
        (
            "What is in the exponent of a false alarm, and how do its two parts change with c?",
            "T falls as 1/c and b = c(1 + c^(−2/3))/ε grows. Choose ε so that T/b comes out as before.",
        ),
        budget_for_more,
        (
            Wrong(lambda epsilon, cutoff, new_cutoff: epsilon * new_cutoff / cutoff, "threshold falls"),
            Wrong(lambda epsilon, cutoff, new_cutoff: epsilon * (new_cutoff / cutoff) ** 2, "more slowly"),
            Wrong(for_any_neighbours, "Counts are monotonic"),
            Wrong(lambda epsilon, cutoff, new_cutoff: epsilon, "same ε"),
            Wrong(lambda epsilon, cutoff, new_cutoff: epsilon * (cutoff / new_cutoff) ** 2, "takes more"),
            Wrong(lambda epsilon, cutoff, new_cutoff: epsilon * (new_cutoff / cutoff) ** 3, "too large"),
        ),
        {"epsilon": 0.1, "cutoff": 40, "new_cutoff": 120},
    ),
    Exercise(
        "10.4", "write", "function", check_select_raised,
        (
            "Shuffle, select, translate back: svt_select returns places in the row that it was given.",
            "With raised_by=1, svt_select raises by one standard deviation of the query noise.",
        ),
        select_raised,
        (
            Wrong(one_pass(raised_by=0), "isn't raised"),
            Wrong(one_pass(raised_by=1 / np.sqrt(2)), "raised by the scale"),
            Wrong(one_pass(shuffled=False), "in the order given"),
            Wrong(one_pass(translated=False), "places in the shuffled row"),
            Wrong(one_pass(monotonic=False), "any way"),
            Wrong(one_pass(split=3), "too large a share"),
            Wrong(one_pass(query=0.9), "raised by one sd"),
            Wrong(one_pass(threshold=0.75), "nothing ("),
            Wrong(one_pass(draw=normal), "raised by one sd"),
            Wrong(lambda q, T, epsilon, c, rng: np.argsort(-q)[:c], "every run selects the same"),
            Wrong(lambda q, T, epsilon, c, rng: [[1, 2], [3]], "list of indices"),
            Wrong(lambda q, T, epsilon, c, rng: q >= T, "list of indices"),
        ),
    ),
    Exercise(
        "10.5", "break", "value", check_rounding,
        (
            "Rounding jumps somewhere. One record more has to carry T over the jump.",
            "With T just below a half-way mark on D, let all counts rise by 1.",
        ),
        same_but_for_rounding,
        (
            Wrong(lambda **given: ([30, 20, 10, 5], [31, 21, 11, 6]), "both are published"),
            Wrong(lambda **given: ([30, 24, 24, 5], [30, 26, 26, 5]), "stays or rises by 1"),
            Wrong(lambda **given: ([30.5, 24, 24], [31.5, 25, 25]), "whole numbers"),
            Wrong(lambda **given: ([30], [31]), "more than c"),
            Wrong(lambda **given: ([30] * 51, [31] * 51), "At most 50 counts"),
            Wrong(lambda **given: 20, "Two lists"),
        ),
        {"cutoff": 2, "rounded_to": 10},
    ),
)  # fmt: skip
