"""Slips of the exercises of chapter 9."""

from functools import cache, partial
from itertools import product
from math import ceil, comb, exp, factorial, floor

from accelerator_lib import silicon
from accelerator_lib.silicon import ports


def shared(area, d0, units, spare, unit_mm2, clean=True, fewer=True, hits=lambda expected: 1 - exp(-expected)):
    """The share of dies, with one thing changed."""
    bad, outside = hits(d0 / 100 * unit_mm2), exp(-d0 / 100 * (area - units * unit_mm2))
    few = sum(comb(units, k) * bad**k * (1 - bad) ** (units - k) for k in range(0 if fewer else spare, spare + 1))
    return few * (outside if clean else 1)


outside_forgotten = partial(shared, clean=False)
exactly_so_many = partial(shared, fewer=False)
hits_for_chances = partial(shared, hits=lambda expected: expected)


def defects_for_units(area, d0, units, spare, unit_mm2):
    hits, clean = d0 / 100 * units * unit_mm2, exp(-d0 / 100 * (area - units * unit_mm2))
    return clean * sum(exp(-hits) * hits**k / factorial(k) for k in range(spare + 1))


def no_spare_needed(area, d0, units, spare, unit_mm2):
    return exp(-d0 / 100 * area)


good_share = cache(silicon.harvested_yield)  # many slips ask for the same dies


def priced(design, whole=ceil, room=1, shrinks=False, link=1.05, steps=-1, bonds=0, wafer=None):
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
            dollars = (dollars + design["assembly"] * (pieces + steps)) / 0.99 ** (pieces + bonds)
        found.append((pieces, share, node, dollars))
    return min(found, key=lambda way: way[3])


spares_rounded_down = partial(priced, whole=floor)
spares_without_area = partial(priced, room=0)
all_of_it_shrinks = partial(priced, shrinks=True)
links_forgotten = partial(priced, link=1)
every_die_assembled = partial(priced, steps=0)
only_extra_bonds = partial(priced, bonds=-1)
one_price_for_wafers = partial(priced, wafer=16000)
