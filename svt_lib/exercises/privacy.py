"""Is a learner's SVT private, whichever way it is built? Tested against *all* private ones of a family.

The family: Laplace noise of any two scales, the threshold's drawn once or again after each Above. Which
members keep ε is known exactly (`svt_lib.exact.worst_case_loss`). So a program is refused where no private
member could have given its frequencies, and then the likeliest member says what is missing.

Not seen: a program outside the family that looks like a private member, and threshold noise that is missing
behind so much noise on the answers that nobody could tell.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from svt_lib import audit, exact
from svt_lib.exercises import programs
from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner
from svt_lib.mechanism import Mechanism

#: A stream so long that no longer one costs more, to six digits.
LONG = 1_000_000
#: In units of the answers: scales beyond are as good as none, or drown everything.
SMALLEST, LARGEST = 0.03, 1e4
#: The shares of ε for the threshold, of members that spend all of it.
SHARES = 1 / (1 + np.exp(np.linspace(9, -9, 46)))
#: A search ends when the points it compares differ by no more in log-likelihood, and in the logs of scales.
CLOSE = {"fatol": 1e-2, "xatol": 1e-2}
#: Further from the threshold than any noise of the family reaches, in standard deviations of Alg. 1.
BEYOND = 1e7


@dataclass(frozen=True)
class Stream:
    """What a program is run on: ε, c, how far above the threshold the answers lie, how often, and α."""

    epsilon: float
    cutoff: int
    margins: tuple[float, ...]
    runs: int
    false_alarm: float


#: Near the threshold it shows whether its noise is drawn again; with many Belows, whether there is any; far
#: off, what the noise on the answers is. Each time with another ε and another c.
STREAMS = (
    Stream(3.0, 2, programs.MARGINS, 60_000, 0.3e-6),
    Stream(2.5, 1, (-1.0,) * 12, 30_000, 0.3e-6),
    Stream(3.5, 6, (-15.0,) * 3 + (-10.0,) * 3, 16_000, 0.3e-6),
)


def is_private(svt: Learner, rng) -> Mechanism:
    """Check that a program keeps ε for answers that move by up to 1 in any direction.

    Parameters
    ----------
    svt : Learner
    rng : numpy.random.Generator

    Returns
    -------
    Mechanism
        The likeliest private member, for the first of the streams.

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
    exceeds 1/α: "universal inference", L. Wasserman, A. Ramdas, S. Balakrishnan, PNAS 117(29), 2020. The
    largest likelihood is found by search: inside, from several starts, and along the edge, where all of ε is
    spent. The α of the three streams add up to less than one in a million, with room for what `stops` adds
    and for a search that ends a few hundredths too low.
    """
    first = STREAMS[0]
    alg1 = Mechanism(2 / first.epsilon, 4 * first.cutoff / first.epsilon, first.cutoff, epsilon=first.epsilon)
    programs.stops(svt, alg1, rng, far=BEYOND)
    members = [_likeliest_private(svt, _Laws(stream), rng) for stream in STREAMS]
    return members[0]


def _likeliest_private(svt: Learner, laws: "_Laws", rng) -> Mechanism:
    """Return the likeliest private member; raise a `Mistake` where all of them are refuted."""
    halves = [_counts(svt, laws.stream, laws.outcomes, rng) for _ in range(2)]
    _, likeliest = max(laws.optima(halves[0]), key=lambda found: found[0])
    seen = (halves[0] + 0.5) / (halves[0].sum() + 0.5 * halves[0].size)
    guess = np.logaddexp(np.log(seen), laws.log_law(likeliest)) - np.log(2)
    largest, private = laws.likeliest_private(halves[1])
    if halves[1] @ guess - largest > -np.log(laws.stream.false_alarm):
        raise Mistake(_what_is_wrong(likeliest, laws, halves[1]))
    return private


class _Laws:
    """The laws of the family's members on a stream, and which members are private."""

    def __init__(self, stream: Stream):
        self.stream = stream
        self.outcomes = exact.outcome_distribution(self.member(1, 1, False), stream.margins, 0.0).outcomes

    def member(self, threshold_scale: float, query_scale: float, redraw: bool) -> Mechanism:
        """Return the member with these scales, or the nearest ones that can be computed."""
        scales = np.clip((threshold_scale, query_scale), SMALLEST, LARGEST)
        return Mechanism(*scales.tolist(), self.stream.cutoff, redraw=redraw)

    def log_law(self, member: Mechanism) -> np.ndarray:
        """Return the log-probability of each outcome."""
        return exact.outcome_distribution(member, self.stream.margins, 0.0).log_probabilities

    def optima(self, counts: np.ndarray) -> list[tuple[float, Mechanism]]:
        """Return the largest log-likelihoods around several starts, private or not, and their members."""
        unit, c = 1 / self.stream.epsilon, self.stream.cutoff
        found = []
        for redraw in (False, True) if c > 1 else (False,):

            def loss(logs, redraw=redraw):
                return -float(counts @ self.log_law(self.member(*np.exp(logs), redraw)))

            for start in ((2 * unit, 4 * c * unit), (2 * c * unit, 2 * unit), (0.1 * unit, 8 * c * unit)):
                best = minimize(loss, np.log(start), method="Nelder-Mead", options=CLOSE)
                found.append((-best.fun, self.member(*np.exp(best.x), redraw)))
        return found

    def likeliest_private(self, counts: np.ndarray) -> tuple[float, Mechanism]:
        """Return the largest log-likelihood of the private members, and that member."""
        inside = [(value, m) for value, m in self.optima(counts) if loss_of(m) <= self.stream.epsilon]
        return max([*inside, *self._along_the_edge(counts)], key=lambda found: found[0])

    def _along_the_edge(self, counts: np.ndarray):
        """Yield the best member that spends all of ε, the threshold noise drawn once, and drawn again."""
        c, epsilon = self.stream.cutoff, self.stream.epsilon
        for times in (1, c):

            def at(share, times=times):
                return self.member(times / (share * epsilon), 2 * c / ((1 - share) * epsilon), times > 1)

            def loss(log_odds, at=at):
                return -float(counts @ self.log_law(at(1 / (1 + np.exp(-log_odds)))))

            odds = np.log(SHARES / (1 - SHARES))
            best = int(np.argmin([loss(one) for one in odds]))
            around = odds[max(best - 1, 0)], odds[min(best + 1, odds.size - 1)]
            found = minimize_scalar(loss, bounds=around, method="bounded")
            yield -found.fun, at(1 / (1 + np.exp(-found.x)))


