"""Pictures of chapter 3: the roof, and what lies between it and a measured speed."""

from accelerator_course.views.roofline.growth import MemoryWall, Serving
from accelerator_course.views.roofline.roof import Kernels, Roofline
from accelerator_course.views.roofline.utilization import Amdahl, LayerTime, LossWaterfall, Utilization

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
