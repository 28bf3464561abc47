"""Run the benchmarks and print one table: ``python -m benchmarks``, or ``… experiment`` for the long ones."""

import sys
import time
from functools import partial

import numpy as np

from benchmarks import experiment
from benchmarks.exact import all_outcomes, long_streams
from svt_lib import VARIANTS, data, run, simulate
from svt_lib.canvas import Canvas
from svt_lib.plots import twelve_queries

ALG1 = VARIANTS["alg1"].configure(1.0, 3)
SETTINGS = (ALG1.threshold_scale, ALG1.query_scale, ALG1.cutoff)
RNG = np.random.default_rng(1)


def seconds(work, repeats: int = 5) -> float:
    """Return the CPU time of the fastest of several repeats."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def plain_loop(answers, threshold, threshold_scale, query_scale, cutoff, runs, rng):
    """Run the mechanism as one would write it first, again and again: the baseline of `simulate`."""
    for _ in range(runs):
        noisy_threshold, aboves = threshold + rng.laplace(scale=threshold_scale), 0
        for answer in answers:
            if answer + rng.laplace(scale=query_scale) >= noisy_threshold:
                aboves += 1
                if aboves == cutoff:
                    break


def simulation():
    """Yield name, time and baseline of the batch simulator, on streams that run to their end."""
    for name, answers, runs in (
        ("375 survey counts, 1,000 runs", np.zeros(375), 1000),
        ("1,000,000 answers, 1 run", np.zeros(1_000_000), 1),
        ("12 answers, 20,000 runs", np.zeros(12), 20_000),
    ):
        slow = seconds(partial(plain_loop, answers.tolist(), 500.0, *SETTINGS, runs, RNG), repeats=2)
        yield f"simulate: {name}", seconds(partial(simulate, ALG1, answers, 500.0, runs=runs, rng=RNG)), slow


def drawing():
    """Yield the time of one redraw of the first demo, beside a figure made anew."""
    canvas = Canvas(twelve_queries)
    canvas.render({})
    yield (
        "redraw: twelve queries",
        seconds(lambda: canvas.render({})),
        seconds(lambda: Canvas(twelve_queries).render({})),
    )


def one_run():
    """Yield the time of `run`, which checks its input and keeps its streams apart, beside the bare loop."""
    answers = data.survey().answers
    yield (
        "run: 375 survey counts",
        seconds(lambda: run(ALG1, answers, 5000.0, RNG)),
        seconds(lambda: plain_loop(answers.tolist(), 5000.0, *SETTINGS, 1, RNG)),
    )


def main():
    """Print the table."""
    print(f"{'what':<42} {'ms':>10} {'baseline ms':>12} {'times faster':>13}")
    exact = partial(all_outcomes, seconds), partial(long_streams, seconds)
    for benchmark in (simulation, one_run, drawing, *exact):
        for name, own, baseline in benchmark():
            print(f"{name:<42} {1000 * own:>10.2f} {1000 * baseline:>12.2f} {baseline / own:>13.1f}")


if __name__ == "__main__":
    (experiment.main if "experiment" in sys.argv[1:] else main)()
