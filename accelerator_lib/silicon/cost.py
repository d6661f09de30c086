"""Cost: a wafer has one price, and its good dies share it.

    cost of a good die = price of the wafer / (whole dies x yield)

Dollars of silicon alone: no design, no masks, no test, no package.
"""

import numpy as np

from accelerator_lib.checks.signature import Number, checked
from accelerator_lib.silicon.wafer import Area, dies_per_wafer
from accelerator_lib.silicon.yields import Alpha, Density, Model, die_yield

Dollars = Number(low=0, high=1e9, unit="dollars")


@checked
def cost_per_good_die(
    wafer_cost: Dollars, area_mm2: Area, defects_per_cm2: Density, model: Model = "murphy", alpha: Alpha = 3
):
    """Dollars of silicon in one good die; scalars or arrays. Raises ValueError where none fits or none works."""
    dies = np.floor(dies_per_wafer(area_mm2))
    if np.any(dies < 1):
        raise ValueError(f"not one die of {np.max(area_mm2):,g} mm² fits on a wafer, by the formula")
    good = dies * die_yield(area_mm2, defects_per_cm2, model, alpha)
    if np.any(good <= 0):
        raise ValueError(f"no die of {np.max(area_mm2):,g} mm² works at {np.max(defects_per_cm2):g} defects per cm²")
    found = wafer_cost / good
    return float(found) if np.ndim(found) == 0 else found
