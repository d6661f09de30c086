"""Pictures of chapter 7: a number becomes a code, codes on a ruler, a block with an outlier, a running sum; training,
GPTQ, regimes, sparsity, trade-offs and a budget of bits."""

from accelerator_course.views.numerics.amax import History
from accelerator_course.views.numerics.budget import Spending
from accelerator_course.views.numerics.calibration import IntegerGrid
from accelerator_course.views.numerics.converting import Rounding
from accelerator_course.views.numerics.gptq import Compensation
from accelerator_course.views.numerics.lowbit import Spiral
from accelerator_course.views.numerics.reach import Gradients, Ruler
from accelerator_course.views.numerics.regimes import Regimes
from accelerator_course.views.numerics.scales import OneOutlier
from accelerator_course.views.numerics.sparsity import Mask
from accelerator_course.views.numerics.sums import RunningSum
from accelerator_course.views.numerics.tradeoff import TradeOff

__all__ = [
    "Compensation",
    "Gradients",
    "History",
    "IntegerGrid",
    "Mask",
    "OneOutlier",
    "Regimes",
    "Rounding",
    "Ruler",
    "RunningSum",
    "Spending",
    "Spiral",
    "TradeOff",
]
