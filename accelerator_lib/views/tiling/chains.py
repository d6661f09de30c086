"""Chains of element-wise steps, apart and fused."""

import numpy as np

from accelerator_lib import tiling
from accelerator_lib.units import counted, number, si
from accelerator_lib.views.lines import Curves


class Chain(Curves):
    """Time of a chain of element-wise steps, one kernel each or all in one."""

    def __init__(self):
        names = ["one kernel a step", "fused"]
        super().__init__(names, "steps in the chain", "time [s]", (1, 12), (1e-6, 1), log="y")
        self.ops = np.arange(1, 13)

    def show(self, result):
        """`result`: (ops, elements, dtype, chip)."""
        ops, n, dtype, chip = result
        curves, here = (
            [
                np.array([tiling.chain_bytes(n, int(o), dtype, fused) for o in np.atleast_1d(at)]) / chip.bytes_per_s
                for fused in (False, True)
            ]
            for at in (self.ops, ops)
        )
        apart, fused = (float(line[0]) for line in here)
        self.draw(self.ops, curves, ops, [apart, fused])
        return (
            f"{counted(ops, 'step')}, {si(n)} elements, {chip.name}: {si(apart, 's')} apart, "
            f"{si(fused, 's')} fused, {number(apart / fused)} times as fast."
        )
