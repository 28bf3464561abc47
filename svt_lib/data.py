"""The answers that the course asks about: twelve queries, a health survey, a Zipf stream.

The true answers are the secret. The course shows them, because you can't learn what noise does without them;
a real system never would.
"""

import csv
from dataclasses import dataclass
from importlib import resources

import numpy as np

from svt_lib import checks

#: The people of the survey.
SURVEY_PEOPLE = 1629


@dataclass(frozen=True)
class Queries:
    """A stream of counting queries and their true answers.

    Attributes
    ----------
    labels : tuple of str
        What each query asks.
    answers : numpy.ndarray of float, shape (queries,)
        The true answers, read-only.
    sensitivity : float
        Δ: the most that one person, added or removed, changes any answer.
    """

    labels: tuple[str, ...]
    answers: np.ndarray
    sensitivity: float = 1.0

    def __post_init__(self):
        self.answers.flags.writeable = False

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, label: str) -> float:
        """Return the true answer to the query with this label."""
        if label not in self.labels:
            raise ValueError(f"label must be one of the {len(self)} questions, got {label!r}")
        return float(self.answers[self.labels.index(label)])

    def shuffled(self, rng: np.random.Generator) -> "Queries":
        """Return the same queries in random order."""
        order = checks.generator(rng).permutation(len(self))
        return Queries(tuple(self.labels[i] for i in order), self.answers[order], self.sensitivity)


def twelve() -> Queries:
    """Return the twelve queries of the first demo, with answers between 0 and 100."""
    answers = np.array([22, 38, 55, 61, 47, 70, 33, 82, 41, 66, 29, 74], dtype=float)
    return Queries(tuple(f"Q{i}" for i in range(1, 13)), answers)


def survey() -> Queries:
    """Return 375 counts from a health survey of 1,629 people (NHEFS; see ``tables/README.md``).

    Adding or removing one person moves each count by at most 1, all in the same direction.
    """
    table = resources.files("svt_lib") / "tables" / "nhefs_survey.csv"
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return Queries(tuple(row["question"] for row in rows), np.array([float(row["people"]) for row in rows]))


def zipf(records: int = 1_000_000, items: int = 10_000) -> Queries:
    """Return item counts that fall off as 1/rank, most frequent first.

    Item i of n gets ``records / (i · H_n)`` records, rounded, where H_n = 1 + 1/2 + … + 1/n.

    Parameters
    ----------
    records, items : int
        Both at least 1.
    """
    records, items = checks.whole("records", records), checks.whole("items", items)
    ranks = np.arange(1, items + 1, dtype=float)
    counts = np.round(records / (ranks * (1 / ranks).sum()))
    return Queries(tuple(f"item {i}" for i in range(1, items + 1)), counts)
