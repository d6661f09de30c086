"""Pictures of chapter 1: where FLOP and time go, a convolution as a product, what grows how."""

from accelerator_lib.views.workload.mixture import Experts
from accelerator_lib.views.workload.networks import Stages
from accelerator_lib.views.workload.profile import OperatorClasses
from accelerator_lib.views.workload.strassen import Strassen
from accelerator_lib.views.workload.transformer import TransformerFlops
from accelerator_lib.views.workload.work import Growth, Patches
from accelerator_lib.views.workload.xla import XlaCounts

__all__ = [
    "Experts",
    "Growth",
    "OperatorClasses",
    "Patches",
    "Stages",
    "Strassen",
    "TransformerFlops",
    "XlaCounts",
]
