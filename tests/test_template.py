"""The template of a notebook runs, and is held to what every notebook is held to."""

import inspect

import nbformat
import pytest
import test_notebooks
from conftest import ROOT

TEMPLATE = ROOT / "docs" / "template" / "NN_template.md"
CHECKS = {
    name: check
    for name, check in vars(test_notebooks).items()
    if name.startswith("test_") and list(inspect.signature(check).parameters) == ["name"]
}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """A folder that holds the template as if it were the only notebook, built."""
    root = tmp_path_factory.mktemp("course")
    (root / "notebooks" / "source").mkdir(parents=True)
    source = root / "notebooks" / "source" / TEMPLATE.name
    source.write_text(TEMPLATE.read_text(encoding="utf-8"), encoding="utf-8")
    notebook = test_notebooks.build_notebooks.build(source)
    nbformat.write(notebook, root / "notebooks" / f"{TEMPLATE.stem}.ipynb")
    return root


@pytest.mark.parametrize("check", CHECKS)
def test_template_has_the_shape_of_a_notebook(check, elsewhere, monkeypatch):
    monkeypatch.setattr(test_notebooks, "ROOT", elsewhere)
    CHECKS[check](TEMPLATE.stem)


def test_there_is_something_to_check():
    assert len(CHECKS) >= 8
