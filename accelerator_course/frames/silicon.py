"""Frames of chapter 9: a die that grows over the same defects, a design cut into more and more pieces."""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import silicon
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.silicon.falling import Fallen, landed
from accelerator_lib.silicon.package import piece_mm2, piece_yield
from accelerator_lib.silicon.wafer import ASPECT, FIELD_MM

AREAS = (*range(50, 200, 10), *range(200, 400, 20), *range(400, 850, 25), float(np.prod(FIELD_MM)))
MOST_PIECES = 8


@dataclass(frozen=True, eq=False)
class Grown:
    """One size of the die over the defects of a wafer, and the sizes before.

    dollars for a good mm² = price of the wafer / (dies that can be sold x area of one), counted on one wafer, whose
    defects fall anywhere, and by Murphy's formula, which stands for many whose density differs
    """

    wafer: Fallen
    areas: np.ndarray  # [mm²] of the whole run
    formula: np.ndarray  # dollars for a good mm² at each of them
    counted: np.ndarray  # the same on this wafer, for the sizes so far; NaN where no die is left

    @property
    def area(self):
        return float(self.areas[len(self.counted) - 1])

    @property
    def expected(self):
        """Dollars for a good mm² by the formula, at this size."""
        return float(self.formula[len(self.counted) - 1])


def grow(defects_per_cm2=0.1, spare=0, seed=130, wafer_cost=17000.0, alpha=None, count=144, share=0.6):
    """Yield a Grown for every size from 50 mm² to the exposure field. Arguments as for `silicon.fall`."""
    points = np.array(list(silicon.defects(seed, defects_per_cm2, alpha))).reshape(-1, 2)
    areas, counted = np.array(AREAS, float), []
    many = [silicon.harvested_yield(a, defects_per_cm2, count, spare, share * a / count) for a in AREAS]
    formula = wafer_cost / (np.floor(silicon.dies_per_wafer(areas)) * many * areas)
    for area, rate in zip(AREAS, many, strict=True):
        (fallen,) = landed(silicon.cut(area, ASPECT), points, share, count, spare, rate)
        counted = np.append(counted, wafer_cost / (fallen.saleable * area) if fallen.saleable else np.nan)
        yield Grown(fallen, areas, formula, counted)


@dataclass(frozen=True)
class Split:
    """A design in so many pieces, after those with fewer: {pieces: PackageCost}, None where none can be made."""

    pieces: int
    piece_mm2: float
    good: float  # share of the pieces
    costs: dict
    most: float  # the dearest of all that will come [USD]

    @property
    def size_mm(self):
        """(width, height) of a piece in the shape of the field."""
        return silicon.sides(self.piece_mm2, ASPECT)

    @property
    def cost(self):
        return self.costs[self.pieces]

    @property
    def fits(self):
        """Whether a piece fits the exposure field."""
        return self.cost is not None

    @property
    def best(self):
        """The number of pieces that is cheapest so far, or None."""
        made = {pieces: cost.total for pieces, cost in self.costs.items() if cost}
        return min(made, key=made.get) if made else None


def splits(total_mm2=800, defects_per_cm2=0.1, assembly=100, spare=0.0, link=0.05, bond_yield=0.99):
    """Yield the Split of 1, 2, ... 8 pieces, each with the costs of those before it; wafers of 17,000 dollars."""
    found, given = {}, (17000, defects_per_cm2, link, assembly, bond_yield, spare)
    for pieces in range(1, MOST_PIECES + 1):
        try:
            found[pieces] = silicon.package_cost(total_mm2, pieces, *given)
        except NotAvailable:
            found[pieces] = None
    most = max((cost.total for cost in found.values() if cost), default=0.0)
    for pieces in found:
        area, costs = piece_mm2(total_mm2, pieces, link), {n: cost for n, cost in found.items() if n <= pieces}
        yield Split(pieces, area, piece_yield(area, defects_per_cm2, spare), costs, most)
