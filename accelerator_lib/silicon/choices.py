"""Choices: one design, every way to cut it into dies, and what each costs. The key of a decision.

The design has 120 units of 4 mm2, 160 mm2 of SRAM and 140 mm2 of I/O (areas on N5) and is sold with 112 units. It is
cut into 1, 2, 3, 4, 5, 6 or 8 compute dies on N5. I/O stays with the units or gets a die of its own, on N5 or N7; SRAM
stays with the units or goes there, too. Prices of wafers: unofficial quotes. Ignored: what the cuts cost in bandwidth.
"""

from dataclasses import dataclass
from itertools import product
from math import floor

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Single, checked
from accelerator_lib.silicon.ports import nodes
from accelerator_lib.silicon.wafer import FIELD_MM2, dies_per_wafer
from accelerator_lib.silicon.yields import Density, Dollars, cost_per_good_die, harvested_yield

UNITS, SPARE, UNIT_MM2 = 120, 8, 4
SRAM_MM2, IO_MM2 = 160, 140
LINK, BOND = 0.05, 0.99
PIECES, IO, SRAM = (1, 2, 3, 4, 5, 6, 8), ("with units", "N5", "N7"), ("with units", "with I/O")


@dataclass(frozen=True)
class Choice:
    """One way to cut the design: its dies' areas [mm²] and the dollars of a good package."""

    pieces: int
    io: str
    sram: str
    compute_mm2: float  # of each piece
    io_mm2: float  # 0 without a die of its own
    usd: float

    @property
    def name(self):
        """(pieces, io, sram), as the exercise asks for it."""
        return self.pieces, self.io, self.sram


def priced(pieces, io, sram, defects_per_cm2, assembly):
    """Choice of one way to cut. Raises NotAvailable where there is no such die."""
    own = io != "with units"
    if sram == "with I/O" and not own:
        raise NotAvailable("SRAM cannot go to an I/O die that there is not")
    dies = pieces + own
    wider = 1 + LINK if dies > 1 else 1
    inside = UNITS * UNIT_MM2 + (SRAM_MM2 if sram == "with units" else 0) + (0 if own else IO_MM2)
    compute = inside / pieces * wider
    if compute > FIELD_MM2:
        raise NotAvailable(f"{compute:,.0f} mm² do not fit the exposure field")
    good = harvested_yield(compute, defects_per_cm2, UNITS // pieces, SPARE // pieces, UNIT_MM2)
    usd, beside = pieces * nodes()["N5"].wafer_usd / (floor(dies_per_wafer(compute)) * good), 0.0
    if own:
        cells = nodes()[io].bitcell_um2 / nodes()["N5"].bitcell_um2
        beside = (IO_MM2 + (SRAM_MM2 * cells if sram == "with I/O" else 0)) * wider
        usd += cost_per_good_die(nodes()[io].wafer_usd, beside, defects_per_cm2)
    if dies > 1:
        usd = (usd + assembly * (dies - 1)) / BOND**dies
    return Choice(pieces, io, sram, compute, beside, usd)


@checked
def choices(defects_per_cm2: Single(Density) = 0.1, assembly: Single(Dollars) = 60):
    """Every Choice that can be made, the cheapest first."""
    found = []
    for way in product(PIECES, IO, SRAM):
        try:
            found.append(priced(*way, defects_per_cm2, assembly))
        except NotAvailable:
            continue
    return tuple(sorted(found, key=lambda one: one.usd))
