"""The saved notebooks: in step with their sources, run from top to bottom, readable without a kernel."""

import html
import importlib.util
import json
import re
import statistics
import warnings

import nbformat
import pytest
from conftest import ROOT
from nbconvert import HTMLExporter

spec = importlib.util.spec_from_file_location("build_notebooks", ROOT / "scripts" / "build_notebooks.py")
build_notebooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build_notebooks)

SOURCES = sorted((ROOT / "notebooks" / "source").glob("*.md"))
NAMES = [source.stem for source in SOURCES]


def load(name):
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


def code_cells(name):
    return [cell for cell in load(name).cells if cell.cell_type == "code"]


def live_cells(name):
    return [cell for cell in code_cells(name) if "live" in cell.metadata.get("tags", [])]


def test_every_notebook_has_a_source_and_every_source_a_notebook():
    assert NAMES
    assert sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_source_and_notebook_are_in_step(name):
    source = build_notebooks.read_source(ROOT / "notebooks" / "source" / f"{name}.md")
    saved = load(name)
    fields = ("id", "cell_type", "source", "metadata")
    assert [[cell[field] for field in fields] for cell in saved.cells] == [
        [cell[field] for field in fields] for cell in source.cells
    ], "run `make notebooks`"


@pytest.mark.parametrize("name", NAMES)
def test_notebook_was_run_once_from_top_to_bottom_and_holds_nothing_of_the_machine(name):
    notebook = load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata == build_notebooks.METADATA
    counts = [cell.execution_count for cell in code_cells(name)]
    assert counts == list(range(1, len(counts) + 1))
    outputs = [output for cell in code_cells(name) for output in cell.outputs]
    assert not any(output.output_type == "error" for output in outputs)
    assert not any("widget" in mime for output in outputs for mime in output.get("data", {}))
    text = json.dumps([output for output in outputs if "image/png" not in output.get("data", {})])
    assert not re.search(r"0x[0-9a-f]{6,}|/home/|/tmp/|\bnp\.(float|int|True|False)", text)


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_short(name):
    lines = sorted(sum(bool(line.strip()) for line in cell.source.splitlines()) for cell in code_cells(name))
    assert statistics.median(lines) <= 4
    assert lines[int(0.9 * len(lines))] <= 12
    assert lines[-1] <= 25


@pytest.mark.parametrize("name", NAMES)
def test_compared_cells_have_something_to_compare(name):
    compared = [cell for cell in code_cells(name) if "nbval-check-output" in cell.metadata.get("tags", [])]
    assert compared
    assert all(output.output_type == "stream" for cell in compared for output in cell.outputs)
    assert all(cell.outputs for cell in compared)


@pytest.mark.parametrize("name", NAMES)
def test_every_live_demo_is_tagged_and_shows_picture_and_sentence_without_a_kernel(name):
    assert live_cells(name)
    for cell in code_cells(name):
        calls = bool(re.search(r"^live\(", cell.source, re.MULTILINE))
        assert calls == ("live" in cell.metadata.get("tags", []))
    for cell in live_cells(name):
        picture, sentence = cell.outputs
        assert set(picture.data) == {"image/png", "text/plain"}
        assert html.escape(picture.data["text/plain"]) in sentence.data["text/html"]
        assert "Live in JupyterLab" in sentence.data["text/html"]


@pytest.mark.parametrize("name", NAMES)
def test_as_a_web_page_the_notebook_shows_each_demo_and_no_broken_widget(name):
    page, _ = HTMLExporter(template_name="lab").from_notebook_node(load(name))
    assert "model not found" not in page
    assert "application/vnd.jupyter.widget-view+json" not in page
    for cell in live_cells(name):
        assert cell.outputs[1].data["text/html"].split(" <em>")[0] in page
    assert page.count('<img alt="No description has been provided for this image"') >= len(live_cells(name))


@pytest.mark.parametrize("name", NAMES)
def test_notebook_has_the_shape_of_the_course(name):
    text = (ROOT / "notebooks" / "source" / f"{name}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^(#+) (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    assert [level for level, _ in headings].count("#") == 1
    assert headings[0][1].startswith(f"{name[:2]} · ")
    titles = [title for _, title in headings]
    assert any("*(core)*" in title for title in titles)
    for closing in ("What you can do now", "Limits in practice", "Further reading"):
        assert closing in titles
    for part in (
        "minutes · read first:",
        "After this notebook you can",
        "| symbol |",
        "**Three questions**",
        "**Next:**",
    ):
        assert part in text
    assert text.count("<details>") == text.count("</details>") >= 2
    assert ":::" not in text
    assert len(nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4).cells) >= 15


@pytest.mark.parametrize("name", NAMES)
def test_mathematics_survives_html(name):
    """A `<` next to a letter is taken for a tag, and a bare bar splits a table cell."""
    for cell in load(name).cells:
        if cell.cell_type == "markdown":
            for line in cell.source.splitlines():
                formulas = re.findall(r"\$([^$]+)\$", line)
                assert not any(re.search(r"<[A-Za-z]", formula) for formula in formulas), line
                assert not (line.startswith("|") and any("|" in formula for formula in formulas)), line
            assert "newcommand" not in cell.source


@pytest.mark.parametrize("name", NAMES)
def test_notebook_is_small(name):
    assert (ROOT / "notebooks" / f"{name}.ipynb").stat().st_size < 700_000
