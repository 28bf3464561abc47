"""The whole experiment at the size of real data: ``python -m benchmarks experiment``, about a minute."""

import numpy as np

from benchmarks.timing import megabytes, seconds
from svt_lib import data
from svt_lib.experiment import CUTOFFS, EPSILON, METHODS, RUNS, Experiment, select_once
from svt_lib.selection import threshold_between

RNG = np.random.default_rng(1)


def so_far() -> float:
    """Return the largest memory that this process has had so far, in megabytes."""
    import resource  # which Windows doesn't have

    return megabytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def grid(counts):
    """Print CPU time and memory of the full grid, method by method."""
    experiment = Experiment(counts)
    print(f"\n{len(METHODS)} methods × {len(CUTOFFS)} cutoffs × {RUNS} runs on {counts.size:,} items")
    times = {name: seconds(lambda name=name: experiment.fill(methods=(name,)), repeats=1) for name in METHODS}
    for name, time_ in times.items():
        print(f"    {name:<16} {time_:6.1f} s")
    print(f"    all              {sum(times.values()):6.1f} s CPU, {so_far():.0f} MB")


def one_run_each(counts, cutoff: int):
    """Print CPU time and memory of one run of each method on many items."""
    threshold = threshold_between(counts, cutoff)
    print(f"\none run of each method on {counts.size:,} items, c = {cutoff}")
    for name, method in METHODS.items():
        own = seconds(lambda m=method: select_once(m, counts, cutoff, EPSILON, threshold, RNG), repeats=1)
        print(f"    {name:<16} {own:6.2f} s, {so_far():.0f} MB so far")


def against_plain_loops(counts, cutoff: int):
    """Print how many times faster a run is than the algorithm as one would write it first."""
    threshold, mixed = threshold_between(counts, cutoff), RNG.permutation(counts)
    print(f"\none run on {counts.size:,} items, c = {cutoff}, beside plain loops")
    for name, plain in (("1:c^(2/3)", plain_svt), ("retraversal 3", plain_svt), ("EM", plain_rounds)):
        method = METHODS[name]
        slow = seconds(lambda m=method, p=plain: p(m, mixed, threshold, cutoff), repeats=1)
        own = np.mean(
            [seconds(lambda m=method: m.select(mixed, cutoff, EPSILON, threshold, RNG), 1) for _ in range(20)]
        )
        print(f"    {name:<16} {1000 * own:8.2f} ms, plain {1000 * slow:9.1f} ms, ratio {slow / own:8.0f}")


def plain_svt(method, counts, threshold, cutoff):
    """Ask one item after the other, pass after pass."""
    mechanism = method.mechanism(EPSILON, cutoff)
    level = threshold + method.raised_by * np.sqrt(2) * mechanism.query_scale
    level += RNG.laplace(scale=mechanism.threshold_scale)
    left = dict(enumerate(counts.tolist()))
    for _ in range(method.passes):
        for item, count in list(left.items()):
            if count + RNG.laplace(scale=mechanism.query_scale) >= level:
                del left[item]
                if len(counts) - len(left) == cutoff:
                    return


def plain_rounds(_method, counts, _threshold, cutoff):
    """Select with the exponential mechanism, round after round."""
    left = np.arange(counts.size)
    for _ in range(cutoff):
        exponents = counts[left] * EPSILON / cutoff
        weights = np.exp(exponents - exponents.max())
        left = np.delete(left, RNG.choice(left.size, p=weights / weights.sum()))


def main():
    """Print all tables; memory only grows, so the largest comes last."""
    kosarak_size = data.zipf(*data.KOSARAK_SIZE).answers
    against_plain_loops(kosarak_size, cutoff=50)
    grid(kosarak_size)
    one_run_each(data.zipf(*data.AOL_SIZE).answers, cutoff=100)
