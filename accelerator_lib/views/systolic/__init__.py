"""Pictures of chapter 6: arrays at work, shapes that fill them, layers, the first TPU."""

from accelerator_lib.views.systolic.closed_form import ShapeMap, Split, StaysStill
from accelerator_lib.views.systolic.corner import Array
from accelerator_lib.views.systolic.layers import Mapped, Padding, VectorBalance, WorkloadSets
from accelerator_lib.views.systolic.tpu import TpuV1
from accelerator_lib.views.systolic.wavefront import Dataflows, Wavefront

__all__ = [
    "Array",
    "Dataflows",
    "Mapped",
    "Padding",
    "ShapeMap",
    "Split",
    "StaysStill",
    "TpuV1",
    "VectorBalance",
    "Wavefront",
    "WorkloadSets",
]
