"""Stragglers: whoever synchronises waits for the last, and of many the last is late. Times are normal around 1.
jitter, new at every step      1 + sigma / sqrt(every) x E[max of n]        summed over `every` steps it evens out
fixed, slow chips stay slow    1 + sigma x E[max of n]                      it never evens out
E[max]                         integral of x d(Phi(x)^n); grows as sqrt(2 ln n) (any text on order statistics)
"""

from dataclasses import dataclass
from functools import cache
from math import erfc, sqrt
from statistics import NormalDist, fmean, stdev

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, OneOf, Single, Whole, checked

REACH, POINTS = 12.0, 4001  # standard deviations to both sides; more hold less than 1e-30 of it
KINDS = ("jitter", "fixed")
DRAWS = 400  # synchronisations that are shown
Sigma, Seed = Number(low=0, high=1), Count(low=0, high=2**32)
One = Single(Sigma)
Gpus, Kind = Whole(high=10**7), OneOf(KINDS)


@checked
def expected_maximum(n: Gpus):
    """Mean of the largest of n standard normal numbers, in standard deviations; numbers or arrays."""
    if np.ndim(n):
        return np.array([_mean_of_largest(int(one)) for one in np.ravel(n)]).reshape(np.shape(n))
    return _mean_of_largest(int(n))


@cache
def _mean_of_largest(n):  # by parts, above zero and below, so that neither tail is lost to rounding
    x, above = _tail()
    not_all_below = -np.expm1(n * np.log1p(-above))
    return float(np.trapezoid(not_all_below - above**n, x)) if n > 1 else 0.0


@data.kept
def _tail():
    x = np.linspace(0, REACH, POINTS)
    return x, np.array([0.5 * erfc(one / sqrt(2)) for one in x])


@checked
def waited(gpus: Gpus, sigma: Sigma, every: Whole(high=10**6) = 1, kind: Kind = "jitter"):
    """Time of a step as a multiple of that without any spread; numbers or arrays."""
    return 1 + sigma * expected_maximum(gpus) / (np.sqrt(every) if kind == "jitter" else 1)


@dataclass(frozen=True, eq=False)
class Slowest:  # the slowest of many in each of some synchronisations, drawn by chance, and what the formula expects
    gpus: int
    sigma: float  # of one GPU's mean step between two synchronisations
    drawn: np.ndarray  # step times of the slowest, sorted
    expected: float
    mean = property(lambda self: float(self.drawn.mean()))


@checked
def slowest(gpus: Count(high=10**7), sigma: One, every: Count(high=10**6) = 1, kind: Kind = "jitter", run: Seed = 179):
    """Slowest of so many GPUs, one number drawn for each synchronisation: P(the slowest < x) = P(one < x)^n."""
    own = sigma / every**0.5 if kind == "jitter" else sigma
    above = -np.expm1(np.log(np.random.default_rng(run).random(DRAWS)) / gpus)  # share of all that would be slower
    normal = NormalDist()
    late = np.array([-normal.inv_cdf(min(max(share, 1e-300), 1 - 1e-16)) for share in above])
    return Slowest(gpus, own, np.sort(1 + own * late), float(waited(gpus, sigma, every, kind)))


@cache
def node_spread():
    """Standard deviation of equal GPUs of one node over their mean, from published rates (data/network.yaml)."""
    rates = data.load("network")["node_spread"]["tflops"]
    return stdev(rates) / fmean(rates)
