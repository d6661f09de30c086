"""Yield: the share of dies without a defect, or with few enough, and what a good one costs.

    yield = mean over densities D of exp(-A D)           x = A D0, four distributions of D around its mean D0:

    poisson             the same everywhere                 exp(-x)
    murphy              a triangle from 0 to 2 D0           ((1 - exp(-x)) / x)^2
    seeds               exponential                         1 / (1 + x)
    negative_binomial   gamma, alpha small: clustered       (1 + x / alpha)^(-alpha)

With spare units a die may be sold with a few bad ones (salvage): the mean, over the same densities, of exp(-D x area
outside the units) x P(at most `spare` are hit). The good dies of a wafer share its price (no design, masks, test,
package). Ignored: dies that work but are too slow. Source: texts on yield (Murphy 1964, Seeds 1967, Stapper 1973).
"""

from math import lgamma

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Number, OneOf, Single, checked
from accelerator_lib.data import kept
from accelerator_lib.silicon.wafer import Area, dies_per_wafer

MODELS = ("poisson", "murphy", "seeds", "negative_binomial")
NODES = 128  # of a mean over densities
CM2 = 100  # mm2
Model = OneOf(MODELS)
Density = Number(low=0, high=1e3, unit="per cm²")
Alpha = Single(Number(low=0.05, high=1e4))
Dollars = Number(low=0, high=1e9, unit="dollars")
Unit = Single(Number(low=0, high=1e5, unit="mm²"))


@checked
def die_yield(area_mm2: Area, defects_per_cm2: Density, model: Model = "murphy", alpha: Alpha = 3):
    """Share of dies without a defect; scalars or arrays. `alpha` is for negative_binomial alone."""
    found = _of(np.asarray(area_mm2 * defects_per_cm2 / CM2, float), model, alpha)
    return float(found) if found.ndim == 0 else found


def _of(x, model, alpha):
    """The yield of a die on which x defects fall in the mean."""
    if model == "poisson":
        return np.exp(-x)
    if model == "murphy":
        return (-np.expm1(-x) / np.where(x, x, 1)) ** 2 + (x == 0)
    alpha = 1 if model == "seeds" else alpha
    return (1 + x / alpha) ** -alpha


@checked
def cost_per_good_die(
    wafer_cost: Dollars, area_mm2: Area, defects_per_cm2: Density, model: Model = "murphy", alpha: Alpha = 3
):
    """Dollars of silicon in one good die; scalars or arrays. Raises ValueError where none fits or none works."""
    dies = np.floor(dies_per_wafer(area_mm2))
    if np.any(dies < 1):
        raise ValueError(f"not one die of {np.max(area_mm2):,g} mm² fits on a wafer, by the formula")
    good = dies * die_yield(area_mm2, defects_per_cm2, model, alpha)
    if np.any(good <= 0):
        raise ValueError(f"no die of {np.max(area_mm2):,g} mm² works at {np.max(defects_per_cm2):g} defects per cm²")
    found = wafer_cost / good
    return float(found) if np.ndim(found) == 0 else found


@checked
def density_of(share: Single(Number(1e-12, 1)), area_mm2: Single(Area), model: Model = "murphy", alpha: Alpha = 3):
    """Defects per cm² with which this share of the dies works: `die_yield` backwards, by halving."""
    low, high = 0.0, 1.0  # of x
    while _of(high, model, alpha) > share:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _of(middle, model, alpha) > share else (low, middle)
    return (low + high) / 2 * CM2 / area_mm2


@checked
def harvested_yield(
    area_mm2: Area,
    defects_per_cm2: Single(Density),
    units: Count(high=10**6),
    spare: Count(low=0, high=4096),
    unit_mm2: Unit,
    model: Model = "murphy",
    alpha: Alpha = 3,
):
    """Share of dies with at most `spare` bad ones of `units` equal units, and no defect outside them; areas may be
    an array. Raises NotAvailable where the units need more than the die."""
    outside = np.asarray(area_mm2 - units * unit_mm2, float)
    if np.any(outside < -1e-9 * np.asarray(area_mm2)):
        need = f"{units:,} units of {unit_mm2:g} mm² need {units * unit_mm2:,.0f} mm²"
        raise NotAvailable(f"{need}, more than the die's {np.min(area_mm2):,g}")
    if not spare:
        return die_yield(area_mm2, defects_per_cm2, model, alpha)
    factors, weights = densities(model, 1.0 if model == "seeds" else float(alpha))
    density = factors * defects_per_cm2 / CM2  # per mm2
    few = _at_most(min(spare, units), units, density * unit_mm2)
    found = (np.exp(-density * np.maximum(outside, 0.0)[..., None]) * few) @ weights
    return float(found) if found.ndim == 0 else found


def _at_most(spare, units, hits):
    """P(at most `spare` of `units` are hit), each by `hits` defects in the mean; an array as `hits`."""
    k = np.arange(spare + 1)[:, None]
    ways = np.array([lgamma(units + 1) - lgamma(i + 1) - lgamma(units - i + 1) for i in range(spare + 1)])[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        bad = np.where(hits > 0, np.log(-np.expm1(-np.maximum(hits, 1e-300))), -np.inf)
        terms = ways + np.where(k > 0, k * bad, 0.0) - (units - k) * hits
    return np.minimum(np.exp(terms).sum(0), 1.0)


@kept
def densities(model, alpha=3.0):
    """(factors, weights): the mean of f over densities is the sum of weights x f(factors x D0)."""
    if model == "poisson":
        return np.ones(1), np.ones(1)
    if model == "murphy":  # two slopes, each by Gauss's rule
        x, w = np.polynomial.legendre.leggauss(NODES // 2)
        rise, half = (x + 1) / 2, w / 2
        return np.concatenate([rise, 2 - rise]), np.concatenate([half * rise] * 2)
    i = np.arange(NODES)  # gamma: Gauss's rule from its three-term recurrence (Golub and Welsch 1969)
    next_to = np.sqrt(i[1:] * (i[1:] + alpha - 1))
    factors, vectors = np.linalg.eigh(np.diag(2 * i + alpha) + np.diag(next_to, 1) + np.diag(next_to, -1))
    return factors / alpha, vectors[0] ** 2
