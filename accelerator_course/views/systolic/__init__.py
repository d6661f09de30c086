"""Pictures of chapter 6: arrays at work, layers on them, machines around them."""

from accelerator_course.views.systolic.arrays import Dataflows, Wavefront
from accelerator_course.views.systolic.layers import Beside, TpuV1
