"""Pictures of chapter 9: wafers, packages, floor plans."""

from accelerator_course.views.silicon.falling import Falling
from accelerator_course.views.silicon.growing import Growing
from accelerator_course.views.silicon.hbm import Shore
from accelerator_course.views.silicon.package import Package
from accelerator_course.views.silicon.plans import FloorPlan
from accelerator_course.views.silicon.ports import Ported
from accelerator_course.views.silicon.salvage import Redundancy
from accelerator_course.views.silicon.sram import Ceiling
from accelerator_course.views.silicon.wafer import Dies

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
