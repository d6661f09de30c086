"""Extremes: how much later than the mean the last one is, of n that vary by chance.

    E[max] = integral of x d(Phi(x)^n)         Phi: the normal distribution

Source: any text on order statistics; grows as sqrt(2 ln n).
"""

from functools import cache
from math import erfc, sqrt

import numpy as np

from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.data import kept

REACH, POINTS = 12.0, 4001  # standard deviations to both sides; more hold less than 1e-30 of it


@checked
def expected_maximum(n: Whole(1, 10**7)):
    """Mean of the largest of n standard normal numbers, in standard deviations; numbers or arrays."""
    if np.ndim(n):
        return np.array([_mean_of_largest(int(one)) for one in np.ravel(n)]).reshape(np.shape(n))
    return _mean_of_largest(int(n))


@cache
def _mean_of_largest(n):
    """By parts: what lies above zero less what lies below, so that neither tail is lost to rounding."""
    x, above = _tail()
    not_all_below = -np.expm1(n * np.log1p(-above))
    return float(np.trapezoid(not_all_below - above**n, x)) if n > 1 else 0.0


@kept
def _tail():
    """Points from 0 on, and the share of a normal distribution above each."""
    x = np.linspace(0, REACH, POINTS)
    return x, np.array([0.5 * erfc(one / sqrt(2)) for one in x])
