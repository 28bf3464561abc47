"""The exercises of notebook 01: Laplace noise."""

import numpy as np

from svt_lib import audit, noise
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
    # The scale is Δ/ε before and 2Δ/(2ε) after: the 2 cancels, whatever the numbers are.
    return "stays"


def check_both_doubled(attempt, rng, *, epsilon, sensitivity):
    growth = (2 * sensitivity) / (2 * epsilon) - sensitivity / epsilon
    options = {
        "grows": "A larger Δ alone would make it grow. What does a larger ε do?",
        "shrinks": "A larger ε alone would make it shrink. What does a larger Δ do?",
        "stays": "It doesn't stay: put the numbers into Δ/ε.",
    }
    answers.choice(attempt, {-1: "shrinks", 0: "stays", 1: "grows"}[int(np.sign(growth))], options)
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
    distance = -scale * np.log(1 - rng.uniform(size=size))  # 1 - u is never 0: u may be 0, and is never 1
    return rng.choice([-1, 1], size) * distance


class LowestFirst(np.random.Generator):
    """A generator whose first uniform number is the lowest that can come, as it is once in 2^53 draws."""

    lowest_came = False

    def uniform(self, low=0.0, high=1.0, size=None):
        """Draw as numpy does, but for the first number."""
        return self._with_lowest(super().uniform(low, high, size), low)

    def random(self, size=None, *arguments, **named):
        """Draw as numpy does, but for the first number."""
        return self._with_lowest(super().random(size, *arguments, **named), 0.0)

    def _with_lowest(self, draws, low):
        if self.lowest_came or not np.size(draws):
            return draws
        self.lowest_came = True
        if np.ndim(draws) == 0:
            return float(low)
        draws.flat[0] = np.ravel(low)[0]
        return draws


#: How many draws one call is asked for; two calls make a sample.
DRAWS = 20_000


def check_draws(attempt, rng):
    """Test the law and the independence of draws of two scales.

    The false-alarm rate, derived. There are four tests, and each gets a quarter of `programs.FALSE_ALARM`:
    for each scale `programs.laplace_draws`, and `audit.compare_frequencies` of the events of
    `check_far_and_near`. Both derive theirs. What comes besides refuses no right program: of 40,000 draws in
    double precision hardly two are ever equal, let alone 10,000, and a right program copes with whatever
    `rng.uniform` gives.
    """
    share = programs.FALSE_ALARM / 4
    for scale in rng.uniform([0.2, 3], [0.6, 12]).tolist():
        draws = np.concatenate([read_draws(attempt(scale, DRAWS, rng)) for _ in range(2)])
        check_drawn_anew(draws)
        try:
            programs.laplace_draws(draws, scale, false_alarm=share)
        except Mistake:
            if has_law(draws - scale, 1.0):
                raise Mistake(f"It looks as if {programs.LOCATION}") from None
            raise
        check_far_and_near(draws, scale, share)
    try:
        read_draws(attempt(1.0, DRAWS, LowestFirst(rng.bit_generator)))
    except Mistake as mistake:
        when = "Once in 2^53 draws rng.uniform gives the lower end of its interval. Then:"
        raise Mistake(f"{when} {mistake}") from None
    return "Your draws can't be told from independent Laplace noise, in 40,000 each of two scales."


def read_draws(result):
    """Return what one call gives as an array of finite numbers."""
    if result is None:
        raise Mistake("Your function returns None. Is the return missing?")
    try:
        draws = np.asarray(result)
    except ValueError:  # lists of different lengths
        draws = np.empty((0, 0))
    if draws.shape != (DRAWS,) or draws.dtype.kind not in "fi":
        raise Mistake(f"For size = {DRAWS} an array of {DRAWS:,} numbers is wanted, not {result!r:.50}.")
    if np.isnan(draws).any():
        raise Mistake("Some draws are NaN, not a number. Did the logarithm get a negative number?")
    if np.isinf(draws).any():
        raise Mistake("Some draws aren't finite. Did the logarithm get 0?")
    return draws.astype(float)


def has_law(draws, scale) -> bool:
    """Return whether draws fit Lap(`scale`)."""
    try:
        programs.laplace_draws(draws, scale)
    except Mistake:
        return False
    return True


def check_drawn_anew(draws):
    """Check that hardly a number comes twice, in one call or in two, with either sign."""
    if np.unique(np.abs(draws[:DRAWS])).size < 0.75 * DRAWS:
        raise Mistake("In one array the same number comes again, or with the other sign. Draw each anew.")
    if np.unique(np.abs(draws)).size < 0.75 * draws.size:
        raise Mistake("Two calls give the same numbers. Noise has to be drawn anew in each call, from rng.")


