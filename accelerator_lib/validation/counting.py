"""Counting: how one run becomes several numbers, and how far apart two numbers are.

    off = larger / smaller                          a factor: 1.25 is as far as 0.8
    share = weighted median of measured / bound     the constant with the least sum of weight x |log error|

Source of the second: of all numbers, a median is the one with the least sum of distances; here of logarithms.
"""

from math import comb

import numpy as np

from accelerator_lib.checks.inputs import real
from accelerator_lib.checks.signature import Positive, Seconds, Single, Whole, checked


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
def left_over(rows: Single(Whole(1)), constants: Single(Whole(1, 10**6))):
    """Rows for each constant that is fitted to them."""
    return rows / constants


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


def best_share(bounds, measured, weights=None):
    """The s with the least sum of weight x |log(s x bound / measured)|: the weighted median of measured / bound."""
    values = _positive("bounds", bounds), _positive("measured", measured)
    if len(values[0]) != len(values[1]) or not len(values[0]):
        raise ValueError(
            f"bounds and measured must be as many, one at least; got {len(values[0])} and {len(values[1])}"
        )
    ratios = values[1] / values[0]
    weights = np.ones(len(ratios)) if weights is None else _positive("weights", weights)
    if len(weights) != len(ratios):
        raise ValueError(f"there are {len(ratios)} rows and {len(weights)} weights")
    order = np.argsort(ratios)
    half = np.cumsum(weights[order]) >= (0.5 - 1e-12) * weights.sum()  # as many on either side, whatever the rounding
    return float(ratios[order][np.argmax(half)])


def least_squares(bounds, measured):
    """The s with the least sum of (s x bound - measured)^2: large rows decide."""
    bounds, measured = _positive("bounds", bounds), _positive("measured", measured)
    return float((bounds * measured).sum() / (bounds**2).sum())


def typical(bounds, measured, share):
    """Median of |log(share x bound / measured)|."""
    bounds, measured = _positive("bounds", bounds), _positive("measured", measured)
    return float(np.median(np.abs(np.log(share * bounds / measured))))


def _positive(name, values):
    return np.atleast_1d(np.asarray(real(name, np.asarray(values, float)), float))
