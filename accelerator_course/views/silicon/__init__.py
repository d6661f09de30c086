"""Pictures of chapter 9: wafers, dies, packages."""

from accelerator_course.views.silicon.package import Bill, Ceiling, FloorPlan, Package, Ported, Shore
from accelerator_course.views.silicon.wafer import Dies, Falling, Rain, Redundancy
