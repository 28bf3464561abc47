"""Exact probabilities, privacy losses and error rates: computed, not sampled.

One room for each idea: `integral` over the threshold noise; `outputs`, one at a time, and their
`distribution`; `errors`, which are about usefulness; `loss` on two databases; the `worst_case` over all of
them, from the `bounds` on one output; and a `search` where there is no formula.
"""

from svt_lib.exact.distribution import Distribution, event_probability, outcome_distribution
from svt_lib.exact.errors import (
    above_probabilities,
    alarm_count_distribution,
    alarm_probabilities,
    alarm_probability,
    first_above_probabilities,
    right_probability,
    stop_probability,
)
from svt_lib.exact.loss import Loss, privacy_loss
from svt_lib.exact.outputs import (
    log_aboves,
    log_belows,
    log_given_threshold_noise,
    output_log_probability,
)
from svt_lib.exact.search import search_worst_case
from svt_lib.exact.worst_case import output_loss, worst_case_loss

__all__ = [
    "Distribution",
    "Loss",
    "above_probabilities",
    "alarm_count_distribution",
    "alarm_probabilities",
    "alarm_probability",
    "event_probability",
    "first_above_probabilities",
    "log_aboves",
    "log_belows",
    "log_given_threshold_noise",
    "outcome_distribution",
    "output_log_probability",
    "output_loss",
    "privacy_loss",
    "right_probability",
    "search_worst_case",
    "stop_probability",
    "worst_case_loss",
]
