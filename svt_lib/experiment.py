"""The experiment: how often each method misses the c largest counts, on a grid of methods and cutoffs.

A method is a record, and so is what it did at one cutoff: a cell. A cell is a pure function of the counts,
the method, the cutoff, ε, the number of runs and the seed. Its noise comes from a seed of its own, spawned
from that seed, so it is the same alone, in any grid and in any order.

The design is that of Lyu, Su, Li 2017, section 6, as we understand it from later work: ε = 0.1, 100 runs, the
items in random order in each, and a threshold half-way between the c-th largest count and the next.

Teaching code: floating-point noise is not safe on real data. Notebook 01 says why and what to use.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from tqdm import tqdm

from svt_lib import checks
from svt_lib.mechanism import Mechanism
from svt_lib.selection import (
    error_rates,
    exponential_mechanism,
    svt_select,
    threshold_between,
)
from svt_lib.variants import VARIANTS, best_split

EPSILON = 0.1
RUNS = 100
CUTOFFS = tuple(range(25, 301, 25))
#: Enough for a threshold that is raised by five standard deviations.
PASSES = 10**6
#: An order between two methods counts only where the gap is more than so many standard errors.
CLEAR = 4


@dataclass(frozen=True)
class Method:
    """One way to select the c largest counts, private for one person more or less.

    Attributes
    ----------
    name : str
    variant : str or None
        Its key in `VARIANTS`; None is the exponential mechanism.
    split : callable or None
        ε₂/ε₁ for a cutoff c; None for a variant with a split of its own.
    raised_by : float
        Raises the threshold by so many standard deviations of the query noise.
    passes : int
        The most that may be made; more than 1 is retraversal.
    """

    name: str
    variant: str | None = "standard"
    split: Callable[[int], float] | None = None
    raised_by: float = 0.0
    passes: int = 1

    def mechanism(self, epsilon: float, cutoff: int) -> Mechanism:
        """Return the SVT of this method in numbers: Δ = 1, and monotonic noise where it can be chosen."""
        if self.split is None:
            return VARIANTS[self.variant].configure(epsilon, cutoff)
        return VARIANTS[self.variant].configure(epsilon, cutoff, monotonic=True, split=self.split(cutoff))

    def select(self, counts, cutoff: int, epsilon: float, threshold: float, rng) -> np.ndarray:
        """Select from the counts, which are asked in the order given; return indices."""
        if self.variant is None:
            return exponential_mechanism(counts, epsilon, cutoff, monotonic=True, rng=rng)
        mechanism = self.mechanism(epsilon, cutoff)
        options = {"raised_by": self.raised_by, "passes": self.passes}
        return svt_select(mechanism, counts, threshold, **options, rng=rng).indices


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("Alg. 2", "alg2"),
        Method("1:1", split=lambda c: 1),
        Method("1:3", split=lambda c: 3),
        Method("1:c", split=lambda c: c),
        Method("1:c^(2/3)", split=best_split),
        *(Method(f"retraversal {k}", split=best_split, raised_by=k, passes=PASSES) for k in range(1, 6)),
        Method("EM", variant=None),
    )
}


def select_once(method: Method, counts, cutoff: int, epsilon: float, threshold: float, rng) -> np.ndarray:
    """Select with one run over the counts in random order; return indices into `counts`."""
    order = rng.permutation(counts.size)
    return order[method.select(counts[order], cutoff, epsilon, threshold, rng)]


@dataclass(frozen=True)
class Summary:
    """A rate over many runs: its mean, the standard error of that, and the 10 % and 90 % quantiles."""

    mean: float
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class Cell:
    """What a method did at one cutoff, run by run; each array has the shape (runs,).

    Attributes
    ----------
    fnr, ser : numpy.ndarray of float
        False negative rate and score error rate, as `svt_lib.selection` defines them.
    selected : numpy.ndarray of int
        How many items were selected.
    """

    fnr: np.ndarray
    ser: np.ndarray
    selected: np.ndarray

    def summary(self, rate: str = "fnr") -> Summary:
        """Return the summary of ``"fnr"`` or ``"ser"``."""
        if rate not in ("fnr", "ser"):
            raise ValueError(f"rate must be 'fnr' or 'ser', got {rate!r}")
        values = getattr(self, rate)
        error = values.std(ddof=1) / np.sqrt(values.size)
        return Summary(float(values.mean()), float(error), *np.quantile(values, (0.1, 0.9)).tolist())


def run_cell(
    counts, method: Method, cutoff: int, *, epsilon: float = EPSILON, runs: int = RUNS, seed: int = 1
) -> Cell:
    """Run one method at one cutoff, a pure function of its arguments.

    Parameters
    ----------
    counts : array_like of float, shape (items,)
        More items than `cutoff`.
    method : Method
    cutoff : int
        c: how many to select.
    epsilon : float
        The budget of one run.
    runs : int
        At least 2.
    seed : int
        One for a whole grid: the cell spawns its own from it.

    Raises
    ------
    ValueError
        Naming the argument that isn't right.
    """
    counts, runs = checks.vector("counts", counts), checks.whole("runs", runs, 2)
    threshold, epsilon = threshold_between(counts, cutoff), checks.budget("epsilon", epsilon)
    key = (cutoff, *method.name.encode())
    rng = np.random.default_rng(np.random.SeedSequence(checks.whole("seed", seed, 0), spawn_key=key))
    chosen = [select_once(method, counts, cutoff, epsilon, threshold, rng) for _ in range(runs)]
    return Cell(*error_rates(chosen, counts, cutoff), np.array([indices.size for indices in chosen]))


class Experiment:
    """A grid of cells, filled one by one.

    Parameters
    ----------
    counts : array_like of float, shape (items,)
    epsilon, runs, seed
        As in `run_cell`.

    Attributes
    ----------
    cells : dict
        The `Cell` of each (method name, cutoff) that is done.
    """

    def __init__(self, counts, *, epsilon: float = EPSILON, runs: int = RUNS, seed: int = 1):
        self.counts = checks.vector("counts", counts)
        self.epsilon, self.runs, self.seed = epsilon, runs, seed
        self.cells: dict[tuple[str, int], Cell] = {}

    @property
    def cutoffs(self) -> list[int]:
        """The cutoffs for which some cell is done."""
        return sorted({cutoff for _, cutoff in self.cells})

    @property
    def complete(self) -> list[int]:
        """The cutoffs for which every method is done."""
        return [c for c in self.cutoffs if all((name, c) in self.cells for name in METHODS)]

    def fill(self, cutoffs=CUTOFFS, methods=tuple(METHODS), *, progress: bool = False) -> "Experiment":
        """Run the cells that aren't done yet.

        An interrupt ends it and keeps what is done; call it again for the rest.

        Parameters
        ----------
        cutoffs : iterable of int
        methods : iterable of str
            Names in `METHODS`.
        progress : bool
            Whether to show a progress bar.
        """
        missing = [(name, c) for c, name in product(cutoffs, methods) if (name, c) not in self.cells]
        unknown = [name for name, _ in missing if name not in METHODS]
        if unknown:
            raise ValueError(f"methods must be among {tuple(METHODS)}, got {unknown[0]!r}")
        options = {"epsilon": self.epsilon, "runs": self.runs, "seed": self.seed}
        try:
            for name, cutoff in tqdm(missing, unit="cell", disable=not progress):
                self.cells[name, cutoff] = run_cell(self.counts, METHODS[name], cutoff, **options)
        except KeyboardInterrupt:
            left = sum(cell not in self.cells for cell in missing)
            print(f"Interrupted. {len(missing) - left} cells were added, {left} are missing.")
        return self

    def gap(self, one: str, other: str, cutoff: int, rate: str = "fnr") -> float:
        """Return by how many standard errors the mean rate of `one` lies above that of `other`."""
        here, there = (self.cells[name, cutoff].summary(rate) for name in (one, other))
        difference, error = here.mean - there.mean, np.hypot(here.error, there.error)
        if error == 0:
            return float(np.copysign(np.inf, difference)) if difference else 0.0
        return float(difference / error)

    def ranking(self, cutoff: int, rate: str = "fnr") -> str:
        """Return the methods from best to worst, with `<` where the order is clear and `~` where it isn't.

        Each is compared with the next: clear is a gap of more than four standard errors.
        """
        done = [name for name, c in self.cells if c == cutoff]
        done.sort(key=lambda name: self.cells[name, cutoff].summary(rate).mean)
        said = done[:1]
        for before, name in pairwise(done):
            said += ["<" if self.gap(name, before, cutoff, rate) > CLEAR else "~", name]
        return " ".join(said)

    def table(self, rate: str = "fnr") -> str:
        """Return mean ± standard error in percent, a line for each method and a column for each cutoff."""
        lines = [f"{'c =':<14}" + "".join(f"{c:>12}" for c in self.cutoffs)]
        for name in METHODS:
            cells = [self.cells.get((name, c)) for c in self.cutoffs]
            lines.append(f"{name:<14}" + "".join(f"{_percent(cell, rate):>12}" for cell in cells))
        return "\n".join(lines)


def _percent(cell: Cell | None, rate: str) -> str:
    if cell is None:
        return "–"
    summary = cell.summary(rate)
    return f"{100 * summary.mean:.1f} ±{100 * summary.error:4.1f}"
