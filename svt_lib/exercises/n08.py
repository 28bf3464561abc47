"""The exercises of notebook 08: lower bounds, events, and auditors."""

import math

import numpy as np

from svt_lib import audit
from svt_lib.exercises import answers, auditors, selections
from svt_lib.exercises.exercise import Exercise, Mistake, Wrong


def accused(epsilon, runs, probability):
    rng = np.random.default_rng(1)  # ten thousand audits
    counts = rng.binomial(runs, probability, 10_000)
    other_counts = rng.binomial(runs, probability * np.exp(-epsilon), 10_000)
    share = np.mean(counts > np.exp(epsilon) * other_counts)
    return "hardly any" if share < 0.2 else "nearly all" if share > 0.8 else "about half"


def check_accused(attempt, rng, *, epsilon, runs, probability):
    options = {
        "hardly any": "More runs bring the ratio nearer to the true one. On which side of it does it end up?",
        "nearly all": "Sometimes the ratio comes out too small as well.",
        "about half": "The true ratio isn't so near to what ε allows.",
    }
    answers.choice(attempt, accused(epsilon, runs, probability), options)
    return "The ratio comes out above the true one as often as below, and the true one is all that ε allows."


def fewest_runs(epsilon, confidence):
    runs = 1
    while audit.log_ratio_limit(runs, 0, runs, confidence) <= epsilon:
        runs += 1
    return runs


def so_many(miss, per_run):
    return math.ceil(math.log(miss) / math.log(per_run))


def check_fewest_runs(attempt, rng, *, epsilon, confidence):
    right = fewest_runs(epsilon, confidence)
    miss, both = (1 - confidence) / 2, 1 / (1 + math.exp(-epsilon))
    if 0 < answers.as_number(attempt) % 1:
        raise Mistake("Runs are whole: which is the first number of them that is enough?")
    mistakes = (
        (2 * right, "So many are needed where half of the runs choose the event. Here all of them estimate."),
        (so_many(2 * miss, both), "There are two limits, and each may miss with half of what is left."),
        (so_many(miss, 1 - math.exp(-epsilon)), "The limit of p isn't 1, even if all runs gave the event."),
        (math.ceil(math.exp(epsilon)), "That makes 1 of a count of 0. Which p′ would 0 not surprise?"),
    )
    answers.number(attempt, right, mistakes, within=1e-6)
    return "With fewer runs, no box can be accused of losing more, whatever it does."


def family_bound(count, other_count, runs, confidence, pairs):
    miss = (1 - confidence) / pairs
    return audit.log_ratio_limit(count, other_count, runs, 1 - miss)


def alone(count, other_count, runs, confidence, pairs):
    return audit.log_ratio_limit(count, other_count, runs, confidence)


def divided(count, other_count, runs, confidence, pairs):
    return audit.log_ratio_limit(count, other_count, runs, confidence / pairs)


def sidak(count, other_count, runs, confidence, pairs):
    return audit.log_ratio_limit(count, other_count, runs, confidence ** (1 / pairs))


def estimate(count, other_count, runs, confidence, pairs):
    return max(0.0, np.log(count / other_count)) if other_count else np.inf


