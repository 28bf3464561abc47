"""Privacy losses on a pair, over all pairs and by search, and what is known of the published algorithms."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism
from svt_lib.exact import (
    event_probability,
    outcome_distribution,
    output_log_probability,
    output_loss,
    privacy_loss,
    search_worst_case,
    worst_case_loss,
)
from svt_lib.exact.loss import LOWER_BOUND, ON_THIS_PAIR, WORST_CASE


def alg(number, epsilon=1.0, cutoff=1, **options):
    return VARIANTS[f"alg{number}"].configure(epsilon, cutoff, **options)


def monotonic(epsilon=1.0, cutoff=1, split=1.0, **options):
    return VARIANTS["standard"].configure(epsilon, cutoff, monotonic=True, split=split, **options)


def outwards(answers):
    """Return the neighbour whose answers lie 1 further from 0 each."""
    return answers + np.sign(answers)


def loss_of(mechanism, answers, neighbour, outcomes, released=None, threshold=0):
    """Return ln P/P' for one output."""
    here = output_log_probability(mechanism, answers, outcomes, threshold, released)
    return here - output_log_probability(mechanism, neighbour, outcomes, threshold, released)


def bits(text):
    return tuple(sign == "+" for sign in text)


# On a pair.


def test_alg_1_reaches_its_epsilon_on_the_extremal_pattern():
    """Thirty Belows above the threshold, then Aboves far below it, the neighbour's further out."""
    for cutoff, far in ((1, 20), (2, 40)):
        answers = np.array([3.0] * 30 + [-far] * cutoff)
        outcomes = bits("-" * 30 + "+" * cutoff)
        loss = loss_of(alg(1, cutoff=cutoff), answers, outwards(answers), outcomes)
        assert 0.999 < loss < 1 + 1e-12
    loss = privacy_loss(alg(1), [3.0] * 30 + [-20], [4.0] * 30 + [-21], 0)
    assert (loss.label, loss.outcomes) == (ON_THIS_PAIR, bits("-" * 30 + "+"))
    assert 0.999 < loss.value < 1 + 1e-12


@pytest.mark.parametrize(
    ("distance", "expected"), [(3, 0.862), (10, 0.930), (30, 0.971), (100, 0.990), (1000, 0.999)]
)
def test_four_queries_come_slowly_to_all_of_epsilon(distance, expected):
    answers = np.array([distance] * 3 + [-distance])
    loss = loss_of(alg(1), answers, outwards(answers), bits("---+"))
    assert loss == pytest.approx(expected, abs=5e-4)


def test_belows_cost_half_and_no_more():
    """ε = 1, c = 1: what n Belows cost on two moderate pairs, and what they cost at most."""
    for n, expected in ((1, 0.233), (2, 0.402), (5, 0.499), (10, 0.500)):
        assert loss_of(alg(1), [5] * n, [6] * n, [False] * n) == pytest.approx(expected, abs=6e-4)
    for above, expected in ((5, 0.402), (50, 0.482), (200, 0.495), (2000, 0.4995)):
        assert loss_of(alg(1), [above] * 2, [above + 1] * 2, bits("--")) == pytest.approx(expected, abs=5e-4)
    for n, expected in ((1, 0.25), (2, 0.5), (100, 0.5)):
        assert output_loss(alg(1), n, 0) == expected


@pytest.mark.parametrize(("length", "ratio"), [(1, 1.196), (10, 1.647), (100, 1.6487), (10**4, 1.6487)])
def test_the_argument_against_gptt_does_not_touch_alg_1(length, ratio):
    found = math.exp(loss_of(alg(1), np.zeros(length), np.ones(length), np.zeros(length, dtype=bool)))
    assert found == pytest.approx(ratio, abs=5e-4)
    assert found <= math.exp(0.5)


@pytest.mark.parametrize(
    ("epsilon", "probability", "loss"), [(0.1, 1.80e-2, 0.1721), (1, 3.42e-2, 1.707), (2, 6.20e-2, 3.302)]
)
def test_alg_4_on_its_auditable_pair(epsilon, probability, loss):
    mechanism, answers, neighbour = alg(4, epsilon), [0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 0]
    found = privacy_loss(mechanism, answers, neighbour, 0)
    assert found.outcomes == bits("-----+")
    assert found.value == pytest.approx(loss, abs=1e-3)
    log_probability = output_log_probability(mechanism, answers, found.outcomes, 0)
    assert math.exp(log_probability) == pytest.approx(probability, abs=5e-5)


