"""The game of notebook 08: five black boxes, some as private as they claim and some not.

A box is one of the mechanisms below under a neutral name. You may run it on databases of your own, as long
as the budget of runs lasts, and then you name the cheats.
"""

from dataclasses import dataclass, replace

import numpy as np

from svt_lib import checks, exact
from svt_lib.audit import Event, LowerBound, arrows, lower_bound, sample
from svt_lib.ledger import BudgetSpent
from svt_lib.mechanism import Mechanism
from svt_lib.variants import VARIANTS

#: What every box claims, the longest stream it takes, its threshold, and the runs that all boxes share.
CLAIM, LENGTH, THRESHOLD, BUDGET = 1.0, 10, 0.0, 1_000_000
NAMES = ("A", "B", "C", "D", "E")
#: A worst case equals the claim where it differs by rounding only.
ROUNDING = 1e-9
REVEAL = (
    f"ε claimed, the largest of your lower bounds (each at its own confidence), and the worst case over all "
    f"neighbours for {LENGTH} queries:"
)

_ALG1 = VARIANTS["alg1"].configure(CLAIM, 1)
PRIVATE = (
    _ALG1,
    replace(VARIANTS["alg2"].configure(CLAIM, 2), name="Alg. 2, which redraws the threshold noise"),
    replace(_ALG1, releases="gap", name="Alg. 1 with the gap"),
    replace(VARIANTS["standard"].configure(CLAIM, 1, split=9), name="standard SVT, split 1:9"),
    replace(
        VARIANTS["standard"].configure(CLAIM, 1, split=1, epsilon_release=0.4),
        name="standard SVT with fresh noise on the number",
    ),
)
CHEATS = (
    replace(_ALG1, threshold_scale=0, name="Alg. 1 without threshold noise"),
    replace(_ALG1, query_scale=_ALG1.query_scale / 2, name="Alg. 1 without the factor 2"),
    replace(VARIANTS["alg3"].configure(CLAIM, 1), name="Alg. 3, which gives out the noisy answer"),
    replace(VARIANTS["alg4"].configure(CLAIM, 2), name="Alg. 4"),
)


@dataclass(frozen=True)
class Reveal:
    """What was in the boxes.

    Attributes
    ----------
    right : int
        How many of the boxes were judged rightly, accused or not.
    text : str
        A line for each box.
    """

    right: int
    text: str

    def __str__(self):
        return self.text


class Game:
    """Boxes on the table, and a budget of runs. Made by `deal`.

    Attributes
    ----------
    plays : list of (str, int, LowerBound)
        What was spent on: the box, the runs that it cost, what they showed.
    left : int
        The runs that are left.
    """

    def __init__(self, boxes: dict[str, Mechanism], rng: np.random.Generator):
        self._boxes, self._rng = boxes, rng
        self.left = BUDGET
        self.plays: list[tuple[str, int, LowerBound]] = []

    def __str__(self):
        lines = [f"Threshold 0, sensitivity 1, up to {LENGTH} answers. {self.left:,} runs left."]
        for name, box in self._boxes.items():
            number = ", gives a number with an Above" if box.releases != "nothing" else ""
            lines.append(f"{name}: claims ε = {box.epsilon:g}, stops at Above number {box.cutoff}{number}")
        return "\n".join(lines)

    def watch(self, box: str, answers, runs: int = 5) -> str:
        """Return what a box says in a few runs, one run a line. It costs so many runs."""
        mechanism, answers = self._open(box), self._short(answers)
        runs = checks.whole("runs", runs)
        self._afford(runs)
        seen = sample(mechanism, answers, THRESHOLD, runs=runs, rng=self._rng)
        self.left -= runs
        outputs = [seen.output(run) for run in range(runs)]
        return "\n".join(
            " ".join([arrows(outcomes), *(f"{v:.2f}" for v in numbers)]) for outcomes, numbers in outputs
        )

    def play(
        self, box: str, answers, neighbour_answers, *, runs: int, event=None, confidence: float = 0.95
    ) -> LowerBound:
        """Audit a box on a pair of databases; it costs twice `runs`, which are for each side.

        Parameters
        ----------
        box : str
            "A" to "E".
        answers, neighbour_answers, runs, event, confidence
            As in `svt_lib.audit.lower_bound`.

        Raises
        ------
        BudgetSpent
            Where it would cost more runs than are left; nothing is spent then.
        ValueError
            Naming the argument that isn't right. An event that fails has cost its runs.
        """
        mechanism, answers = self._open(box), self._short(answers)
        cost = 2 * checks.whole("runs", runs)
        self._afford(cost)
        looked = False

        def watched(outcomes, released):
            nonlocal looked
            looked = True
            return event(outcomes, released)

        self.left -= cost
        try:
            bound = lower_bound(
                mechanism, answers, neighbour_answers, THRESHOLD, runs=runs, confidence=confidence,
                event=watched if callable(event) and not isinstance(event, Event) else event, rng=self._rng,
            )  # fmt: skip
        except Exception:
            self.left += 0 if looked else cost
            raise
        bound = replace(bound, event=bound.event if event is None else event)
        self.plays.append((box, cost, bound))
        return bound

    def accuse(self, boxes) -> Reveal:
        """Name the cheats and see what was in the boxes; an empty list accuses nobody, and shows nothing."""
        if not isinstance(boxes, list | tuple | set):
            raise ValueError(f'boxes must be a list of names, such as ["A"], got {boxes!r}')
        for box in boxes:
            self._open(box)
        accused = set(boxes)
        if not accused:
            return Reveal(0, 'Nobody is accused yet. To name the cheats: accuse(["A", "B"]).')
        lines, right = [REVEAL], 0
        for name, box in self._boxes.items():
            worst = exact.worst_case_loss(box, LENGTH).value
            cheats = worst > box.epsilon * (1 + ROUNDING)
            right += cheats == (name in accused)
            shown = max((bound.value for played, _, bound in self.plays if played == name), default=0.0)
            lines.append(
                f"{name}: {'a cheat' if cheats else 'private':7}  {'accused' if name in accused else '':7}  "
                f"{box.epsilon:.2f}  {shown:.2f}  {worst:.2f}  {box.name}"
            )
        return Reveal(right, "\n".join([*lines, f"Right about {right} of {len(self._boxes)}."]))

    def _open(self, box: str) -> Mechanism:
        if not isinstance(box, str) or box not in self._boxes:
            raise ValueError(f"box must be one of {', '.join(self._boxes)}, got {box!r}")
        return self._boxes[box]

    def _short(self, answers) -> np.ndarray:
        answers = checks.vector("answers", answers)
        if answers.size > LENGTH:
            raise ValueError(f"answers must be {LENGTH} at most, got {answers.size}")
        return answers

    def _afford(self, cost: int):
        if cost > self.left:
            raise BudgetSpent(f"this takes {cost:,} runs, and {self.left:,} of {BUDGET:,} are left")


def deal(seed: int) -> Game:
    """Put five boxes on the table: two or three cheats among them, in an order that the seed decides.

    Parameters
    ----------
    seed : int
        The same seed deals the same boxes, and the same plays on them give the same results.
    """
    dealer, player = np.random.default_rng(checks.whole("seed", seed, minimum=0)).spawn(2)
    cheats = int(dealer.integers(2, 4))
    chosen = [CHEATS[i] for i in dealer.permutation(len(CHEATS))[:cheats]]
    chosen += [PRIVATE[i] for i in dealer.permutation(len(PRIVATE))[: len(NAMES) - cheats]]
    order = dealer.permutation(len(NAMES))
    return Game({name: chosen[i] for name, i in zip(NAMES, order, strict=True)}, player)
