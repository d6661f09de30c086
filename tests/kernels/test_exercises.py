"""Wrong solutions of the exercises, and their keys found again on another road."""

from math import gcd

from accelerator_course.exercises import kernels as exercises
from accelerator_course.exercises.slips import kernels as slips


def multiple_of_the_patch(width, across):
    return -width % across


WRONG = {
    "15.1": [
        (slips.always_one, "rows of 32 words, 2 lanes across (16 turns as it is)"),
        (slips.never, "rows of 32 words, 1 lanes across (32 turns as it is)"),
        (slips.up_to_odd, "rows of 32 words, 2 lanes across"),
        (slips.as_wide_as_the_patch, "rows of 33 words, 1 lanes across"),
        (multiple_of_the_patch, "rows of 32 words, 1 lanes across"),
    ]
}
HARMLESS = {"15.1": ["range(3"]}  # the last word is never needed


def test_a_column_needs_an_odd_row_and_a_patch_rows_as_far_apart_as_it_is_wide():
    for width in range(32, 80):
        assert exercises.spare(width, 1) == (width + 1) % 2 and exercises.turns(width, 1) == gcd(width, 32)
        for across in exercises.ACROSS:
            assert exercises.turns(width + exercises.spare(width, across), across) == 1
