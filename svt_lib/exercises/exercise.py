"""What an exercise is, and the words in which a check answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

#: From predicting to explaining: the order in which they get harder.
Kind = Literal["predict", "compute", "write", "break", "repair", "prove", "explain"]


class Mistake(Exception):
    """Raised by a check: the sentence that says what is wrong with an attempt."""


def as_sentence(error: Exception) -> str:
    """Return what an error of the library says, as a sentence for a `Mistake`."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


class NotAttempted(Exception):
    """Raised where a stub is as it was handed out."""


@dataclass(frozen=True)
class Wrong:
    """A wrong attempt that people make, and words that its sentence must hold.

    Attributes
    ----------
    attempt : callable
        For a function, the wrong one. For a value, called with the exercise's numbers, it returns the wrong
        value.
    words : str
    """

    attempt: Callable
    words: str


@dataclass(frozen=True)
class Exercise:
    """One exercise with all that belongs to it.

    Attributes
    ----------
    id : str
        The number of its notebook and its own: "3.2".
    kind : Kind
    asks_for : {"value", "function"}
        What is handed to the check.
    check : callable
        ``check(attempt, rng, **given)`` raises a `Mistake`, or returns the sentence for whoever is right.
        A function arrives as a `Learner`.
    hints : tuple of two str
    reference : callable
        A right solution, whose source `solution` shows. For a function, itself. For a value, called with the
        exercise's numbers, it returns the value.
    wrong : tuple of Wrong
    given : dict
        The numbers that the stub cell shows. An instructor may change them.
    """

    id: str
    kind: Kind
    asks_for: Literal["value", "function"]
    check: Callable
    hints: tuple[str, str]
    reference: Callable
    wrong: tuple[Wrong, ...]
    given: dict = field(default_factory=dict)

    def attempt_of(self, solution: Callable, given: dict):
        """Return what a learner with this solution hands to the check."""
        return solution if self.asks_for == "function" else solution(**given)


@dataclass(frozen=True)
class Verdict:
    """What a check says of an attempt."""

    id: str
    status: Literal["passed", "not yet", "not attempted yet"]
    sentence: str

    @property
    def passed(self) -> bool:
        """Whether the exercise is done."""
        return self.status == "passed"

    def __str__(self):
        return f"{self.id} {self.status}. {self.sentence}"
