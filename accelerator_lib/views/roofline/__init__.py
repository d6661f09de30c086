"""Pictures of chapter 3: the roof, and what lies between it and a measured speed."""

from accelerator_lib.views.roofline.batch import Serving
from accelerator_lib.views.roofline.group import Kernels
from accelerator_lib.views.roofline.losses import LayerTime, LossWaterfall
from accelerator_lib.views.roofline.roof import MemoryWall, Roofline
from accelerator_lib.views.roofline.utilization import Amdahl, Utilization

__all__ = [
    "Amdahl",
    "Kernels",
    "LayerTime",
    "LossWaterfall",
    "MemoryWall",
    "Roofline",
    "Serving",
    "Utilization",
]
