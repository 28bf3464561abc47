"""All outcomes of a stream, and the error rates, against simulation, closed forms and the first demo."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism, data, simulate
from svt_lib.exact import (
    above_probabilities,
    alarm_count_distribution,
    alarm_probabilities,
    alarm_probability,
    event_probability,
    first_above_probabilities,
    outcome_distribution,
    output_log_probability,
    right_probability,
    stop_probability,
)

ALL = [
    *(variant.configure(2.0, 2) for variant in VARIANTS.values()),
    VARIANTS["standard"].configure(3.0, 2, monotonic=True, epsilon_release=1.0),
    Mechanism(0, 3, 2, name="no threshold noise"),
    Mechanism(3, 0, 2, redraw=True, name="no query noise, redrawn"),
    Mechanism(0, 0, 2, name="no noise"),
    Mechanism(1, 400, None, name="much query noise"),
    Mechanism(400, 1, None, redraw=True, name="much threshold noise, redrawn"),
]
NAMED = [pytest.param(mechanism, id=mechanism.name) for mechanism in ALL]
STREAMS = [
    [0.5, -1.0, 3.0, 0.5, 2.0],
    [1.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    [-300.0, 2.0, 400.0, -5.0],
    [7.0],
    [],
]
TWELVE = data.twelve().answers
DEMO = VARIANTS["alg1"].configure(1.0, 3)


@pytest.mark.parametrize("mechanism", NAMED)
@pytest.mark.parametrize("answers", STREAMS, ids=len)
def test_each_outcome_once_and_the_sum_is_one(mechanism, answers):
    """The program for all outcomes at once agrees with the one for single outputs, in the far tails too."""
    distribution = outcome_distribution(mechanism, answers, 0.5)
    length, cutoff = len(answers), mechanism.cutoff or math.inf
    free = itertools.product([False, True], repeat=length)
    cut = {tuple(o[i] for i in range(length) if sum(o[:i]) < cutoff) for o in free}
    assert sorted(distribution.outcomes) == sorted(cut)
    assert math.fsum(distribution.probabilities) == pytest.approx(1, abs=1e-12)
    singles = [output_log_probability(mechanism, answers, o, 0.5) for o in distribution.outcomes]
    assert distribution.log_probabilities == pytest.approx(singles, rel=1e-12, abs=1e-12)


@pytest.mark.statistical
@pytest.mark.parametrize("mechanism", NAMED)
def test_it_is_the_law_of_the_simulator(mechanism):
    """Seed 5, n = 20,000, up to 32 outcomes of five queries with a threshold for each.

    One relative frequency is off by more than t with probability at most 2 exp(-2 n t²), by Hoeffding. For 32
    outcomes of 14 mechanisms and t = 0.024 that is 9e-8.
    """
    n, t = 20_000, 0.024
    assert 14 * 32 * 2 * math.exp(-2 * n * t**2) < 1e-6
    thresholds = [0.0, 0.5, 1.0, 0.0, 2.0]
    simulation = simulate(mechanism, STREAMS[0], thresholds, runs=n, rng=np.random.default_rng(5))
    distribution = outcome_distribution(mechanism, STREAMS[0], thresholds)
    key = 1 << np.arange(5)
    frequencies = np.bincount(simulation.outcomes @ key, minlength=32)[distribution.table @ key] / n
    assert np.abs(frequencies - distribution.probabilities).max() < t


def test_many_outcomes_at_once():
    """A quarter of a million; then answers that take the product of halves out of floating-point numbers."""
    mechanism = VARIANTS["alg6"].configure(1.0, 1)
    for answers in (np.linspace(-4, 4, 18), 900.0 * (np.arange(13) % 3 - 1)):
        distribution = outcome_distribution(mechanism, answers, 0)
        assert math.fsum(distribution.probabilities) == pytest.approx(1, abs=1e-12)
        for i in (0, 1, 4711, -1):
            outcomes = distribution.table[i]
            expected = output_log_probability(mechanism, answers, outcomes, 0)
            assert distribution.log_probabilities[i] == pytest.approx(expected, rel=1e-12)


def test_a_long_stream_with_one_alarm():
    distribution = outcome_distribution(VARIANTS["alg1"].configure(1.0, 1), np.linspace(-9, 0, 300), 5)
    assert len(distribution.log_probabilities) == 301
    assert math.fsum(distribution.probabilities) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("length", "cutoff"), [(20, None), (10**6, None), (10**6, 1), (1000, 300)])
def test_too_many_outcomes_are_refused_at_once(length, cutoff):
    with pytest.raises(ValueError, match=r"answers has .* worst_case_loss"):
        outcome_distribution(Mechanism(1, 1, cutoff), np.zeros(length), 0)


def test_events():
    """Alg. 4, c = 1: the event ⊥⁵⊤ of the auditable instance, and its complement."""
    mechanism, answers = VARIANTS["alg4"].configure(1.0, 1), [0, 0, 0, 0, 0, 1]
    event = (False,) * 5 + (True,)
    assert event_probability(mechanism, answers, 0, lambda o: o == event) == pytest.approx(3.42e-2, abs=5e-5)
    assert event_probability(mechanism, answers, 0, lambda o: o != event) == pytest.approx(
        1 - 0.0342, abs=5e-5
    )
    assert event_probability(mechanism, answers, 0, lambda outcomes: False) == 0


# The first demo at its defaults.


def test_each_query_of_the_first_demo_alone():
    expected = [0.050, 0.189, 0.662, 0.794, 0.397, 0.903, 0.125, 0.964, 0.243, 0.864, 0.089, 0.930]
    assert above_probabilities(DEMO, TWELVE, 50).round(3).tolist() == expected


def test_each_query_of_the_first_demo_given_that_it_is_asked():
    """The noisy threshold then no longer follows its first law."""
    distribution = outcome_distribution(DEMO, TWELVE, 50)
    p, query = distribution.probabilities, np.arange(12)
    asked = p @ (query < distribution.asked[:, np.newaxis])
    expected = [0.392, 0.899, 0.114, 0.961, 0.209, 0.837, 0.070, 0.907]
    assert (p @ distribution.table / asked)[4:].round(3).tolist() == expected
    stopped = distribution.table.sum(axis=1) == 3
    assert p @ distribution.asked == pytest.approx(6.24, abs=0.01)
    assert p @ stopped == pytest.approx(0.998, abs=5e-4)
    assert p @ (distribution.table & (TWELVE < 50)).sum(axis=1) == pytest.approx(0.63, abs=0.01)
    right = (distribution.table == (TWELVE >= 50)) & (query < distribution.asked[:, np.newaxis])
    assert p @ right.sum(axis=1) / (p @ distribution.asked) == pytest.approx(0.798, abs=2e-3)


@pytest.mark.parametrize(
    ("epsilon", "cutoff", "expected"),
    [(1, 3, 0.217), (2, 3, 0.44), (0.2, 3, 0.038), (1, 1, 0.79), (1, 6, 0.021)],
)
def test_the_whole_transcript_of_the_first_demo(epsilon, cutoff, expected):
    found = right_probability(VARIANTS["alg1"].configure(epsilon, cutoff), TWELVE, 50)
    assert found == pytest.approx(expected, abs=0.005)


def test_the_whole_transcript_with_better_splits():
    standard = VARIANTS["standard"]
    assert right_probability(standard.configure(1, 3), TWELVE, 50) == pytest.approx(0.275, abs=5e-4)
    assert right_probability(standard.configure(1, 3, monotonic=True), TWELVE, 50) == pytest.approx(
        0.45, abs=5e-3
    )


@pytest.mark.parametrize("mechanism", NAMED)
def test_one_query_alone_has_a_closed_form(mechanism):
    answers = np.array([-900.0, -3.0, -0.5, 0.0, 0.5, 2.0, 40.0])
    once = dataclasses.replace(mechanism, cutoff=1, redraw=False)
    expected = [math.exp(output_log_probability(once, [answer], [True], 0.5)) for answer in answers]
    assert above_probabilities(mechanism, answers, 0.5) == pytest.approx(expected, rel=1e-11)
    assert right_probability(mechanism, answers[1:2], 0.5) == pytest.approx(1 - expected[1], rel=1e-11)


def test_nearly_equal_scales_do_not_cancel():
    same, near = Mechanism(2, 2, 1), Mechanism(2, 2 + 1e-9, 1)
    answers = [-40.0, -1.0, 0.0, 3.0]
    assert above_probabilities(near, answers, 0) == pytest.approx(
        above_probabilities(same, answers, 0), rel=1e-8
    )
    assert above_probabilities(same, [-2.0], 0) == pytest.approx([math.exp(-1) * (1 / 2 + 1 / 4)], rel=1e-14)


# Streams of equal answers.


@pytest.mark.parametrize(
    ("gap", "length", "expected"),
    [(50, 100, 0.05), (50, 1000, 0.97), (28, 100, 0.85), (100, 10**4, 0.13), (100, 10**5, 0.997)],
)
def test_false_alarms_stop_the_first_demo(gap, length, expected):
    assert stop_probability(DEMO, 50 - gap, 50, length) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(("cutoff", "expected"), [(3, 0.58), (1, 0.63)])
def test_break_even_still_stops_often(cutoff, expected):
    """Where the expected number of false alarms, without threshold noise, equals the cutoff."""
    mechanism, length = VARIANTS["alg1"].configure(1.0, cutoff), 100_000
    gap = mechanism.query_scale * math.log(length / 2 / cutoff)
    assert stop_probability(mechanism, -gap, 0, length) == pytest.approx(expected, abs=0.02)


def test_how_many_false_alarms_are_few():
    """For a stop in at most 5 % of runs, c = 3: .82 expected ones, or .77 counting the threshold noise in."""
    length, quiet = 100_000, dataclasses.replace(DEMO, threshold_scale=0)
    for mechanism, number in ((quiet, 0.82), (DEMO, 0.77)):
        gap = mechanism.query_scale * math.log(length / 2 / number)
        assert stop_probability(mechanism, -gap, 0, length) == pytest.approx(0.05, abs=1e-3)


@pytest.mark.parametrize(("length", "expected"), [(3, 0.013), (30, 0.12), (300, 0.63), (3000, 0.99)])
def test_accuracy_depends_on_the_length_of_the_stream(length, expected):
    """ε = 0.1, a single alarm, each answer 200 below the threshold."""
    assert alarm_probability(VARIANTS["alg1"].configure(0.1, 1), -200, 0, length) == pytest.approx(
        expected, abs=5e-3
    )


@pytest.mark.parametrize(
    "mechanism", [DEMO, Mechanism(2, 0, 2), Mechanism(0, 3, 2), Mechanism(5, 1, None), Mechanism(1, 1, 9)]
)
def test_streams_of_equal_answers_agree_with_the_list_of_outcomes(mechanism):
    distribution = outcome_distribution(mechanism, [1.5] * 7, 2)
    counts = np.bincount(distribution.table.sum(axis=1), weights=distribution.probabilities)
    found = alarm_count_distribution(mechanism, 1.5, 2, 7)
    assert found == pytest.approx(counts, rel=1e-11, abs=0)
    assert alarm_probability(mechanism, 1.5, 2, 7) == pytest.approx(1 - counts[0], rel=1e-11)
    if mechanism.cutoff is not None and mechanism.cutoff <= 7:
        assert stop_probability(mechanism, 1.5, 2, 7) == pytest.approx(counts[mechanism.cutoff], rel=1e-11)


SINGLE = [
    *(VARIANTS["alg1"].configure(epsilon, 1) for epsilon in (0.1, 1.0, 4.0)),
    *(Mechanism(*scales, 1) for scales in ((1, 100), (100, 1), (100, 0.1), (0, 3), (3, 0), (0, 0))),
]
BY_SCALES = [pytest.param(mechanism, id=f"{mechanism.threshold_scale:g}, {mechanism.query_scale:g}")
             for mechanism in SINGLE]  # fmt: skip


@pytest.mark.parametrize("mechanism", BY_SCALES)
@pytest.mark.parametrize("answer", [-400, -20, 0, 0.3, 300])
def test_alarms_of_many_lengths_agree_with_one_length_at_a_time(mechanism, answer):
    lengths = [0, 1, 3, 300, 10**6]
    one_by_one = [alarm_probability(mechanism, answer, 0, length) for length in lengths]
    assert alarm_probabilities(mechanism, answer, 0, lengths) == pytest.approx(one_by_one, abs=1e-12, rel=0)


@pytest.mark.parametrize("mechanism", BY_SCALES)
@pytest.mark.parametrize(
    "answers",
    [data.survey().answers - 200, np.zeros(100), np.random.default_rng(1).normal(-20, 9, 60), [-3.0], []],
    ids=len,
)
def test_where_the_first_above_comes_agrees_with_one_output_at_a_time(mechanism, answers):
    first = first_above_probabilities(mechanism, answers, 0.5)
    assert first.shape == (len(answers),)
    for place in {0, 1, 7, 59, 133, 374} & set(range(len(answers))):
        outcomes = [False] * place + [True]
        one = math.exp(output_log_probability(mechanism, answers, outcomes, 0.5))
        assert first[place] == pytest.approx(one, abs=1e-12, rel=0)
    assert all(first >= 0)
    never = math.exp(output_log_probability(mechanism, answers, [False] * len(answers), 0.5))
    assert first.sum() == pytest.approx(1 - never, abs=1e-12)


def test_the_first_above_takes_a_threshold_for_each_answer_and_no_notice_of_what_follows():
    answers, thresholds = np.array([3.0, 9.0, 5.0]), np.array([6.0, 7.0, 5.0])
    first = first_above_probabilities(VARIANTS["alg2"].configure(1.0, 3), answers, thresholds)
    assert first == pytest.approx(
        first_above_probabilities(VARIANTS["alg2"].configure(1.0, 3), answers - thresholds, 0), abs=1e-15
    )
    law = outcome_distribution(VARIANTS["alg2"].configure(1.0, 3), answers, thresholds)
    for place in range(3):
        chosen = [i for i, o in enumerate(law.outcomes) if True in o and o.index(True) == place]
        assert first[place] == pytest.approx(law.probabilities[chosen].sum(), abs=1e-12)


@pytest.mark.parametrize("bad", [{"answer": np.nan}, {"threshold": "5"}, {"lengths": [-1]}, {"lengths": 3}])
def test_bad_input_of_many_lengths(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        alarm_probabilities(**{"mechanism": DEMO, "answer": 1, "threshold": 0, "lengths": [3]} | bad)


def test_rare_alarms_keep_their_digits():
    """No 1 minus nearly 1: far below the threshold n answers raise an alarm n times as often as one."""
    one = above_probabilities(DEMO, [-900.0], 0)[0]
    assert alarm_probability(DEMO, -900, 0, 1) == pytest.approx(one, rel=1e-12)
    assert alarm_probability(DEMO, -900, 0, 1000) == pytest.approx(1000 * one, rel=1e-9)
    assert alarm_count_distribution(DEMO, -900, 0, 1)[1] == pytest.approx(one, rel=1e-12)
    assert alarm_count_distribution(DEMO, 900, 0, 9)[0] > 0


def test_ten_million_answers():
    """Given z the number of Aboves is all but Poisson: equal scales make its law a gamma's."""
    many, mechanism = 10**7, VARIANTS["alg1"].configure(1.0, 300)
    assert stop_probability(mechanism, -1e5, 0, many) < 1e-12
    assert stop_probability(mechanism, 0, 0, many) == pytest.approx(1, abs=1e-12)
    equal = Mechanism(3, 3, 2)
    # u = Pr[Below | z] is uniform: fewer than two Aboves have the probability 2/(n + 1).
    assert 1 - stop_probability(equal, 0, 0, many) == pytest.approx(2 / (many + 1), rel=1e-8)


