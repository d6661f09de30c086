"""Pictures of the kernel ladder: what the warps of one block touch, which blocks come and go, all rungs at a glance."""

from accelerator_course.views.kernels.glance import Ladder
from accelerator_course.views.kernels.replay import Blocks, Replay, Sketched
