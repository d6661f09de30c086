"""Carbon: what making a die emits.

    of a good die = (energy x grid + gases + materials) of each cm2 x 707 cm2 of the wafer / good dies on it

Fab data: the ACT model (data/silicon.yaml); of its two rates of gas abatement the mean is taken. Ignored: the package,
memory, board, transport, and that fabs and data centres stand on different grids.
"""

from math import pi

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, OneOf, Single, checked
from accelerator_lib.silicon.wafer import WAFER_MM, Area
from accelerator_lib.silicon.yields import Density, cost_per_good_die

WAFER_CM2 = pi * (WAFER_MM / 20) ** 2
FAB = ("N7", "N5", "N3E")
Fab = OneOf(FAB)
Grid = Number(low=0, high=2000, unit="g/kWh")


def grid():
    """Emission of a kWh [g] that the fab data assume."""
    return data.load("silicon")["carbon"]["grid_g_per_kwh"]["value"]


@checked
def making(node: Fab, g_per_kwh: Grid = None):
    """{from what: emission of one square centimetre of wafer [g]}; by default with the grid of the data."""
    facts = data.load("silicon")
    fab, power = facts["fab"][node], grid() if g_per_kwh is None else g_per_kwh
    gases = sum(fab["gases_g"].values()) / len(fab["gases_g"])
    materials = facts["carbon"]["materials_g_per_cm2"]["value"]
    return {"energy": fab["kwh"] * power, "gases": gases, "materials": materials}


@checked
def carbon_per_good_die(area_mm2: Single(Area), defects_per_cm2: Single(Density), node: Fab, g_per_kwh: Grid = None):
    """Emission [kg] of making one good die, Murphy's yield: that of the whole wafer, shared as its price is."""
    return cost_per_good_die(sum(making(node, g_per_kwh).values()) * WAFER_CM2 / 1000, area_mm2, defects_per_cm2)
