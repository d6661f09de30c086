"""Pictures of chapter 9: wafers, dies, packages."""

from accelerator_course.views.silicon.die import Ceiling, Ported, Redundancy
from accelerator_course.views.silicon.package import FloorPlan, Package, Shore
from accelerator_course.views.silicon.wafer import Dies, Falling, Growing

__all__ = ["Ceiling", "Dies", "Falling", "FloorPlan", "Growing", "Package", "Ported", "Redundancy", "Shore"]
