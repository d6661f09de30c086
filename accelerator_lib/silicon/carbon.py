"""Carbon: what making a die emits, beside what using it does.

    of a good die = (energy x grid + gases + materials) of each cm2 x 707 cm2 of the wafer / good dies on it
    of a year     = watts x load x 8,760 h x grid

Fab data: the ACT model (data/silicon.yaml); of its two rates of gas abatement the mean is taken. Ignored: the package,
memory, board, transport, and that fabs and data centres stand on different grids.
"""

from dataclasses import dataclass
from math import floor, pi

from accelerator_lib import data
from accelerator_lib.checks.signature import NonNegative, Number, OneOf, Share, Single, checked
from accelerator_lib.silicon.wafer import WAFER_MM, Area, dies_per_wafer
from accelerator_lib.silicon.yields import Density, die_yield

WAFER_CM2 = pi * (WAFER_MM / 20) ** 2
HOURS = 8760  # of a year
FAB = ("N7", "N5", "N3E")
Fab = OneOf(FAB)
Grid = Number(low=0, high=2000, unit="g/kWh")


@dataclass(frozen=True)
class Making:
    """Emission of one square centimetre of wafer [g]."""

    energy: float
    gases: float
    materials: float

    total = property(lambda self: self.energy + self.gases + self.materials)


def grid():
    """Emission of a kWh [g] that the fab data assume."""
    return data.load("silicon")["carbon"]["grid_g_per_kwh"]["value"]


@checked
def making(node: Fab, g_per_kwh: Grid = None):
    """Making of a node; by default with the grid of the data."""
    facts = data.load("silicon")
    fab, power = facts["fab"][node], grid() if g_per_kwh is None else g_per_kwh
    gases = sum(fab["gases_g"].values()) / len(fab["gases_g"])
    return Making(fab["kwh"] * power, gases, facts["carbon"]["materials_g_per_cm2"]["value"])


@checked
def carbon_per_good_die(area_mm2: Single(Area), defects_per_cm2: Single(Density), node: Fab, g_per_kwh: Grid = None):
    """Emission [kg] of making one good die, Murphy's yield: that of the whole wafer over its good dies."""
    good = floor(dies_per_wafer(area_mm2)) * die_yield(area_mm2, defects_per_cm2)
    return making(node, g_per_kwh).total * WAFER_CM2 / 1000 / good


@checked
def use_kg(watts: NonNegative, years: NonNegative = 1, load: Share = 1.0, g_per_kwh: Grid = None):
    """Emission [kg] of running a chip; scalars or arrays."""
    return watts / 1000 * load * HOURS * years * (grid() if g_per_kwh is None else g_per_kwh) / 1000
