"""Views: results become pictures. Each is built once, changes its artists in place, and answers with one sentence.

    view = Roofline()
    sentence = view.show(result)       the picture is view.figure; the sentence is its text alternative

Only this package knows matplotlib; a view computes nothing that a model should.
"""

from accelerator_lib.views.array import Array
from accelerator_lib.views.bars import Bars
from accelerator_lib.views.certificate import Certificate
from accelerator_lib.views.losses import Amdahl, LaunchOverhead, LayerTime, LossWaterfall, Utilization
from accelerator_lib.views.roofline import Kernels, MemoryWall, Roofline, Serving
from accelerator_lib.views.workload import (
    Experts,
    Growth,
    OperatorClasses,
    Patches,
    Stages,
    Strassen,
    TransformerFlops,
    XlaCounts,
)

__all__ = [
    "Amdahl",
    "Array",
    "Bars",
    "Certificate",
    "Experts",
    "Growth",
    "Kernels",
    "LaunchOverhead",
    "LayerTime",
    "LossWaterfall",
    "MemoryWall",
    "OperatorClasses",
    "Patches",
    "Roofline",
    "Serving",
    "Stages",
    "Strassen",
    "TransformerFlops",
    "Utilization",
    "XlaCounts",
]
