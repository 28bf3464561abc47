"""Pictures: pure functions ``draw(ax, **values)`` that return the sentence which says what is to be seen.

They draw on the axes they are handed and set everything they rely on; `svt_lib.live` makes one move, and
``fig, ax = plt.subplots()`` is enough to draw one without it.
"""

from svt_lib.plots.alarms import (
    cost_of_belows,
    false_alarms,
    first_alarm,
    proved_accuracy,
    without_threshold_noise,
)
from svt_lib.plots.audit import chance_to_catch, event_and_bound, seen_on_both_sides
from svt_lib.plots.costs import cost_of_a_run, does_it_pay, once_or_again, two_desks
from svt_lib.plots.experiment import error_curves, false_alarms_by_cutoff, one_selection
from svt_lib.plots.lab import same_argument, ward, your_own
from svt_lib.plots.laplace import (
    guessing_game,
    inverse_cdf,
    noise_histogram,
    shared_budget,
    shifted_densities,
)
from svt_lib.plots.proof import (
    fixed_threshold_noise,
    proof_steps,
    shifted_aboves,
    shifted_belows,
    shifted_threshold,
)
from svt_lib.plots.selecting import (
    answer_from_history,
    distance_needed,
    noisy_largest,
    retraversal,
    select_or_ask,
)
from svt_lib.plots.shifts import price_of_a_shift, price_with_half_the_noise
from svt_lib.plots.split import (
    noise_on_a_stream,
    published_splits,
    right_against_split,
    shared_threshold_noise,
    split_and_error,
)
from svt_lib.plots.streams import survey_queries, twelve_queries
from svt_lib.plots.style import layout  # noqa: F401, for a picture of your own
from svt_lib.plots.variants import loss_by_length, number_or_gap, surety

__all__ = [
    "answer_from_history",
    "chance_to_catch",
    "cost_of_a_run",
    "cost_of_belows",
    "distance_needed",
    "does_it_pay",
    "error_curves",
    "event_and_bound",
    "false_alarms",
    "false_alarms_by_cutoff",
    "first_alarm",
    "fixed_threshold_noise",
    "guessing_game",
    "inverse_cdf",
    "loss_by_length",
    "noise_histogram",
    "noise_on_a_stream",
    "noisy_largest",
    "number_or_gap",
    "once_or_again",
    "one_selection",
    "price_of_a_shift",
    "price_with_half_the_noise",
    "proof_steps",
    "proved_accuracy",
    "published_splits",
    "retraversal",
    "right_against_split",
    "same_argument",
    "seen_on_both_sides",
    "select_or_ask",
    "shared_budget",
    "shared_threshold_noise",
    "shifted_aboves",
    "shifted_belows",
    "shifted_densities",
    "shifted_threshold",
    "split_and_error",
    "surety",
    "survey_queries",
    "twelve_queries",
    "two_desks",
    "ward",
    "without_threshold_noise",
    "your_own",
]
