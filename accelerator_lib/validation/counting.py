"""Counting: how one run becomes several numbers, how far apart two numbers are, and what chance does by itself."""

from math import comb

import numpy as np

from accelerator_lib.checks.signature import Positive, Seconds, Single, Whole, checked

AnError = Single(Positive)


@checked
def factor_off(predicted: Positive, measured: Positive):
    """By which factor two numbers lie apart, 1 at least."""
    return np.exp(np.abs(np.log(predicted / measured)))


@checked
def mean_with_first(first: Seconds, later: Seconds, calls: Whole(1)):
    """Mean of several calls [s], the first of which also compiles."""
    return (first + (calls - 1) * later) / calls


@checked
def rate_with_launch(flops: Positive, seconds: Seconds, launch_seconds: Seconds):
    """FLOP/s that a clock finds which also counts a launch."""
    return flops / (seconds + launch_seconds)


@checked
def by_coin(rows: Single(Whole(1, 10**4)), high: Single(Whole(0, 10**4))):
    """How often a coin thrown once a row lies at least so unevenly, to either side: 1 for half and half."""
    if high > rows:
        raise ValueError(f"high counts some of the rows: {high} of {rows} cannot be")
    ways = total = comb(rows, least := max(high, rows - high))
    for many in range(least, rows):
        ways = ways * (rows - many) // (many + 1)
        total += ways
    return min(1.0, 2 * total / 2**rows)


@checked
def by_chance(rows: Single(Whole(1, 10**4)), high: Single(Whole(0, 10**4)), groups: Single(Whole(1, 10**4))):
    """In how many of some groups of rows a coin lies at least so unevenly."""
    return groups * by_coin(rows, high)


@checked
def selections(rows: Single(Whole(1, 1000)), odd: Single(Whole(1, 1000))):
    """How many ways there are to choose so many of the rows: in one of them they are the odd ones."""
    return comb(rows, odd)


@checked
def middle(one: Single(Positive), two: Single(Positive), three: Single(Positive)):
    """The median of three numbers."""
    return sorted((one, two, three))[1]


@checked
def keep(one: AnError, two: AnError, three: AnError, four: AnError, five: AnError):
    """How many constants to keep, by the error that each number of them leaves: the least one."""
    errors = one, two, three, four, five
    return 1 + errors.index(min(errors))
