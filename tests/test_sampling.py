"""Single runs: what is asked, what stops, what goes out."""

import dataclasses
import itertools

import numpy as np
import pytest

from svt_lib import VARIANTS, Mechanism, SparseVector, data, run
from svt_lib.ledger import BudgetSpent
from svt_lib.sampling import noise_behind

ALL = [variant.configure(1.0, 3) for variant in VARIANTS.values()]
NUMERIC = VARIANTS["standard"].configure(3.0, 3, epsilon_release=1.0)
GAP = dataclasses.replace(VARIANTS["alg1"].configure(1.0, 3), releases="gap")
NAMED = [pytest.param(mechanism, id=mechanism.name) for mechanism in (*ALL, NUMERIC, GAP)]
NOISELESS = Mechanism(threshold_scale=0, query_scale=0, cutoff=2)


def rng(seed=1):
    return np.random.default_rng(seed)


def test_without_noise_it_says_what_is_true_and_a_tie_is_above():
    transcript = run(NOISELESS, [1, 5, 4.999, 7, 9], 5)
    assert transcript.outcomes == (False, True, False, True)
    assert transcript.stopped
    assert transcript.asked == 4


@pytest.mark.parametrize("mechanism", NAMED)
def test_outcomes_end_at_the_cutoff_and_only_there(mechanism):
    for seed in range(200):
        transcript = run(mechanism, data.twelve().answers, 50, rng(seed))
        aboves = sum(transcript.outcomes)
        if mechanism.cutoff is None:
            assert (transcript.asked, transcript.stopped) == (12, False)
        else:
            assert transcript.stopped == (aboves == mechanism.cutoff)
            assert transcript.outcomes[-1] if transcript.stopped else transcript.asked == 12
        assert len(transcript.released) == (0 if mechanism.releases == "nothing" else aboves)
        assert all(type(outcome) is bool for outcome in transcript.outcomes)
        assert transcript.charged == mechanism.epsilon


def test_nothing_is_answered_after_the_stop():
    vector = SparseVector(NOISELESS, 5, rng())
    assert [vector.ask(answer) for answer in (9, 1, 9)] == [True, False, True]
    assert vector.stopped
    with pytest.raises(BudgetSpent):
        vector.ask(-1e9)
    assert vector.outcomes == [True, False, True]


@pytest.mark.parametrize("mechanism", NAMED)
def test_asking_one_by_one_is_running(mechanism):
    answers = data.twelve().answers
    vector = SparseVector(mechanism, 50, rng(8))
    for answer in answers:
        vector.ask(answer)
        if vector.stopped:
            break
    transcript = run(mechanism, answers, 50, rng(8))
    assert tuple(vector.outcomes) == transcript.outcomes
    assert tuple(vector.released) == transcript.released


def test_answers_are_pulled_no_further_than_the_stop():
    pulled = []

    def stream():
        for number in itertools.count():
            pulled.append(number)
            yield number

    assert run(NOISELESS, stream(), 3).asked == 5
    assert pulled == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("mechanism", NAMED)
def test_an_empty_stream_gives_an_empty_transcript(mechanism):
    transcript = run(mechanism, [], 5, rng())
    assert (transcript.outcomes, transcript.released, transcript.stopped) == ((), (), False)
    assert run(mechanism, [], [], rng()) == transcript


def test_where_nothing_is_above_nothing_is_found():
    assert not any(run(VARIANTS["alg1"].configure(1.0, 3), [-1e9] * 50, 0, rng()).outcomes)


@pytest.mark.parametrize("mechanism", NAMED)
def test_a_transcript_holds_no_true_answer(mechanism):
    answers = [round(1.01 + i, 2) for i in range(10)]
    for seed in range(100):
        transcript = run(mechanism, answers, 5, rng(seed))
        assert not set(transcript.released) & set(answers)


