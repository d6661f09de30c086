"""Pictures of chapter 4: a walk of tiles, a tile and its budgets, forecasts, kernels, softmax, attention, buffers."""

from accelerator_lib.views.tiling.budgets import TileBudget
from accelerator_lib.views.tiling.flash import Flash
from accelerator_lib.views.tiling.forecast import Products
from accelerator_lib.views.tiling.fusion import FusedKernels
from accelerator_lib.views.tiling.softmax import SoftmaxStream
from accelerator_lib.views.tiling.stages import Stages
from accelerator_lib.views.tiling.walking import Odometer

__all__ = [
    "Flash",
    "FusedKernels",
    "Odometer",
    "Products",
    "SoftmaxStream",
    "Stages",
    "TileBudget",
]
