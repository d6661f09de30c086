"""Choices: one design, every way to make it, and what each costs. The key of a decision.

A design has so many units that must work, what they share, and a price for joining dies. It is cut into 1, 2, 3, 4 or 6
equal pieces, all on one node; each gets spare units (a share of those it needs, rounded up). Area of a piece: units and
spares on the node + shared area / pieces, 5 % more where pieces must talk. Units shrink like logic, what they share
(I/O) does not. Ignored: design and masks, and what the cuts cost in bandwidth.
"""

from dataclasses import dataclass
from itertools import product
from math import floor

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Number, OneOf, Single, checked
from accelerator_lib.silicon.package import Spare, joined, whole_spares
from accelerator_lib.silicon.ports import PORTED, nodes
from accelerator_lib.silicon.wafer import FIELD_MM2, dies_per_wafer
from accelerator_lib.silicon.yields import harvested_yield

PIECES, SHARES = (1, 2, 3, 4, 6), (0.0, 0.03, 0.06)
LINK, BOND = 0.05, 0.99


@dataclass(frozen=True)
class Choice:
    """One way to make a design: area of a piece [mm²], its spare units, dollars of a good package."""

    pieces: int
    share: float
    node: str
    spare: int
    piece_mm2: float
    usd: float

    name = property(lambda self: (self.pieces, self.share, self.node))  # as the exercise asks for it


Unit, Shared = Single(Number(low=0.01, high=1e3, unit="mm²")), Single(Number(low=0, high=1e4, unit="mm²"))
Joining, Density = Single(Number(low=0, high=1e6, unit="dollars")), Single(Number(low=0, high=10, unit="per cm²"))


@checked
def priced(
    units: Count(high=10**4), unit_mm2: Unit, shared_mm2: Shared, assembly: Joining, defects_per_cm2: Density,
    pieces: Count(high=64), share: Spare, node: OneOf(PORTED),
):  # fmt: skip
    """Choice of one way to make a design. Raises NotAvailable where a piece does not fit the exposure field."""
    made, need = nodes()[node], units // pieces
    spare, unit = whole_spares(share, need), unit_mm2 / made.logic
    area = ((need + spare) * unit + shared_mm2 / pieces) * (1 + LINK if pieces > 1 else 1)
    if area > FIELD_MM2:
        raise NotAvailable(f"{area:,.0f} mm² do not fit the exposure field")
    good = harvested_yield(area, defects_per_cm2, need + spare, spare, unit)
    die = made.wafer_usd / (floor(dies_per_wafer(area)) * good)
    return Choice(pieces, share, node, spare, area, joined(die, pieces, assembly, BOND).total)


def choices(units, unit_mm2, shared_mm2, assembly, d0):
    """Every Choice of a design that can be made, the cheapest first; `d0`: {node: defects per cm²}."""
    found = []
    for pieces, share, node in product(PIECES, SHARES, PORTED):
        try:
            found.append(priced(units, unit_mm2, shared_mm2, assembly, d0[node], pieces, share, node))
        except NotAvailable:
            continue
    return tuple(sorted(found, key=lambda one: one.usd))