def test_streams_that_never_stop_or_are_too_short():
    assert stop_probability(VARIANTS["alg6"].configure(1, 1), 9, 0, 100) == 0
    assert stop_probability(DEMO, 1e6, 0, 2) == 0
    assert alarm_probability(DEMO, 0, 0, 0) == 0
    assert alarm_count_distribution(DEMO, 0, 0, 0).tolist() == [1.0]


@pytest.mark.parametrize("function", [stop_probability, alarm_count_distribution])
def test_redrawn_thresholds_have_no_binomial(function):
    with pytest.raises(ValueError, match="mechanism redraws"):
        function(VARIANTS["alg2"].configure(1.0, 2), -5, 0, 10)
    assert stop_probability(VARIANTS["alg2"].configure(1.0, 1), -5, 0, 10) > 0


@pytest.mark.parametrize("bad", [{"answer": np.nan}, {"threshold": "5"}, {"length": -1}, {"length": 2.5}])
def test_bad_input(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        stop_probability(**{"mechanism": DEMO, "answer": 1, "threshold": 0, "length": 3} | bad)


def test_the_table_of_one_distribution_cannot_spoil_the_next():
    first = outcome_distribution(VARIANTS["alg1"].configure(1.0, 2), [0.0, 1.0], 0.0)
    with pytest.raises(ValueError, match="read-only"):
        first.table[0, 0] = True
    with pytest.raises(ValueError, match="read-only"):
        first.asked[0] = 9
