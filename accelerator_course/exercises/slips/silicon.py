"""Slips of the exercises of chapter 9."""

from functools import cache
from itertools import product
from math import ceil, comb, exp, factorial, floor

from accelerator_lib import silicon
from accelerator_lib.silicon import ports


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


def spares_rounded_down(design):
    """You rounded the spare units down, so small pieces have none. Units come whole: round up."""
    return priced(design, whole=floor)


def spares_without_area(design):
    """Your spare units take no room. They are built in addition to those that are needed."""
    return priced(design, room=0)


def all_of_it_shrinks(design):
    """You let the shared area shrink with the node. Only units do: circuits that drive pins do not."""
    return priced(design, shrinks=True)


def links_forgotten(design):
    """Your dies are as large as their parts. Where there is more than one, each needs 5 % more area for links."""
    return priced(design, link=1)


def every_die_assembled(design):
    """You paid assembly for every die. The first one stands there already: only those beyond it cost it."""
    return priced(design, steps=lambda dies: dies)


def only_extra_bonds(design):
    """You counted a bond less than there are dies. Each die of a package is bonded, the first as well."""
    return priced(design, bonds=lambda dies: dies - 1)


def one_price_for_wafers(design):
    """You paid the same for every wafer. Each node has its own price."""
    return priced(design, wafer=16000)


good_share = cache(silicon.harvested_yield)  # many slips ask for the same dies


def priced(
    design, whole=ceil, room=1, shrinks=False, link=1.05, steps=lambda dies: dies - 1, bonds=lambda dies: dies,
    wafer=None,
):  # fmt: skip
    """The cheapest way, with one thing changed."""
    found = []
    for pieces, share, node in product((1, 2, 3, 4, 6), (0.0, 0.03, 0.06), ("N7", "N5", "N3E")):
        made = ports.node(node)
        unit, shared = design["unit_mm2"] / made.logic, design["shared_mm2"] / (made.logic if shrinks else 1)
        need = design["units"] // pieces
        spare = whole(share * need)
        area = ((need + room * spare) * unit + shared / pieces) * (link if pieces > 1 else 1)
        if area > 858:
            continue
        good = good_share(area, design["d0"][node], need + room * spare, spare, unit)
        dollars = pieces * (wafer or made.wafer_usd) / (floor(silicon.dies_per_wafer(area)) * good)
        if pieces > 1:
            dollars = (dollars + design["assembly"] * steps(pieces)) / 0.99 ** bonds(pieces)
        found.append((pieces, share, node, dollars))
    return min(found, key=lambda way: way[3])
