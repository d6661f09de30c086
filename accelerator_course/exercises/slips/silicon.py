"""Slips of the exercises of chapter 9."""

from functools import cache
from itertools import product
from math import comb, exp, factorial

from accelerator_lib import silicon


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


def hits_for_chances(area, d0, units, spare, unit_mm2):
    """You took the defects that a unit expects for the chance that it is hit; some units get two, so fewer are hit."""
    bad, clean = d0 / 100 * unit_mm2, exp(-d0 / 100 * (area - units * unit_mm2))
    return clean * sum(comb(units, k) * bad**k * (1 - bad) ** (units - k) for k in range(spare + 1))


def links_forgotten(d0, assembly):
    """Your dies are as large as their parts. Where there is more than one, each needs 5 % more area for links."""
    return packaged(d0, assembly, link=1)


def every_die_assembled(d0, assembly):
    """You paid assembly for every die. The first one stands there already: only those beyond it cost it."""
    return packaged(d0, assembly, steps=lambda dies: dies)


def only_extra_bonds(d0, assembly):
    """You counted a bond less than there are dies. Each die of a package is bonded, the first as well."""
    return packaged(d0, assembly, bonds=lambda dies: dies - 1)


def eight_spare_in_each(d0, assembly):
    """You allowed eight bad units in every piece. The package has eight in all: 8 // pieces in each."""
    return packaged(d0, assembly, spare=lambda pieces: 8)


def cells_of_n5(d0, assembly):
    """On N7 your SRAM is as large as on N5. Its cell is 0.027 µm² there, against 0.021."""
    return packaged(d0, assembly, cell=1)


def one_price_for_wafers(d0, assembly):
    """You paid for the wafer of the N7 die as for one of N5. It costs 10,000 dollars."""
    return packaged(d0, assembly, old=16000)


def nothing_salvaged(d0, assembly):
    """You threw away every die with a bad unit. The package is sold with 112 of its 120: some may be bad."""
    return packaged(d0, assembly, spare=lambda pieces: 0)


good_share = cache(silicon.harvested_yield)  # many slips ask for the same dies


def packaged(
    d0, assembly, link=1.05, steps=lambda dies: dies - 1, bonds=lambda dies: dies, spare=lambda pieces: 8 // pieces,
    cell=0.027 / 0.021, old=10000,
):  # fmt: skip
    """The cheapest package, with one thing changed."""
    found = []
    for pieces, io, sram in product((1, 2, 3, 4, 5, 6, 8), ("with units", "N5", "N7"), ("with units", "with I/O")):
        own = io != "with units"
        if sram == "with I/O" and not own:
            continue
        dies, older = pieces + own, io == "N7"
        wider = link if dies > 1 else 1
        area = (480 + 160 * (sram == "with units") + 140 * (not own)) / pieces * wider
        good = good_share(area, d0, 120 // pieces, min(spare(pieces), 120 // pieces), 4)
        dollars = pieces * 16000 / (int(silicon.dies_per_wafer(area)) * good)
        if own:
            beside = (140 + 160 * (cell if older else 1) * (sram == "with I/O")) * wider
            dollars += silicon.cost_per_good_die(old if older else 16000, beside, d0)
        if dies > 1:
            dollars = (dollars + assembly * steps(dies)) / 0.99 ** bonds(dies)
        found.append((pieces, io, sram, dollars))
    return min(found, key=lambda way: way[3])
