"""The game: fair deals, a budget that holds, and a reveal that is right."""

import numpy as np
import pytest

from svt_lib import audit, exact, game
from svt_lib.ledger import BudgetSpent

UP = [0] * 6, [1] * 6
UP_AND_DOWN = [-0.5] * 6 + [1, 1], [0.5] * 6 + [0, 0]


def worst(mechanism, length=game.LENGTH):
    return exact.worst_case_loss(mechanism, length).value


def truth(boxes):
    """The cheats, found out by looking inside."""
    return [name for name, box in boxes._boxes.items() if worst(box) > game.CLAIM * (1 + 1e-9)]


def test_the_private_keep_their_claim_and_the_cheats_break_it():
    assert all(worst(mechanism) <= game.CLAIM * (1 + 1e-9) for mechanism in game.PRIVATE)
    assert all(worst(mechanism) > 1.4 * game.CLAIM for mechanism in game.CHEATS)
    assert {mechanism.epsilon for mechanism in game.PRIVATE + game.CHEATS} == {game.CLAIM}


def test_some_cheats_look_fine_on_short_streams():
    quiet, _, with_numbers, _ = game.CHEATS
    assert worst(quiet, 4) <= game.CLAIM < worst(quiet, 5)
    assert worst(with_numbers, 2) <= game.CLAIM < worst(with_numbers, 3)


def test_a_seed_deals_two_or_three_cheats_in_any_place():
    places, sizes = set(), set()
    for seed in range(60):
        cheats = truth(game.deal(seed))
        places |= set(cheats)
        sizes.add(len(cheats))
    assert places == set(game.NAMES)
    assert sizes == {2, 3}


def test_the_same_seed_gives_the_same_game():
    first, again, other = game.deal(5), game.deal(5), game.deal(6)
    plays = [boxes.play("B", *UP, runs=2000) for boxes in (first, again)]
    assert str(first) == str(again)
    assert first._boxes == again._boxes != other._boxes
    assert plays[0] == plays[1]


def test_the_table_tells_nothing_but_the_labels():
    for seed in range(20):
        boxes = game.deal(seed)
        text = str(boxes)
        assert "1,000,000 runs left" in text
        assert not any(box.name in text for box in boxes._boxes.values())
        for name, box in boxes._boxes.items():
            (line,) = [line for line in text.splitlines() if line.startswith(f"{name}:")]
            assert f"stops at Above number {box.cutoff}" in line
            assert ("gives a number" in line) == (box.releases != "nothing")


def test_the_budget_counts_both_sides_and_holds():
    boxes = game.deal(1)
    boxes.play("A", *UP, runs=1000)
    boxes.watch("A", [0, 0], runs=5)
    assert boxes.left == game.BUDGET - 2005
    with pytest.raises(BudgetSpent, match=r"takes 1,000,000 runs, and 997,995 of 1,000,000 are left"):
        boxes.play("A", *UP, runs=500_000)
    with pytest.raises(BudgetSpent):
        boxes.watch("A", [0], runs=game.BUDGET)
    assert boxes.left == game.BUDGET - 2005
    assert [(box, cost) for box, cost, _ in boxes.plays] == [("A", 2000)]


def test_an_exact_spend_is_accepted():
    boxes = game.deal(1)
    boxes.play("A", [0], [1], runs=game.BUDGET // 2)
    assert boxes.left == 0
    with pytest.raises(BudgetSpent):
        boxes.watch("B", [0], runs=1)


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ({"box": "F"}, "box must be one of A, B, C, D, E"),
        ({"answers": [0] * 11, "neighbour_answers": [1] * 11}, "answers must be 10 at most"),
        ({"neighbour_answers": [2] * 6}, "neighbours"),
        ({"runs": 0}, "runs"),
        ({"confidence": 2}, "confidence"),
    ],
)
def test_a_play_that_is_refused_costs_nothing(arguments, complaint):
    boxes = game.deal(1)
    good = {"box": "A", "answers": UP[0], "neighbour_answers": UP[1], "runs": 100}
    with pytest.raises(ValueError, match=complaint):
        boxes.play(**(good | arguments))
    assert boxes.left == game.BUDGET
    assert boxes.plays == []


