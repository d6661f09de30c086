"""Pictures of chapter 4: a walk of tiles, a tile and its budgets, forecasts, fused kernels, softmax as a stream."""

from accelerator_lib.views.tiling.budgets import TileBudget
from accelerator_lib.views.tiling.forecast import Products
from accelerator_lib.views.tiling.fusion import FusedKernels
from accelerator_lib.views.tiling.products import Odometer
from accelerator_lib.views.tiling.softmax import SoftmaxStream

__all__ = [
    "FusedKernels",
    "Odometer",
    "Products",
    "SoftmaxStream",
    "TileBudget",
]
