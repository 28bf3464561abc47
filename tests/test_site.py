"""The course as web pages: complete, with every link going somewhere, and in need of no other host."""

import importlib.util
import itertools
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup
from conftest import ROOT, finished

if importlib.util.find_spec("sphinx") is None:
    if os.environ.get("SVT_REQUIRE_BROWSER"):
        raise RuntimeError("SVT_REQUIRE_BROWSER is set, but what builds the site is not installed")
    pytest.skip("what builds the site is not installed", allow_module_level=True)

NAMES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
IN_COURSE = [f"notebooks/{name}" for name in NAMES]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site as `make site` does, where a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "-c", "docs", "."]
    command += [folder / "html", "-d", folder / "doctrees"]
    done = finished(*command, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site):
    return {
        path.relative_to(site).with_suffix("").as_posix(): BeautifulSoup(
            path.read_text(encoding="utf-8"), "html.parser"
        )
        for path in site.rglob("*.html")
    }


def outputs(name):
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def sources(name):
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_every_notebook_has_its_page_and_leads_on_to_the_next(pages):
    assert set(IN_COURSE) < set(pages)
    for here, after in itertools.pairwise(IN_COURSE):
        assert pages[here].select_one("a.next-page")["href"] == f"{Path(after).name}.html"
        assert pages[after].select_one("a.prev-page")["href"] == f"{Path(here).name}.html"


@pytest.mark.parametrize("name", NAMES)
def test_page_shows_each_picture_and_its_sentence_once(pages, name):
    page = pages[f"notebooks/{name}"]
    data = [output.data for output in outputs(name) if "data" in output]
    pictures = [bundle for bundle in data if "image/png" in bundle]
    said = [paragraph.get_text() for paragraph in page.select("p.svt-sentence")]
    assert len(page.select(".cell_output img")) == len(pictures)
    assert all(picture["alt"] for picture in page.select("img"))
    for bundle in pictures:
        sentence = bundle["text/plain"]
        assert sum(text.startswith(sentence) for text in said) == sum(
            other["text/plain"].startswith(sentence) for other in pictures
        )
    notes = sum("Live in JupyterLab" in bundle.get("text/html", "") for bundle in data)
    assert sum("Live in JupyterLab" in text for text in said) == notes
    assert "widget-view" not in str(page)


@pytest.mark.parametrize("name", NAMES)
def test_page_has_what_the_notebook_printed(pages, name):
    page = pages[f"notebooks/{name}"]
    for output in outputs(name):
        if output.output_type == "stream":
            assert output.text.strip() in page.get_text()
    tables = sum("text/markdown" in output.get("data", {}) for output in outputs(name))
    assert len(page.select(".cell_output table")) == tables


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_folded_and_formulas_set(pages, name):
    page, text = pages[f"notebooks/{name}"], sources(name)
    folded = page.select("details")
    assert len(folded) == text.count("<details>")
    assert all(part.find("summary") and not part.has_attr("open") for part in folded)
    prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    assert len(page.select("math")) == len(re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$", prose, flags=re.DOTALL))
    assert not page.select("merror")
    words = [
        string for string in page.select_one("article").strings if not string.find_parent(["pre", "code"])
    ]
    assert not any("$" in string for string in words)


def test_every_link_goes_somewhere(site, pages):
    for name, page in pages.items():
        for link in page.select("a[href]"):
            href = urlsplit(link["href"])
            if href.scheme:
                assert href.scheme in ("http", "https", "mailto"), (name, link["href"])
                assert href.netloc or href.scheme == "mailto", (name, link["href"])
                continue
            target = (site / name).parent / unquote(href.path) if href.path else site / f"{name}.html"
            assert target.resolve().is_file(), (name, link["href"])
            assert target.suffix != ".ipynb", (name, link["href"])
            if href.fragment and target.suffix == ".html":
                aimed_at = pages[target.resolve().relative_to(site.resolve()).with_suffix("").as_posix()]
                assert aimed_at.find(id=unquote(href.fragment)) is not None, (name, link["href"])


def test_everything_a_page_loads_is_part_of_the_site(site, pages):
    for name, page in pages.items():
        loaded = [tag["src"] for tag in page.select("[src]")]
        loaded += [tag["href"] for tag in page.select("link[rel=stylesheet]")]
        for address in loaded:
            assert not urlsplit(address).scheme, (name, address)
            assert not urlsplit(address).netloc, (name, address)
            path = (site / name).parent / unquote(urlsplit(address).path)
            assert path.resolve().is_file(), (name, address)
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", text), sheet.name
    assert (site / "_static" / "STIXTwoMath-Regular.ttf").is_file()


def test_search_knows_every_notebook(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    known = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    assert set(IN_COURSE) < set(known["docnames"])


def test_in_a_browser_from_the_disk(site):
    """Home leads on, search finds, formulas have their font, and a phone's page doesn't scroll sideways."""
    lab = pytest.importorskip("lab")
    if lab.chromium() is None:
        pytest.skip("there is no Chromium on this machine")
    with lab.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=lab.chromium(), args=lab.CHROMIUM_FLAGS)
        page, asked = browser.new_page(viewport={"width": 400, "height": 800}), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.wait_for_url("**/docs/index.html")
        for name in IN_COURSE:
            page.goto((site / f"{name}.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        page.wait_for_function("[...document.fonts].some(font => font.status === 'loaded')")
        page.goto((site / "search.html").as_uri() + "?q=retraversal")
        page.wait_for_function("document.querySelector('ul.search a[href*=\"09_exponential\"]')")
        assert {urlsplit(address).scheme for address in asked} <= {"file", "data"}
        browser.close()
