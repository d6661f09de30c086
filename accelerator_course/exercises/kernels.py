"""Exercises of chapter 15, beside its rungs."""

from functools import cache
from itertools import product

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import number
from accelerator_course.exercises.slips import kernels as slips
from accelerator_lib import kernels

WIDTHS = (32, 33, 40, 48, 64, 36, 50)
ACROSS = (1, 2, 4, 8, 16, 32)
PATCH = "table = shared(32, {row})\ntable[lane // {across}, lane % {across}] = a[lane]"
GRIDS = {  # words, grid, index, how often the block comes: counted by hand
    "a row stays, 2 × 3 steps": ((2, 3), lambda i, j: (i, 0), 2),
    "a column comes anew, 2 × 3 steps": ((2, 3), lambda i, j: (j, 0), 6),
    "the first operand of a product, 2 × 3 × 4 steps": ((2, 3, 4), lambda i, j, step: (i, step), 24),
    "its result, 2 × 3 × 4 steps": ((2, 3, 4), lambda i, j, step: (i, j), 6),
    "the first operand, one step along k, 4 × 5 × 1 steps": ((4, 5, 1), lambda i, j, step: (i, step), 4),
    "keys up to the diagonal, 3 × 3 steps": ((3, 3), lambda i, j: (min(i, j), 0), 5),
    "one block for all, 7 steps": ((7,), lambda i: (0,), 1),
}


def spare(width, across):
    """The fewest words beside each row for which 32 lanes find 32 banks."""
    for words in range(32):
        banks = {(lane // across * (width + words) + lane % across) % 32 for lane in range(32)}
        if len(banks) == 32:
            return words


def fetches(grid, index):
    """How often a block comes: at the first step, and whenever its index is another than a step before."""
    count, before = 0, None
    for place in product(*map(range, grid)):
        if index(*place) != before:
            count, before = count + 1, index(*place)
    return count


@cache
def turns(width, across):
    """Turns in which a warp writes its patch, as the machine counts them."""
    given = {"a": np.ones(32, np.float32)}
    return kernels.run(PATCH.format(row=width, across=across), given, 1, 32).counted.shared_turns


def _check_spare(function):
    for width in WIDTHS:
        for across in ACROSS:
            want = next(words for words in range(32) if turns(width + words, across) == 1)
            where = f"rows of {width} words, {across} lanes across ({turns(width, across)} turns as it is)"
            yield number(function, (width, across), want, where, rel_tol=0)
    return "right: the rows of a patch must begin as far apart as it is wide. For a column that is one word."


def _check_fetches(function):
    for where, (grid, index, want) in GRIDS.items():
        yield number(function, (grid, index), want, where, rel_tol=0)
    return "right: what stays is free, what left must come again."


EXERCISES = [
    Exercise(
        "15.1",
        "X15.1",
        "the fewest words to add to each row, so that the 32 lanes of a warp find 32 banks.",
        "Try them from 0 on: which banks do the lanes find, and are there 32 different ones?",
        _check_spare,
        spare,
        (slips.always_one, slips.never, slips.up_to_odd, slips.as_wide_as_the_patch),
    ),
    Exercise(
        "15.2",
        "X15.2",
        "how many times a block comes when it does so whenever its index changes.",
        "Go through the steps in order and keep the index of the step before. What was there before the first one?",
        _check_fetches,
        fetches,
        (slips.distinct, slips.every_step, slips.first_axis_fastest, slips.changes_alone),
    ),
]
