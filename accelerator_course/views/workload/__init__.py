"""Pictures of chapter 1: a convolution as a product, a network by resolution, counts beside the compiler's."""

from accelerator_course.views.workload.counts import Stages, XlaCounts
from accelerator_course.views.workload.im2col import Patches

__all__ = ["Patches", "Stages", "XlaCounts"]