def check_far_and_near(draws, scale, false_alarm):
    """Check how far out draws lie, and that neither the sign nor the size of one tells of another.

    Signs are fair coins, and so is whether a size is above its median; all these coins are independent. So
    is, for each pair of neighbours in the row, whether two of them agree: any number of pairs is binomial.
    """
    size = np.abs(draws[:-1]) / scale
    right, large = draws > 0, np.abs(draws) > scale * np.log(2)
    near = "Your draws aren't independent: neighbours in the row have"
    events = {
        f"{near} the same sign": (right[1:] == right[:-1], 0.5),
        f"{near} about the same size": (large[1:] == large[:-1], 0.5),
        f"{near} a positive and a large one in turn": (right[:-1] == large[1:], 0.5),
        "To the right your draws are large": (right[:-1] == large[:-1], 0.5),
        "Your draws lie to the right": (right[:-1], 0.5),
    } | {f"Your draws lie further out than {t}·scale": (size > t, float(np.exp(-t))) for t in (1, 2, 4, 6)}
    counts = [np.count_nonzero(came) for came, _ in events.values()]
    chances = [chance for _, chance in events.values()]
    fit = audit.compare_frequencies("it", [*events], counts, chances, size.size, false_alarm)
    for word, names in (("seldom", fit.too_rare), ("often", fit.too_frequent)):
        if names:
            count, chance = counts[[*events].index(names[0])], chances[[*events].index(names[0])]
            expected = f"{count:,} times of {size.size:,}, where {chance * size.size:,.0f} are expected"
            raise Mistake(f"{names[0]} too {word}: {expected}.")


def by_inverse_cdf(scale, size, rng):
    v = rng.uniform(-0.5, 0.5, size)
    with np.errstate(divide="ignore"):
        return -scale * np.sign(v) * np.log(1 - 2 * np.abs(v))


def quantiles(scale, size):
    v = (np.arange(size) + 0.5) / size - 0.5
    return -scale * np.sign(v) * np.log(1 - 2 * np.abs(v))


def by_turns(scale, size, rng):
    return np.abs(rng.laplace(0, scale, size)) * np.resize([1, -1], size)


def uniform_noise_broken(width):
    return 10, 11, 10 - width / 2 + 0.25


def check_uniform_noise(attempt, rng, *, width):
    wanted = "Three numbers are wanted: the count on D, the count on D′, the output"
    here, there, output = (answers.as_number(part) for part in answers.parts(attempt, 3, wanted))
    if not float(here).is_integer() or not float(there).is_integer():
        raise Mistake("The first two are counts of people: whole numbers.")
    if min(here, there) < 0:
        raise Mistake("The first two are counts of people: none is below 0.")
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
            "Draw the distance from 0 and the side, each for itself. Which numbers may rng.uniform return?",
            "The distance is −b·ln(1 − u) with u from rng.uniform(): u may be 0, but never 1. The "
            "difference of two exponential draws works too.",
        ),
        laplace_draws,
        (
            Wrong(lambda scale, size, rng: rng.exponential(scale, size), "to one side"),
            Wrong(lambda scale, size, rng: rng.laplace(0, 1 / scale, size), "by their median size"),
            Wrong(lambda scale, size, rng: rng.laplace(scale, 1, size), "passed as the location"),
            Wrong(lambda scale, size, rng: rng.normal(0, scale, size), "don't have the law"),
            Wrong(lambda scale, size, rng: np.full(size, rng.laplace(0, scale)), "comes again"),
            Wrong(lambda scale, size, rng: np.zeros(size), "comes again"),
            Wrong(lambda scale, size, rng: rng.laplace(0, scale), "20,000 numbers"),
            Wrong(lambda scale, size, rng: np.full(size, np.inf), "aren't finite"),
            Wrong(by_inverse_cdf, "lower end of its interval"),
            Wrong(lambda scale, size, rng: np.full(size, np.nan), "a negative number"),
            Wrong(lambda scale, size, rng: None, "return missing"),
            Wrong(lambda scale, size, rng: np.random.default_rng(1).laplace(0, scale, size), "Two calls"),
            Wrong(lambda scale, size, rng: rng.permutation(quantiles(scale, size)), "comes again"),
            Wrong(lambda scale, size, rng: np.sort(rng.laplace(0, scale, size)), "the same sign too often"),
            Wrong(lambda scale, size, rng: np.repeat(rng.laplace(0, scale, size // 2), 2), "comes again"),
            Wrong(lambda scale, size, rng: np.outer([1, -1], rng.laplace(0, 1, size // 2)).ravel(), "sign"),
            Wrong(lambda scale, size, rng: rng.laplace(0, scale, size).clip(-4 * scale, 4 * scale), "4·"),
            Wrong(by_turns, "the same sign too seldom"),
            Wrong(lambda scale, size, rng: [[1, 2], 3], "20,000 numbers"),
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
            Wrong(lambda width: (-1, 0, -width / 2 - 0.5), "none is below 0"),
            Wrong(lambda width: 9, "Three numbers"),
        ),
        {"width": 4.0},
    ),
)  # fmt: skip
