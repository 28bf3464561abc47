import sys
import tomllib

import pytest
import yaml
from conftest import ROOT, finished
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from svt_lib import environment

CONDA_NAMES = {"matplotlib-base": "matplotlib"}


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def conda():
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def ranges(lines):
    found = {Requirement(line).name: Requirement(line).specifier for line in lines}
    return {CONDA_NAMES.get(name, name): specifier for name, specifier in found.items()}


def test_conda_and_pip_say_the_same(project, conda):
    python, pip, *packages = conda["dependencies"]
    assert ranges(packages) == ranges(project["dependencies"])
    assert pip == "pip"
    name, version = python.split("=")
    assert name == "python"
    assert version.count(".") == 1
    assert SpecifierSet(project["requires-python"]).contains(f"{version}.0")
    assert conda["name"] == "svt"
    assert conda["channels"][0] == "conda-forge"


def test_every_range_has_both_ends(project):
    extras = project["optional-dependencies"].values()
    for line in [*project["dependencies"], *(line for extra in extras for line in extra)]:
        assert {clause.operator for clause in Requirement(line).specifier} == {">=", "<"}, line


def test_this_environment_is_ready(capsys):
    environment.check()
    assert capsys.readouterr().out.startswith("Ready")


def test_what_is_missing_or_too_old_is_said(monkeypatch, capsys):
    monkeypatch.setattr(
        environment.metadata,
        "requires",
        lambda _: ["numpy>=2000", "no-such-package>=1", "x; extra == 'test'"],
    )
    environment.check()
    said = capsys.readouterr().out
    assert "numpy is" in said
    assert "no-such-package is missing" in said
    assert "make lab" in said
    assert "x is" not in said


def test_importing_the_library_stays_light():
    heavy = ("matplotlib", "scipy", "ipywidgets", "IPython")
    code = f"import sys, svt_lib; print([name for name in {heavy} if name in sys.modules])"
    said = finished(sys.executable, "-c", code)
    assert said.stdout.strip() == "[]"
