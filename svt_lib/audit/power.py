"""How many runs an audit needs: computed from exact probabilities, not sampled."""

from dataclasses import dataclass

import numpy as np
import scipy

from svt_lib import checks, exact
from svt_lib.audit.bound import log_ratio_limit, lower_limit, upper_limit
from svt_lib.audit.samples import arrows
from svt_lib.mechanism import Mechanism

#: Likelihood ratios are equal where their logs differ by rounding only.
ROUNDING = 1e-9
#: How many counts of an event are told apart; where more are likely, neighbouring ones stand for each other.
NODES = 96
#: The search for a number of runs goes up to ten to this power.
MOST_DIGITS, HALVINGS = 12, 20


@dataclass(frozen=True)
class Ladder:
    """Events on a pair of databases, from the sharpest to the certain one, each contained in the next.

    Outputs join in the order of their likelihood ratios, those with the same ratio together. No other event
    with the same probability on D′ is likelier on D (Neyman and Pearson).

    Attributes
    ----------
    here, there : numpy.ndarray of float, shape (events,)
        The probability of each event on D and on D′.
    last : tuple of str
        An output that joined with each event.
    """

    here: np.ndarray
    there: np.ndarray
    last: tuple[str, ...]

    @property
    def losses(self) -> np.ndarray:
        """The privacy loss that each event shows: ln of the ratio, maybe inf."""
        with np.errstate(divide="ignore"):
            return np.log(self.here) - np.log(self.there)

    def shown(self, runs: float, confidence: float = 0.95) -> np.ndarray:
        """Return what so many runs a side show of each event with average luck: at the expected counts."""
        return log_ratio_limit(runs * self.here, runs * self.there, runs, confidence)


def ladder(mechanism: Mechanism, answers, neighbour_answers, threshold) -> Ladder:
    """Return the events that an audit of this pair had best look at, with their exact probabilities.

    Parameters
    ----------
    mechanism, answers, neighbour_answers, threshold
        As in `svt_lib.exact.privacy_loss`. Where the noisy answer goes out: both noises alike, cutoff 1,
        all answers equal to the threshold on D and larger by the sensitivity on D′. Other released numbers
        are left out: the events are about outcomes alone.

    Raises
    ------
    ValueError
        Naming the argument that isn't right, or where the probabilities aren't known.
    """
    answers = checks.vector("answers", answers)
    if mechanism.releases == "noisy answer":
        return _with_low_numbers(mechanism, answers - threshold, np.subtract(neighbour_answers, answers))
    here, there = (
        exact.outcome_distribution(mechanism, side, threshold) for side in (answers, neighbour_answers)
    )
    possible = here.probabilities > 0
    ratio = here.log_probabilities[possible] - there.log_probabilities[possible]
    order = np.argsort(-ratio, kind="stable")
    p, q = (side.probabilities[possible][order] for side in (here, there))
    ratio = ratio[order]
    ends = np.append(~np.isclose(ratio[1:], ratio[:-1], rtol=0, atol=ROUNDING), True)
    outputs = [outcomes for outcomes, kept in zip(here.outcomes, possible, strict=True) if kept]
    return Ladder(np.cumsum(p)[ends], np.cumsum(q)[ends], tuple(arrows(outputs[i]) for i in order[ends]))


def _with_low_numbers(mechanism: Mechanism, margins, moves) -> Ladder:
    """Return the events "Belows, then a number of at most T", from many Belows to few, and then any output.

    With u = F(z), m Belows and then such a number have on D the probability ∫ u^m (1/2 - u) du from 0 to 1/2,
    which is 2^-(m+2) / ((m+1)(m+2)), and on D′ exp(-(m+1) Δ/b) times that.
    """
    alike = mechanism.threshold_scale == mechanism.query_scale > 0 and mechanism.cutoff == 1
    if not alike or np.any(margins != 0) or np.any(moves != mechanism.sensitivity):
        raise ValueError(
            "mechanism releases noisy answers: events are known only for one scale, cutoff 1, and answers "
            "equal to the threshold on D and larger by the sensitivity on D′"
        )
    belows = np.arange(margins.size)[::-1]
    here = 0.5 ** (belows + 2) / ((belows + 1) * (belows + 2))
    there = here * np.exp(-(belows + 1) * mechanism.sensitivity / mechanism.query_scale)
    texts = [f"{'▽' * m}▲ with a number of at most T" for m in belows.tolist()]
    return Ladder(np.append(np.cumsum(here), 1.0), np.append(np.cumsum(there), 1.0), (*texts, "anything"))


def runs_to_catch(here, there, epsilon: float, confidence: float = 0.95) -> np.ndarray:
    """Return the number of runs a side at which the bound of an average audit reaches `epsilon`.

    That is the bound at the expected counts; about half of all audits show more. All runs estimate the event.

    Parameters
    ----------
    here, there : array_like of float
        The probability of the event on D and on D′.
    epsilon : float
    confidence : float

    Returns
    -------
    numpy.ndarray of float
        inf where the loss of the event isn't above `epsilon`, or not by enough for a million million runs.
    """
    here, there = np.broadcast_arrays(np.asarray(here, dtype=float), np.asarray(there, dtype=float))
    needed = np.full(here.shape, np.inf)
    shows = here > np.exp(epsilon) * there
    here, there = here[shows], there[shows]
    low, high = np.zeros(here.shape), np.full(here.shape, float(MOST_DIGITS))
    for _ in range(HALVINGS):
        runs = 10 ** ((low + high) / 2)
        reached = log_ratio_limit(runs * here, runs * there, runs, confidence) > epsilon
        low, high = np.where(reached, low, np.log10(runs)), np.where(reached, np.log10(runs), high)
    needed[shows] = np.where(high == MOST_DIGITS, np.inf, 10**high)
    return needed


def catch_probability(
    here: float, there: float, epsilon: float, runs: int, confidence: float = 0.95
) -> float:
    """Return the probability that an audit of one event shows a loss above `epsilon`.

    Both counts are binomial and independent; those pairs are summed whose `log_ratio_limit` is above. Where
    more counts than `NODES` are likely, the result is right to 0.005.

    Parameters
    ----------
    here, there : float
        The probability of the event on D and on D′.
    epsilon : float
        What the mechanism claims.
    runs : int
        A side, all of them for the estimate.
    confidence : float
    """
    miss = (1 - confidence) / 2
    counts = _likely_counts(there, runs)
    mass = np.diff(scipy.special.bdtr(counts, runs, there), prepend=0.0)
    middle = (counts + np.append(counts[0], counts[:-1] + 1)) / 2
    to_show = np.exp(epsilon) * upper_limit(middle, runs, miss)
    others = _likely_counts(here, runs)
    needed = np.floor(np.interp(to_show, lower_limit(others, runs, miss), others)) + 1
    return float(mass @ scipy.special.bdtrc(needed - 1, runs, here))


def _likely_counts(probability: float, runs: int) -> np.ndarray:
    """Return whole numbers, rising, between which the count of an event lies, but for 1e-8."""
    mean = runs * probability
    reach = 6 * np.sqrt(mean * (1 - probability)) + 8
    low, high = max(0.0, mean - reach), min(float(runs), mean + reach)
    return np.unique(np.linspace(np.floor(low), np.ceil(high), NODES).round())
