"""Exercises that check themselves: what you hand in is run, and its behaviour judged, never its text.

One room for each idea: `exercise` (what an exercise is), `desk` (where you hand in), `learner` (your code,
run so that nothing it does can stop the notebook), `answers`, `programs`, `privacy`, `released`, `auditors`,
`selections` and `steps` (the checks), `grading` (what an instructor may set), and ``n01`` to ``n10``, the
exercises of each notebook.
"""

from svt_lib.exercises.desk import Unmet, check, given, hint, progress, solution

__all__ = ["Unmet", "check", "given", "hint", "progress", "solution"]
