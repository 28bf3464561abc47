"""Try every exercise with many seeds: the reference must pass each time, a wrong attempt never.

    python scripts/try_exercises.py [SEEDS] [ID ...]

Prints a line for each exercise. 1,000 seeds of all take hours, 100 of one take a minute or so.
"""

import sys
import time

import numpy as np

from svt_lib.exercises import desk


def main(arguments: list[str]) -> None:
    """Try the named exercises, or all, with so many seeds."""
    seeds = int(arguments[0]) if arguments else 1000
    found = desk.exercises()
    refused = passed = 0
    for id in arguments[1:] or found:
        exercise, begin = found[id], time.perf_counter()
        attempts = [exercise.reference, *(wrong.attempt for wrong in exercise.wrong)]
        counts = [
            sum(
                desk.judge(exercise, exercise.attempt_of(attempt, exercise.given), rng).passed
                for rng in np.random.default_rng([7, *map(int, id.split("."))]).spawn(seeds)
            )
            for attempt in attempts
        ]
        refused, passed = refused + seeds - counts[0], passed + sum(counts[1:])
        took = time.perf_counter() - begin
        print(
            f"{id:5} reference {counts[0]}/{seeds}, wrong attempts passed {counts[1:]}, {took:.0f} s",
            flush=True,
        )
    print(f"right ones refused: {refused}, wrong ones passed: {passed}")


if __name__ == "__main__":
    main(sys.argv[1:])