def test_alg_4_on_a_longer_pair():
    answers, neighbour = [0] * 20 + [1], [1] * 20 + [0]
    assert privacy_loss(alg(4), answers, neighbour, 0).value == pytest.approx(1.750, abs=5e-4)


def test_alg_5_with_two_queries():
    loss = privacy_loss(alg(5), [0, 1], [1, 0], 0)
    assert (loss.value, loss.outcomes) == (math.inf, bits("-+"))
    found = event_probability(alg(5), [0, 1], 0, lambda outcomes: outcomes == bits("-+"))
    assert found == pytest.approx((1 - math.exp(-1 / 2)) / 2, rel=1e-14)


@pytest.mark.parametrize(
    ("epsilon", "losses"),
    [
        (1, {1: 0.820, 2: 1.704, 3: 2.617, 4: 3.546, 5: 4.486, 10: 9.276, 20: 19.03, 40: 38.76}),
        (0.1, {1: 0.0759, 2: 0.158, 3: 0.244, 4: 0.331, 5: 0.420, 10: 0.876, 100: 9.59, 1000: 99.0}),
    ],
)
def test_alg_6_on_the_pair_of_the_paper(epsilon, losses):
    for m, expected in losses.items():
        answers, neighbour = np.zeros(2 * m), np.repeat([1.0, -1.0], m)
        loss = loss_of(alg(6, epsilon), answers, neighbour, np.repeat([False, True], m))
        assert loss == pytest.approx(expected, rel=2e-3)
        assert m * epsilon / 2 <= loss < m * epsilon
        if m <= 5:
            assert privacy_loss(alg(6, epsilon), answers, neighbour, 0).value == pytest.approx(
                loss, rel=1e-12
            )


@pytest.mark.parametrize(("cutoff", "m"), [(1, 3), (1, 10), (2, 5)])
def test_alg_3_on_the_pair_of_the_paper(cutoff, m):
    """Each output ⊥^m and a number up to 0 has the ratio exp((m - 1) ε / 2c), so has their union."""
    mechanism, answers, neighbour = alg(3, cutoff=cutoff), [0] * m + [1], [1] * m + [0]
    for number in (0, -0.5, -30):
        loss = loss_of(mechanism, answers, neighbour, bits("-" * m + "+"), [number])
        assert loss == pytest.approx((m - 1) / (2 * cutoff), rel=1e-12)


@pytest.mark.parametrize("length", [2, 3, 6])
def test_alg_3_on_answers_that_all_rise(length):
    """ℓε/2. The event of m Belows and then a number up to 0 has the probability 2^-(m+2)/((m+1)(m+2))."""
    mechanism, answers, neighbour = alg(3), np.zeros(length), np.ones(length)
    loss = privacy_loss(mechanism, answers, neighbour, 0)
    assert loss.value == pytest.approx(length / 2)
    assert loss_of(mechanism, answers, neighbour, loss.outcomes, loss.released) == pytest.approx(length / 2)
    assert worst_case_loss(mechanism, length).value == pytest.approx(length / 2)
    unit, weights = np.polynomial.legendre.leggauss(60)
    logs = [output_log_probability(mechanism, answers, loss.outcomes, 0, [30 * (x - 1)]) for x in unit]
    expected = 2.0 ** -(length + 1) / (length * (length + 1))
    assert 30 * weights @ np.exp(logs) == pytest.approx(expected, rel=1e-8)


def test_alg_3_where_answers_move_one_way():
    rng = np.random.default_rng(4)
    for cutoff, sign, sensitivity in itertools.product((1, 3), (1, -1), (1.0, 2.5)):
        mechanism, threshold = alg(3, cutoff=cutoff, sensitivity=sensitivity), rng.normal(0, 2, 5)
        answers = rng.normal(0, 4, 5)
        neighbour = answers + sign * rng.uniform(0, sensitivity, 5)
        loss = privacy_loss(mechanism, answers, neighbour, threshold)
        found = loss_of(mechanism, answers, neighbour, loss.outcomes, loss.released, threshold)
        assert abs(found) == pytest.approx(loss.value, rel=1e-10)
    with pytest.raises(ValueError, match="neighbour_answers: where noisy answers"):
        privacy_loss(alg(3), [0, 1], [1, 0], 0)


