"""Pictures of chapter 1: a convolution as a product, a network by resolution, counts beside the compiler's."""

from accelerator_course.views.workload.im2col import Patches
from accelerator_course.views.workload.networks import Stages
from accelerator_course.views.workload.xla import XlaCounts

__all__ = ["Patches", "Stages", "XlaCounts"]
