"""The benchmarks: they are found by name and compare like with like. No test asserts what they measure."""

import sys
from importlib import import_module

import numpy as np
import pytest
from conftest import ROOT, finished

from svt_lib import Mechanism, run


@pytest.fixture(autouse=True)
def _found(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


def test_each_is_a_module_with_a_main():
    for name in (*import_module("benchmarks.__main__").QUICK, "memory", "notebooks", "experiment"):
        assert callable(import_module(f"benchmarks.{name}").main)


def test_an_unknown_one_is_refused_and_the_known_ones_are_named():
    with pytest.raises(SystemExit, match=r"no such benchmark: memroy; there are .*memory"):
        import_module("benchmarks.__main__").main(["memroy"])


def test_the_plain_loop_has_the_rules_of_the_library():
    noiseless, answers = Mechanism(threshold_scale=0, query_scale=0, cutoff=2), [1, 5, 4.999, 7, 9]
    (outcomes,) = import_module("benchmarks.sampling").plain_loop(
        noiseless, answers, 5, 1, np.random.default_rng(1)
    )
    assert tuple(outcomes) == run(noiseless, answers, 5).outcomes


def test_pictures_are_imported_without_special_functions():
    """They take a fifth of a second, and only audits need them."""
    code = "import sys, svt_lib.plots; print('scipy.special' in sys.modules)"
    said = finished(sys.executable, "-c", code)
    assert said.stdout.strip() == "False"
