"""What an instructor may set, by environment variables, so that public solutions don't decide a mark.

``SVT_STRICT=1``
    An unmet check raises: the cell fails, and a grader sees it.
``SVT_PARAMETERS=file.toml``
    Other numbers for exercises: a table for each id. It goes out with the assignment.
``SVT_SEED_FILE=file``
    A whole number, from which the checks draw their inputs; it stays with the grader.
"""

import os
import re
import tomllib
from pathlib import Path

import numpy as np

from svt_lib import checks


def strict() -> bool:
    """Return whether an unmet check is to raise."""
    return os.environ.get("SVT_STRICT", "") not in ("", "0")


def parameters(id: str, known: dict) -> dict:
    """Return the instructor's numbers for an exercise; empty where there are none.

    Raises
    ------
    ValueError
        Where the file isn't TOML, or names a number that the exercise doesn't have or of another kind.
    """
    path = os.environ.get("SVT_PARAMETERS")
    if not path:
        return {}
    try:
        tables = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"SVT_PARAMETERS must name a TOML file that can be read: {error}") from error
    for key, table in tables.items():
        if not re.fullmatch(r"\d+\.\d+", key) or not isinstance(table, dict):
            raise ValueError(f'SVT_PARAMETERS must hold tables such as ["3.2"], in quotes, got {key!r}')
    numbers = tables.get(id, {})
    for name, value in numbers.items():
        if name not in known:
            has = ", ".join(known) or "no numbers"
            raise ValueError(f"SVT_PARAMETERS: exercise {id} has {has}, not {name}")
        whole_for_decimal = isinstance(known[name], float) and type(value) is int
        if type(known[name]) is not type(value) and not whole_for_decimal:
            wanted = type(known[name]).__name__
            raise ValueError(f"SVT_PARAMETERS: {name} of exercise {id} must be {wanted}, got {value!r}")
    return numbers


def generator(id: str) -> np.random.Generator:
    """Return the generator of a check: fresh, or from the grader's seed and the exercise's id.

    Raises
    ------
    ValueError
        Where the seed file doesn't hold one whole number.
    """
    path = os.environ.get("SVT_SEED_FILE")
    if not path:
        return np.random.default_rng()
    try:
        seed = checks.whole("SVT_SEED_FILE", int(Path(path).read_text(encoding="utf-8")), minimum=0)
    except (OSError, ValueError) as error:
        raise ValueError(f"SVT_SEED_FILE must name a file with one whole number: {error}") from error
    return np.random.default_rng([seed, *map(int, id.split("."))])
