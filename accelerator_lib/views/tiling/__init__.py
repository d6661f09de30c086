"""Pictures of chapter 4: tiles and their budgets, fused chains, attention."""

from accelerator_lib.views.tiling.attention import AttentionTimes, AttentionTraffic
from accelerator_lib.views.tiling.chains import Chain
from accelerator_lib.views.tiling.fusion import FusedKernels
from accelerator_lib.views.tiling.products import LowerBound, Odometer, Products, TileBudget
from accelerator_lib.views.tiling.softmax import SoftmaxStream

__all__ = [
    "AttentionTimes",
    "AttentionTraffic",
    "Chain",
    "FusedKernels",
    "LowerBound",
    "Odometer",
    "Products",
    "SoftmaxStream",
    "TileBudget",
]