def loss_of(member: Mechanism) -> float:
    """Return what a member costs in the worst case, over all neighbours and on a stream of any length."""
    return exact.worst_case_loss(member, LONG).value


def describe(member: Mechanism) -> str:
    """Return the noise of a member in words."""
    drawn = "drawn again after each Above" if member.redraw else "drawn once"
    return (
        f"threshold noise of scale {member.threshold_scale:.2g}, {drawn}, and noise of scale "
        f"{member.query_scale:.2g} on each answer"
    )


def _counts(svt: Learner, stream: Stream, outcomes, rng) -> np.ndarray:
    """Run the program on half of the runs, and count each outcome."""
    threshold = float(rng.integers(20, 60))
    called = threshold + np.array(stream.margins), threshold, stream.epsilon, stream.cutoff, rng
    return programs.count_outcomes(svt, called, outcomes, stream.runs // 2)


def _what_is_wrong(member: Mechanism, laws: _Laws, counts: np.ndarray) -> str:
    """Return the sentence for a program whose likeliest member, on other runs, is this one."""
    stream, law = laws.stream, np.exp(laws.log_law(member))
    claim = f"For ε = {stream.epsilon:g} and c = {stream.cutoff}"
    fits = audit.compare_frequencies("it", [*map(str, laws.outcomes)], counts, law, int(counts.sum()))
    if loss_of(member) <= stream.epsilon or not fits:
        return (
            f"{claim}, no private SVT with Laplace noise of two fixed scales gives such frequencies, and the "
            f"likeliest of all, with {describe(member)}, doesn't fit well. Is it one draw for the threshold "
            "and a new one for each answer, on both sides of 0?"
        )
    said = [f"{claim}, it looks like {describe(member)}."]
    said.append(f"That isn't private: on a long stream it loses up to {loss_of(member):.2f}.")
    if 1 / member.threshold_scale > 2 * stream.epsilon:
        said.append("Is there any noise on the threshold, one draw for all answers?")
    if 2 * stream.cutoff / member.query_scale > 4 * stream.epsilon:
        said.append("Is there any noise on the answers?")
    return " ".join(said)
