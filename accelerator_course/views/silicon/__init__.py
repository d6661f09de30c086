"""Pictures of chapter 9: wafers, dies, packages."""

from accelerator_course.views.silicon.package import Ceiling, FloorPlan, Package, Ported, Shore
from accelerator_course.views.silicon.wafer import Dies, Falling, Rain, Redundancy
