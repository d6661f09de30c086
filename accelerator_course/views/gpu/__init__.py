"""Pictures of chapter 5: one SM, what fits on it, a launch, warps lane by lane."""

from accelerator_course.views.gpu.access import Banks, Sectors
from accelerator_course.views.gpu.sms import Buckets, Grid, OccupancyMap, Rounds, Workshop
from accelerator_course.views.gpu.warps import Schedule, WarpSteps

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
