"""Pictures of chapter 6: arrays at work, layers on them, the first TPU."""

from accelerator_course.views.systolic.floorplan import Contest
from accelerator_course.views.systolic.layers import Mapped, Padding
from accelerator_course.views.systolic.tpu import TpuV1
from accelerator_course.views.systolic.wavefront import Dataflows, Wavefront

__all__ = ["Contest", "Dataflows", "Mapped", "Padding", "TpuV1", "Wavefront"]
