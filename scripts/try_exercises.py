"""Try exercises with many seeds: the reference must pass each time, a wrong attempt never.

    python scripts/try_exercises.py [--seeds 1000] [--wrong-seeds 1000] [ID ...]

Prints a line for each exercise, all of them where no id is given. With 1,000 seeds the exercises that run
programs thousands of times take hours, most of it for the wrong attempts.
"""

import argparse
import time

import numpy as np

from svt_lib.exercises import desk
from svt_lib.exercises.exercise import Exercise


def main():
    """Try the named exercises, or all."""
    parser = argparse.ArgumentParser(description="Try exercises with many seeds.")
    parser.add_argument("--seeds", type=int, default=1000, help="for each reference")
    parser.add_argument("--wrong-seeds", type=int, default=1000, help="for each wrong attempt")
    parser.add_argument("ids", nargs="*", metavar="ID")
    options, found = parser.parse_args(), desk.exercises()
    refused = passed = 0
    for id in options.ids or found:
        begin, exercise = time.perf_counter(), found[id]
        right = _passes(exercise, exercise.reference, options.seeds)
        wrong = [_passes(exercise, one.attempt, options.wrong_seeds) for one in exercise.wrong]
        refused, passed = refused + options.seeds - right, passed + sum(wrong)
        print(
            f"{id:5} reference passed {right}/{options.seeds}, wrong attempts {sum(wrong)}"
            f"/{len(wrong) * options.wrong_seeds}, {time.perf_counter() - begin:.0f} s",
            flush=True,
        )
    print(f"right ones refused: {refused}, wrong ones passed: {passed}")


def _passes(exercise: Exercise, attempt, seeds: int) -> int:
    """Return with how many seeds an attempt passes."""
    rngs = np.random.default_rng([7, *map(int, exercise.id.split("."))]).spawn(seeds)
    return sum(desk.judge(exercise, exercise.attempt_of(attempt, exercise.given), rng).passed for rng in rngs)


if __name__ == "__main__":
    main()
