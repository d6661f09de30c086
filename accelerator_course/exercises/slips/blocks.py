"""Slips of chapter 15b that are written out."""

from itertools import product


def distinct(grid, index):
    return len({index(*place) for place in product(*map(range, grid))})
