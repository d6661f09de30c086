"""Replay: what the warps of one block touch, access by access: lanes to sectors, lanes to banks; the first so many.

Warps are shown in lockstep, as the machine runs them; on a chip their order is the schedulers', and nothing depends on
it. Each Step holds the Access of the lanes at work, for frames.gpu.by_sector and by_turn.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.arch import BANK_BYTES
from accelerator_lib.gpu.together import together
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.machine import Run

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
    access: Access | None  # of the lanes at work; None at a barrier, and where a lane leaves the array
    fault: Fault | None = None  # what goes wrong here

    @property
    def sectors(self):
        """Distinct sectors of global memory; 0 for shared memory."""
        return len(self.access.sectors) if self.access and not self.kind.startswith("shared") else 0

    @property
    def turns(self):
        """Turns of shared memory; 0 for global memory. Lanes of an atomic queue for the same word, too."""
        if not self.access or not self.kind.startswith("shared"):
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
    """Yield a Step for each of the first accesses of the watched block of a Run; of one that was stopped, the last."""
    each = [(kept, warp) for kept in made.kept for warp in np.flatnonzero(kept[1].any(axis=1)).tolist()]
    each = each[-MOST:] if made.fault else each[:MOST]
    for number, ((op, lanes, index, values), warp) in enumerate(each, 1):
        op, mask, access = made.program.ops[op], lanes[warp], None
        fault = made.fault if made.at in (number, number - len(each) - 1) else None
        if op.place and not (fault and fault.asked):
            words = made.words[op.place] + index[warp][mask]
            access = Access(words[:, None] * BANK_BYTES + np.arange(BANK_BYTES))
        text = made.lines[op.line - 1].strip()
        where = number, len(each), op.line, text, warp, op.kind, op.place
        yield Step(*where, mask, index[warp], values[warp], access, fault)
