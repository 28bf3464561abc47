"""Measuring, and printing what was measured."""

import sys
import time


def seconds(work, repeats: int = 5) -> float:
    """Return the CPU time of the fastest of several repeats."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def print_table(title: str, baseline: str, rows):
    """Print rows of name, seconds and the seconds of the baseline, as soon as each is known."""
    print(f"\n{title:<58} {'ms':>10} {baseline + ', ms':>20} {'times faster':>13}")
    for name, own, other in rows:
        print(f"{name:<58} {1000 * own:>10.2f} {1000 * other:>20.2f} {other / own:>13.1f}", flush=True)


def megabytes(largest: float) -> float:
    """Return what `getrusage` says of the largest memory, in megabytes: macOS has bytes, Linux kilobytes."""
    return largest / (1e6 if sys.platform == "darwin" else 1e3)