def test_watching_shows_what_comes_out():
    for seed in range(4):
        boxes = game.deal(seed)
        for name, box in boxes._boxes.items():
            lines = boxes.watch(name, [0] * 5, runs=40).splitlines()
            assert len(lines) == 40
            for line in lines:
                verdicts, *numbers = line.split()
                assert verdicts.count("▲") <= box.cutoff
                assert len(numbers) == (verdicts.count("▲") if box.releases != "nothing" else 0)


def test_an_event_of_your_own_can_be_played():
    boxes = game.deal(1)
    bound = boxes.play("A", *UP, runs=1000, event=lambda outcomes, released: not any(outcomes))
    assert bound.runs == 1000


def test_accusing_the_right_ones_is_right_and_shows_all():
    for seed in range(10):
        boxes = game.deal(seed)
        cheats = truth(boxes)
        reveal = boxes.accuse(cheats)
        assert reveal.right == 5
        assert "Right about 5 of 5." in str(reveal)
        for name, box in boxes._boxes.items():
            (line,) = [line for line in str(reveal).splitlines() if line.startswith(f"{name}:")]
            assert box.name in line
            assert ("a cheat" in line) == ("accused" in line) == (name in cheats)
            assert f"1.00  0.00  {worst(box):.2f}  " in line


def test_wrong_accusations_are_counted():
    boxes = game.deal(3)
    cheats = truth(boxes)
    innocent = next(name for name in game.NAMES if name not in cheats)
    assert boxes.accuse([*cheats[1:], innocent]).right == 3
    assert boxes.accuse(game.NAMES).right == len(cheats)
    with pytest.raises(ValueError, match="box"):
        boxes.accuse(["Z"])


def test_nobody_accused_shows_nothing():
    boxes = game.deal(3)
    text = str(boxes.accuse([]))
    assert text.startswith("Nobody is accused yet.")
    assert not any(box.name in text for box in boxes._boxes.values())


def test_the_reveal_shows_the_largest_bound():
    boxes = game.deal(3)
    bounds = [boxes.play("C", *pair, runs=20_000).value for pair in (UP, UP_AND_DOWN)]
    (line,) = [line for line in str(boxes.accuse(["C"])).splitlines() if line.startswith("C:")]
    assert f"accused  1.00  {max(bounds):.2f}  " in line


@pytest.mark.statistical
def test_the_budget_is_enough_to_catch_each_cheat_and_accuses_no_innocent():
    """Seed 2; two pairs with 50,000 runs a side are a fifth of the budget.

    Each of the ten bounds on an innocent is too high with probability 1e-6 at most, and would have to be so
    by far, because on these pairs none loses all of its claim.
    """
    pairs = (UP, UP_AND_DOWN)
    for mechanism in game.CHEATS:
        bounds = [
            audit.lower_bound(mechanism, *pair, 0, runs=50_000, rng=np.random.default_rng(2)).value
            for pair in pairs
        ]
        assert max(bounds) > game.CLAIM, mechanism.name
    for mechanism in game.PRIVATE:
        for pair in pairs:
            generator = np.random.default_rng(2)
            bound = audit.lower_bound(mechanism, *pair, 0, runs=50_000, confidence=1 - 1e-6, rng=generator)
            assert bound.value <= game.CLAIM, mechanism.name


def test_an_event_that_collects_outputs_and_fails_has_cost_its_runs():
    boxes, seen = game.deal(seed=1), []

    def peek(outcomes, released):
        seen.append(outcomes)
        raise RuntimeError("enough")

    before = boxes.left
    with pytest.raises(RuntimeError):
        boxes.play("A", [0.0], [1.0], runs=1000, event=peek)
    assert seen
    assert boxes.left == before - 2000


@pytest.mark.parametrize("boxes", [None, 5, "A", [["A"]], ["F"]])
def test_an_accusation_names_boxes(boxes):
    with pytest.raises(ValueError, match="box"):
        game.deal(seed=1).accuse(boxes)
