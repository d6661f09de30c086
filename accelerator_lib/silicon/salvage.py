"""Salvage: a die of many equal units may be sold with some of them switched off.

Units lie in rows, half of them at the top of the die and half at its bottom; what all units share lies in between. No
number of spare units saves a die that was hit there: the yield of the area outside the units is a ceiling.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Single, checked
from accelerator_lib.silicon.wafer import ASPECT, Area, Side, sides
from accelerator_lib.silicon.yields import Density, Model, Unit, die_yield, harvested_yield

MOST = 16  # spare units that are compared
OneArea, OneDensity, Some, Few = Single(Area), Single(Density), Count(high=4096), Count(low=0, high=MOST)


@dataclass(frozen=True)
class Units:
    """Where the units of a die lie [mm]: rows from the top, with so many units and so high each."""

    width: float
    height: float
    counts: tuple
    heights: tuple
    tops: tuple

    count = property(lambda self: sum(self.counts))

    def boxes(self):
        """[n, 4]: x, y from the upper left corner, width, height of every unit."""
        rows = zip(self.counts, self.heights, self.tops, strict=True)
        return np.array([(i * self.width / n, top, self.width / n, high) for n, high, top in rows for i in range(n)])

    def of(self, points):
        """The unit at each point [n, 2] of the die, from its upper left corner; -1 outside the units."""
        found = np.full(len(points), -1)
        firsts = np.cumsum((0, *self.counts[:-1]))
        for first, n, high, top in zip(firsts, self.counts, self.heights, self.tops, strict=True):
            there = (points[:, 1] >= top) & (points[:, 1] < top + high)
            found[there] = first + np.minimum((points[there, 0] * n / self.width).astype(int), n - 1)
        return found


@checked
def units(width_mm: Side, height_mm: Side, count: Some, unit_mm2: Unit):
    """Units of a die, nearly square. Raises NotAvailable where they need more than the die."""
    need = count * unit_mm2
    if need > width_mm * height_mm * (1 + 1e-9):
        given = f"a count of {count} units of {unit_mm2:g} mm² needs {need:,.0f} mm²"
        raise NotAvailable(f"{given}, more than the die's {width_mm * height_mm:,.0f}")
    rows = min(count, max(1, round((count * need / width_mm**2) ** 0.5))) if need else 1
    counts = [count // rows + (row < count % rows) for row in range(rows)]
    heights = [n * unit_mm2 / width_mm for n in counts]
    tops = np.concatenate([[0], np.cumsum(heights)[:-1]])
    tops[(rows + 1) // 2 :] += height_mm - sum(heights)  # what the units share lies in the middle
    return Units(width_mm, height_mm, tuple(counts), tuple(heights), tuple(map(float, tops)))


@dataclass(frozen=True)
class Spares:
    """A die of units, and its yield with 0, 1, 2 ... of them spare."""

    units: Units
    spare: int
    yields: tuple
    ceiling: float

    needed = property(lambda self: max(self.units.count - self.spare, 0))  # units that must work
    here = property(lambda self: self.yields[self.spare])
    # the fewest spare units whose yield is within a point of the ceiling; None if none of those compared is
    enough = property(lambda self: next((n for n, rate in enumerate(self.yields) if rate >= self.ceiling - 0.01), None))


@checked
def spares(
    area_mm2: OneArea, defects_per_cm2: OneDensity, count: Some, spare: Few, unit_mm2: Unit, model: Model = "murphy"
):
    """Spares of a die of 26 : 33. Raises NotAvailable where its units do not fit."""
    made = units(*sides(area_mm2, ASPECT), count, unit_mm2)
    rates = [harvested_yield(area_mm2, defects_per_cm2, count, n, unit_mm2, model) for n in range(MOST + 1)]
    outside = area_mm2 - count * unit_mm2
    ceiling = die_yield(outside, defects_per_cm2, model) if outside > 0.001 else 1.0
    return Spares(made, spare, tuple(rates), ceiling)
