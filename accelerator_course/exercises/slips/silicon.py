"""Slips of chapter 9 that are written out."""

from math import exp, factorial


def defects_for_units(area, d0, units, spare, unit_mm2):
    hits, clean = d0 / 100 * units * unit_mm2, exp(-d0 / 100 * (area - units * unit_mm2))
    return clean * sum(exp(-hits) * hits**k / factorial(k) for k in range(spare + 1))
