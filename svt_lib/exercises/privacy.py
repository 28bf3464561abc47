"""Is a learner's SVT private, whichever way it is built? Tested against *all* private ones of a family.

The family: Laplace noise of any two scales, the threshold's drawn once or again after each Above. Which
members keep ε is known exactly (`svt_lib.exact.worst_case_loss`). So a program is refused where no private
member could have given its frequencies, and then the likeliest member says what is missing.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from svt_lib import exact
from svt_lib.exercises import programs
from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner
from svt_lib.mechanism import Mechanism

#: A stream so long that no longer one costs more, to six digits.
LONG = 1_000_000
#: Half of the runs suggest what the program is, the other half judge.
RUNS = 80_000
#: In units of the answers: scales beyond are as good as none, or drown everything.
SMALLEST, LARGEST = 1e-3, 1e3


def is_private(svt: Learner, epsilon: float, cutoff: int, rng) -> str:
    """Check that a program keeps ε for answers that move by up to 1 in any direction.

    Parameters
    ----------
    svt : Learner
    epsilon, cutoff
        What it is called with.
    rng : numpy.random.Generator

    Returns
    -------
    str
        Which noise it seems to have.

    Raises
    ------
    Mistake
        Where it stops wrongly, or where no private member of the family gives such frequencies.

    Notes
    -----
    The false-alarm rate, derived. The first half of the runs chooses a law Q. Let P be the law of the
    program. The likelihood ratio Q/P of the second half has the expectation 1, so by Markov's inequality it
    exceeds 1/α with probability at most α. If P is a private member, the largest likelihood over all private
    members is at least that of P, and a ratio to that largest one is smaller still. Refused is where it
    exceeds 1/α, with α the `FALSE_ALARM` of `programs`: "universal inference", L. Wasserman, A. Ramdas,
    S. Balakrishnan, PNAS 117(29), 2020. The largest likelihood is found by search, in two scales.

    What passes isn't proved private: a program outside the family may look like a private member on this
    stream. Normal noise of about the same size does.
    """
    reference = Mechanism(2 / epsilon, 4 * cutoff / epsilon, cutoff, epsilon=epsilon)
    programs.stops(svt, reference, rng)
    threshold = float(rng.integers(-40, 40))
    answers = threshold + np.array(programs.MARGINS)
    laws = _Laws(epsilon, cutoff)
    halves = [_counts(svt, answers, threshold, epsilon, cutoff, laws.place, rng) for _ in range(2)]
    likeliest = max((laws.likeliest(halves[0], redraw) for redraw in (False, True)), key=lambda m: m[0])[1]
    seen = (halves[0] + 0.5) / (halves[0].sum() + 0.5 * halves[0].size)
    guess = np.logaddexp(np.log(seen), laws.log_law(likeliest)) - np.log(2)
    log_ratio = halves[1] @ guess - laws.largest_log_likelihood(halves[1])
    if log_ratio <= -np.log(programs.FALSE_ALARM):
        return _describe(likeliest)
    raise Mistake(_what_is_missing(likeliest, epsilon, cutoff))


class _Laws:
    """The laws of the family's members on the stream of the test, and which members are private."""

    def __init__(self, epsilon: float, cutoff: int):
        self.epsilon, self.cutoff = epsilon, cutoff
        outcomes = exact.outcome_distribution(self.member(0, 0, False), programs.MARGINS, 0.0).outcomes
        self.place = {outcome: i for i, outcome in enumerate(outcomes)}

    def member(self, log_threshold: float, log_query: float, redraw: bool) -> Mechanism:
        """Return the member with these logs of its scales."""
        scales = np.exp(np.clip((log_threshold, log_query), np.log(SMALLEST), np.log(LARGEST)))
        return Mechanism(*scales.tolist(), self.cutoff, redraw=redraw)

    def log_law(self, member: Mechanism) -> np.ndarray:
        """Return the log-probability of each outcome."""
        return exact.outcome_distribution(member, programs.MARGINS, 0.0).log_probabilities

    def likeliest(self, counts: np.ndarray, redraw: bool) -> tuple[float, Mechanism]:
        """Return the largest log-likelihood of all members, private or not, and that member."""

        def loss(logs):
            return -float(counts @ self.log_law(self.member(*logs, redraw)))

        start = np.log([2 / self.epsilon, 4 * self.cutoff / self.epsilon])
        starts = [start, start - np.log([1, 2 * self.cutoff]), start - np.log([20, 1])]
        best = min((minimize(loss, s, method="Nelder-Mead") for s in starts), key=lambda found: found.fun)
        return -best.fun, self.member(*best.x, redraw)

    def largest_log_likelihood(self, counts: np.ndarray) -> float:
        """Return the largest log-likelihood of the private members."""
        return max(self._largest(counts, redraw) for redraw in (False, True))

    def _largest(self, counts: np.ndarray, redraw: bool) -> float:
        largest, member = self.likeliest(counts, redraw)
        if loss_of(member) <= self.epsilon:
            return largest

        def at_the_edge(share):
            """Return minus the log-likelihood of the member that spends ε to the last bit, at this split."""
            times = self.cutoff if redraw else 1
            scales = times / (share * self.epsilon), 2 * self.cutoff / ((1 - share) * self.epsilon)
            return -float(counts @ self.log_law(self.member(*np.log(scales), redraw)))

        shares = np.linspace(0.02, 0.98, 25)
        best = int(np.argmin([at_the_edge(share) for share in shares]))
        around = shares[max(best - 1, 0)], shares[min(best + 1, 24)]
        return -minimize_scalar(at_the_edge, bounds=around, method="bounded").fun


def loss_of(member: Mechanism) -> float:
    """Return what a member costs in the worst case, over all neighbours and on a stream of any length."""
    return exact.worst_case_loss(member, LONG).value


def _counts(svt: Callable, answers, threshold, epsilon, cutoff, place, rng) -> np.ndarray:
    """Run the program on half of the runs, and count each outcome."""
    seen: Counter = Counter()
    for _ in range(RUNS // 2):
        outcomes, _released = programs.outcomes_of(svt, answers, threshold, epsilon, cutoff, rng)
        if outcomes not in place:
            said = programs.arrows(outcomes)
            raise Mistake(f"{said} can't be: a run ends with Above number {cutoff}, or with the last answer.")
        seen[outcomes] += 1
    return np.array([seen[outcome] for outcome in place])


def _describe(member: Mechanism) -> str:
    drawn = "drawn again after each Above" if member.redraw else "drawn once"
    return (
        f"threshold noise of scale {member.threshold_scale:.2g}, {drawn}, and noise of scale "
        f"{member.query_scale:.2g} on each answer"
    )


def _what_is_missing(member: Mechanism, epsilon: float, cutoff: int) -> str:
    """Return the sentence for a program whose likeliest member is this one."""
    loss, claim = loss_of(member), f"For ε = {epsilon:g} and c = {cutoff}"
    if loss <= epsilon:
        return (
            f"{claim}, no Laplace noise gives such frequencies, whatever its scales. Is it one draw for the "
            "threshold and a new one for each answer, on both sides of 0?"
        )
    said = [f"That isn't private. {claim}, it looks like {_describe(member)}."]
    said.append(f"On a long stream that loses up to {loss:.2f}.")
    if 1 / member.threshold_scale > 2 * epsilon:
        said.append("Is there any noise on the threshold, one draw for all answers?")
    if 2 * cutoff / member.query_scale > 4 * epsilon:
        said.append("Is there any noise on the answers?")
    return " ".join(said)
