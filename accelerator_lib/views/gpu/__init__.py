"""Pictures of chapter 5: one SM, what fits on it, a launch, warps lane by lane."""

from accelerator_lib.views.gpu.banks import Banks
from accelerator_lib.views.gpu.fetch import Sectors
from accelerator_lib.views.gpu.grid import Grid, Rounds
from accelerator_lib.views.gpu.residency import Buckets, OccupancyMap
from accelerator_lib.views.gpu.scheduler import Schedule
from accelerator_lib.views.gpu.simt import WarpSteps
from accelerator_lib.views.gpu.sm import Workshop

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
