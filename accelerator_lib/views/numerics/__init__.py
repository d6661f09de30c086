"""Pictures of chapter 7: a number becomes a code, codes on a ruler, a block with an outlier, a running sum."""

from accelerator_lib.views.numerics.block import OneOutlier
from accelerator_lib.views.numerics.converting import Rounding
from accelerator_lib.views.numerics.ruler import Gradients, Ruler
from accelerator_lib.views.numerics.sums import RunningSum

__all__ = ["Gradients", "OneOutlier", "Rounding", "Ruler", "RunningSum"]
