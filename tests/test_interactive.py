"""The desk that answers from its history: what it derives, what it buys, and that it is private."""

import numpy as np
import pytest

from svt_lib import VARIANTS, data, exact, noise
from svt_lib.interactive import answer_from_history, derived_answer, survey_questions

SMALL = data.Queries(("everybody", "asthma", "polio", "asthma and polio"), np.array([100.0, 40.0, 3.0, 30.0]))


def rng(seed=1):
    return np.random.default_rng(seed)


def test_derived_answers_use_the_history_alone():
    history = {"everybody": 1600.0, "hay fever": 150.0, "asthma": 80.0, "hay fever, men": 55.0}
    assert derived_answer("hay fever and asthma", history) == 7.5
    assert derived_answer("asthma, men", history) == derived_answer("asthma, women", history) == 40
    assert derived_answer("hay fever, women", history) == 95
    assert derived_answer("polio", history) == derived_answer("polio, men", {}) == 0
    assert derived_answer("polio and asthma", {"polio": 2.0, "asthma": 3.0, "everybody": -4.0}) == 6


def test_survey_questions_begin_with_the_number_of_people():
    questions = survey_questions()
    assert len(questions) == 376
    assert questions["everybody"] == data.SURVEY_PEOPLE


def test_with_a_huge_epsilon_it_buys_what_is_off_by_the_threshold_and_derives_the_rest():
    said = answer_from_history(SMALL, 25.0, 1e9, 4, rng())
    assert said.bought.tolist() == [True, True, False, True]
    assert said.answers == pytest.approx([100, 40, 0, 30], abs=1e-3)
    assert said.checked.all()


def test_after_the_last_bought_answer_nothing_is_checked_and_nothing_bought():
    said = answer_from_history(SMALL, 25.0, 1e9, 1, rng())
    assert said.bought.tolist() == [True, False, False, False]
    assert said.checked.tolist() == [True, False, False, False]
    assert said.answers[1:].tolist() == [0, 0, 0]
    for seed in range(30):
        said = answer_from_history(survey_questions(), 50.0, 0.5, 5, rng(seed))
        assert said.bought.sum() <= 5
        assert (said.checked | ~said.bought).all()
        assert (np.diff(said.checked.astype(int)) <= 0).all()


def test_it_reads_no_answer_but_through_svt_and_the_bought_ones():
    """Where nothing is bought, all that goes out is what is derived, whatever the true answers are."""
    other = data.Queries(SMALL.labels, SMALL.answers + 1)
    for questions in (SMALL, other):
        said = answer_from_history(questions, 1e9, 1.0, 2, rng())
        assert not said.bought.any()
        assert said.answers.tolist() == [0, 0, 0, 0]


def test_the_exact_loss_of_two_questions_stays_within_epsilon():
    """Two questions on neighbours: the bits by the exact engine, the numbers by their density.

    The derived answers are 0, but where the first was bought "a, men" is derived as half of it."""
    epsilon, cutoff, threshold = 1.0, 2, 3.0
    svt, scale = VARIANTS["standard"].configure(epsilon / 2, cutoff), cutoff / (epsilon / 2)

    def log_density(answers, outcomes, numbers):
        history, errors, total, left = {}, [], 0.0, iter(numbers)
        for question, truth, above in zip(("a", "a, men"), answers, outcomes, strict=True):
            answer = derived_answer(question, history)
            errors.append(abs(truth - answer))
            if above:
                answer = next(left)
                total += float(noise.log_density(answer - truth, scale))
            history[question] = answer
        return total + exact.output_log_probability(svt, errors, outcomes, threshold)

    generator, worst = rng(2), 0.0
    for _ in range(1000):
        answers = generator.integers(-20, 20, 2)
        moved = answers + generator.integers(-1, 2, 2)
        outcomes = tuple(generator.random(2) < 0.5)
        numbers = generator.normal(0, 20, sum(outcomes))
        loss = log_density(answers, outcomes, numbers) - log_density(moved, outcomes, numbers)
        worst = max(worst, abs(loss))
    assert 0.5 < worst <= epsilon


def test_the_same_seed_gives_the_same_desk_and_bad_input_is_refused_by_name():
    one, two = (answer_from_history(survey_questions(), 150, 2.0, 8, rng()) for _ in range(2))
    assert np.array_equal(one.answers, two.answers)
    for argument, values in (
        ("threshold", (np.nan, 1.0, 2)), ("epsilon", (1.0, 0, 2)), ("cutoff", (1.0, 1.0, 0)),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=argument):
            answer_from_history(SMALL, *values)
    with pytest.raises(ValueError, match="rng"):
        answer_from_history(SMALL, 1.0, 1.0, 1, 7)


def test_its_sensitivity_scales_the_noise():
    """Ten times the answers, threshold and sensitivity: the same desk, ten times as large."""
    large = data.Queries(SMALL.labels, 10 * SMALL.answers, 10.0)
    for seed in range(20):
        one = answer_from_history(SMALL, 25.0, 2.0, 2, rng(seed))
        ten = answer_from_history(large, 250.0, 2.0, 2, rng(seed))
        assert np.array_equal(one.bought, ten.bought)
        assert ten.answers == pytest.approx(10 * one.answers)
