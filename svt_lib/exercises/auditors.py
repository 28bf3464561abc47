"""Checks of a learner's auditor, which runs black boxes and accuses those that lose more than they claim."""

import math

import numpy as np

from svt_lib.exercises.exercise import Mistake
from svt_lib.exercises.learner import Learner
from svt_lib.exercises.programs import FALSE_ALARM

#: What every box claims, and how often an auditor may run it on each database.
CLAIM, RUNS = 1.0, 300
#: Of an auditor that is to be right with 95 %.
MISS = 0.05


def tells(here: float, there: float, coins: int = 0):
    """Return a box that says ▲ first with probability `here` or `there`, and then tosses coins."""

    def box(answers, rng):
        first = bool(rng.random() < (here if answers[0] > 0 else there))
        return [first, *(rng.random(coins) < 0.5).tolist(), *[False] * (7 - coins)]

    return box


#: Two kinds of boxes that lose all of their claim, and how many of each. Coins mislead whoever estimates an
#: event with the runs that chose it; the others, whoever takes the ratio of two counts for the truth.
ODDS = 1 / (1 + math.exp(-CLAIM))
INNOCENT = [tells(ODDS, 1 - ODDS, coins=7)] * 30 + [tells(ODDS, 1 - ODDS)] * 70
#: Two kinds that lose ln 100 = 4.6, by an event that is likelier on D, and on D′.
GUILTY, CHEATS = 8, (tells(0.4, 0.004), tells(0.004, 0.4))


def accuses_rightly(auditor: Learner, rng) -> str:
    """Let ``auditor(box, answers, neighbour_answers, epsilon, runs, rng)`` meet all boxes, in random order.

    Raises
    ------
    Mistake
        Where it accuses too many of the innocent ones, or lets more than half of the guilty ones go.

    Notes
    -----
    An auditor that is wrong in `MISS` of its audits at most accuses more innocents than `most` allows with a
    probability of at most `FALSE_ALARM`. A cheat gives itself away in about 60 of 150 runs on one database,
    and in 0.6 on the other: a bound at 97.5 % is above 1 in all but one audit of 100,000, by
    `audit.catch_probability`. To let half of eight go has then a probability below 1e-17.
    """
    boxes = np.array([*INNOCENT, *(cheat for cheat in CHEATS for _ in range(GUILTY))])
    accused = np.zeros(boxes.size, dtype=bool)
    for i in rng.permutation(boxes.size):
        accused[i] = audited(auditor, boxes[i], rng)
    innocents = len(INNOCENT)
    wrongly, one, other = (int(part.sum()) for part in np.split(accused, [innocents, innocents + GUILTY]))
    if wrongly > most(innocents, MISS):
        raise Mistake(
            f"It accuses {wrongly} of {innocents} boxes that lose ε = {CLAIM:g} exactly. Is there a "
            "confidence, and do fresh runs estimate the event that the others chose?"
        )
    if max(one, other) <= GUILTY / 2:
        raise Mistake(f"Of {2 * GUILTY} boxes that lose 4.6 it lets {2 * GUILTY - one - other} go.")
    if min(one, other) <= GUILTY / 2:
        raise Mistake(f"It misses boxes whose event is likelier on {'D' if one < other else 'D′'}.")
    return (
        f"{wrongly} of {innocents} innocents accused, {one + other} of {2 * GUILTY} cheats. So few boxes "
        "don't tell one innocent in twenty from one in ten."
    )


def audited(auditor: Learner, box, rng) -> bool:
    """Return the verdict of one audit, and see that it takes no more runs than it may."""
    taken = {True: 0, False: 0}

    def counted(answers, own_rng):
        answers = np.asarray(answers, dtype=float)
        if answers.shape != (8,):
            raise Mistake("The box takes the answers that your auditor was handed, of either database.")
        taken[bool(answers[0] > 0)] += 1
        if max(taken.values()) > RUNS:
            raise Mistake(f"That is more than {RUNS} runs on one database.")
        return box(answers, own_rng)

    verdict = auditor(counted, np.ones(8), np.zeros(8), CLAIM, RUNS, rng)
    if not isinstance(verdict, bool | np.bool_):
        raise Mistake(f"Return True to accuse, or else False, not {verdict!r:.60}.")
    return bool(verdict)


def most(trials: int, p: float) -> int:
    """Return the smallest count that a binomial one exceeds with probability `FALSE_ALARM` at most."""
    tail, count = 0.0, trials
    while (tail := tail + math.comb(trials, count) * p**count * (1 - p) ** (trials - count)) <= FALSE_ALARM:
        count -= 1
    return count
