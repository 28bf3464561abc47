"""What all the analyses of one database cost together."""

import math

from svt_lib import checks


class BudgetSpent(RuntimeError):
    """A question, or a charge, for which there is no privacy budget left."""


class Ledger:
    """The privacy budget of one database: what all analyses of it cost together.

    Sequential composition: mechanisms of ε₁, ε₂, … on the same data are together (ε₁ + ε₂ + …)-private. A run
    is charged in full when it starts, and nothing is ever given back.

    Parameters
    ----------
    budget : float
        The ε that all analyses together may cost.
    """

    #: What rounding may add up to, relative to the budget; far below any difference in privacy.
    ROUNDING = 1e-12

    def __init__(self, budget: float):
        self.budget = checks.budget("budget", budget)
        self.entries: list[tuple[str, float]] = []

    @property
    def spent(self) -> float:
        """The sum of all charges."""
        return math.fsum(epsilon for _, epsilon in self.entries)

    @property
    def remaining(self) -> float:
        """What is left; exactly 0 after an exact spend."""
        left = self.budget - self.spent
        return left if left > self.ROUNDING * self.budget else 0.0

    def charge(self, epsilon: float, what: str = "run") -> float:
        """Write down a charge before the analysis runs, and return what is left.

        Raises
        ------
        BudgetSpent
            Where it would go over the budget; nothing is written down then.
        """
        epsilon = checks.budget("epsilon", epsilon)
        if self.spent + epsilon > self.budget * (1 + self.ROUNDING):
            raise BudgetSpent(f"{what} costs {epsilon:g}, and {self.remaining:g} of {self.budget:g} is left")
        self.entries.append((what, epsilon))
        return self.remaining