def check_family_bound(attempt, rng):
    def unfloored(a, b, n, confidence, pairs):
        miss = (1 - confidence) / pairs / 2
        return np.log(audit.lower_limit(a, n, miss) / audit.upper_limit(b, n, miss))

    mistakes = (
        (alone, "One of several bounds was looked up, and each is taken as if it were the only one."),
        (divided, "Divide what the bounds may miss, and not the confidence."),
        (
            sidak,
            "That is Šidák's correction, for bounds that miss independently of each other. Bonferroni's "
            "always holds.",
        ),
        (
            lambda a, b, n, confidence, pairs: family_bound(a, b, n, confidence, pairs / 2),
            "Each of the two limits of a bound may miss with half of what the bound may.",
        ),
        (unfloored, "Below 0 a bound says nothing: a loss is never negative. Return 0 there."),
        (estimate, "That is an estimate without a confidence."),
    )
    inputs = []
    for n in rng.integers(60, 400, 8).tolist():
        inputs.append((int(rng.integers(n // 3, n)), int(rng.integers(1, n // 4)), n))
    inputs += [(n // 2, 0, n), (n // 5, n // 2, n), (n, 3, n)]
    inputs = [(*counts, float(rng.choice([0.9, 0.95, 0.99])), int(rng.integers(2, 30))) for counts in inputs]
    answers.function(attempt, family_bound, inputs, mistakes, within=1e-4)
    return "All bounds of the family are right together, with the confidence that was asked for."


def best_event(here, there, runs):
    order = np.argsort(-here / there)
    seen, seen_there = runs * np.cumsum(here[order]), runs * np.cumsum(there[order])
    size = 1 + audit.log_ratio_limit(seen, seen_there, runs, 0.95).argmax()
    return order[:size].tolist()


def shown(event, here, there, runs) -> float:
    """Return what an audit of an event shows with average luck, at 95 %."""
    return float(
        audit.log_ratio_limit(*(runs * side[list(event)].sum() for side in (here, there)), runs, 0.95)
    )


def with_rounded_counts(rounding):
    def event(here, there, runs):
        order = np.argsort(-here / there)
        counts = (rounding(runs * np.cumsum(side[order])) for side in (here, there))
        return order[: 1 + audit.log_ratio_limit(*counts, runs, 0.95).argmax()].tolist()

    return event


def check_best_event(attempt, rng):
    """Compare what the events show. An event that is none of a growing row, and shows more, is right too."""
    rules = (
        (
            lambda p, q, n: [int(np.argmax(p / q))],
            "Always the sharpest output alone: with few runs it is rare.",
        ),
        (
            lambda p, q, n: np.flatnonzero(p > q).tolist(),
            "Every output that is likelier on D: none is sharp.",
        ),
        (lambda p, q, n: [int(np.argmax(p))], "Always the likeliest output on D. Look at both databases."),
        (
            lambda p, q, n: max(([i] for i in range(p.size)), key=lambda event: shown(event, p, q, n)),
            "Single outputs only. Together some of them may show more.",
        ),
        *(
            (with_rounded_counts(f), "Take the expected counts as they are, without rounding.")
            for f in (np.round, np.floor)
        ),
    )
    cases, gaps = [], []
    for runs in np.repeat([40, 100, 1_000, 20_000], 10).tolist():
        there = rng.dirichlet(np.full(8, 2.0))
        here = there * np.exp(rng.normal(0, 1.2, 8))
        cases.append((here / here.sum(), there, runs))
    events = [_indices(attempt(p.copy(), q.copy(), n), p.size) for p, q, n in cases]
    for event, case in zip(events, cases, strict=True):
        gaps.append(shown(best_event(*case), *case) - shown(event, *case))
    if max(gaps) <= 1e-9:
        return "No event shows more, for forty laws and four numbers of runs."
    for rule, sentence in rules:
        if all(set(event) == set(rule(*case)) for event, case in zip(events, cases, strict=True)):
            raise Mistake(sentence)
    worst = int(np.argmax(gaps))
    event, case = events[worst], cases[worst]
    raise Mistake(
        f"With {case[2]:,} runs yours, {len(event)} of 8 outputs, shows {shown(event, *case):.3f}. "
        f"The best, {len(best_event(*case))} of 8 outputs, shows {shown(best_event(*case), *case):.3f}."
    )


def _indices(event, size: int) -> list[int]:
    indices = selections.indices(event, size)
    if not indices:
        raise Mistake("An event without outputs never happens, and shows nothing.")
    if len(set(indices)) < len(indices):
        raise Mistake(f"Distinct indices are wanted, not {indices}.")
    return indices


def auditor(box, answers, neighbour_answers, epsilon, runs, rng):
    sides = answers, neighbour_answers
    outputs = [[tuple(box(side, rng)) for _ in range(runs)] for side in sides]
    half = runs // 2
    for one, other in (outputs, outputs[::-1]):  # an event may be likelier on either database
        event = {output for output in one[:half] if one[:half].count(output) > other[:half].count(output)}
        a, b = (sum(output in event for output in side[half:]) for side in (one, other))
        if audit.log_ratio_limit(a, b, runs - half, 0.975) > epsilon:
            return True
    return False


def check_auditor(attempt, rng):
    """Let it meet boxes, with the false-alarm rate that `auditors.accuses_rightly` derives."""
    return auditors.accuses_rightly(attempt, rng)


def audits(*, split=True, confident=True, sides=(0, 1)):
    """Return an auditor with a mistake: runs that choose also estimate, no confidence, one side only."""

    def accuse(box, answers, neighbour_answers, epsilon, runs, rng):
        outputs = [[tuple(box(s, rng)) for _ in range(runs)] for s in (answers, neighbour_answers)]
        half = runs // 2
        fresh = [side[half:] if split else side[:half] for side in outputs]
        for i in sides:
            one, other = outputs[i][:half], outputs[1 - i][:half]
            event = {output for output in one if one.count(output) > other.count(output)}
            a, b = (sum(output in event for output in fresh[side]) for side in (i, 1 - i))
            bound = audit.log_ratio_limit(a, b, half, 0.975)
            if (bound if confident else np.log((a + 0.1) / (b + 0.1))) > epsilon:
                return True
        return False

    return accuse


EXERCISES = (
    Exercise(
        "8.1", "predict", "value", check_accused,
        (
            "With so many runs the ratio of the counts is close to the true one. Which one is that?",
            "It is e^ε exactly, and the counts wobble to both sides.",
        ),
        accused,
        (
            Wrong(lambda **given: "hardly any", "On which side"),
            Wrong(lambda **given: "nearly all", "too small as well"),
            Wrong(lambda **given: 0.5, "Choose one of"),
        ),
        {"epsilon": 1.0, "runs": 1_000_000, "probability": 0.2},
    ),
    Exercise(
        "8.2", "compute", "value", check_fewest_runs,
        (
            "The most telling counts that there can be are n of n against 0 of n.",
            "Try n = 1, 2, 3, … with audit.log_ratio_limit(n, 0, n, confidence).",
        ),
        fewest_runs,
        (
            Wrong(lambda epsilon, confidence: fewest_runs(epsilon, 2 * confidence - 1), "two limits"),
            Wrong(lambda epsilon, confidence: np.ceil(np.exp(epsilon)), "a count of 0"),
            Wrong(lambda epsilon, confidence: so_many((1 - confidence) / 2, 1 - np.exp(-epsilon)), "isn't 1"),
            Wrong(lambda epsilon, confidence: fewest_runs(epsilon, confidence) - 1, "too small"),
            Wrong(lambda epsilon, confidence: 2 * fewest_runs(epsilon, confidence), "all of them estimate"),
            Wrong(lambda epsilon, confidence: audit.runs_to_catch(1, 0, epsilon, confidence), "are whole"),
        ),
        {"epsilon": 3.0, "confidence": 0.95},
    ),
    Exercise(
        "8.3", "compute", "function", check_family_bound,
        (
            "With several bounds each must be right more often than all of them together.",
            "Bonferroni: each bound may miss with (1 − confidence)/pairs.",
        ),
        family_bound,
        (
            Wrong(alone, "only one"),
            Wrong(divided, "not the confidence"),
            Wrong(sidak, "Šidák"),
            Wrong(lambda *given: family_bound(*given[:4], given[4] / 2), "with half"),
            Wrong(estimate, "an estimate"),
            Wrong(lambda a, b, n, confidence, pairs: np.log(a / b), "ZeroDivisionError"),
            Wrong(lambda a, b, n, confidence, pairs: 0.0, "is right"),
        ),
    ),
    Exercise(
        "8.4", "write", "function", check_best_event,
        (
            "Sort the outputs by here/there, the most telling first, and let them join one after the other.",
            "At the expected counts, audit.log_ratio_limit(runs * p, runs * q, runs, 0.95) is what is shown.",
        ),
        best_event,
        (
            Wrong(lambda here, there, runs: [int(np.argmax(here / there))], "the sharpest output alone"),
            Wrong(lambda here, there, runs: np.flatnonzero(here > there), "none is sharp"),
            Wrong(lambda here, there, runs: [int(np.argmax(here))], "the likeliest output"),
            Wrong(lambda here, there, runs: best_event(there, here, runs), "The best"),
            Wrong(lambda here, there, runs: best_event(here, there, 1_000), "The best"),
            Wrong(with_rounded_counts(np.floor), "without rounding"),
            Wrong(lambda here, there, runs: [0, 0], "Distinct indices"),
            Wrong(lambda here, there, runs: [], "never happens"),
        ),
    ),
    Exercise(
        "8.5", "write", "function", check_auditor,
        (
            "Let half of the runs find an event, and count it in the others. Look on both sides.",
            "Two bounds in one audit: 97.5 % for each. audit.log_ratio_limit makes a bound of two counts.",
        ),
        auditor,
        (
            Wrong(audits(split=False), "fresh runs estimate"),
            Wrong(audits(confident=False), "Is there a confidence"),
            Wrong(audits(sides=(0,)), "likelier on D′"),
            Wrong(lambda *given: auditor(*given[:4], 400, given[5]), "more than 300 runs"),
            Wrong(lambda *arguments: True, "100 of 100"),
            Wrong(lambda *arguments: False, "lets 16 go"),
            Wrong(lambda *arguments: 1.3, "True to accuse"),
        ),
    ),
)  # fmt: skip
