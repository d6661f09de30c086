"""Exercise of chapter 15b, beside its rungs."""

from itertools import product

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import number

GRIDS = {  # words, grid, index, how often the block comes: counted by hand
    "a row stays, 2 × 3 steps": ((2, 3), lambda i, j: (i, 0), 2),
    "a column comes anew, 2 × 3 steps": ((2, 3), lambda i, j: (j, 0), 6),
    "the first operand of a product, 2 × 3 × 4 steps": ((2, 3, 4), lambda i, j, step: (i, step), 24),
    "its result, 2 × 3 × 4 steps": ((2, 3, 4), lambda i, j, step: (i, j), 6),
    "the first operand, one step along k, 4 × 5 × 1 steps": ((4, 5, 1), lambda i, j, step: (i, step), 4),
    "keys up to the diagonal, 3 × 3 steps": ((3, 3), lambda i, j: (min(i, j), 0), 5),
    "one block for all, 7 steps": ((7,), lambda i: (i // 7,), 1),
}


def fetches(grid, index):
    """How often a block comes: at the first step, and whenever its index is another than a step before."""
    count, before = 0, None
    for place in product(*map(range, grid)):
        if index(*place) != before:
            count, before = count + 1, index(*place)
    return count


def _check_fetches(function):
    for where, (grid, index, want) in GRIDS.items():
        yield number(function, (grid, index), want, where, rel_tol=0)
    return "right: a block that stays costs nothing, and a block that left must come again."


EXERCISES = [Exercise("15.2", _check_fetches, fetches)]
