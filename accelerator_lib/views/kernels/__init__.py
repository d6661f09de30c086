"""Pictures of the kernel ladder: what the warps of one block touch, which blocks come and go."""

from accelerator_lib.views.kernels.moving import Blocks
from accelerator_lib.views.kernels.watching import Replay

__all__ = ["Blocks", "Replay"]