def test_a_fresh_answer_adds_its_move():
    mechanism = VARIANTS["standard"].configure(1.0, 2, epsilon_release=0.4)
    answers, neighbour = [1.0, -2.0, 0.5], [0.5, -1.0, 1.5]
    bare = dataclasses.replace(mechanism, releases="nothing", release_scale=None)
    sides = [outcome_distribution(bare, side, 0) for side in (answers, neighbour)]
    moves = sides[0].table @ np.abs(np.subtract(answers, neighbour)) / mechanism.release_scale
    expected = np.abs(sides[0].log_probabilities - sides[1].log_probabilities) + moves
    loss = privacy_loss(mechanism, answers, neighbour, 0)
    assert loss.value == pytest.approx(expected.max())
    far = [90.0 if a > b else -90.0 for a, b, o in zip(answers, neighbour, loss.outcomes, strict=False) if o]
    both = [abs(loss_of(mechanism, answers, neighbour, loss.outcomes, np.multiply(s, far))) for s in (1, -1)]
    assert max(both) == pytest.approx(loss.value)


def test_swapping_the_databases_changes_nothing():
    rng = np.random.default_rng(6)
    for mechanism in (alg(1, cutoff=2), alg(2, cutoff=2), alg(4), alg(6)):
        answers = rng.normal(0, 3, 6)
        neighbour = answers + rng.uniform(-1, 1, 6)
        here = privacy_loss(mechanism, answers, neighbour, 1)
        there = privacy_loss(mechanism, neighbour, answers, 1)
        assert here.value == pytest.approx(there.value, rel=1e-12)
        assert here.outcomes == there.outcomes


def test_a_published_monotonic_formula():
    """Query scale 2s, a loss of d/s claimed: five days at 100 against 110, a sixth on the threshold."""
    mechanism = Mechanism(10, 20, 1, sensitivity=10)
    for days, expected in ((5, 1.363), (20, 1.49999)):
        answers, neighbour = [100.0] * days + [100.0], [110.0] * days + [100.0]
        loss = privacy_loss(mechanism, answers, neighbour, 100)
        assert loss.value == pytest.approx(expected, abs=6e-4)
        if days == 5:
            sides = [output_log_probability(mechanism, s, loss.outcomes, 100) for s in (answers, neighbour)]
            assert np.exp(sides) == pytest.approx([0.02288, 0.00585], abs=5e-6)
    assert worst_case_loss(mechanism, 10**6, "one-way").value == pytest.approx(1.5)
    assert worst_case_loss(mechanism, 10**6).value == pytest.approx(2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"neighbour_answers": [1, 2]}, "neighbour_answers has 2 values for 3 answers"),
        (
            {"neighbour_answers": [1, 2, 4.1]},
            r"neighbour_answers\[2\] = 4.1 is further than the sensitivity 1",
        ),
        ({"neighbour_answers": [1, np.nan, 3]}, r"neighbour_answers\[1\]"),
        ({"answers": [np.inf, 2, 3]}, r"answers\[0\]"),
        ({"threshold": [1, 2]}, "threshold has 2"),
        ({"answers": [0] * 30, "neighbour_answers": [0] * 30}, "worst_case_loss"),
        ({"mechanism": dataclasses.replace(alg(1), releases="gap")}, "mechanism releases gaps"),
    ],
)
def test_bad_pairs(change, message):
    good = {"mechanism": alg(6), "answers": [1, 2, 3], "neighbour_answers": [1.5, 2, 2], "threshold": 0}
    privacy_loss(**good)
    with pytest.raises(ValueError, match=message):
        privacy_loss(**good | change)


def test_rounding_is_no_distance():
    assert privacy_loss(alg(1), [0.3], [0.3 + 1.0], 0).value < 0.25
    assert privacy_loss(alg(1), [], [], 0).value == 0


# The worst case over all neighbours.

LENGTHS = (1, 2, 3, 4, 7, 10, 40, 10**6)


