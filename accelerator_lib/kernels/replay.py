"""Replay: what the warps of one block touch, access by access: lanes to sectors, lanes to banks; the first so many.

Warps are shown in lockstep, as the machine runs them; on a chip their order is the schedulers', and nothing depends on
it. Each Step holds the Access of the lanes at work, for gpu.fetch.by_sector and gpu.banks.by_turn.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.arch import BANK_BYTES
from accelerator_lib.gpu.together import together
from accelerator_lib.kernels.machine import Run
from accelerator_lib.signature import Given, checked

MOST = 2_000  # accesses: of a long run the first ones tell enough


@dataclass(frozen=True, eq=False)
class Step:
    """One access of one warp, or its coming to a barrier."""

    number: int  # from 1
    length: int  # steps of the whole replay
    line: int
    text: str
    warp: int  # of the block
    kind: str  # "load", "store", "atomic", each also "shared ...", or "barrier"
    array: str  # "" at a barrier
    mask: np.ndarray  # [32] of bool: lanes at work
    index: np.ndarray  # [32]: places in the array, row after row; 0 in lanes that are not at work
    values: np.ndarray  # [32]: what they read, store or add
    access: Access | None  # of the lanes at work; None at a barrier

    @property
    def sectors(self):
        """Distinct sectors of global memory; 0 for shared memory."""
        return len(self.access.sectors) if self.kind in ("load", "store", "atomic") else 0

    @property
    def turns(self):
        """Turns of shared memory; 0 for global memory. Lanes of an atomic queue for the same word, too."""
        if not self.kind.startswith("shared"):
            return 0
        if self.kind != "shared atomic":
            return self.access.turns
        return int(together(self.access.addresses[None, :, 0] // BANK_BYTES, True).queued[0])


def _run(value):
    if not isinstance(value, Run):
        raise TypeError(f"a Run, as kernels.run returns, not {type(value).__name__}")
    return value


ARun = Given("a Run", _run)


@checked
def replay(made: ARun):
    """Yield a Step for each access of the watched block of a Run."""
    length = min(MOST, sum(int(lanes.any(axis=1).sum()) for _, lanes, _, _ in made.kept))
    number = 0
    for op, lanes, index, values in made.kept:
        op = made.program.ops[op]
        for warp in np.flatnonzero(lanes.any(axis=1)).tolist()[: length - number]:
            number, mask = number + 1, lanes[warp]
            access = None
            if op.place:
                words = made.words[op.place] + index[warp][mask]
                access = Access(words[:, None] * BANK_BYTES + np.arange(BANK_BYTES))
            text = made.lines[op.line - 1].strip()
            where = number, length, op.line, text, warp, op.kind, op.place
            yield Step(*where, mask, index[warp], values[warp], access)
