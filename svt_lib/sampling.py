"""Running a mechanism: query by query, and over a stream.

Teaching code: floating-point Laplace noise is not safe on real data. Notebook 01 says why and what to use.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from svt_lib import checks, noise
from svt_lib.ledger import BudgetSpent
from svt_lib.mechanism import Mechanism


class SparseVector:
    """A mechanism in the middle of a run, asked query by query.

    Neighbouring databases change each answer by at most ``mechanism.sensitivity``. Each question gets Above
    (True) or Below (False), and an Above releases what ``mechanism.releases`` says. The whole run, however
    long, has the privacy of the mechanism; for a correct one that is ``mechanism.epsilon``, of which ε₁ is
    for the threshold noise, ε₂ for up to c Aboves and ε₃ for their numeric answers.

    Parameters
    ----------
    mechanism : Mechanism
    threshold : float or sequence of float
        One for all queries, or the i-th for the i-th query.
    rng : numpy.random.Generator, optional
        Three generators are spawned from it (threshold, queries, releases), so that one seed gives query i
        the same unit draw whatever the scales. Fresh noise where it is left out.

    Raises
    ------
    ValueError
        Where `threshold` isn't finite or `rng` isn't a Generator.

    Notes
    -----
    Source: Lyu, Su, Li 2017, Algorithms 1 to 7.
    """

    def __init__(self, mechanism: Mechanism, threshold, rng=None):
        self.mechanism = mechanism
        self.outcomes: list[bool] = []
        self.released: list[float] = []
        self.stopped = False
        if np.iterable(threshold):
            self._threshold, self._thresholds = None, checks.vector("threshold", threshold).tolist()
        else:
            self._threshold, self._thresholds = checks.finite("threshold", threshold), None
        self._for_threshold, self._for_queries, self._for_releases = checks.generator(rng).spawn(3)
        self._aboves = 0
        self._threshold_noise = noise.draw(self._for_threshold, mechanism.threshold_scale)

    def ask(self, answer: float) -> bool:
        """Compare one true answer with the threshold, both under noise.

        Returns
        -------
        bool
            True is Above.

        Raises
        ------
        BudgetSpent
            After the c-th Above: nothing more is answered, not even Below.
        ValueError
            Where `answer` isn't a finite number, or no threshold is left for it.
        """
        if self.stopped:
            raise BudgetSpent(
                f"the run stopped at its Above number {self.mechanism.cutoff}; a new run costs ε again"
            )
        position = len(self.outcomes)
        answer = checks.finite(f"answers[{position}]", answer)
        noisy_answer = answer + noise.draw(self._for_queries, self.mechanism.query_scale)
        noisy_threshold = self._threshold_at(position) + self._threshold_noise
        above = bool(noisy_answer >= noisy_threshold)
        self.outcomes.append(above)
        if above:
            self._after_above(answer, noisy_answer, noisy_threshold)
        return above

    def _threshold_at(self, position: int) -> float:
        if self._thresholds is None:
            return self._threshold
        if position >= len(self._thresholds):
            raise ValueError(
                f"threshold has {len(self._thresholds)} values, and more answers than that were asked"
            )
        return self._thresholds[position]

    def _after_above(self, answer: float, noisy_answer: float, noisy_threshold: float):
        if self.mechanism.releases == "noisy answer":
            self.released.append(noisy_answer)
        elif self.mechanism.releases == "gap":
            self.released.append(noisy_answer - noisy_threshold)
        elif self.mechanism.releases == "fresh answer":
            self.released.append(answer + noise.draw(self._for_releases, self.mechanism.release_scale))
        self._aboves += 1
        self.stopped = self._aboves == self.mechanism.cutoff
        if self.mechanism.redraw:
            self._threshold_noise = noise.draw(self._for_threshold, self.mechanism.threshold_scale)


@dataclass(frozen=True)
class Transcript:
    """What a run gave away, and nothing else: no true answer, no noise.

    Attributes
    ----------
    outcomes : tuple of bool
        True is Above, in order, ending where the run ended.
    released : tuple of float
        The numbers that went out, one for each Above, where the mechanism releases any.
    stopped : bool
        Whether the cutoff ended the run.
    charged : float or None
        The ε claimed for the run, all of it, whatever came out.
    """

    outcomes: tuple[bool, ...]
    released: tuple[float, ...]
    stopped: bool
    charged: float | None

    @property
    def asked(self) -> int:
        """How many queries got an answer."""
        return len(self.outcomes)


def run(mechanism: Mechanism, answers: Iterable[float], threshold, rng=None) -> Transcript:
    """Ask one answer after the other until they end or the run stops.

    Parameters
    ----------
    mechanism : Mechanism
    answers : iterable of float
        True answers, pulled one by one and no further than the stop: a generator works.
    threshold, rng
        As in `SparseVector`.

    Raises
    ------
    ValueError
        Naming the argument (for an answer, its index) that isn't right.
    """
    answers, several = checks.sequence("answers", answers), np.iterable(threshold)
    if several:
        threshold = checks.vector("threshold", threshold)
        if hasattr(answers, "__len__"):
            checks.thresholds(threshold, len(answers))
    vector = SparseVector(mechanism, threshold, rng)
    for answer in answers:
        vector.ask(answer)
        if vector.stopped:
            break
    else:
        if several:
            checks.thresholds(threshold, len(vector.outcomes))
    return Transcript(tuple(vector.outcomes), tuple(vector.released), vector.stopped, mechanism.epsilon)


def noise_behind(mechanism: Mechanism, outcomes, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Derive the noise of a run again, for a picture that shows it.

    Parameters
    ----------
    mechanism : Mechanism
    outcomes : sequence of bool
        Those of the run.
    rng : numpy.random.Generator
        In the state in which the run got it: ``np.random.default_rng`` of the same seed.

    Returns
    -------
    threshold_noise, query_noise : numpy.ndarray
        What was added for each query that was asked.
    """
    for_threshold, for_queries, _ = checks.generator(rng).spawn(3)
    aboves_before = np.cumsum([0, *outcomes])[:-1] if mechanism.redraw else np.zeros(len(outcomes), dtype=int)
    drawn = noise.draw(for_threshold, mechanism.threshold_scale, 1 + sum(outcomes))
    return drawn[aboves_before], noise.draw(for_queries, mechanism.query_scale, len(outcomes))
