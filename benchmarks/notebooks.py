"""All notebooks under nbval, two at a time, as `make test` runs them: ``python -m benchmarks notebooks``."""

import os
import subprocess
import sys
import time

#: Seconds on the clock, on two cores.
GOAL = 90


def main():
    """Print the time on the clock."""
    # By file, since the cells of a notebook belong together.
    command = "pytest -q -n 2 --dist loadfile --nbval-lax --nbval-current-env --nbval-cell-timeout=60".split()
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", *command, "notebooks"], check=True, env=os.environ | {"MPLBACKEND": "agg"}
    )
    print(f"\nall notebooks under nbval: {time.perf_counter() - start:.0f} s, goal {GOAL} s")
