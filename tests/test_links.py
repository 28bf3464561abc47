"""Links inside the repository: what a Markdown file or a notebook points at is there, its heading too."""

import re
from itertools import pairwise
from urllib.parse import unquote, urlsplit

import jupytext
import pytest
from conftest import ROOT, finished
from markdown_it import MarkdownIt  # comes with jupytext

NOTEBOOKS, SOURCES = ROOT / "notebooks", ROOT / "notebooks" / "source"


def pages():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = finished(*command).stdout.split()
    return [ROOT / name for name in listed if (ROOT / name).exists()]


def is_source(page):
    """Tell whether a page is the source of a notebook."""
    return page.read_text(encoding="utf-8").startswith("---\nkernelspec:")


def text_of(page):
    """Return the prose of a page; of the source of a notebook, its Markdown cells."""
    if not is_source(page):
        return page.read_text(encoding="utf-8")
    cells = jupytext.read(page, fmt="md:myst").cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def tokens(text):
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


def targets(text):
    """Yield what a text links to, or shows, in Markdown or in HTML."""
    for token in tokens(text):
        if token.type in ("link_open", "image"):
            yield token.attrs.get("href") or token.attrs["src"]
        elif token.type.startswith("html"):
            yield from re.findall(r"""(?:href|src)=["']([^"']+)""", token.content)


def anchors(text):
    """Return the names that GitHub gives to headings: lower case, no punctuation, hyphens for blanks."""
    parsed, found = list(tokens(text)), []
    for heading, inline in pairwise(parsed):
        if heading.type == "heading_open":
            said = "".join(part.content for part in inline.children if part.type in ("text", "code_inline"))
            slug = re.sub(r"[^\w\- ]", "", said.lower()).replace(" ", "-")
            found.append(f"{slug}-{found.count(slug)}" if slug in found else slug)
    return found


def broken(page):
    """Return the links of a page that lead nowhere."""
    text = text_of(page)
    # The links of a notebook start where it is built.
    home = NOTEBOOKS if is_source(page) else page.parent
    missing = []
    for target in targets(text):
        link = urlsplit(target)
        if link.scheme or link.netloc:
            continue
        aim = (home / unquote(link.path)).resolve() if link.path else page
        source = SOURCES / f"{aim.stem}.md" if aim.suffix == ".ipynb" else aim
        if not aim.exists() or not aim.is_relative_to(ROOT):
            missing.append(target)
        elif link.fragment and unquote(link.fragment) not in anchors(text_of(source)):
            missing.append(target)
    return missing


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert broken(page) == []


def test_broken_links_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr("test_links.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# A title: with `code`\n\n[here](#a-title-with-code) [gone](#gone) [no](no.md) ![p](no.png)\n\n"
        '| a | b |\n|---|---|\n| [t](no.csv) | <img src="no.svg"> |\n\n[out](https://example.org/no)\n\n'
        "```\n[not](a-link.md)\n```\n",
        encoding="utf-8",
    )
    assert broken(page) == ["#gone", "no.md", "no.png", "no.csv", "no.svg"]
