"""Slips of the exercises of chapter 15b."""

from itertools import pairwise, product
from math import prod


def distinct(grid, index):
    """You counted different blocks. A block that was there before comes again if another one took its place."""
    return len({index(*place) for place in product(*map(range, grid))})


def every_step(grid, index):
    """You counted the steps. A block whose index stays from one step to the next does not come again."""
    return prod(grid)


def first_axis_fastest(grid, index):
    """You let the first axis run fastest. In a grid the last one does."""
    order = [index(*place[::-1]) for place in product(*map(range, grid[::-1]))]
    return 1 + sum(a != b for a, b in pairwise(order))


def changes_alone(grid, index):
    """You counted the changes. The first block comes, too, though nothing changed before it."""
    order = [index(*place) for place in product(*map(range, grid))]
    return sum(a != b for a, b in pairwise(order))
