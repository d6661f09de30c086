"""Pictures of chapter 9: wafers, packages, floor plans."""

from accelerator_lib.views.silicon.falling import Falling
from accelerator_lib.views.silicon.growing import Growing
from accelerator_lib.views.silicon.hbm import Shore
from accelerator_lib.views.silicon.package import Package
from accelerator_lib.views.silicon.plans import FloorPlan
from accelerator_lib.views.silicon.ports import Ported
from accelerator_lib.views.silicon.salvage import Redundancy
from accelerator_lib.views.silicon.sram import Ceiling
from accelerator_lib.views.silicon.wafer import Dies

__all__ = [
    "Ceiling",
    "Dies",
    "Falling",
    "FloorPlan",
    "Growing",
    "Package",
    "Ported",
    "Redundancy",
    "Shore",
]
