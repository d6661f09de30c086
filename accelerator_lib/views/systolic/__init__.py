"""Pictures of chapter 6: arrays at work, layers on them, the first TPU."""

from accelerator_lib.views.systolic.floorplan import Contest
from accelerator_lib.views.systolic.layers import Mapped, Padding
from accelerator_lib.views.systolic.tpu import TpuV1
from accelerator_lib.views.systolic.wavefront import Dataflows, Wavefront

__all__ = ["Contest", "Dataflows", "Mapped", "Padding", "TpuV1", "Wavefront"]
