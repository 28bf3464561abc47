"""What all tests share."""

from pathlib import Path

import pytest
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[1]


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


def pytest_xdist_make_scheduler(config, log):
    """Keep the cells of a notebook, and all browser tests, on one worker; share out the rest one by one."""
    from xdist.scheduler import LoadScopeScheduling

    class ByNotebook(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::")[0]
            return file if file.endswith((".ipynb", "test_browser.py")) else nodeid

    return ByNotebook(config, log)