@pytest.mark.parametrize("cutoff", [1, 2, 5])
def test_alg_1_and_alg_2_cost_all_of_epsilon_from_4c_on(cutoff):
    for number, length in itertools.product((1, 2), LENGTHS):
        found = worst_case_loss(alg(number, 0.7, cutoff), length)
        assert found.value == pytest.approx(min(length / (4 * cutoff), 1) * 0.7)
        assert found.label == WORST_CASE["any"]


def test_other_splits_cost_all_of_epsilon_later_or_sooner():
    for split, cutoff in itertools.product((0.5, 2.0, 3.0), (1, 3)):
        mechanism = VARIANTS["standard"].configure(1.0, cutoff, split=split)
        enough = math.ceil(2 * cutoff * (1 + split) / split)
        assert worst_case_loss(mechanism, enough).value == pytest.approx(1)
        assert worst_case_loss(mechanism, enough - 1).value < 1 - 1e-9


def test_each_above_has_its_price():
    """Ex post, c = 4: ε/2 and ε/8 for each of j Aboves, after many Belows."""
    for j in range(5):
        assert output_loss(alg(1, cutoff=4), 1000, j) == pytest.approx(0.5 + j / 8)


def test_alg_4_is_worse_than_it_says_and_finite():
    found = [worst_case_loss(alg(4, 0.1, cutoff), 10).value for cutoff in range(1, 6)]
    assert found == pytest.approx([0.175, 0.325, 0.475, 0.625, 0.750])
    for cutoff in (1, 2, 50):
        assert worst_case_loss(alg(4, 1, cutoff), 2 * cutoff + 1).value == pytest.approx((1 + 6 * cutoff) / 4)
        one_way = worst_case_loss(alg(4, 1, cutoff), 10**6, "one-way").value
        assert one_way == pytest.approx((1 + 3 * cutoff) / 4)


def test_alg_5_and_alg_6_and_alg_3_are_not_private():
    for length in LENGTHS:
        assert worst_case_loss(alg(6, 0.3), length).value == pytest.approx(length * 0.15)
        one_way = worst_case_loss(alg(6, 0.3), length, "one-way").value
        assert one_way == pytest.approx(math.ceil(length / 2) * 0.15)
        assert worst_case_loss(alg(5), length).value == (0.5 if length == 1 else math.inf)
        assert worst_case_loss(alg(3, 0.3), length).value == pytest.approx(length * 0.15)


def test_monotonic_noise_is_for_one_way_neighbours():
    for cutoff in (1, 3, 4):
        mechanism = monotonic(cutoff=cutoff)
        assert worst_case_loss(mechanism, 3 * cutoff, "one-way").value == pytest.approx(1)
        assert worst_case_loss(mechanism, 3 * cutoff - 1, "one-way").value < 1 - 1e-9
        assert worst_case_loss(mechanism, 10**6, "one-way").value == pytest.approx(1)
        assert worst_case_loss(mechanism, 10**6).value == pytest.approx(1.5)
        assert worst_case_loss(alg(1, cutoff=cutoff), 10**6, "one-way").value == pytest.approx(0.75)


def test_without_threshold_noise_each_query_costs():
    mechanism = dataclasses.replace(alg(1), threshold_scale=0)
    assert [worst_case_loss(mechanism, n).value for n in (1, 100)] == pytest.approx([0.25, 25])


def test_released_numbers_in_the_worst_case():
    """Fresh answers add ε₃, gaps nothing; for one-way neighbours outcome and number compete."""
    parts = {"epsilon": 1.0, "cutoff": 3, "split": 1.0, "epsilon_release": 0.4}
    general = VARIANTS["standard"].configure(**parts)
    assert worst_case_loss(general, 10**6).value == pytest.approx(1)
    assert worst_case_loss(monotonic(**parts), 10**6, "one-way").value == pytest.approx(0.7)
    for length in LENGTHS:
        for number in (1, 2, 6):
            bare = alg(number, cutoff=2)
            gap = dataclasses.replace(bare, releases="gap")
            assert worst_case_loss(gap, length).value == worst_case_loss(bare, length).value


