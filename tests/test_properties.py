"""What is true of any mechanism and any stream, tried on many.

`make test` tries the same 50 examples of each statement every time. New ones:
``pytest tests/test_properties.py --hypothesis-profile=search`` (1,000 of each).
"""

import dataclasses
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from svt_lib import VARIANTS, Mechanism, SparseVector, exact, run, simulate
from svt_lib.audit import compare_frequencies
from svt_lib.mechanism import RELEASES, plain_laplace
from svt_lib.sampling import noise_behind
from svt_lib.selection import selection_probabilities
from svt_lib.simulation import simulate_outcomes

MOST = 6  # queries in a stream

seeds = st.integers(0, 2**32 - 1)
cutoffs = st.none() | st.integers(1, 4)
scales = st.floats(0.1, 20)
yes_or_no = st.booleans()
nothing, any_release = st.just("nothing"), st.sampled_from(RELEASES)
no = st.just(False)
epsilons = st.floats(0.01, 5)
# Whole numbers make ties.
numbers = st.integers(-5, 5).map(float) | st.floats(-30, 30)


@st.composite
def mechanisms(draw, noise=scales, releases=nothing, redraw=yes_or_no):
    """Any mechanism, published or not."""
    released = draw(releases)
    return Mechanism(
        threshold_scale=draw(noise),
        query_scale=draw(noise),
        cutoff=draw(cutoffs),
        redraw=draw(redraw),
        releases=released,
        release_scale=draw(noise) if released == "fresh answer" else None,
        sensitivity=draw(st.floats(0.1, 10)),
    )


@st.composite
def settings_of_a_variant(draw):
    """A published variant and how to configure it, without its ε and its sensitivity."""
    key, options = draw(st.sampled_from(sorted(VARIANTS))), {"cutoff": draw(st.integers(1, 4))}
    if key == "standard":
        options |= {"monotonic": draw(yes_or_no), "split": draw(st.none() | st.floats(0.1, 10))}
    return VARIANTS[key], options


@st.composite
def streams(draw, of=numbers, least=0):
    """Answers and as many thresholds."""
    size = draw(st.integers(least, MOST))
    return tuple(np.array(draw(st.lists(of, min_size=size, max_size=size)), dtype=float) for _ in range(2))


@st.composite
def pairs(draw, sensitivity, one_way=False):
    """Answers on two neighbouring databases, and thresholds."""
    answers, thresholds = draw(streams(least=1))
    move = st.floats(0 if one_way else -1, 1) | st.sampled_from([0.0, 1.0] if one_way else [-1.0, 1.0])
    moves = draw(st.lists(move, min_size=answers.size, max_size=answers.size))
    return answers, answers + sensitivity * np.array(moves), thresholds


def log_ratios(mechanism, here, there, thresholds):
    """ln P/P' of each outcome on the databases `here` and `there`, one at a time; and the outcomes."""
    outcomes = exact.outcome_distribution(mechanism, here, thresholds).outcomes
    ratios = [
        exact.output_log_probability(mechanism, here, outcome, thresholds)
        - exact.output_log_probability(mechanism, there, outcome, thresholds)
        for outcome in outcomes
    ]
    return np.array(ratios), outcomes


@given(mechanisms(noise=st.just(0.0) | scales), streams())
def test_probabilities_sum_to_one(mechanism, stream):
    law = exact.outcome_distribution(mechanism, *stream)
    assert math.fsum(law.probabilities) == pytest.approx(1, abs=1e-10)
    assert law.probabilities.min() >= 0
    each = [exact.output_log_probability(mechanism, stream[0], out, stream[1]) for out in law.outcomes]
    assert np.exp(each) == pytest.approx(law.probabilities, abs=1e-10)


@given(mechanisms(), numbers, numbers, st.integers(1, 50))
def test_counts_of_alarms_sum_to_one(mechanism, answer, threshold, length):
    mechanism = dataclasses.replace(mechanism, redraw=False)
    counts = exact.alarm_count_distribution(mechanism, answer, threshold, length)
    assert math.fsum(counts) == pytest.approx(1, abs=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), epsilons)
def test_chances_of_a_selection_sum_to_one(scores, epsilon):
    assert selection_probabilities(scores, epsilon).sum() == pytest.approx(1)


@given(mechanisms(), st.data())
def test_swapping_the_databases_negates_the_log_ratios(mechanism, data):
    here, there, thresholds = data.draw(pairs(mechanism.sensitivity))
    forth, outcomes = log_ratios(mechanism, here, there, thresholds)
    back, _ = log_ratios(mechanism, there, here, thresholds)
    assert forth == pytest.approx(-back, abs=1e-9)
    loss = exact.privacy_loss(mechanism, here, there, thresholds)
    assert loss.value == pytest.approx(exact.privacy_loss(mechanism, there, here, thresholds).value, abs=1e-9)
    assert loss.value == pytest.approx(abs(forth).max(), abs=1e-9)
    assert abs(forth[outcomes.index(loss.outcomes)]) == pytest.approx(loss.value, abs=1e-9)


