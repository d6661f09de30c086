"""Pictures of chapter 9: wafers, dies, packages."""

from accelerator_course.views.silicon.die import Ceiling, Ported, Redundancy
from accelerator_course.views.silicon.package import FloorPlan, Package, Shore
from accelerator_course.views.silicon.wafer import Dies, Falling, Rain

__all__ = ["Ceiling", "Dies", "Falling", "FloorPlan", "Package", "Ported", "Rain", "Redundancy", "Shore"]
