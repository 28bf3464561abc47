"""The guide for instructors speaks of sections that are there, and its answers are right."""

import re

import pytest
from conftest import ROOT

GUIDE = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
SOURCES = sorted((ROOT / "notebooks" / "source").glob("*.md"))


def chapter(title):
    return re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^##+ |\Z)", GUIDE, re.MULTILINE | re.DOTALL).group(1)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_sections_of_a_notebook_are_listed_with_their_marks(source):
    text = source.read_text(encoding="utf-8")
    title = re.search(r"^# (.*)$", text, re.MULTILINE).group(1)
    marked = re.findall(r"^## (?!Exercises)(.*) \*\((core|optional)\)\*$", text, re.MULTILINE)
    listed = re.findall(r"^\| (.*?) \| (core|optional) \|", chapter(title), re.MULTILINE)
    assert listed == marked
    assert f"(notebooks/{source.stem}.ipynb)" in chapter(title)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_minutes_add_up(source):
    title = re.search(r"^# (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE).group(1)
    rows = re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \| (\d+) \|$", chapter(title), re.MULTILINE)
    total, core = re.search(r"\*\*(\d+)\*\*, core (\d+)", chapter(title)).groups()
    assert sum(int(minutes) for *_, minutes in rows) == int(total)
    assert sum(int(minutes) for _, mark, _, minutes in rows if mark == "core") == int(core)


def test_answers_of_the_problem_set():
    blocks = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    exec(blocks[0], {})
