"""Nothing depends on the system, its encoding, or the folder in which one stands."""

import ast
import re
import sys

import nbformat
import pytest
from conftest import ROOT, finished

PROGRAMS = sorted(
    path for folder in ("svt_lib", "tests", "scripts", "benchmarks") for path in (ROOT / folder).rglob("*.py")
)
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
#: What Windows keeps for itself.
RESERVED = r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?"
#: What a cell would use to read or write a file by a name of its own.
FILES = r"\b(open|Path|chdir|getcwd|glob|savefig|load_counts|load_transactions|save_counts)\(|^[%!]"


def tracked():
    listed = finished("git", "ls-files", "-z").stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).exists()]


def opens_text(call: ast.Call) -> bool:
    """Whether a call reads or writes text, so that it needs an encoding."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("read_text", "write_text"):
        return True
    modes = [
        node.value
        for node in [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    binary = any(re.fullmatch(r"[rwxa+]*b[rwxa+]*", mode) for mode in modes)
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if owner == "subprocess":  # what another program says
        return any(keyword.arg in ("text", "universal_newlines") for keyword in call.keywords)
    return name == "open" and owner not in ("gzip", "webbrowser") and not binary


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_open_states_its_encoding(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and opens_text(node):
            assert "encoding" in {keyword.arg for keyword in node.keywords}, f"line {node.lineno}"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("open(name)", True), ("path.open('w')", True), ("open(name, mode='a')", True),
        ("path.read_text()", True), ("open(name, 'rb')", False), ("path.open(mode='wb')", False),
        ("gzip.open(file)", False), ("subprocess.run(command, text=True)", True),
        ("subprocess.run(command)", False),
    ],
)  # fmt: skip
def test_what_needs_an_encoding_is_recognised(call, text):
    assert opens_text(ast.parse(call, mode="eval").body) == text


def test_files_are_text_with_unix_line_ends_or_declared_binary():
    attributes = (ROOT / ".gitattributes").read_text(encoding="utf-8")
    assert attributes.startswith("* text=auto eol=lf\n")
    binary = set(re.findall(r"^\*(\.\w+) binary$", attributes, re.MULTILINE))
    for name in tracked():
        if (ROOT / name).suffix not in binary:
            content = (ROOT / name).read_bytes()
            content.decode("utf-8")
            assert b"\r" not in content, name


def test_names_of_files_are_names_on_every_system():
    names = tracked()
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        assert re.fullmatch(r"[A-Za-z0-9._/-]+", name), name
        assert len(name) < 100, name
        assert not any(re.fullmatch(RESERVED, part, re.IGNORECASE) for part in name.split("/")), name


@pytest.mark.parametrize("folder", [ROOT, ROOT.parent], ids=["root", "parent"])
def test_notebooks_find_everything_from_other_folders(folder):
    """nbval runs them in their own folder. What depends on a folder is what they import, the data, and what
    the environment check reads; no cell opens a file by a name of its own, as the next test says."""
    imports = [
        node
        for path in NOTEBOOKS
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "code"
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    program = "\n".join(dict.fromkeys(map(ast.unparse, imports)))
    program += "\nfrom svt_lib import data, environment, plots\nassert len(data.survey()) == 375\n"
    program += "assert environment.problems() == []\n"
    done = finished(sys.executable, "-c", program, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_cell_opens_a_file(path):
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "code":
            code = re.sub(r"^if PATH:\n(    .*\n?)+", "", cell.source, flags=re.MULTILINE)
            assert not re.search(FILES, code, re.MULTILINE), cell.source
