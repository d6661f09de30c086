"""Energy of a product on an array, by what stays still."""

import numpy as np

from accelerator_lib import energy
from accelerator_lib.units import number
from accelerator_lib.views.shares import Shares


class DataflowEnergy(Shares):
    """Energy of a product on an array, by what stays still."""

    FLOWS = {"os": "outputs stay", "ws": "weights stay", "is": "inputs stay"}
    PARTS = ("arithmetic", "registers", "inputs", "weights", "sums", "DRAM")

    def __init__(self):
        super().__init__(self.FLOWS.values(), self.PARTS, "energy, relative to the dearest (estimate)")

    def show(self, result):
        """`result`: (gemm, edge, level of the buffers, level of the main memory)."""
        gemm, edge, sram, dram = result
        table = [energy.dataflow(gemm, edge, flow, sram=sram, dram=dram) for flow in self.FLOWS]
        totals = [sum(row.values()) for row in table]
        self.draw([[row[part] / max(totals) for part in self.PARTS] for row in table])
        best = list(self.FLOWS.values())[int(np.argmin(totals))]
        macs = gemm.flops / 2
        told = ", ".join(
            f"{name} {number(total / macs * 1e12)}" for name, total in zip(self.things, totals, strict=True)
        )
        return f"pJ for each multiply-accumulate: {told}. The cheapest: {best}."
