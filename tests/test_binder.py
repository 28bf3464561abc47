"""What Binder would build from this repository, said by repo2docker itself. It needs no Docker for that."""

import os
import re
import sys

import pytest
from conftest import ROOT, finished

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Binder builds and runs on Linux")

BADGE = r"https://mybinder\.org/v2/gh/[^/]+/[^/]+/HEAD\?urlpath=lab/tree/notebooks/00_start_here\.ipynb"


@pytest.fixture(scope="module")
def plan():
    """Return what repo2docker says, the Dockerfile included."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    done = finished(*command, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_binder_builds_the_conda_environment_with_its_python(plan):
    assert "Building conda environment for python=3.12" in plan
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"' in plan


def test_binder_keeps_its_cached_packages_when_only_the_course_changes(plan):
    """A local path among the packages would make every commit a full installation."""
    packages, course = (f"COPY --chown=0:0 src/{what} ${{REPO_DIR}}/" for what in ("environment.yml", ""))
    assert plan.index(packages) < plan.index(course)


def test_binder_installs_the_course_and_limits_the_threads(plan):
    assert "RUN ./postBuild" in plan
    assert 'ENV R2D_ENTRYPOINT="${REPO_DIR}/start"' in plan


def test_start_limits_threads_and_hands_over():
    done = finished(ROOT / "start", "env", env={"PATH": os.environ["PATH"]})
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        assert f"{name}=1" in done.stdout.splitlines()


@pytest.mark.parametrize("name", ["postBuild", "start"])
def test_scripts_are_executable_and_have_unix_line_ends(name):
    assert os.access(ROOT / name, os.X_OK)
    script = (ROOT / name).read_bytes()
    assert script.startswith(b"#!/bin/bash\n")
    assert b"\r" not in script


def test_no_folder_hides_the_environment():
    """Where there is a folder of one of these names, Binder reads only that."""
    assert not (ROOT / "binder").exists()
    assert not (ROOT / ".binder").exists()


def test_the_badge_opens_the_first_notebook_in_jupyterlab():
    assert re.search(BADGE, (ROOT / "README.md").read_text(encoding="utf-8"))
    assert (ROOT / "notebooks" / "00_start_here.ipynb").exists()
