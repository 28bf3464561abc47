"""Build the notebooks from their sources: run them, and keep what doesn't depend on the machine.

    python scripts/build_notebooks.py [NAME ...]

Each ``notebooks/source/NAME.md`` (MyST Markdown) becomes ``notebooks/NAME.ipynb`` with its outputs. Without
names, all are built. Building twice changes nothing.
"""

import hashlib
import sys
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read_source(path: Path) -> nbformat.NotebookNode:
    """Return the notebook of a source, not run, with cell ids that change only where their cell does."""
    notebook = jupytext.read(path, fmt="md:myst")
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        cell.id = f"{digest}-{seen[digest]}" if seen[digest] else digest
        seen[digest] += 1
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} | _for_graders(tags) if tags else {})
    return notebook


def _for_graders(tags: list[str]) -> dict:
    """Return nbgrader's metadata for a cell with the tag ``stub-3.1`` or ``check-3.1``."""
    for tag in tags:
        role, _, exercise = tag.partition("-")
        if role in ("stub", "check") and exercise:
            number, graded = exercise.replace(".", "-"), role == "check"
            points = {"points": 1} if graded else {}
            roles = {"grade": graded, "solution": not graded, "locked": graded, "task": False}
            return {"nbgrader": {"schema_version": 3, "grade_id": f"{role}-{number}"} | roles | points}
    return {}


def build(source: Path) -> nbformat.NotebookNode:
    """Run a source and return the notebook to save."""
    notebook = read_source(source)
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,  # one print or ten: the saved output is one, whatever the timing
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    ).execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # A saved widget view turns into "model not found" when the file is opened again.
            output.get("data", {}).pop(WIDGET_VIEW, None)
            output.metadata = nbformat.from_dict({}) if "metadata" in output else None
            if output.metadata is None:
                del output["metadata"]
    nbformat.validate(notebook)
    return notebook


def main(names: list[str]) -> None:
    """Build the named notebooks, or all."""
    sources = sorted((NOTEBOOKS / "source").glob("*.md"))
    chosen = [source for source in sources if not names or source.stem in names]
    unknown = set(names) - {source.stem for source in chosen}
    if unknown:
        sys.exit(f"no such source: {', '.join(sorted(unknown))}")
    for source in chosen:
        print(source.stem, flush=True)
        notebook = build(source)
        nbformat.write(notebook, NOTEBOOKS / f"{source.stem}.ipynb")


if __name__ == "__main__":
    main(sys.argv[1:])
