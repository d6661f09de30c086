"""Wrong solutions of the exercises, and their keys found again on another road."""

from statistics import mean

import numpy as np
import pytest

from accelerator_course.exercises import validation as exercises
from accelerator_course.exercises.slips import validation as slips


def the_last(bounds, measured):
    return measured[-1] / bounds[-1]


def upside_down(bounds, measured):
    return 1 / exercises.fitted_share(bounds, measured)


def no_share(bounds, measured):
    return 0.0


def always_half(rows, fit):
    return 0.5, 2.0


def the_wrong_way_round(rows, fit):
    return exercises.interval(rows, fit)[::-1]


def a_number(rows, fit):
    return 0.8


WRONG = {
    "14.2": [
        (the_last, "4 rows"),
        (upside_down, "can be had"),
        (no_share, "it must be more than 0"),
        (slips.mean_of_ratios, "can be had"),
        (slips.geometric_mean, "can be had"),
        (slips.least_squares, "can be had"),
    ],
    "14.4": [
        (always_half, "too wide"),
        (the_wrong_way_round, "0 < low < high"),
        (a_number, "return (low, high)"),
        (slips.files_left_out, "too narrow"),
        (slips.rows_left_out, "too narrow"),
        (slips.nothing_left_out, "too narrow"),
        (slips.the_extremes, "too wide"),
    ],
}
SEARCHES = ["14.4"]  # judged by what it holds, not by its last digit


@pytest.mark.parametrize("given", exercises.SETS)
def test_no_share_on_a_fine_lattice_is_less_wrong_than_the_median(given):
    least = exercises.loss(exercises.fitted_share(*given), *given)
    assert all(exercises.loss(share, *given) >= least - 1e-9 for share in np.geomspace(0.05, 2, 4001))


def test_a_population_that_is_seen_by_file_hides_how_publishers_differ():
    """What the exercise is built to show: with files left out about half of what is meant is held."""
    shares = {}
    for seed in exercises.SEEDS:
        given, hidden = exercises.population(seed)
        assert not {row["publisher"] for row in given} & {row["publisher"] for row in hidden}
        for by in ("publisher", "file"):
            ends = slips.middle(slips.apart(given, exercises.fit, by))
            shares.setdefault(by, []).append(exercises.held(hidden, exercises.fit(given), *ends))
    assert 0.75 < mean(shares["publisher"]) < 0.85 and mean(shares["file"]) < 0.45
    assert max(shares["file"]) < exercises.LEAST < min(shares["publisher"])
    assert max(shares["publisher"]) < exercises.MOST