def test_what_is_not_known_is_refused():
    gap = Mechanism(12, 4, 3, releases="gap")
    with pytest.raises(ValueError, match=r"between 0.583333 and 0.75; search_worst_case"):
        worst_case_loss(gap, 3)
    with pytest.raises(ValueError, match="aboves must be 0 where"):
        output_loss(alg(2, cutoff=2), 1, 1)
    assert output_loss(alg(2, cutoff=2), 1, 0) == output_loss(alg(2, cutoff=1), 1, 0) / 2
    with pytest.raises(ValueError, match="aboves must be at most the cutoff 1"):
        output_loss(alg(1), 1, 2)
    for function in (worst_case_loss, search_worst_case):
        with pytest.raises(ValueError, match="neighbours"):
            function(alg(1), 2, neighbours="all")
        with pytest.raises(ValueError, match="length"):
            function(alg(1), 2.5)


def test_a_supremum_says_so():
    loss = worst_case_loss(alg(1), 10)
    assert str(loss) == "1 (worst case over all neighbours, a supremum: pairs come as close as one likes)"
    one_way = worst_case_loss(alg(1), 100, "one-way")
    assert one_way.label == "worst case over one-way neighbours"
    assert "supremum" in str(one_way)
    assert loss.outcomes == (9, 1)
    assert str(privacy_loss(alg(1), [0], [0], 0)) == "0 (on this pair of databases)"


# The closed form against exact losses.

MECHANISMS = [
    Mechanism(2, 4, 1),
    Mechanism(2, 12, 3),
    Mechanism(4, 4 / 3, 2),
    Mechanism(2, 2, None),
    Mechanism(1, 5, None),
    Mechanism(9, 2, 2),
    Mechanism(0, 3, 2),
    Mechanism(4, 8, 2, redraw=True),
    Mechanism(9, 2, 3, redraw=True),
    Mechanism(2, 5, 3, redraw=True),
]
NEIGHBOURS = ("any", "one-way")
GAP = Mechanism(2, 12, 2, releases="gap")


def moved(neighbours, answers, rng):
    moves = rng.choice([-1, 0, 1, 1, rng.uniform(-1, 1)], answers.size)
    return answers + (moves if neighbours == "any" else np.abs(moves) * rng.choice([-1, 1]))


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_no_pair_beats_the_closed_form(mechanism, neighbours):
    """40 pairs of 6 answers, all outcomes: some 30,000 exact losses over the twenty cases."""
    rng = np.random.default_rng(7)
    for _ in range(40):
        spread = rng.choice([1, 10, 100])
        answers = rng.choice([-spread, spread], 6) * rng.choice([1, 1, rng.uniform()], 6)
        sides = [
            outcome_distribution(mechanism, side, 0) for side in (answers, moved(neighbours, answers, rng))
        ]
        losses = np.abs(sides[0].log_probabilities - sides[1].log_probabilities)
        aboves = sides[0].table.sum(axis=1)
        if mechanism.redraw:
            limits = worst_case_loss(mechanism, 6, neighbours).value
        else:
            shapes = zip(sides[0].asked - aboves, aboves, strict=True)
            limits = [output_loss(mechanism, int(m), int(k), neighbours) for m, k in shapes]
            assert max(limits) <= worst_case_loss(mechanism, 6, neighbours).value * (1 + 1e-12)
        assert np.all(losses <= np.multiply(limits, 1 + 1e-11) + 1e-13)


@pytest.mark.parametrize("releases", ["gap", "fresh answer", "noisy answer"])
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_no_released_numbers_beat_the_closed_form(releases, neighbours):
    rng = np.random.default_rng(8)
    for _ in range(150):
        base = MECHANISMS[rng.integers(len(MECHANISMS))]
        scale = 3.0 if releases == "fresh answer" else None
        mechanism = dataclasses.replace(base, cutoff=2, releases=releases, release_scale=scale)
        outcomes = bits(["-+--+", "+-+", "---+-", "++", "-----"][rng.integers(5)])
        answers = rng.choice([-20, 0, 20], 5) + rng.uniform(-1, 1, 5)
        numbers = np.abs(rng.normal(0, 10, sum(outcomes))) * (1 if releases == "gap" else -1)
        loss = loss_of(mechanism, answers, moved(neighbours, answers, rng), outcomes, numbers)
        if math.isnan(loss):  # impossible on both sides
            continue
        try:
            limit = worst_case_loss(mechanism, 5, neighbours).value
        except ValueError as unknown:
            limit = float(str(unknown).split(" and ")[1].split(";")[0]) * (1 + 1e-5)
        assert abs(loss) <= limit * (1 + 1e-11)


