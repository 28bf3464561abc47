"""What all tests share."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[1]
#: With another number, every statistical test sees other random numbers. A failure then is a false alarm, or
#: a test that holds by the luck of its seed.
SEED_OFFSET = int(os.environ.get("SVT_SEED_OFFSET", "0"))

# The same examples each time, however slow the machine. `--hypothesis-profile=search` looks for new ones.
settings.register_profile(
    "same", derandomize=True, max_examples=50, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("search", settings.get_profile("same"), derandomize=False, max_examples=1000)
settings.load_profile("same")


def finished(*command, **options):
    """Run a program, in the project's root unless told otherwise; what it says is UTF-8 on every system."""
    options = {"cwd": ROOT, "env": os.environ | {"PYTHONUTF8": "1"}, "check": True} | options
    return subprocess.run(command, **options, capture_output=True, encoding="utf-8")


@pytest.fixture(autouse=True)
def other_seeds(request, monkeypatch):
    if SEED_OFFSET and request.node.get_closest_marker("statistical"):
        plain = np.random.default_rng

        def default_rng(seed=None):
            return plain([SEED_OFFSET, *plain(seed).integers(2**32, size=4)])

        monkeypatch.setattr(np.random, "default_rng", default_rng)


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.fixture
def two_axes():
    figure, axes = plt.subplots(2)
    yield axes
    plt.close(figure)


def pytest_collection_modifyitems(items):
    """Let nbval leave out what cells write to stderr: a warning of a new release is no fault of theirs."""
    for item in items:
        if "stderr" not in getattr(item.parent, "skip_compare", ["stderr"]):
            item.parent.skip_compare += ("stderr",)


def pytest_xdist_make_scheduler(config, log):
    """Keep on one worker what shares a kernel, a browser or the built site; share out the rest one by one."""
    from xdist.scheduler import LoadScopeScheduling

    class ByNotebook(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::")[0]
            return file if file.endswith((".ipynb", "test_browser.py", "test_site.py")) else nodeid

    return ByNotebook(config, log)
