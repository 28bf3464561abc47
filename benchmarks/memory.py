"""What each notebook takes: memory at the peak of its kernel, its CPU time, and the time on the clock.

``python -m benchmarks memory``, two minutes.
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from benchmarks.timing import megabytes

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
#: Megabytes at the peak; the experiment may have twice as many.
GOAL = 250
GOALS = {"10_experiment": 500}
#: What the kernel says of itself when everything has run.
QUESTION = """
import resource
usage = resource.getrusage(resource.RUSAGE_SELF)
print(usage.ru_maxrss, usage.ru_utime + usage.ru_stime)
"""


def measure(path: Path | None) -> tuple[float, float, float]:
    """Run a notebook, or nothing at all; return megabytes, CPU seconds and seconds on the clock."""
    notebook = nbformat.read(path, as_version=4) if path else nbformat.v4.new_notebook()
    question = nbformat.v4.new_code_cell(QUESTION)
    notebook.cells.append(question)
    start = time.perf_counter()
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        coalesce_streams=True,
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    ).execute()
    elapsed = time.perf_counter() - start
    largest, cpu = map(float, question.outputs[0].text.split())
    return megabytes(largest), cpu, elapsed


def main():
    """Print a line for each notebook, beside a kernel that runs nothing."""
    if sys.platform == "win32":
        sys.exit("the memory of a kernel is asked with the module resource, which Windows doesn't have")
    print(f"\n{'kernel':<30} {'MB':>6} {'goal':>6} {'CPU s':>7} {'clock s':>8}")
    for path in (None, *sorted(NOTEBOOKS.glob("*.ipynb"))):
        name = path.stem if path else "nothing"
        goal = GOALS.get(name, GOAL)
        largest, cpu, elapsed = measure(path)
        print(f"{name:<30} {largest:>6.0f} {goal:>6} {cpu:>7.1f} {elapsed:>8.1f}", flush=True)
