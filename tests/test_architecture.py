"""Imports inside the library point one way, from the ideas to the pictures."""

import ast

import pytest
from conftest import ROOT

#: Which rooms a room may import from, directly.
ALLOWED = {
    "checks": set(),
    "noise": set(),
    "environment": set(),
    "ledger": {"checks"},
    "data": {"checks"},
    "mechanism": {"checks"},
    "variants": {"checks", "mechanism"},
    "sampling": {"mechanism", "checks", "noise", "ledger", "variants"},
    "simulation": {"mechanism", "checks", "noise", "variants"},
    "exact": {"mechanism", "checks", "noise", "variants", "exact"},
    "selection": {"mechanism", "checks", "noise", "variants", "simulation"},
    "experiment": {"checks", "mechanism", "sampling", "selection", "variants"},
    "accuracy": {"checks", "mechanism", "noise", "exact"},
    "interactive": {"checks", "data", "noise", "sampling", "variants"},
    "comparison": {"mechanism", "checks", "noise", "variants", "exact"},
    "proof": {"mechanism", "checks", "noise", "variants", "exact"},
    "audit": {"checks", "mechanism", "sampling", "simulation", "exact", "audit"},
    "game": {"checks", "ledger", "mechanism", "variants", "exact", "audit"},
    "plots": {
        "mechanism", "noise", "data", "variants", "sampling", "simulation", "selection", "exact",
        "accuracy", "interactive", "experiment", "comparison", "proof", "audit", "plots",
    },
    "exercises": {
        "checks", "mechanism", "noise", "data", "variants", "sampling", "simulation", "selection", "exact",
        "accuracy", "interactive", "experiment", "comparison", "proof", "audit", "ledger", "exercises",
    },
    "canvas": {"plots"},
    "page": set(),
    "live": {"canvas", "page"},
    "__init__": {"mechanism", "sampling", "simulation", "variants"},
}  # fmt: skip
FILES = sorted((ROOT / "svt_lib").rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path):
    room = path.relative_to(ROOT / "svt_lib").parts[0].removesuffix(".py")
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("svt_lib"):
            module = node.module.removeprefix("svt_lib").strip(".")
            imported |= {module.split(".")[0]} if module else {alias.name for alias in node.names}
    assert imported <= ALLOWED[room]


def test_modules_can_be_read_at_a_sitting():
    for path in FILES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, path


def test_no_picture_needs_pyplot():
    for path in FILES:
        assert "pyplot" not in path.read_text(encoding="utf-8").replace("plt.subplots()", ""), path
