"""One run and many, beside the mechanism as one would write it first."""

from functools import partial

import numpy as np

from benchmarks.timing import print_table, seconds
from svt_lib import VARIANTS, Mechanism, data, run, simulate
from svt_lib.simulation import simulate_outcomes

ALG1, ALG6 = (VARIANTS[key].configure(1.0, 3) for key in ("alg1", "alg6"))
RNG = np.random.default_rng(1)
#: Name, mechanism, answers, threshold and the number of runs.
STREAMS = (
    ("375 counts, all below T, 1,000 runs", ALG1, data.survey().answers, 1300.0, 1000),
    ("375 counts, some above T, 1,000 runs", ALG1, data.survey().answers, 600.0, 1000),
    ("375 answers close to T, 1,000 runs", ALG6, np.full(375, -10.0), 0.0, 1000),
    ("1,000,000 answers, 1 run", ALG1, np.zeros(1_000_000), 500.0, 1),
    ("12 answers far below T, 20,000 runs", ALG1, np.zeros(12), 500.0, 20_000),
    ("12 answers around T, 20,000 runs", ALG1, data.twelve().answers, 50.0, 20_000),
)


def plain_loop(mechanism: Mechanism, answers, threshold, runs, rng) -> list[list[bool]]:
    """Return the outcomes of many runs, one comparison after the other."""
    transcripts = []
    for _ in range(runs):
        noisy_threshold, aboves, outcomes = threshold + rng.laplace(scale=mechanism.threshold_scale), 0, []
        for answer in answers:
            above = answer + rng.laplace(scale=mechanism.query_scale) >= noisy_threshold
            outcomes.append(above)
            aboves += above
            if aboves == mechanism.cutoff:
                break
        transcripts.append(outcomes)
    return transcripts


def many_runs(simulator):
    """Yield name, time and baseline of a simulator on each of the streams."""
    for name, mechanism, answers, threshold, runs in STREAMS:
        slow = seconds(partial(plain_loop, mechanism, answers.tolist(), threshold, runs, RNG), repeats=2)
        own = seconds(partial(simulator, mechanism, answers, threshold, runs=runs, rng=RNG))
        yield f"{simulator.__name__}: {name}", own, slow


def one_run():
    """Yield the time of `run`, which checks its input and keeps its streams apart, beside the bare loop."""
    answers = data.survey().answers
    yield (
        "run: 375 survey counts",
        seconds(lambda: run(ALG1, answers, 5000.0, RNG)),
        seconds(lambda: plain_loop(ALG1, answers.tolist(), 5000.0, 1, RNG)),
    )


def main():
    """Print the tables."""
    print_table("noise of every comparison", "plain loop", many_runs(simulate))
    print_table("outcomes alone", "plain loop", many_runs(simulate_outcomes))
    print_table("query by query", "plain loop", one_run())
