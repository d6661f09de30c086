"""Instructions: overhead shared by many operations or by one."""

import numpy as np

from accelerator_lib.energy import instructions
from accelerator_lib.units import counted, number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class Overhead(Curves):
    """What an instruction costs beside its operations: shared by one, or by a thousand."""

    def __init__(self):
        super().__init__(["overhead"], "operations of one instruction", "share of the energy", (1, 2048), (0, 1.02))
        style.percents(self.ax.yaxis)
        self.operations = np.geomspace(1, 2048, 80)
        for row, _, share in instructions.published():
            self.ax.plot(row["ops"], share, "D", color=style.MEMORY, markersize=8)
            style.label(self.ax, f" {row['instruction']}", row["ops"], share + 0.03, style.MEMORY, 9)

    def show(self, result):
        """`result`: (operations of an instruction, pJ of one operation, pJ of the overhead)."""
        operations, each, overhead = result
        share = instructions.overhead_share(operations, each, overhead)
        self.draw(self.operations, [instructions.overhead_share(self.operations, each, overhead)], operations, [share])
        return (
            f"{counted(operations, 'operation')} at {number(each)} pJ behind {number(overhead)} pJ of fetching and "
            f"decoding: {percent(share)} of the energy is overhead, {number(each + overhead / operations)} "
            "pJ for each operation."
        )
