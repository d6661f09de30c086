"""Extremes: how much later than the mean the last one is, of n that vary by chance.

    E[max] = integral of x d(Phi(x)^n)         Phi: the normal distribution

Source: any text on order statistics; grows as sqrt(2 ln n).
"""

from functools import cache
from math import erf, sqrt

import numpy as np

from accelerator_lib.signature import Whole, checked

REACH, POINTS = 12.0, 6001  # standard deviations to both sides; more hold less than 1e-30 of it


@checked
def expected_maximum(n: Whole(1, 10**7)):
    """Mean of the largest of n standard normal numbers, in standard deviations; numbers or arrays."""
    if np.ndim(n):
        return np.array([_mean_of_largest(int(one)) for one in np.ravel(n)]).reshape(np.shape(n))
    return _mean_of_largest(int(n))


@cache
def _mean_of_largest(n):
    """By parts: what lies above zero less what lies below, where neither tail is lost to rounding."""
    x, below, above = _distribution()
    share = np.exp(n * np.log1p(-above))  # of Phi^n; `above` is exact where Phi is near 1
    values = np.where(x >= 0, 1 - share, -(below**n))
    return float(np.trapezoid(values, x)) if n > 1 else 0.0


@cache
def _distribution():
    x = np.linspace(-REACH, REACH, POINTS)
    below = np.array([0.5 * (1 + erf(one / sqrt(2))) for one in x])
    return x, below, below[::-1]
