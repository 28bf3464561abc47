"""Make svt_lib/tables/nhefs_survey.csv: how many people of a health survey say yes to each question.

Needs the MIT-licensed PyPI package causaldata (``pip install causaldata==0.1.5``), which holds the public-use
NHEFS file: 1,629 people, collected by the US government. Only counts go into the table, no person's record.
"""

import csv
import itertools
from pathlib import Path

TARGET = Path(__file__).parents[1] / "svt_lib" / "tables" / "nhefs_survey.csv"

#: Column of the file: what its yes (1) means, in the words of this course.
CONDITIONS = {
    "asthma": "asthma",
    "bronch": "chronic bronchitis or emphysema",
    "tb": "tuberculosis",
    "hf": "heart failure",
    "hbp": "high blood pressure",
    "pepticulcer": "peptic ulcer",
    "colitis": "colitis",
    "hepatitis": "hepatitis",
    "chroniccough": "chronic cough",
    "hayfever": "hay fever",
    "diabetes": "diabetes",
    "polio": "polio",
    "tumor": "malignant tumour",
    "nervousbreak": "nervous breakdown",
    "pica": "eats non-food",
    "headache": "takes headache medicine",
    "otherpain": "takes other pain medicine",
    "weakheart": "takes weak-heart medicine",
    "allergies": "takes allergy medicine",
    "nerves": "takes nerve medicine",
    "lackpep": "takes lack-of-pep medicine",
    "hbpmed": "takes blood-pressure medicine",
    "boweltrouble": "takes bowel medicine",
    "wtloss": "takes weight-loss medicine",
    "infection": "takes infection medicine",
}
SEXES = {"men": "0", "women": "1"}


def questions(people):
    """Yield (label, count): each condition, by sex, and each pair of conditions."""
    yes = {label: people[column] == 1 for column, label in CONDITIONS.items()}
    for label, answer in yes.items():
        yield label, int(answer.sum())
    for label, answer in yes.items():
        for sex, code in SEXES.items():
            yield f"{label}, {sex}", int((answer & (people["sex"].astype(str) == code)).sum())
    for (one, first), (two, second) in itertools.combinations(yes.items(), 2):
        yield f"{one} and {two}", int((first & second).sum())


def main():
    """Write the table."""
    from causaldata import nhefs

    people = nhefs.load_pandas().data
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["question", "people"])
        writer.writerows(questions(people))


if __name__ == "__main__":
    main()
