"""The answers that the course asks about: twelve queries, a health survey, Zipf streams, files of your own.

The true answers are the secret. The course shows them, because you can't learn what noise does without them;
a real system never would.
"""

import csv
import gzip
from collections import Counter
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from tqdm import tqdm

from svt_lib import checks

#: The people of the survey.
SURVEY_PEOPLE = 1629

#: Records and items of two data sets of the literature, for a `zipf` stream of their size.
KOSARAK_SIZE = (990_002, 41_270)
AOL_SIZE = (647_377, 2_290_685)

#: How many records are read between two steps of the progress bar.
STEP = 10_000


@dataclass(frozen=True)
class Queries:
    """A stream of counting queries and their true answers.

    Attributes
    ----------
    labels : tuple of str
        What each query asks.
    answers : numpy.ndarray of float, shape (queries,)
        The true answers, a read-only copy.
    sensitivity : float
        Δ: the most that one person, added or removed, changes any answer.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, also where there aren't as many labels as answers.
    """

    labels: tuple[str, ...]
    answers: np.ndarray
    sensitivity: float = 1.0

    def __post_init__(self):
        answers = checks.vector("answers", self.answers).copy()
        if answers.size != len(self.labels):
            raise ValueError(f"labels has {len(self.labels)} entries for {answers.size} answers")
        answers.flags.writeable = False
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "sensitivity", checks.positive("sensitivity", self.sensitivity))

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
    with resources.as_file(resources.files("svt_lib") / "tables" / "nhefs_survey.csv") as path:
        return load_counts(path)


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


def load_transactions(path: str | Path, *, progress: bool = True) -> Queries:
    """Count the items of a transaction file: one record a line, item numbers separated by blanks.

    This is the usual form of the public files of frequent-itemset mining. Kosarak (clicks of a news
    portal) and retail (market baskets) are in the Frequent Itemset Mining Dataset Repository; BMS-POS
    (shop sales) and AOL (search words) are cited in the literature, and AOL's log has to be turned into
    this form first. Mind the terms of each. Sequence files, with -1 and -2 between the items, are
    refused. A name that ends in ``.gz`` is unpacked while reading. Only the counts are kept in memory. An
    item that stands twice in a record counts once, so one record, added or removed, changes each count by
    at most 1.

    Parameters
    ----------
    path : str or pathlib.Path
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    Queries
        One for each item that occurs, in the order of the item numbers.

    Raises
    ------
    ValueError
        With the number of the line that holds anything but item numbers.
    """
    path, counts = Path(path), Counter()
    with (
        path.open("rb") as file,
        tqdm(
            total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=not progress
        ) as bar,
    ):
        for number, line in enumerate(gzip.open(file) if path.suffix == ".gz" else file, start=1):
            items = line.split()
            if not all(item.isdigit() for item in items):
                raise ValueError(f"line {number} of {path.name} must hold item numbers, got {line[:60]!r}")
            counts.update({int(item) for item in items})
            if number % STEP == 0:
                bar.update(file.tell() - bar.n)
        bar.update(file.tell() - bar.n)
    items = sorted(counts)
    return Queries(
        tuple(f"item {item}" for item in items), np.array([counts[item] for item in items], dtype=float)
    )


def load_counts(path: str | Path) -> Queries:
    """Load a table of counts: a CSV file with a header line, then a label and a count in each line.

    Raises
    ------
    ValueError
        With the number of the line that holds anything else.
    """
    labels, counts = [], []
    with Path(path).open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file), start=1):
            if number == 1:
                continue
            if len(row) != 2 or not row[1].isdecimal():
                raise ValueError(
                    f"line {number} of {Path(path).name} must be a label and a count, got {row!r}"
                )
            labels.append(row[0])
            counts.append(float(row[1]))
    return Queries(tuple(labels), np.array(counts))


def save_counts(queries: Queries, path: str | Path) -> None:
    """Save counts as a table that `load_counts` reads."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["label", "count"])
        writer.writerows(
            (label, int(count)) for label, count in zip(queries.labels, queries.answers, strict=True)
        )
