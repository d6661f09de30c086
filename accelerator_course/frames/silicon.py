"""Frames of chapter 9: the same defects on small dies and on large ones, a design cut into more and more pieces."""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import silicon
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.silicon.falling import landed
from accelerator_lib.silicon.package import piece_mm2, piece_yield
from accelerator_lib.silicon.wafer import ASPECT

SMALL_MM2, AT_ONCE = 400, 3  # the die beside which the other one stands; defects of a frame
MOST_PIECES = 8


@dataclass(frozen=True, eq=False)
class Rain:
    """Two wafers that the same defects hit, one with small dies and one with large ones; their dollars."""

    wafers: tuple  # (small dies, large dies), each a Fallen
    wafer_usd: float
    many: tuple  # dollars of a good die of each, over many wafers (Murphy)
    most: float  # the dearest good die of the run [USD]

    fallen = property(lambda self: len(self.wafers[0].points))
    ended = property(lambda self: self.fallen == self.wafers[0].most)
    # dollars of a good die on each of the two wafers; None where no die is good
    usd = property(lambda self: tuple(self.wafer_usd / one.saleable if one.saleable else None for one in self.wafers))

    @property
    def times(self):
        """How many times the dollars of a small die a large one costs; None where there is no price."""
        small, large = self.usd
        return large / small if small and large else None

    many_times = property(lambda self: self.many[1] / self.many[0])  # the same over many wafers


def rain(area=800, defects_per_cm2=0.1, seed=130, wafer_usd=17000):
    """Yield a Rain before the first defect, after every third one and after the last."""
    points = np.array(list(silicon.defects(seed, defects_per_cm2))).reshape(-1, 2)
    areas, stops = (SMALL_MM2, area), [*range(0, len(points), AT_ONCE), len(points)]
    runs = [list(landed(silicon.cut(mm2, ASPECT), points, 1.0, 1, 0, None, 0)) for mm2 in areas]
    many = tuple(silicon.cost_per_good_die(wafer_usd, mm2, defects_per_cm2) for mm2 in areas)
    dollars = [wafer_usd / one.saleable for run in runs for one in run if one.saleable]
    for stop in stops:
        yield Rain(tuple(run[stop] for run in runs), wafer_usd, many, max(dollars))


@dataclass(frozen=True)
class Split:
    """A design in so many pieces, after those with fewer: {pieces: PackageCost}, None where none can be made."""

    pieces: int
    piece_mm2: float
    good: float  # share of the pieces
    costs: dict
    most: float  # the dearest of all that will come [USD]

    # (width, height) of a piece in the shape of the field
    size_mm = property(lambda self: silicon.sides(self.piece_mm2, ASPECT))
    cost = property(lambda self: self.costs[self.pieces])
    fits = property(lambda self: self.cost is not None)

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
