import numpy as np
import pytest

from svt_lib.ledger import BudgetSpent, Ledger


@pytest.mark.parametrize("parts", [3, 7, 10, 49, 1000])
@pytest.mark.parametrize("budget", [0.1, 0.3, 1.0, 2.0, 1e6])
def test_an_exact_spend_is_accepted_and_anything_more_refused(budget, parts):
    ledger = Ledger(budget)
    for _ in range(parts):
        ledger.charge(budget / parts)
    assert ledger.remaining == 0
    assert ledger.spent == pytest.approx(budget)
    with pytest.raises(BudgetSpent, match="a last one"):
        ledger.charge(budget * 1e-9, "a last one")
    assert len(ledger.entries) == parts


def test_ten_tenths_are_one():
    ledger = Ledger(1)
    for _ in range(10):
        ledger.charge(0.1)
    assert ledger.remaining == 0


def test_a_refused_charge_changes_nothing():
    ledger = Ledger(1.0)
    assert ledger.charge(0.6) == pytest.approx(0.4)
    with pytest.raises(BudgetSpent):
        ledger.charge(0.5)
    assert ledger.spent == 0.6
    assert ledger.charge(0.4) == 0


@pytest.mark.parametrize("bad", [0, -0.1, np.nan, np.inf, "1", None])
def test_bad_charges_and_budgets(bad):
    with pytest.raises(ValueError, match="epsilon"):
        Ledger(1.0).charge(bad)
    with pytest.raises(ValueError, match="budget"):
        Ledger(bad)
