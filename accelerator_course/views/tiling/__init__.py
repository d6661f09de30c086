"""Pictures of chapter 4: a walk of tiles, a tile and its budgets, forecasts, kernels, softmax, attention, buffers."""

from accelerator_course.views.tiling.budgets import TileBudget
from accelerator_course.views.tiling.flash import Flash
from accelerator_course.views.tiling.forecast import Products
from accelerator_course.views.tiling.fusion import FusedKernels
from accelerator_course.views.tiling.softmax import SoftmaxStream
from accelerator_course.views.tiling.stages import Stages
from accelerator_course.views.tiling.walking import Odometer

__all__ = [
    "Flash",
    "FusedKernels",
    "Odometer",
    "Products",
    "SoftmaxStream",
    "Stages",
    "TileBudget",
]
