"""Importing the library in a fresh interpreter, beside the packages that it can't do without."""

import subprocess
import sys

from benchmarks.timing import print_table


def cpu_time(statement: str) -> float:
    """Return the CPU time of the fastest of five interpreters that run a statement, their start included."""
    code = f"import time\n{statement}\nprint(time.process_time())"
    return min(
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
        for _ in range(5)
    )


def imports():
    """Yield name, time and baseline."""
    for module, needed in (
        ("svt_lib", "numpy"),
        ("svt_lib.plots", "matplotlib.figure"),
        ("svt_lib.live", "matplotlib.figure, ipywidgets"),
    ):
        yield f"import {module}, beside {needed}", cpu_time(f"import {module}"), cpu_time(f"import {needed}")


def main():
    """Print the table."""
    print_table("import", "its packages", imports())
