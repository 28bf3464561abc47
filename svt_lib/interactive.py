"""A desk that doesn't know its questions beforehand: it answers from what it said, and pays where it must.

Teaching code: floating-point noise is not safe on real data. Notebook 01 says why and what to use.
"""

from dataclasses import dataclass

import numpy as np

from svt_lib import checks, data, noise
from svt_lib.sampling import SparseVector
from svt_lib.variants import VARIANTS

#: The question whose answer is the number of people.
EVERYBODY = "everybody"


def survey_questions() -> data.Queries:
    """Return the survey's questions in the order of its table, the number of people first."""
    survey = data.survey()
    return data.Queries((EVERYBODY, *survey.labels), np.append(float(data.SURVEY_PEOPLE), survey.answers))


def derived_answer(question: str, history: dict[str, float]) -> float:
    """Derive an answer from earlier ones alone.

    "A and B" from A, B and the number of people, as if A and B were independent; "A, men" as half of A;
    "A, women" as what the men leave of it; and 0 where nothing is known.

    Parameters
    ----------
    question : str
    history : dict
        Earlier questions, each with the answer that was given.
    """
    if " and " in question:
        one, other = (history.get(part, 0.0) for part in question.split(" and "))
        return one * other / max(history.get(EVERYBODY, 0.0), 1.0)  # a noisy number of people may be negative
    if ", " in question:
        all_of_them = history.get(question.split(", ")[0], 0.0)
        return all_of_them - history.get(question.replace("women", "men"), all_of_them / 2)
    return 0.0


@dataclass(frozen=True)
class Answered:
    """What the desk said.

    Attributes
    ----------
    answers : numpy.ndarray of float, shape (questions,)
        One for each question.
    bought : numpy.ndarray of bool, shape (questions,)
        Which were too far off when derived, and so were answered from the data, with noise.
    checked : numpy.ndarray of bool, shape (questions,)
        Which were compared with the data at all; after the last alarm none is.
    """

    answers: np.ndarray
    bought: np.ndarray
    checked: np.ndarray


def answer_from_history(questions: data.Queries, threshold: float, epsilon: float, cutoff: int, rng=None):
    """Answer each question from the history where SVT says that this is good enough, and buy it where not.

    SVT asks of each derived answer whether its error reaches the threshold. Where it does, the true answer
    goes out with fresh Laplace noise. Half of ε is for SVT, with the best split and general noise (an error
    may move either way); the other half is for up to `cutoff` answers, with noise of scale
    cutoff · Δ / (ε/2). A derived answer depends on released ones only, so its error has the sensitivity of
    the question, and all that goes out is ε-private: it is the standard SVT with numeric answers.

    Parameters
    ----------
    questions : svt_lib.data.Queries
        In the order in which they come.
    threshold : float
        The error, in the unit of the answers, that is too much.
    epsilon : float
    cutoff : int
        How many answers can be bought.
    rng : numpy.random.Generator, optional

    Returns
    -------
    Answered

    Raises
    ------
    ValueError
        Naming the argument that isn't right.

    Notes
    -----
    Source: the use of SVT told in Lyu, Su, Li 2017, section 1, there after iterative constructions.
    """
    rng, half = checks.generator(rng), checks.budget("epsilon", epsilon) / 2
    mechanism = VARIANTS["standard"].configure(half, cutoff, questions.sensitivity)
    watch = SparseVector(mechanism, threshold, rng)
    history, bought, checked = {}, [], []
    for question, truth in zip(questions.labels, questions.answers, strict=True):
        answer = derived_answer(question, history)
        checked.append(not watch.stopped)
        bought.append(checked[-1] and watch.ask(abs(truth - answer)))
        if bought[-1]:
            answer = truth + noise.draw(rng, cutoff * questions.sensitivity / half)
        history[question] = answer
    answers = np.array([history[question] for question in questions.labels])
    return Answered(answers, np.array(bought), np.array(checked))
