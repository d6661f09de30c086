"""Wrong solutions of the exercises, and their keys found again on another road."""

from math import log

import numpy as np
import pytest

from accelerator_course.exercises import causes
from accelerator_course.exercises import validation as exercises
from accelerator_course.exercises.slips import validation as slips
from accelerator_lib.validation import counting


def always_fine(row):
    return "fine"


def chips_unasked(row):
    return "fine" if row["chips"] > 1 else exercises.find_cause(row)


def a_number(row):
    return 2


def the_last(bounds, measured, weights):
    return measured[-1] / bounds[-1]


def upside_down(bounds, measured, weights):
    return 1 / exercises.fitted_share(bounds, measured, weights)


def no_share(bounds, measured, weights):
    return 0.0


def the_bound_alone(rows):
    return float(np.median([abs(log(row["bound"] / row["measured"])) for row in rows]))


def the_mean(rows):
    return 1.1 * exercises.left_out(rows)


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "14.1": [
        (always_fine, "you found 'fine'; it was 'one'"),
        (chips_unasked, "it was 'all chips'"),
        (a_number, "return one of fine, GiB, both ways, mask, one, all chips"),
        (slips.by_difference, "it was 'one'"),
        (slips.tries_all, "product, 1 chip"),
        (slips.gib_is_larger, "it was 'GiB'"),
        (slips.one_is_twice, "it was 'one'"),
    ],
    "14.2": [
        (the_last, "4 rows"),
        (upside_down, "can be had"),
        (no_share, "it must be more than 0"),
        (slips.mean_of_ratios, "can be had"),
        (slips.geometric_mean, "can be had"),
        (slips.least_squares, "can be had"),
        (slips.no_weights, "5 rows"),
    ],
    "14.3": [
        (the_bound_alone, "a 50/100, a 50/100, b 80/100"),
        (the_mean, "a 50/100, a 50/100, b 80/100"),
        (slips.nothing_left_out, "a 50/100, a 50/100, b 80/100"),
        (slips.rows_left_out, "a 50/100, a 50/100, b 80/100"),
        (slips.publisher_alone, "a 50/100, a 50/100, b 80/100"),
        (slips.in_percent, "a 50/100, a 50/100, b 80/100"),
    ],
}

HARMLESS = {
    "14.1": [
        "row['chips'] > 0",  # of one chip all chips are one: the same figure, and the first of two is taken
        "real['GiB']",  # a byte in a thousand million decides nothing
    ]
}


def test_a_made_up_row_is_printed_in_one_way_and_no_other_is_as_near():
    """By the definition of each way, written out once more: the figure of the row, read so, is what was measured."""
    for (way, row), (_, _, chips, predicted, real) in zip(causes.rows(), causes.ROWS, strict=True):
        read = {"fine": 1, "GiB": 1.073741824, "both ways": 1 / 2, "mask": 1 / 2, "one": 2, "all chips": 1 / chips}
        assert row["printed"] * read[way] == pytest.approx(real, rel=1e-12)
        assert abs(log(real / predicted)) < 0.35 and way in causes.WORDS


@pytest.mark.parametrize("given", exercises.SETS)
def test_no_share_on_a_fine_lattice_is_less_wrong_than_the_weighted_median(given):
    least = exercises.loss(counting.best_share(*given), *given)
    assert least == pytest.approx(exercises.loss(exercises.fitted_share(*given), *given))
    assert all(exercises.loss(share, *given) >= least - 1e-9 for share in np.geomspace(0.05, 2, 4001))


def test_published_rows_come_from_several_publishers_and_none_beats_its_bound():
    for kind in exercises.KINDS:
        rows = exercises.published(kind)
        assert len({row["publisher"] for row in rows}) > 1
        assert all(row["measured"] <= row["bound"] for row in rows)


def test_what_is_wrong_names_its_rows_and_figures_with_units():
    causes_given = [one.given for one in causes.check_causes(always_fine)]
    assert "product, 1 chip: 600 TFLOP/s predicted, 320 TFLOP/s printed" in causes_given
