"""Pictures of the kernel ladder: what the warps of one block touch, and all rungs at a glance."""

from accelerator_lib.views.kernels.glance import Ladder
from accelerator_lib.views.kernels.watching import Replay

__all__ = ["Ladder", "Replay"]
