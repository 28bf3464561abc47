"""The exact engine, beside the same work done one output at a time."""

import numpy as np

from benchmarks.timing import print_table, seconds
from svt_lib import VARIANTS
from svt_lib.exact import outcome_distribution, output_log_probability, privacy_loss, worst_case_loss

ALG1, ALG6 = (VARIANTS[key].configure(0.1, 1) for key in ("alg1", "alg6"))
RNG = np.random.default_rng(2)
#: Sixteen pairs of ten answers, no two of them equal.
PAIRS = [(answers, answers + RNG.uniform(-1, 1, 10)) for answers in RNG.normal(0, 5, (16, 10))]


def one_by_one(mechanism, pairs, outcomes):
    """Compare both sides of each pair, one output after the other."""
    for pair in pairs:
        for each in outcomes:
            one, other = (output_log_probability(mechanism, side, each, 0) for side in pair)
            abs(one - other)


def all_outcomes():
    """Yield the times of the losses on pairs, over all outcomes of ten queries."""
    for mechanism, pairs in ((ALG6, PAIRS), (ALG1, PAIRS[:1])):
        outcomes = outcome_distribution(mechanism, np.zeros(10), 0).outcomes
        some = outcomes[:32]
        slow = seconds(lambda m=mechanism, s=some: one_by_one(m, PAIRS[:1], s), repeats=2)
        yield (
            f"exact: {mechanism.name}, 10 queries, {len(pairs)} pair{'s' * (len(pairs) > 1)}",
            seconds(lambda m=mechanism, p=pairs: [privacy_loss(m, *pair, 0) for pair in p]),
            slow * len(pairs) * len(outcomes) / len(some),
        )


def long_streams():
    """Yield the times of one output of equal answers, beside different ones, and of a worst case."""
    many = np.zeros(1000, dtype=bool)
    yield (
        "exact: 1,000 equal answers, 1 output",
        seconds(lambda: output_log_probability(ALG1, np.full(1000, -25.0), many, 0)),
        seconds(lambda: output_log_probability(ALG1, np.linspace(-50, 0, 1000), many, 0)),
    )
    yield (
        "exact: worst case, 1,000,000 queries",
        seconds(lambda: worst_case_loss(ALG6, 10**6)),
        seconds(lambda: worst_case_loss(ALG6, 10)),
    )


def main():
    """Print the tables."""
    print_table("all outcomes, both sides", "one by one", all_outcomes())
    print_table("long streams", "see name", long_streams())