@given(settings_of_a_variant(), epsilons, st.floats(0.01, 100), st.data())
def test_other_units_change_no_probability_and_no_loss(setting, epsilon, unit, data):
    variant, options = setting
    here, there, thresholds = data.draw(pairs(1.0))
    if variant.configure(epsilon, **options).query_scale == 0:
        # Without query noise ties count, and a last bit that rounding adds makes something of an outcome that
        # has no probability. By powers of two nothing is rounded.
        unit = 2.0 ** round(math.log2(unit))
    plain, scaled = (variant.configure(epsilon, sensitivity=delta, **options) for delta in (1, unit))
    law = exact.outcome_distribution(plain, here, thresholds)
    assert exact.outcome_distribution(scaled, unit * here, unit * thresholds).probabilities == pytest.approx(
        law.probabilities, abs=1e-10
    )
    if plain.releases == "nothing":
        scaled_loss = exact.privacy_loss(scaled, unit * here, unit * there, unit * thresholds).value
        assert scaled_loss == pytest.approx(
            exact.privacy_loss(plain, here, there, thresholds).value, abs=1e-9
        )


@given(settings_of_a_variant(), epsilons, st.integers(-8, 8), streams(), seeds)
def test_other_units_change_no_run(setting, epsilon, power, stream, seed):
    """Powers of two, so that nothing is rounded."""
    (variant, options), (answers, thresholds), unit = setting, stream, 2.0**power
    plain, scaled = (variant.configure(epsilon, sensitivity=delta, **options) for delta in (1, unit))
    one = run(plain, answers, thresholds, np.random.default_rng(seed))
    other = run(scaled, unit * answers, unit * thresholds, np.random.default_rng(seed))
    assert one.outcomes == other.outcomes
    assert [unit * number for number in one.released] == list(other.released)


@given(mechanisms(redraw=no), streams(least=1), st.data())
def test_another_order_of_queries_and_their_outcomes_changes_nothing(mechanism, stream, data):
    """Up to the Above that stops a run, which stays where it is. Equal queries may so exchange outcomes."""
    answers, thresholds = stream
    outcomes = np.array(data.draw(st.sampled_from(exact.outcome_distribution(mechanism, *stream).outcomes)))
    moving = outcomes.size - (outcomes.sum() == mechanism.cutoff)
    order = np.arange(answers.size)
    order[:moving] = data.draw(st.permutations(range(moving)))
    plain = exact.output_log_probability(mechanism, answers, outcomes, thresholds)
    mixed = exact.output_log_probability(
        mechanism, answers[order], outcomes[order[: outcomes.size]], thresholds[order]
    )
    assert mixed == pytest.approx(plain, rel=1e-9)


@given(mechanisms(releases=st.sampled_from(["nothing", "fresh answer"])), yes_or_no, st.data())
def test_no_loss_exceeds_the_closed_form(mechanism, one_way, data):
    here, there, thresholds = data.draw(pairs(mechanism.sensitivity, one_way))
    neighbours = "one-way" if one_way else "any"
    loss = exact.privacy_loss(mechanism, here, there, thresholds).value
    try:
        largest = exact.worst_case_loss(mechanism, here.size, neighbours).value
    except ValueError:  # not known; see the search
        assume(False)
    assert loss <= largest * (1 + 1e-9) + 1e-9


@given(mechanisms(redraw=no), yes_or_no, st.data())
def test_no_output_loses_more_than_its_closed_form(mechanism, one_way, data):
    here, there, thresholds = data.draw(pairs(mechanism.sensitivity, one_way))
    for ratio, outcome in zip(*log_ratios(mechanism, here, there, thresholds), strict=True):
        shape = len(outcome) - sum(outcome), sum(outcome)
        largest = exact.output_loss(mechanism, *shape, "one-way" if one_way else "any")
        assert abs(ratio) <= largest * (1 + 1e-9) + 1e-9


@given(st.sampled_from(["alg1", "alg2", "standard"]), epsilons, st.integers(1, 4), yes_or_no, st.data())
def test_what_is_private_loses_no_more_than_its_epsilon(key, epsilon, cutoff, monotonic, data):
    options = {"monotonic": True} if monotonic and key == "standard" else {}
    here, there, thresholds = data.draw(pairs(1.0, one_way=bool(options)))
    mechanism = VARIANTS[key].configure(epsilon, cutoff, **options)
    loss = exact.privacy_loss(mechanism, here, there, thresholds)
    assert loss.value <= epsilon * (1 + 1e-9)


