"""Slips of the exercises of chapter 15b."""

from itertools import pairwise, product
from math import prod


def distinct(grid, index):
    return len({index(*place) for place in product(*map(range, grid))})


def every_step(grid, index):
    return prod(grid)


def first_axis_fastest(grid, index):
    order = [index(*place[::-1]) for place in product(*map(range, grid[::-1]))]
    return 1 + sum(a != b for a, b in pairwise(order))


def changes_alone(grid, index):
    order = [index(*place) for place in product(*map(range, grid))]
    return sum(a != b for a, b in pairwise(order))
