"""Pictures of chapter 3: the roof, and what lies between it and a measured speed."""

from accelerator_lib.views.roofline.losses import LaunchOverhead, LayerTime, LossWaterfall
from accelerator_lib.views.roofline.roof import Kernels, MemoryWall, Roofline, Serving
from accelerator_lib.views.roofline.utilization import Amdahl, Utilization

__all__ = [
    "Amdahl",
    "Kernels",
    "LaunchOverhead",
    "LayerTime",
    "LossWaterfall",
    "MemoryWall",
    "Roofline",
    "Serving",
    "Utilization",
]
