"""Pictures of chapter 4: a walk of tiles, a tile and its budgets, forecasts, kernels, softmax, attention, buffers."""

from accelerator_course.views.tiling.attention import Flash, SoftmaxStream
from accelerator_course.views.tiling.fusion import FusedKernels
from accelerator_course.views.tiling.odometer import Odometer
from accelerator_course.views.tiling.tiles import Products, Stages, TileBudget

__all__ = [
    "Flash",
    "FusedKernels",
    "Odometer",
    "Products",
    "SoftmaxStream",
    "Stages",
    "TileBudget",
]
