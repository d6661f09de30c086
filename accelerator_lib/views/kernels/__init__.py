"""Pictures of the kernel ladder: what the warps of one block touch."""

from accelerator_lib.views.kernels.watching import Replay

__all__ = ["Replay"]
