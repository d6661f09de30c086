"""Slips of the exercises of chapter 9."""

from math import exp, factorial

from accelerator_course.exercises.silicon import cheapest, harvest
from accelerator_course.exercises.slips import changed

CLEAN = "few * exp(-d0 / 100 * (area - units * unit_mm2))"
outside_forgotten = changed(harvest, CLEAN, "few")
no_spare_needed = changed(harvest, CLEAN, "exp(-d0 / 100 * area)")
exactly_so_many = changed(harvest, "in range(spare + 1)", "in [spare]")
hits_for_chances = changed(harvest, "1 - exp(-d0 / 100 * unit_mm2)", "d0 / 100 * unit_mm2")


def defects_for_units(area, d0, units, spare, unit_mm2):
    hits, clean = d0 / 100 * units * unit_mm2, exp(-d0 / 100 * (area - units * unit_mm2))
    return clean * sum(exp(-hits) * hits**k / factorial(k) for k in range(spare + 1))


spares_rounded_down = changed(cheapest, "ceil(share * need)", "floor(share * need)")
spares_without_area = changed(cheapest, "(need + spare) * unit", "need * unit", "need + spare, spare", "need, spare")
all_of_it_shrinks = changed(cheapest, 'design["shared_mm2"]', 'design["shared_mm2"] / made.logic')
links_forgotten = changed(cheapest, "1.05", "1")
every_die_assembled = changed(cheapest, "(pieces - 1)", "pieces")
only_extra_bonds = changed(cheapest, "0.99**pieces", "0.99 ** (pieces - 1)")
one_price_for_wafers = changed(cheapest, "made.wafer_usd", "16000")
