"""Exercises of chapter 9."""

from functools import cache, partial
from math import ceil, comb, exp, floor

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, number, several, shown
from accelerator_lib import silicon
from accelerator_lib.silicon import ports
from accelerator_lib.silicon.choices import PIECES, SHARES, choices

POINTS = 0.015  # a share may be off by: four standard errors of 20,000 dies
HARVESTED = (814, 0.1, 144, 0, 3.4), (814, 0.1, 144, 3, 3.4), (814, 0.3, 144, 2, 3.4)
HARVESTED += (400, 0.2, 4, 1, 80), (800, 0.5, 8, 3, 60), (600, 0.1, 2, 2, 300), (600, 0.3, 6, 2, 100)
DENSITIES = {"N7": [0.06, 0.1, 0.2], "N5": [0.1, 0.2, 0.4], "N3E": [0.2, 0.4, 0.8]}  # what a design may have
SEEDS = (182, 26, 14, 258, 356, 192, 9, 0)  # of designs: each number of pieces, share and node is the best of one


def design(seed):
    """A design as the exercise gives it; areas on N7, defects per cm² on each node."""
    draw = np.random.default_rng([9, seed])
    units = int(draw.choice([12, 24, 48, 96]))
    return {
        "units": units,
        "unit_mm2": float(draw.choice([300, 480, 720])) / units,
        "shared_mm2": float(draw.choice([60, 200, 400, 960])),
        "assembly": float(draw.choice([5, 15, 40, 80])),
        "d0": {node: float(draw.choice(some)) for node, some in DENSITIES.items()},
    }


def harvest(area, d0, units, spare, unit_mm2):
    """Share of dies with at most `spare` bad units and nothing outside the units hit; defects fall at random."""
    bad = 1 - exp(-d0 / 100 * unit_mm2)
    few = sum(comb(units, k) * bad**k * (1 - bad) ** (units - k) for k in range(spare + 1))
    return few * exp(-d0 / 100 * (area - units * unit_mm2))


def cheapest(design):
    """(pieces, share of spare units, node, dollars) of the cheapest way to make a design."""
    best = None
    for node in ("N7", "N5", "N3E"):
        made = ports.node(node)
        unit = design["unit_mm2"] / made.logic
        for pieces in (1, 2, 3, 4, 6):
            for share in (0.0, 0.03, 0.06):
                need = design["units"] // pieces
                spare = ceil(share * need)
                area = (need + spare) * unit + design["shared_mm2"] / pieces
                area *= 1.05 if pieces > 1 else 1
                if area > 858:
                    continue
                good = silicon.harvested_yield(area, design["d0"][node], need + spare, spare, unit)
                dollars = pieces * made.wafer_usd / (floor(silicon.dies_per_wafer(area)) * good)
                if pieces > 1:
                    dollars = (dollars + design["assembly"] * (pieces - 1)) / 0.99**pieces
                if best is None or dollars < best[3]:
                    best = pieces, share, node, dollars
    return best


def _check_harvest(function):
    for given in HARVESTED:
        area, d0, units, spare, unit_mm2 = given
        want = silicon.harvested_yield(area, d0, units, spare, unit_mm2, "poisson")
        where = f"{area} mm², {d0} per cm², {units} units of {unit_mm2} mm², {spare} spare"
        yield number(function, given, want, where, POINTS / want)
    return "right for seven dies: spare units save what is hit inside them, and nothing else."


@cache
def every(seed):
    """{(pieces, share, node): Choice} of a design, the cheapest first."""
    return {one.name: one for one in choices(**design(seed))}


def _check_cheapest(function):
    for seed in SEEDS:
        given, ways = design(seed), every(seed)
        best = next(iter(ways.values()))
        where = f"{given['units']} units of {given['unit_mm2']:g} mm², {given['shared_mm2']:g} mm² shared"

        def judge(got, ways=ways, best=best, where=where):
            several(got, 4, where, "(pieces, share, node, dollars)")
            mine = ways.get(tuple(got[:3]))
            if mine is None:
                allowed = f"Pieces are one of {PIECES}, the share one of {SHARES}, the node N7, N5 or N3E"
                told = f"you chose {shown(tuple(got[:3]))}. {allowed}; a piece must fit the exposure field"
                raise Wrong(f"For {where} {told}.")
            if mine.usd > best.usd * (1 + 1e-9):
                paid = f"costs {mine.usd:.2f} dollars; {best.usd:.2f} are possible"
                raise Wrong(f"For {where} your choice, {shown(mine.name)}, {paid}.")
            expect(got[3], best.usd, f"{where}, the dollars", 5e-5)  # cents are near enough

        yield case(where, shown((*best.name, best.usd)), partial(function, given), judge)
    new = "a new node pays where logic is the large part"
    return f"right for {len(SEEDS)} designs. Spare units cure defects in units, pieces cure them everywhere, and {new}."


EXERCISES = [Exercise("09.3", _check_harvest, harvest), Exercise("09.4", _check_cheapest, cheapest)]
