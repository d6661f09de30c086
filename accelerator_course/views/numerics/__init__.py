"""Pictures of chapter 7: a number becomes a code, codes on a ruler, a block with an outlier, a running sum; training,
GPTQ, regimes, trade-offs and a budget of bits."""

from accelerator_course.views.numerics.choices import Regimes, Spending
from accelerator_course.views.numerics.rounding import OneOutlier, Rounding, RunningSum
from accelerator_course.views.numerics.rulers import Gradients, IntegerGrid, Ruler
from accelerator_course.views.numerics.training import Compensation, Copies, History, Spiral
