"""The workflow of public CI: it says what pyproject.toml and the Makefile say, and its commands exist."""

import importlib.util
import re
import shlex
import tomllib

import pytest
import yaml
from conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def commands(job):
    """The lines that a job runs, as lists of words."""
    lines = "\n".join(step["run"] for step in job["steps"] if "run" in step).splitlines()
    return [shlex.split(line) for line in lines]


@pytest.fixture(scope="module")
def matrix_job():
    return load(ROOT / ".github" / "workflows" / "test.yml")["jobs"]["test"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_command_exists(path):
    for job in load(path)["jobs"].values():
        for program, *words in commands(job):
            if program == "make":
                assert re.search(rf"^{words[0]}:", MAKEFILE, re.MULTILINE), words
            else:
                assert (program, words[0]) == ("python", "-m"), program
                # pip comes with Python, if not with uv's environments; uv is installed before it is used.
                assert words[1] in ("pip", "uv") or importlib.util.find_spec(words[1]), words
            folders = [word for word in words if word in ("tests", "notebooks") or "/" in word]
            assert all(any(ROOT.glob(folder)) for folder in folders), folders


def test_pythons_are_those_of_the_package(matrix_job):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = matrix_job["strategy"]["matrix"]["python"]
    assert project["requires-python"] == f">={pythons[0]}"
    assert pythons == [f"3.{minor}" for minor in range(11, 11 + len(pythons))]
    assert [f"Programming Language :: Python :: {python}" for python in pythons] == [
        line for line in project["classifiers"] if re.search(r"Python :: \d\.", line)
    ]


def test_three_systems_and_both_ends_of_the_dependencies(matrix_job):
    matrix = matrix_job["strategy"]["matrix"]
    assert {system.split("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["resolution"] == ["highest"]
    assert [cell["os"] for cell in matrix["include"]] == matrix["os"]
    for cell in matrix["include"]:
        assert (cell["python"], cell["resolution"]) == (matrix["python"][0], "lowest-direct")


def test_every_week_and_with_the_notebooks_where_it_fails(matrix_job):
    triggers = load(ROOT / ".github" / "workflows" / "test.yml")[
        True
    ]  # YAML 1.1 takes `on` for a truth value
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", triggers["schedule"][0]["cron"])
    *_, again, upload = matrix_job["steps"]
    assert again["if"] == upload["if"] == "failure()"
    assert upload["with"]["path"] == "executed/"
    assert "--output-dir executed notebooks/*.ipynb" in again["run"]


def test_it_tests_as_the_makefile_does(matrix_job):
    (words,) = [words for words in commands(matrix_job) if "pytest" in words]
    recipe = MAKEFILE.replace("\\\n", " ")
    (line,) = [line for line in recipe.splitlines() if "$(BIN)/pytest" in line and "--nbval" in line]
    backend, _, *expected = line.replace("$(TEST_ARGS)", "").split()
    assert words == ["python", "-m", "pytest", *expected]
    assert backend == f"MPLBACKEND={matrix_job['env']['MPLBACKEND']}"