def test_one_threshold_for_each_query():
    assert run(NOISELESS, [1, 2, 3], [2, 2, 4]).outcomes == (False, True, False)
    assert run(NOISELESS, iter([1, 2, 3]), np.array([2, 2, 4])).outcomes == (False, True, False)


def test_int_and_float_input_agree():
    mechanism = VARIANTS["alg1"].configure(1, 3)
    expected = run(mechanism, data.twelve().answers, 50.0, rng())
    for answers in (data.twelve().answers.astype(int).tolist(), data.twelve().answers.astype(np.int32)):
        assert run(mechanism, answers, 50, rng()) == expected


@pytest.mark.parametrize("mechanism", NAMED)
def test_the_noise_of_a_run_can_be_derived_again_and_explains_it(mechanism):
    answers = data.twelve().answers
    for seed in range(50):
        transcript = run(mechanism, answers, 50, rng(seed))
        threshold_noise, query_noise = noise_behind(mechanism, transcript.outcomes, rng(seed))
        noisy, line = answers[: transcript.asked] + query_noise, 50 + threshold_noise
        assert tuple(noisy >= line) == transcript.outcomes
        above = np.array(transcript.outcomes, dtype=bool)
        if mechanism.releases == "noisy answer":
            assert transcript.released == tuple(noisy[above])
        if mechanism.releases == "gap":
            assert transcript.released == tuple((noisy - line)[above])
        changes = np.count_nonzero(np.diff(threshold_noise))
        assert changes == (np.count_nonzero(above[:-1]) if mechanism.redraw else 0)


def test_one_seed_gives_the_same_unit_noise_whatever_the_settings():
    outcomes = [False, True, False, False]
    for mechanism in ALL:
        threshold_noise, query_noise = noise_behind(mechanism, outcomes, rng(4))
        one_threshold, one_query = noise_behind(Mechanism(1, 1, 1), outcomes, rng(4))
        assert np.allclose(threshold_noise[0], mechanism.threshold_scale * one_threshold[0])
        assert np.allclose(query_noise, mechanism.query_scale * one_query)


def test_threshold_and_query_noise_are_different_draws():
    pairs = [noise_behind(Mechanism(1, 1, 1), [False], rng(seed)) for seed in range(2000)]
    threshold_noise, query_noise = np.array(pairs)[:, :, 0].T
    # |correlation| of 2000 independent pairs has standard deviation 0.022; 0.12 is beyond 5 of them (< 1e-6).
    assert abs(np.corrcoef(threshold_noise, query_noise)[0, 1]) < 0.12


def test_without_a_generator_the_noise_is_fresh():
    mechanism = VARIANTS["alg3"].configure(1.0, 1)
    assert run(mechanism, [1e9], 0).released != run(mechanism, [1e9], 0).released


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, "3", None, [3.0], np.array([3.0])])
def test_bad_answers_are_named_by_their_index(bad):
    mechanism = VARIANTS["alg1"].configure(1.0, 3)
    with pytest.raises(ValueError, match=r"answers\[2\]"):
        run(mechanism, iter([-1e6, -1e6, bad]), 0, rng())


@pytest.mark.parametrize("bad", [np.nan, np.inf, "3", None, [1.0], [1.0, np.nan, 2.0], np.zeros((3, 1))])
def test_bad_thresholds_are_refused(bad):
    with pytest.raises(ValueError, match="threshold"):
        run(VARIANTS["alg1"].configure(1.0, 3), [-1e6, -1e6, -1e6], bad, rng())


def test_too_few_thresholds_for_a_stream_of_unknown_length():
    with pytest.raises(ValueError, match="threshold has 2 values"):
        run(NOISELESS, iter([1, 1, 1]), [5, 5])


@pytest.mark.parametrize("bad", [7, "seed", np.random.RandomState(1)])
def test_a_seed_is_not_a_generator(bad):
    with pytest.raises(ValueError, match="rng"):
        run(NOISELESS, [1], 0, bad)
