"""Pictures of chapter 5: one SM, what fits on it, a launch, warps lane by lane."""

from accelerator_course.views.gpu.banks import Banks
from accelerator_course.views.gpu.fetch import Sectors
from accelerator_course.views.gpu.grid import Grid, Rounds
from accelerator_course.views.gpu.residency import Buckets, OccupancyMap
from accelerator_course.views.gpu.scheduler import Schedule
from accelerator_course.views.gpu.simt import WarpSteps
from accelerator_course.views.gpu.sm import Workshop

__all__ = [
    "Banks",
    "Buckets",
    "Grid",
    "OccupancyMap",
    "Rounds",
    "Schedule",
    "Sectors",
    "WarpSteps",
    "Workshop",
]
