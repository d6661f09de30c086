"""Views: results become pictures. Each is built once, changes its artists in place, and answers with one sentence.

    view = Roofline()
    sentence = view.show(result)       the picture is view.figure; the sentence is its text alternative

Only this package knows matplotlib; a view computes nothing that a model should.
"""

from accelerator_lib.views.array import Array
from accelerator_lib.views.attention import AttentionTimes, AttentionTraffic, FusedKernels, SoftmaxStream
from accelerator_lib.views.bars import Bars
from accelerator_lib.views.cache import CacheSteps, CacheTrace, HitCurve
from accelerator_lib.views.certificate import Certificate
from accelerator_lib.views.energy import DataflowEnergy, Disagreement, Ladder, LayerEnergy, Overhead
from accelerator_lib.views.gpu import (
    Buckets,
    Divergence,
    Grid,
    HideLatency,
    OccupancyMap,
    Sawtooth,
    Workshop,
)
from accelerator_lib.views.losses import Amdahl, LaunchOverhead, LayerTime, LossWaterfall, Utilization
from accelerator_lib.views.mapping import Mapped, StaysStill, TpuV1, VectorBalance, WorkloadSets
from accelerator_lib.views.memory import Gap, Origins, Rulers, Stairs
from accelerator_lib.views.power import AllChips, Battery, Cap, ChipBudget, Clock, League, YearlyCost
from accelerator_lib.views.roofline import Kernels, MemoryWall, Roofline, Serving
from accelerator_lib.views.systolic import Padding, ShapeMap, Split
from accelerator_lib.views.tiling import Chain, LowerBound, Odometer, Products, TileBudget
from accelerator_lib.views.transfer import CacheOrScratchpad, Pins, Placement, Tank, Transfer
from accelerator_lib.views.warps import Banks, Schedule, Sectors, WarpSteps
from accelerator_lib.views.wavefront import Dataflows, Wavefront
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
    "AllChips",
    "Amdahl",
    "Array",
    "AttentionTimes",
    "AttentionTraffic",
    "Banks",
    "Bars",
    "Battery",
    "Buckets",
    "CacheOrScratchpad",
    "CacheSteps",
    "CacheTrace",
    "Cap",
    "Certificate",
    "Chain",
    "ChipBudget",
    "Clock",
    "DataflowEnergy",
    "Dataflows",
    "Disagreement",
    "Divergence",
    "Experts",
    "FusedKernels",
    "Gap",
    "Grid",
    "Growth",
    "HideLatency",
    "HitCurve",
    "Kernels",
    "Ladder",
    "LaunchOverhead",
    "LayerEnergy",
    "LayerTime",
    "League",
    "LossWaterfall",
    "LowerBound",
    "Mapped",
    "MemoryWall",
    "OccupancyMap",
    "Odometer",
    "OperatorClasses",
    "Origins",
    "Overhead",
    "Padding",
    "Patches",
    "Pins",
    "Placement",
    "Products",
    "Roofline",
    "Rulers",
    "Sawtooth",
    "Schedule",
    "Sectors",
    "Serving",
    "ShapeMap",
    "SoftmaxStream",
    "Split",
    "Stages",
    "Stairs",
    "StaysStill",
    "Strassen",
    "Tank",
    "TileBudget",
    "TpuV1",
    "Transfer",
    "TransformerFlops",
    "Utilization",
    "VectorBalance",
    "WarpSteps",
    "Wavefront",
    "WorkloadSets",
    "Workshop",
    "XlaCounts",
    "YearlyCost",
]
