"""What all tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items):
    """Keep the cells of a notebook, and all browser tests, on one worker."""
    for item in items:
        if item.path.suffix == ".ipynb" or item.path.name == "test_browser.py":
            item.add_marker(pytest.mark.xdist_group(item.path.name))
