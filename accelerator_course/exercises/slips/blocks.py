"""Slips of the exercises of chapter 15b."""

from functools import partial
from itertools import pairwise, product
from math import prod


def distinct(grid, index):
    return len({index(*place) for place in product(*map(range, grid))})


def every_step(grid, index):
    return prod(grid)


def changes(grid, index, first=1, step=1):
    """How often a block comes, with one thing changed; a `step` of -1 lets the first axis run fastest."""
    order = [index(*place[::step]) for place in product(*map(range, grid[::step]))]
    return first + sum(a != b for a, b in pairwise(order))


first_axis_fastest = partial(changes, step=-1)
changes_alone = partial(changes, first=0)