@pytest.mark.parametrize("mechanism", [m for m in MECHANISMS if not m.redraw], ids=str)
def test_the_extremal_pairs_come_close(mechanism):
    """Belows far above the threshold and Aboves far below it; for one way, one of the two stays."""
    endless = dataclasses.replace(mechanism, cutoff=None)
    far = 400 * (mechanism.threshold_scale + mechanism.query_scale)
    for m, k in itertools.product(range(6), range((mechanism.cutoff or 4) + 1)):
        for neighbours, moves in (("any", [(1, -1)]), ("one-way", [(1, 0), (0, -1)])):
            answers, outcomes = np.repeat([far, -far], [m, k]), np.repeat([False, True], [m, k])
            sides = [answers + np.repeat(move, [m, k]) for move in moves]
            losses = [loss_of(endless, answers, neighbour, outcomes) for neighbour in sides]
            assert max(losses) == pytest.approx(output_loss(mechanism, m, k, neighbours), rel=0.01, abs=1e-9)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("mechanism", [m for m in MECHANISMS if m.redraw], ids=str)
def test_redrawn_stretches_are_shared_out_in_the_best_way(mechanism, neighbours):
    """Against all ways to cut a stream into stretches, all of one direction where neighbours move one way."""
    once = dataclasses.replace(mechanism, redraw=False)
    costs = 1 / mechanism.threshold_scale, 1 / mechanism.query_scale
    rules = {
        "any": [lambda m, k: min((m + k) * costs[1], costs[0] + 2 * min(m, k) * costs[1])],
        "one-way": [
            lambda m, k: min(m * costs[1], costs[0] + k * costs[1]),
            lambda m, k: min(k * costs[1], costs[0] + m * costs[1]),
        ],
    }[neighbours]
    for m, k in itertools.product(range(5), range(3)):
        assert max(rule(m, k) for rule in rules) == pytest.approx(output_loss(once, m, k, neighbours))
    for length in range(1, 13):
        best = max(best_cut(rule, length, mechanism.cutoff) for rule in rules)
        assert worst_case_loss(mechanism, length, neighbours).value == pytest.approx(best)


def best_cut(rule, length, aboves_left):
    tail = rule(length, 0)
    if not aboves_left:
        return 0.0
    cuts = [rule(m, 1) + best_cut(rule, length - m - 1, aboves_left - 1) for m in range(length)]
    return max([tail, *cuts])


# The search.


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(
    "mechanism",
    [*(alg(number, cutoff=2) for number in range(1, 7)), monotonic(epsilon_release=0.4), GAP],
    ids=lambda mechanism: f"{mechanism.name} {mechanism.releases}",
)
def test_the_search_finds_what_is_known(mechanism, neighbours):
    for length in (1, 3, 5):
        known = worst_case_loss(mechanism, length, neighbours).value
        rng = np.random.default_rng(1)
        found = search_worst_case(mechanism, length, rng, neighbours=neighbours, tries=20)
        assert found.label == LOWER_BOUND
        assert 0.97 * known <= found.value <= known * (1 + 1e-9)
        shown = loss_of(mechanism, *found.pair, found.outcomes, found.released)
        assert abs(shown) == pytest.approx(found.value, rel=1e-9)
        moves = np.subtract(*found.pair)
        assert np.abs(moves).max() <= mechanism.sensitivity * (1 + 1e-9)
        assert neighbours == "any" or np.all(moves >= 0) or np.all(moves <= 0)


def test_the_search_is_a_function_of_its_seed():
    gap = Mechanism(12, 4, 3, releases="gap")
    one, two = (search_worst_case(gap, 3, np.random.default_rng(7), tries=50) for _ in range(2))
    assert one == two
    assert 0.58 < one.value < 0.75
    assert len(one.released) == sum(one.outcomes)


def test_numbers_without_noise_are_left_out_of_the_search():
    loss = search_worst_case(Mechanism(2, 0, 1, releases="gap"), 1, np.random.default_rng(1), tries=5)
    assert (loss.value, loss.released) == (pytest.approx(0.5), None)
