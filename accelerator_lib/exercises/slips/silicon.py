"""Slips of the exercises of chapter 9."""

from math import comb, exp, factorial


def one_density_for_all(area, d0, alpha, dies, draw):
    """You drew one density for all dies. Each die has its own: that is what clustering means."""
    density = d0 if alpha is None else draw.gamma(alpha, d0 / alpha)
    return (draw.poisson(density * area / 100, dies) == 0).mean()


def mean_not_kept(area, d0, alpha, dies, draw):
    """Your densities have another mean than d0: a gamma distribution of shape α and scale s has the mean α s."""
    density = d0 if alpha is None else draw.gamma(alpha, d0, dies)
    return (draw.poisson(density * area / 100, dies) == 0).mean()


def square_centimetres(area, d0, alpha, dies, draw):
    """You multiplied mm² by a density per cm²; a square centimetre is 100 mm²."""
    density = d0 if alpha is None else draw.gamma(alpha, d0 / alpha, dies)
    return (draw.poisson(density * area, dies) == 0).mean()


def bad_for_good(area, d0, alpha, dies, draw):
    """You counted the dies that have a defect; wanted is the share that has none."""
    density = d0 if alpha is None else draw.gamma(alpha, d0 / alpha, dies)
    return (draw.poisson(density * area / 100, dies) > 0).mean()


def outside_forgotten(area, d0, units, spare, unit_mm2):
    """You let every hit outside the units pass. There nothing is spare: such a die is scrap."""
    bad = 1 - exp(-d0 / 100 * unit_mm2)
    return sum(comb(units, k) * bad**k * (1 - bad) ** (units - k) for k in range(spare + 1))


def exactly_so_many(area, d0, units, spare, unit_mm2):
    """You took the dies with exactly `spare` bad units. Those with fewer can be sold as well."""
    bad = 1 - exp(-d0 / 100 * unit_mm2)
    clean = exp(-d0 / 100 * (area - units * unit_mm2))
    return clean * comb(units, spare) * bad**spare * (1 - bad) ** (units - spare)


def defects_for_units(area, d0, units, spare, unit_mm2):
    """You counted defects; two of them in one unit make one bad unit."""
    hits, clean = d0 / 100 * units * unit_mm2, exp(-d0 / 100 * (area - units * unit_mm2))
    return clean * sum(exp(-hits) * hits**k / factorial(k) for k in range(spare + 1))


def no_spare_needed(area, d0, units, spare, unit_mm2):
    """That is the yield without salvage: your function makes nothing of `spare`."""
    return exp(-d0 / 100 * area)