@given(settings_of_a_variant(), epsilons, epsilons, st.floats(0.05, 0.9) | st.none(), seeds)
def test_more_epsilon_never_adds_noise(setting, one, other, release_share, seed):
    (variant, options), (low, high) = setting, sorted((one, other))

    def configured(epsilon):
        share = release_share if variant.key == "standard" else None
        return variant.configure(epsilon, **options, epsilon_release=share and share * epsilon)

    noisy, quiet = configured(low), configured(high)
    assert quiet.threshold_scale <= noisy.threshold_scale
    assert quiet.query_scale <= noisy.query_scale
    assert (quiet.release_scale or 0) <= (noisy.release_scale or 0)
    assert plain_laplace(5, high).query_scale <= plain_laplace(5, low).query_scale
    drawn = (
        noise_behind(mechanism, [False] * 9, np.random.default_rng(seed)) for mechanism in (noisy, quiet)
    )
    for more, less in zip(*drawn, strict=True):
        assert (abs(less) <= abs(more)).all()


def asked_one_by_one(mechanism, answers, thresholds, runs, rng):
    found = []
    for _ in range(runs):
        vector = SparseVector(mechanism, thresholds, rng)
        for answer in answers:
            if not vector.stopped:
                vector.ask(answer)
        found.append(tuple(vector.outcomes))
    return found


def at_once(mechanism, answers, thresholds, runs, rng, simulator=simulate):
    many = simulator(mechanism, answers, thresholds, runs=runs, rng=rng)
    return [tuple(row[:asked].tolist()) for row, asked in zip(many.outcomes, many.asked, strict=True)]


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("sampler", "runs"),
    [(asked_one_by_one, 500), (at_once, 3000), (partial(at_once, simulator=simulate_outcomes), 3000)],
    ids=["asked one by one", "all noise at once", "outcomes at once"],
)
@given(mechanisms(noise=st.just(0.0) | scales), streams())
def test_samplers_have_the_law_of_the_exact_distribution(sampler, runs, mechanism, stream):
    """Seed 9, 500 and 3,000 runs for each example. Binomial limits, with a false-alarm rate of 1e-10 for one
    example and so of at most 1e-6 for the 3,000 of a search with three samplers."""
    law = exact.outcome_distribution(mechanism, *stream)
    found = sampler(mechanism, *stream, runs, np.random.default_rng(9))
    assert set(found) <= set(law.outcomes)
    counts = np.array([found.count(outcome) for outcome in law.outcomes])
    fit = compare_frequencies("it", [str(i) for i in law.outcomes], counts, law.probabilities, runs, 1e-10)
    assert fit, str(fit)


@given(mechanisms(releases=any_release), streams(of=st.integers(-1000, 1000)), seeds)
def test_integers_and_floats_agree(mechanism, stream, seed):
    answers, thresholds = stream
    kinds = [
        (answers.astype(int), thresholds.astype(int)),
        (answers.astype(int).tolist(), thresholds.astype(int).tolist()),
    ]
    expected = run(mechanism, answers, thresholds, np.random.default_rng(seed))
    batch = simulate(mechanism, answers, thresholds, runs=20, rng=np.random.default_rng(seed))
    law = exact.outcome_distribution(mechanism, answers, thresholds)
    for kind in kinds:
        assert run(mechanism, *kind, np.random.default_rng(seed)) == expected
        again = simulate(mechanism, *kind, runs=20, rng=np.random.default_rng(seed))
        assert np.array_equal(again.outcomes, batch.outcomes)
        assert np.array_equal(again.released, batch.released)
        log_probabilities = exact.outcome_distribution(mechanism, *kind).log_probabilities
        assert np.array_equal(log_probabilities, law.log_probabilities)


@given(mechanisms(releases=any_release), streams(of=st.floats(50, 100)), seeds)
def test_a_transcript_holds_no_true_answer_and_no_noise(mechanism, stream, seed):
    answers, thresholds = stream
    transcript = run(mechanism, answers, thresholds, np.random.default_rng(seed))
    secret = noise_behind(mechanism, transcript.outcomes, np.random.default_rng(seed))
    many = simulate(mechanism, answers, thresholds, runs=20, rng=np.random.default_rng(seed))
    told = [*transcript.outcomes, *transcript.released, *many.released]
    assert not set(told) & {*answers, *np.concatenate(secret)}
    assert {field.name for field in dataclasses.fields(transcript)} == {
        "outcomes", "released", "stopped", "charged",
    }  # fmt: skip
    assert set(map(type, transcript.outcomes)) <= {bool}
    releasing = mechanism.releases != "nothing"
    assert len(transcript.released) == releasing * sum(transcript.outcomes)
