"""Slips of the exercises of chapter 15b."""

from itertools import product

from accelerator_course.exercises.blocks import fetches
from accelerator_course.exercises.slips import changed

every_step = changed(fetches, "index(*place) != before", "True")
changes_alone = changed(fetches, "return count", "return count - 1")
first_axis_fastest = changed(
    fetches, "in product(*map(range, grid))", "in (turn[::-1] for turn in product(*map(range, grid[::-1])))"
)


def distinct(grid, index):
    return len({index(*place) for place in product(*map(range, grid))})
