"""The lower bound and what it stands on: limits of a probability, coverage, events, pairs, power."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, special, stats

from svt_lib import VARIANTS, audit, comparison, exact, run
from svt_lib.audit.bound import _choose, happens
from svt_lib.audit.samples import Event

ALG1 = VARIANTS["alg1"].configure(1.0, 1)
ALG3 = VARIANTS["alg3"].configure(1.0, 1)
ALG4 = VARIANTS["alg4"].configure(1.0, 1)


def rng(seed=1):
    return np.random.default_rng(seed)


def pair_of(key, length):
    pair = comparison.counterexample(key, length)
    return pair.answers, pair.neighbour_answers


# Limits of a probability


@pytest.mark.parametrize("miss", [0.3, 0.025, 1e-7])
@pytest.mark.parametrize("runs", [1, 7, 1000, 10**6])
def test_limits_are_where_the_binomial_tails_have_the_missing_probability(runs, miss):
    for count in sorted({0, 1, runs // 3, runs - 1, runs}):
        low, high = (float(limit(count, runs, miss)) for limit in (audit.lower_limit, audit.upper_limit))
        assert 0 <= low <= high <= 1
        near = pytest.approx(miss, rel=1e-3)  # one step of a float next to 1 moves the tail by 3e-4
        assert low == 0 if count == 0 else stats.binom.sf(count - 1, runs, low) == near
        assert high == 1 if count == runs else stats.binom.cdf(count, runs, high) == near


def test_limits_of_nothing_seen_have_their_closed_form():
    for runs in (1, 10, 10**6):
        assert audit.upper_limit(0, runs, 0.025) == pytest.approx(1 - 0.025 ** (1 / runs))
        assert audit.lower_limit(runs, runs, 0.025) == pytest.approx(0.025 ** (1 / runs))


@pytest.mark.parametrize("probability", [0.0, 0.003, 0.2, 0.5, 1.0])
def test_a_limit_is_wrong_no_more_often_than_stated(probability):
    """Exactly: the counts at which it is wrong, weighted with their binomial probabilities."""
    runs, counts = 60, np.arange(61)
    weights = stats.binom.pmf(counts, runs, probability)
    for miss in (0.3, 0.05, 1e-4):
        assert weights[audit.lower_limit(counts, runs, miss) > probability].sum() <= miss
        assert weights[audit.upper_limit(counts, runs, miss) < probability].sum() <= miss


def test_a_bound_with_a_zero_count_is_a_number_and_gives_no_warning():
    """Warnings that come from svt_lib are errors in these tests."""
    miss = 0.025
    expected = np.log(special.betaincinv(50, 51, miss) / (1 - miss**0.01))
    assert audit.log_ratio_limit(50, 0, 100, 0.95) == pytest.approx(expected)
    assert audit.log_ratio_limit(0, 0, 100, 0.95) == 0
    assert audit.log_ratio_limit(0, 50, 100, 0.95) == 0
    assert audit.log_ratio_limit(100, 0, 100, 0.95) > 3


# The lower bound


@pytest.mark.statistical
@pytest.mark.parametrize("confidence", [0.95, 0.6])
def test_bound_exceeds_the_truth_no_more_often_than_stated(confidence):
    """Seeds 0 to 1999, 400 runs a side.

    If each audit is wrong with probability 1 - confidence, more than the limit are wrong with probability
    1e-7 by the binomial tail. That is the false-alarm rate of this test.
    """
    audits, (here, there) = 2000, pair_of("alg1", 3)
    truth = exact.privacy_loss(ALG1, here, there, 0).value
    wrong = sum(
        audit.lower_bound(ALG1, here, there, 0, runs=400, confidence=confidence, rng=rng([seed, 8])).value
        > truth
        for seed in range(audits)
    )
    assert wrong <= stats.binom.isf(1e-7, audits, 1 - confidence)


@pytest.mark.statistical
def test_choosing_and_estimating_on_the_same_runs_would_break_the_promise():
    """Seeds 0 to 299, 200 runs, the same database on both sides, so that the truth is 0.

    At 95 % no more than 15 wrong bounds are expected, and more than 45 have the probability 1e-10.
    """
    mechanism, answers = VARIANTS["alg1"].configure(1.0, 3), [0.0] * 8
    shortcut = honest = 0
    for seed in range(300):
        generator = rng([seed, 9])
        here, there = (audit.sample(mechanism, answers, 0, runs=200, rng=generator) for _ in range(2))
        event, likelier = _choose(here, there, 0.95)
        counts = [happens(event, side).sum() for side in (here, there)][:: 1 - 2 * likelier]
        shortcut += audit.log_ratio_limit(*counts, 200, 0.95) > 0
        honest += audit.lower_bound(mechanism, answers, answers, 0, runs=400, rng=generator).value > 0
    assert honest <= 45 < 150 < shortcut


def surely(bound):
    """What the counts of a bound show with confidence 1 - 1e-7, so that it exceeds the truth that rarely."""
    return audit.log_ratio_limit(*sorted(bound.counts, reverse=True), bound.runs, 1 - 1e-7)


@pytest.mark.statistical
@pytest.mark.parametrize("key", ["alg3", "alg4", "alg5", "alg6"])
def test_every_broken_variant_is_caught_and_alg1_is_not(key):
    """Seed 1, 200,000 runs. What is surely lost exceeds the truth with probability 1e-7."""
    caught = audit.lower_bound(VARIANTS[key].configure(1.0, 1), *pair_of(key, 4), 0, runs=200_000, rng=rng())
    assert caught.value > 1
    assert surely(caught) <= comparison.counterexample(key, 4).loss(VARIANTS[key].configure(1.0, 1))
    innocent = audit.lower_bound(ALG1, *pair_of(key, 4), 0, runs=200_000, rng=rng())
    assert innocent.value < 1


def test_a_bound_tells_what_it_is():
    bound = audit.lower_bound(ALG4, *pair_of("alg4", 6), 0, runs=100_000, rng=rng())
    assert bound.label == "lower bound at 95 %"
    assert bound.runs == 50_000
    assert bound.likelier == "D"
    assert bound.counts[0] > bound.counts[1]
    assert bound.value == pytest.approx(float(audit.log_ratio_limit(*bound.counts, bound.runs, 0.95)))
    assert str(bound) == (
        f"at least {bound.value:.2f} (lower bound at 95 %): ▽▽▽▽▽▲ in {bound.counts[0]:,} of 50,000 runs on "
        f"D and in {bound.counts[1]:,} on D′"
    )
    assert replace(bound, confidence=0.999999).label == "lower bound at 99.9999 %"
    assert replace(bound, confidence=0.999).label == "lower bound at 99.9 %"


def test_the_other_database_may_be_the_likelier_one():
    here, there = pair_of("alg4", 6)
    bound = audit.lower_bound(ALG4, there, here, 0, runs=50_000, rng=rng())
    assert bound.likelier == "D′"
    assert bound.counts[0] < bound.counts[1]
    assert bound.value > 1


def test_an_event_never_seen_on_one_side_gives_a_bound():
    bound = audit.lower_bound(VARIANTS["alg5"].configure(1.0, 1), (0, 1), (1, 0), 0, runs=20_000, rng=rng())
    assert 0 in bound.counts
    assert 6 < bound.value < np.inf


def test_an_event_of_your_own_takes_all_runs():
    def only_the_last(outcomes, released):
        assert released == ()
        return outcomes == (False,) * 5 + (True,)

    here, there = pair_of("alg4", 6)
    bound = audit.lower_bound(ALG4, here, there, 0, runs=50_000, event=only_the_last, rng=rng())
    assert bound.runs == 50_000
    assert bound.value > 1
    assert "the event in" in str(bound)
    assert audit.lower_bound(ALG4, there, here, 0, runs=50_000, event=only_the_last, rng=rng()).value == 0


def test_an_event_about_released_numbers():
    bound = audit.lower_bound(
        ALG3, [0] * 3, [1] * 3, 0, runs=100_000, rng=rng(),
        event=lambda outcomes, released: outcomes == (False, False, True) and released[0] <= 0,
    )  # fmt: skip
    assert bound.counts[0] == pytest.approx(100_000 / 192, abs=6 * np.sqrt(100_000 / 192))
    assert 1 < bound.value < 1.5


@pytest.mark.parametrize("cutoff", [1, 2])
def test_an_event_that_was_found_is_the_one_that_was_counted(cutoff):
    mechanism = VARIANTS["alg3"].configure(2.0, cutoff)
    bound = audit.lower_bound(mechanism, [0] * 4, [1] * 4, 0, runs=20_000, rng=rng())
    assert isinstance(bound.event, Event)
    seen = audit.sample(mechanism, [0] * 4, 0, runs=500, rng=rng(2))
    one_by_one = [bound.event(*seen.output(number)) for number in range(500)]
    assert happens(bound.event, seen).tolist() == one_by_one
    assert any(one_by_one)
    again = audit.lower_bound(
        mechanism, *([[0] * 4, [1] * 4][:: 1 if bound.likelier == "D" else -1]), 0,
        runs=20_000, event=bound.event, rng=rng(3),
    )  # fmt: skip
    assert again.value == pytest.approx(bound.value, abs=0.4)


def test_events_read_well():
    bits = Event((((False, True), ()), ((True,), ()), ((False, False), ()), ((True, True), ()), ((), ())))
    assert str(bits) == "▽▲ or ▲ or ▽▽ or one of 2 more"
    edges = (-1.0, 0.5)
    below, middle, above = (((False, True), (cell,)) for cell in range(3))
    assert str(Event((middle, below), edges)) == "▽▲ with a number below 0.50"
    assert str(Event((above,), edges)) == "▽▲ with a number from 0.50 on"
    assert str(Event((middle,), edges)) == "▽▲ with a number from -1.00 to 0.50"
    assert str(Event((above, below, middle), edges)) == "▽▲ with any number"
    assert str(Event((above, below), edges)) == (
        "▽▲ with a number below -1.00 or ▽▲ with a number from 0.50 on"
    )
    two = Event((((True, True), (0, 2)),), edges)
    assert str(two) == "▲▲ with a number below -1.00 and a number from 0.50 on"
    assert two((True, True), (-3.0, 0.5))
    assert not two((True, True), (-1.0, 0.5))


# Black boxes


@pytest.mark.parametrize("key", ["alg1", "alg2", "alg3", "alg6"])
@pytest.mark.parametrize("shape", ["transcript", "pair", "array"])
def test_a_plain_function_gives_the_same_sample_as_the_mechanism(key, shape):
    mechanism = VARIANTS[key].configure(2.0, 2)

    def box(answers, generator):
        transcript = run(mechanism, answers, 0.5, generator)
        if shape == "array":
            return np.array(transcript.outcomes)
        return transcript if shape == "transcript" else (list(transcript.outcomes), list(transcript.released))

    seen = audit.sample(box, [0, 1, 2, 0], runs=200, rng=rng())
    generator = rng()
    for number in range(200):
        expected = run(mechanism, [0, 1, 2, 0], 0.5, generator)
        outcomes, released = seen.output(number)
        assert outcomes == expected.outcomes
        assert released == (() if shape == "array" else expected.released)


def test_a_plain_function_can_be_audited():
    def box(answers, generator):
        threshold = generator.laplace(scale=2)
        return [bool(answer >= threshold) for answer in answers]

    bound = audit.lower_bound(box, (0, 1), (1, 0), runs=2_000, rng=rng(), progress=False)
    assert bound.value > 3


def test_a_sample_of_a_mechanism_keeps_stops_and_numbers_in_their_places():
    mechanism = replace(VARIANTS["alg1"].configure(1.0, 2), releases="gap")
    seen = audit.sample(mechanism, [0] * 5, 0, runs=3_000, rng=rng())
    for number in range(3_000):
        outcomes, released = seen.output(number)
        assert len(outcomes) == 5 or sum(outcomes) == 2
        assert len(released) == sum(outcomes) <= 2
        assert all(gap >= 0 for gap in released)


def test_a_tally_counts_outcomes():
    seen = audit.sample(ALG3, [0] * 3, 0, runs=500, rng=rng())
    tally = seen.tally()
    assert set(tally) == {"▲", "▽▲", "▽▽▲", "▽▽▽"}
    assert sum(tally.values()) == 500
    assert tally["▽▽▽"] == sum(seen.output(number)[0] == (False,) * 3 for number in range(500))


def test_long_streams_have_cells_too():
    seen = audit.sample(VARIANTS["alg6"].configure(1.0, 1), np.zeros(200), 0, runs=300, rng=rng())
    first, cell = seen.cells(())
    assert len(first) == len({seen.output(number) for number in range(300)})
    assert all(seen.output(number) == seen.output(first[cell[number]]) for number in range(300))


@pytest.mark.parametrize(
    "returned, complaint",
    [
        (None, "list of True and False"),
        ("▲▽", "list of True and False"),
        ([0.3, True], "list of True and False"),
        ([True, False, True, True], "4 outcomes for 3 answers"),
        (([True, False], [1.0, 2.0]), "released 2 numbers, and Aboves there were 1"),
        (([True], [np.nan]), "released"),
    ],
)
def test_a_function_that_returns_nonsense_is_told_so(returned, complaint):
    with pytest.raises(ValueError, match=complaint):
        audit.sample(lambda answers, generator: returned, [0, 0, 0], runs=2)


def test_a_function_cannot_change_the_answers():
    def box(answers, generator):
        answers += 1
        return [bool(answers[0] > 1.5)]

    assert not audit.sample(box, [0.0], runs=5).verdicts.any()


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ({"neighbour_answers": (1.5, 0, 0)}, r"neighbour_answers\[0\] = 1.5 .*aren't neighbours"),
        ({"neighbour_answers": (1, 0)}, "2 values for 3 answers"),
        ({"answers": (0, np.nan, 0)}, r"answers\[1\]"),
        ({"threshold": None}, "threshold"),
        ({"runs": 1}, "runs must be an integer >= 2"),
        ({"runs": 10.0}, "runs"),
        ({"confidence": 1.0}, "confidence"),
        ({"confidence": 95}, "confidence"),
        ({"sensitivity": 1.0}, "sensitivity goes with a function"),
        ({"rng": 7}, "rng"),
        ({"mechanism": "alg1"}, "mechanism must be a Mechanism or a function"),
    ],
)
def test_bad_input_is_named(arguments, complaint):
    good = {
        "mechanism": ALG1, "answers": (0, 0, 0), "neighbour_answers": (1, 0, 0), "threshold": 0, "runs": 10,
    }  # fmt: skip
    with pytest.raises(ValueError, match=complaint):
        audit.lower_bound(**(good | arguments))


def test_the_sensitivity_of_a_function_is_given_with_it():
    def box(answers, generator):
        return [True]

    assert audit.lower_bound(box, [0], [5], runs=10, sensitivity=5.0, progress=False).value == 0
    with pytest.raises(ValueError, match="aren't neighbours"):
        audit.lower_bound(box, [0], [5], runs=10, progress=False)
    with pytest.raises(ValueError, match="threshold goes with a Mechanism"):
        audit.lower_bound(box, [0], [1], 0.0, runs=10)
    wide = replace(ALG1, sensitivity=5.0)
    assert audit.lower_bound(wide, [0], [5], 0, runs=10, rng=rng()).value >= 0


def test_an_empty_stream_loses_nothing():
    assert audit.lower_bound(ALG1, [], [], 0, runs=100, rng=rng()).value == 0


# Several pairs


@pytest.mark.statistical
def test_the_best_pair_of_a_family_is_found_and_the_confidence_is_shared():
    """Alg. 3 loses 1/2 on the first pair, and 3/2 on the second. Seed 1, 100,000 runs; what is surely lost
    exceeds the truth with probability 1e-7."""
    hides, shows = ([0] * 3, [0, 0, 1]), ([0] * 3, [1] * 3)
    family = audit.lower_bound_over_pairs(ALG3, [hides, shows], 0, runs=100_000, rng=rng(), progress=False)
    assert family.pair == 1
    assert family.label == "lower bound at 95 %"
    assert family.value == pytest.approx(audit.log_ratio_limit(*family.counts, family.runs, 0.975))
    assert family.value > 1 / 2
    assert surely(family) < 1.5
    assert exact.privacy_loss(ALG3, *hides, 0).value == pytest.approx(1 / 2)
    assert surely(audit.lower_bound(ALG3, *hides, 0, runs=100_000, rng=rng())) < 1 / 2


def test_the_wrong_event_hides_what_the_right_one_shows():
    """On this pair, Alg. 3 loses 1/2 through low numbers, and 1.41 through a number of 1."""
    pair = pair_of("alg1", 3)

    def low_number(outcomes, released):
        return outcomes == (False, False, True) and released[0] <= 0

    wrong = audit.lower_bound(ALG3, *pair, 0, runs=100_000, event=low_number, rng=rng())
    assert wrong.value < 1 / 2
    assert 1 < audit.lower_bound(ALG3, *pair, 0, runs=100_000, rng=rng()).value < 1.42


def test_a_family_needs_a_pair_and_names_the_bad_one():
    with pytest.raises(ValueError, match="pairs"):
        audit.lower_bound_over_pairs(ALG1, [], 0, runs=10)
    with pytest.raises(ValueError, match="neighbours"):
        audit.lower_bound_over_pairs(ALG1, [([0], [1]), ([0], [2])], 0, runs=10)


@pytest.mark.parametrize("progress", [False, True])
def test_short_work_shows_no_progress_bar(capsys, progress):
    audit.lower_bound_over_pairs(ALG1, [([0], [1])] * 3, 0, runs=100, progress=progress)
    audit.sample(lambda answers, generator: [True], [0.0], runs=10, progress=progress)
    assert capsys.readouterr().err.strip() == ""


# Power


@pytest.mark.parametrize("key, length", itertools.product(("alg1", "alg4", "alg5", "alg6"), (1, 4, 7)))
def test_a_ladder_climbs_from_the_sharpest_event_to_the_certain_one(key, length):
    mechanism, pair = VARIANTS[key].configure(1.0, 1), pair_of(key, length)
    ladder = audit.ladder(mechanism, *pair, 0)
    law = [exact.outcome_distribution(mechanism, side, 0) for side in pair]
    with np.errstate(invalid="ignore"):
        ratios = law[0].log_probabilities - law[1].log_probabilities
    assert ladder.losses[0] == pytest.approx(np.nanmax(ratios))
    assert ladder.here[-1] == pytest.approx(1)
    assert (np.diff(ladder.here) > 0).all()
    assert (np.diff(ladder.there) >= 0).all()
    for level in (0, len(ladder.here) // 2):
        cut = np.diff([0, *ladder.here])[level] / max(np.diff([0, *ladder.there])[level], 1e-300)
        members = ratios >= np.log(cut) - 1e-9
        assert ladder.here[level] == pytest.approx(law[0].probabilities[members].sum())
        assert ladder.there[level] == pytest.approx(law[1].probabilities[members].sum())


@pytest.mark.parametrize("length", [1, 2, 4])
def test_the_ladder_of_low_numbers_has_the_probabilities_of_the_densities(length):
    ladder = audit.ladder(ALG3, [0.0] * length, [1.0] * length, 0)
    assert len(ladder.here) == length + 1
    for level in range(length):
        belows = length - 1 - level
        for answer, side in ((0.0, ladder.here), (1.0, ladder.there)):
            expected, _ = integrate.quad(
                lambda v, a=answer, m=belows: np.exp(
                    exact.output_log_probability(ALG3, [a] * length, (False,) * m + (True,), 0, (v,))
                ),
                -40, 0, limit=200, points=[-2.0],
            )  # fmt: skip
            assert np.diff([0, *side])[level] == pytest.approx(expected, rel=1e-6)
    assert ladder.losses[0] == pytest.approx(length / 2)


def test_a_ladder_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="noisy answers"):
        audit.ladder(ALG3, [0, 0], [1, 0], 0)
    with pytest.raises(ValueError, match="noisy answers"):
        audit.ladder(VARIANTS["alg3"].configure(1.0, 2), [0, 0], [1, 1], 0)


def all_counts(here, there, epsilon, runs, confidence=0.95):
    """The probability that the bound is above epsilon, every pair of counts one by one."""
    counts = np.arange(runs + 1)
    bounds = audit.log_ratio_limit(counts[:, np.newaxis], counts, runs, confidence)
    weights = np.outer(stats.binom.pmf(counts, runs, here), stats.binom.pmf(counts, runs, there))
    return weights[bounds > epsilon].sum()


@pytest.mark.parametrize("here, there", [(0.3, 0.05), (0.04, 0.002), (0.5, 0.0), (0.6, 0.5), (1.0, 0.1)])
def test_the_chance_to_catch_is_the_sum_over_all_counts(here, there):
    for epsilon, runs in itertools.product((0.0, 0.5, 1.5), (3, 40, 200)):
        expected = all_counts(here, there, epsilon, runs)
        assert audit.catch_probability(here, there, epsilon, runs) == pytest.approx(expected, abs=5e-3)


def test_the_chance_to_catch_is_right_where_counts_stand_for_each_other():
    generator = rng(5)
    for _ in range(40):
        runs, here = int(10 ** generator.uniform(3, 5.5)), 10 ** generator.uniform(-3, -0.1)
        there, epsilon = here * np.exp(-generator.uniform(0.2, 3)), generator.uniform(0, 2)
        likely = np.arange(max(0, int(runs * there - 40 * np.sqrt(runs * there))), runs + 1)
        likely = likely[likely < runs * there + 10 * np.sqrt(runs * there) + 30]
        weights = stats.binom.pmf(likely, runs, there)
        to_show = np.exp(epsilon) * audit.upper_limit(likely, runs, 0.025)
        needed = stats.binom.isf(0.025, runs, np.minimum(to_show, 1)) + 1
        expected = weights @ np.where(to_show < 1, stats.binom.sf(needed - 1, runs, here), 0)
        assert audit.catch_probability(here, there, epsilon, runs) == pytest.approx(expected, abs=5e-3)


def test_runs_to_catch_is_where_half_of_the_audits_catch():
    runs = audit.runs_to_catch([0.03, 0.3, 0.2], [0.006, 0.29, 0.0], 1.0)
    assert runs[1] == np.inf
    for number, here, there in ((runs[0], 0.03, 0.006), (runs[2], 0.2, 0.0)):
        assert audit.catch_probability(here, there, 1.0, int(number)) == pytest.approx(0.5, abs=0.07)
    assert (audit.runs_to_catch(0.5, 0.5 * np.exp(-1), 1.0)) == np.inf


@pytest.mark.parametrize("epsilon", [2.0, 2.5, 3.0])
def test_thirty_thousand_runs_a_side_show_a_missing_factor_and_a_missing_threshold_noise(epsilon):
    """Ten queries or fewer, confidence 1 - 1e-6, power 99 %: what the checks of the course rely on."""
    alg1 = VARIANTS["alg1"].configure(epsilon, 1)
    half, quiet = replace(alg1, query_scale=alg1.query_scale / 2), replace(alg1, threshold_scale=0)
    pairs = ([-0.5] * 9 + [1], [0.5] * 9 + [0]), ([-0.5] * 10, [0.5] * 10)
    for mechanism, pair in zip((half, quiet), pairs, strict=True):
        ladder = audit.ladder(mechanism, *pair, 0)
        best = audit.runs_to_catch(ladder.here, ladder.there, epsilon, 1 - 1e-6).argmin()
        event = ladder.here[best], ladder.there[best]
        assert audit.catch_probability(*event, epsilon, 30_000, 1 - 1e-6) > 0.99


def test_a_program_that_drifts_is_not_accused():
    """It ignores its answers and only changes with the number of calls; its loss is 0."""
    calls = iter(range(10**6))

    def drifting(answers, rng):
        return [next(calls) < 2_000] * len(answers)

    bound = audit.lower_bound(
        drifting, [0.0], [1.0], runs=2_000, rng=np.random.default_rng(1), progress=False
    )
    assert bound.value == 0


def test_a_confidence_of_nearly_one_is_not_called_certain():
    mechanism = VARIANTS["alg5"].configure(1.0, 1)
    bound = audit.lower_bound(mechanism, [0, 1], [1, 0], 0, runs=1000, confidence=1 - 1e-9)
    assert "100 %" not in bound.label
    assert "1e-09" in bound.label


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((30, 8, 20, 0.95), "count"), ((3, 8, 20, 95), "confidence"), ((3, 8, 20, 1), "confidence")],
)
def test_impossible_counts_and_confidences_are_refused(arguments, named):
    with pytest.raises(ValueError, match=named):
        audit.log_ratio_limit(*arguments)


@pytest.mark.parametrize("event", [5, "▽▽▲"])
def test_an_event_must_be_a_function(event):
    with pytest.raises(ValueError, match="event must be a function"):
        audit.lower_bound(VARIANTS["alg1"].configure(1.0, 1), [0], [1], 0, runs=10, event=event)


def test_a_flat_pair_is_refused():
    with pytest.raises(ValueError, match="pairs must hold pairs"):
        audit.lower_bound_over_pairs(VARIANTS["alg1"].configure(1.0, 1), [[0, 1], [1, 0]], 0, runs=10)
