"""Pictures of the kernel ladder: what the warps of one block touch, which blocks come and go, all rungs at a glance."""

from accelerator_lib.views.kernels.glance import Ladder
from accelerator_lib.views.kernels.moving import Blocks
from accelerator_lib.views.kernels.sketch import Sketched
from accelerator_lib.views.kernels.watching import Replay

__all__ = ["Blocks", "Ladder", "Replay", "Sketched"]
