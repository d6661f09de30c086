"""Pictures of chapter 5: one SM, what fits on it, waves, warps lane by lane."""

from accelerator_lib.views.gpu.access import Banks, Sectors
from accelerator_lib.views.gpu.grid import Grid, Sawtooth
from accelerator_lib.views.gpu.hiding import HideLatency
from accelerator_lib.views.gpu.residency import Buckets, OccupancyMap
from accelerator_lib.views.gpu.scheduler import Schedule
from accelerator_lib.views.gpu.simt import Divergence, WarpSteps
from accelerator_lib.views.gpu.sm import Workshop

__all__ = [
    "Banks",
    "Buckets",
    "Divergence",
    "Grid",
    "HideLatency",
    "OccupancyMap",
    "Sawtooth",
    "Schedule",
    "Sectors",
    "WarpSteps",
    "Workshop",
]
