"""Audits: what running a mechanism shows about its privacy, and whether a program is what it claims to be.

One room for each idea: `samples` (running it), `bound` (a lower bound on the loss), `fit` (a test against the
exact distribution), `power` (how many runs it takes, computed and not sampled). The special functions
of scipy are loaded at the first call: that takes a fifth of a second.
"""

from svt_lib.audit.bound import (
    LowerBound,
    log_ratio_limit,
    lower_bound,
    lower_bound_over_pairs,
    lower_limit,
    upper_limit,
)
from svt_lib.audit.fit import Fit, compare_frequencies, compare_outcomes, fits
from svt_lib.audit.power import Ladder, catch_probability, ladder, runs_to_catch
from svt_lib.audit.samples import Event, Sample, arrows, sample

__all__ = [
    "Event",
    "Fit",
    "Ladder",
    "LowerBound",
    "Sample",
    "arrows",
    "catch_probability",
    "compare_frequencies",
    "compare_outcomes",
    "fits",
    "ladder",
    "log_ratio_limit",
    "lower_bound",
    "lower_bound_over_pairs",
    "lower_limit",
    "runs_to_catch",
    "sample",
    "upper_limit",
]
