"""Packages: one large die, or pieces of it on one base. Silicon, putting them together, and what is lost on the way.

    pieces   n dies of total / n x (1 + link)         link: area for talking to the others, one piece needs none
    total    (n dies + assembly x (n - 1)) / bond_yield^n        one bad bond loses the whole package

Dies are tested before they are joined: only good ones are. With spare units (a share of all, whole units of 3.4 mm2 on
60 % of every die) a die may have that many bad ones. Ignored: the base itself, test, what the links draw and delay.
"""

from dataclasses import dataclass
from math import floor

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.silicon.cost import Dollars
from accelerator_lib.silicon.wafer import FIELD_MM, dies_per_wafer
from accelerator_lib.silicon.yields import Density, die_yield, harvested_yield

FIELD_MM2 = FIELD_MM[0] * FIELD_MM[1]  # what a scanner exposes at once
UNIT_MM2, UNITS_SHARE = 3.4, 0.6
MOST_PIECES = 8

Total = Single(Number(low=1, high=1e4, unit="mm2"))
Link, Bond, Spare = Single(Number(low=0, high=1)), Single(Number(low=0.01, high=1)), Single(Number(low=0, high=0.5))


@dataclass(frozen=True)
class PackageCost:
    """Cost [USD] of a good package, by what it is paid for."""

    silicon: float
    assembly: float
    lost: float  # good dies and work in packages that failed

    @property
    def total(self):
        return self.silicon + self.assembly + self.lost


@checked
def package_cost(
    total_mm2: Total, pieces: Count(high=64), wafer_cost: Dollars = 17000, defects_per_cm2: Density = 0.1,
    link: Link = 0.05, assembly: Dollars = 100, bond_yield: Bond = 0.99, spare: Spare = 0.0,
):  # fmt: skip
    """PackageCost of so many pieces. Raises NotAvailable where a piece is larger than the exposure field."""
    area = piece_mm2(total_mm2, pieces, link)
    if area > FIELD_MM2:
        raise NotAvailable(f"a die of {area:,.0f} mm² does not fit the exposure field of {FIELD_MM2} mm²")
    silicon = pieces * wafer_cost / (floor(dies_per_wafer(area)) * piece_yield(area, defects_per_cm2, spare))
    if pieces == 1:
        return PackageCost(silicon, 0.0, 0.0)
    joined = assembly * (pieces - 1)
    return PackageCost(silicon, joined, (silicon + joined) * (bond_yield**-pieces - 1))


@checked
def piece_mm2(total_mm2: Total, pieces: Count(high=64), link: Link = 0.05):
    """Area [mm²] of each of so many pieces."""
    return total_mm2 / pieces * (1 + link if pieces > 1 else 1)


@checked
def piece_yield(area_mm2: Total, defects_per_cm2: Density, spare: Spare = 0.0):
    """Share of such dies that can be used (Murphy); a share of the units of 3.4 mm² on 60 % of it is spare."""
    units = floor(UNITS_SHARE * area_mm2 / UNIT_MM2)
    if floor(spare * units) == 0:
        return die_yield(area_mm2, defects_per_cm2)
    return harvested_yield(area_mm2, defects_per_cm2, units, floor(spare * units), UNIT_MM2)


@dataclass(frozen=True)
class Split:
    """A design in so many pieces, after those with fewer: {pieces: PackageCost}, None where none can be made."""

    pieces: int
    piece_mm2: float
    good: float  # share of the pieces
    costs: dict
    most: float  # the dearest of all that will come [USD]

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


@checked
def splits(
    total_mm2: Total = 800, defects_per_cm2: Density = 0.1, assembly: Dollars = 100,
    spare: Spare = 0.0, link: Link = 0.05, bond_yield: Bond = 0.99,
):  # fmt: skip
    """Yield the Split of 1, 2, ... 8 pieces, each with the costs of those before it; wafers of 17,000 dollars."""
    found = {}
    for pieces in range(1, MOST_PIECES + 1):
        try:
            found[pieces] = package_cost(total_mm2, pieces, 17000, defects_per_cm2, link, assembly, bond_yield, spare)
        except NotAvailable:
            found[pieces] = None
    most = max((cost.total for cost in found.values() if cost), default=0.0)
    for pieces in found:
        area = piece_mm2(total_mm2, pieces, link)
        yield Split(
            pieces, area, piece_yield(area, defects_per_cm2, spare),
            {n: cost for n, cost in found.items() if n <= pieces}, most,
        )  # fmt: skip
