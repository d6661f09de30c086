"""Slips of the exercises of chapter 15."""

from itertools import pairwise, product
from math import prod


def always_one(width, across):
    """You add one word to every row. That is right for one column and an even width. A patch may need more words."""
    return 1


def never(width, across):
    """You add nothing. Then the rows of a patch begin in the same bank wherever the width is a multiple of 32."""
    return 0


def up_to_odd(width, across):
    """You make the rows odd. That is right for one column, but two rows of a patch may still meet in a bank."""
    return 1 - width % 2


def as_wide_as_the_patch(width, across):
    """You add a patch's width always. Rows that are not a multiple of 32 may need less, more or nothing."""
    return across % 32


def distinct(grid, index):
    """You counted different blocks. One that was there before comes again, if another one took its place."""
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
