"""The keys of the exercises found again on another road."""

from math import gcd

from accelerator_course.exercises import kernels as exercises


def test_a_column_needs_an_odd_row_and_a_patch_rows_as_far_apart_as_it_is_wide():
    for width in range(32, 80):
        assert exercises.spare(width, 1) == (width + 1) % 2 and exercises.turns(width, 1) == gcd(width, 32)
        for across in exercises.ACROSS:
            assert exercises.turns(width + exercises.spare(width, across), across) == 1
