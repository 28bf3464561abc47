"""Spelling: no typos anywhere, and British forms in prose, by the lists that codespell brings along."""

import sys
from pathlib import Path

import codespell_lib
import pytest
from conftest import ROOT, finished

#: British words too (a program runs, a licence file is called LICENSE), or names of modules and keys.
ALSO_BRITISH = (
    "biased,focused,focuses,license,licensed,licenses,math,practice,practices,program,story,stories"
)
#: What Python, its libraries and JupyterLab call things.
NAMES = "canceled,capitalize,center,color,colors,gray,grayscale,normalize"


def files(*patterns):
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = finished(*command).stdout.split()
    return [name for name in listed if (ROOT / name).exists()]


PROSE = files("*.md", "*.cff", "LICENSE*")
CODE = files("*.py", "*.toml", "*.yml", "Makefile", "postBuild")


def misspelt(*arguments):
    """Return what codespell finds, with the settings of pyproject.toml; `arguments` are its own."""
    command = [sys.executable, "-m", "codespell_lib", *map(str, arguments)]
    return finished(*command, check=False).stdout.splitlines()


@pytest.fixture(scope="module")
def american(tmp_path_factory):
    """codespell's list from British to American forms, read backwards."""
    lists = Path(codespell_lib.__file__).parent / "data"
    backwards = tmp_path_factory.mktemp("words") / "american.txt"
    lines = (lists / "dictionary_en-GB_to_en-US.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("->") for line in lines]
    backwards.write_text(
        "".join(f"{us.split(',')[0]}->{british}\n" for british, us in pairs), encoding="utf-8"
    )
    return backwards


def test_no_typos():
    assert misspelt(*PROSE, *CODE) == []


def test_british_forms(american):
    assert misspelt("-D", american, "-L", ALSO_BRITISH, *PROSE) == []
    assert misspelt("-D", american, "-L", f"{ALSO_BRITISH},{NAMES}", *CODE) == []


def test_american_forms_are_found(american, tmp_path):
    words = "neighbo-r behavio-r colo-r randomi-zed label-ed".replace("-", "").split()  # not to be found here
    (tmp_path / "page.md").write_text("\n".join(words), encoding="utf-8")
    assert len(misspelt("-D", american, tmp_path / "page.md")) == len(words)
