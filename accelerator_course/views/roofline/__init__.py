"""Pictures of chapter 3: the roof, and what lies between it and a measured speed."""

from accelerator_course.views.roofline.batch import Serving
from accelerator_course.views.roofline.group import Kernels
from accelerator_course.views.roofline.losses import LayerTime, LossWaterfall
from accelerator_course.views.roofline.roof import MemoryWall, Roofline
from accelerator_course.views.roofline.utilization import Amdahl, Utilization

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
