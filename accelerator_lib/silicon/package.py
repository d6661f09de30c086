"""Packages: one large die, or pieces of it on one base. Silicon, putting them together, and what is lost on the way.

    pieces   n dies of total / n x (1 + link)         link: area for talking to the others, one piece needs none
    total    (n dies + assembly x (n - 1)) / bond_yield^n        one bad bond loses the whole package

Only good dies are joined. With spare units (a share of all, rounded up to whole ones of 3.4 mm2 on 60 % of every die) a
die may have that many bad ones. Ignored: the base itself, test, what the links draw and delay.
"""

from dataclasses import dataclass
from math import ceil, floor

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.silicon.wafer import FIELD_MM2, dies_per_wafer
from accelerator_lib.silicon.yields import Density, Dollars, die_yield, harvested_yield

UNIT_MM2, UNITS_SHARE = 3.4, 0.6

Total = Single(Number(low=1, high=1e4, unit="mm2"))
Link, Bond, Spare = Single(Number(low=0, high=1)), Single(Number(low=0.01, high=1)), Single(Number(low=0, high=0.5))


@dataclass(frozen=True)
class PackageCost:
    """Cost [USD] of a good package, by what it is paid for."""

    silicon: float
    assembly: float
    lost: float  # good dies and work in packages that failed

    total = property(lambda self: self.silicon + self.assembly + self.lost)


@checked
def package_cost(
    total_mm2: Total, pieces: Count(high=64), wafer_cost: Dollars = 17000, defects_per_cm2: Density = 0.1,
    link: Link = 0.05, assembly: Dollars = 100, bond_yield: Bond = 0.99, spare: Spare = 0.0,
):  # fmt: skip
    """PackageCost of so many pieces. Raises NotAvailable where a piece is larger than the exposure field."""
    area = piece_mm2(total_mm2, pieces, link)
    if area > FIELD_MM2:
        raise NotAvailable(f"a die of {area:,.0f} mm² does not fit the exposure field of {FIELD_MM2} mm²")
    die = wafer_cost / (floor(dies_per_wafer(area)) * piece_yield(area, defects_per_cm2, spare))
    return joined(die, pieces, assembly, bond_yield)


@checked
def joined(die_usd: Dollars, pieces: Count(high=64), assembly: Dollars = 100, bond_yield: Bond = 0.99):
    """PackageCost of so many good dies: every die beyond the first is assembled, every die is bonded."""
    silicon = pieces * die_usd
    if pieces == 1:
        return PackageCost(silicon, 0.0, 0.0)
    steps = assembly * (pieces - 1)
    return PackageCost(silicon, steps, (silicon + steps) * (bond_yield**-pieces - 1))


@dataclass(frozen=True)
class Cheaper:
    """The cheaper way to make a chip."""

    usd: float
    way: str


@checked
def cheaper(whole_usd: Dollars, half_usd: Dollars, assembly: Dollars = 100, bond_yield: Bond = 0.99):
    """Cheaper of one good die and of two good halves joined."""
    two = joined(half_usd, 2, assembly, bond_yield).total
    return Cheaper(whole_usd, "one die") if whole_usd <= two else Cheaper(two, "two halves")


@checked
def piece_mm2(total_mm2: Total, pieces: Count(high=64), link: Link = 0.05):
    """Area [mm²] of each of so many pieces."""
    return total_mm2 / pieces * (1 + link if pieces > 1 else 1)


@checked
def piece_yield(area_mm2: Total, defects_per_cm2: Density, spare: Spare = 0.0):
    """Share of such dies that can be used (Murphy); a share of the units of 3.4 mm² on 60 % of it is spare."""
    units = floor(UNITS_SHARE * area_mm2 / UNIT_MM2)
    if not spare * units:
        return die_yield(area_mm2, defects_per_cm2)
    return harvested_yield(area_mm2, defects_per_cm2, units, whole_spares(spare, units), UNIT_MM2)


@checked
def whole_spares(share: Spare, units: Count(low=0, high=10**6)):
    """Spare units of a die: a share of its units, rounded up, for units come whole."""
    return ceil(round(share * units, 9))
