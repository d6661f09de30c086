"""A layer's energy: arithmetic beside the way of its weights."""

import numpy as np

from accelerator_lib import energy
from accelerator_lib.energy import table
from accelerator_lib.units import counted, percent, si
from accelerator_lib.views.lines import Curves
from accelerator_lib.workload import Gemm


class LayerEnergy(Curves):
    """Energy for each row of inputs: arithmetic, and the weights' way from their memory."""

    def __init__(self):
        super().__init__(
            ["arithmetic", "moving the weights"],
            "M, rows of inputs",
            "energy for one row [J]",
            (1, 4096),
            (1e-11, 1e-1),
            log="xy",
            legend="lower left",
        )
        self.rows = np.unique(np.geomspace(1, 4096, 60).round())

    def show(self, result):
        """`result`: (M, N = K, dtype, level of the weights, node)."""
        m, size, dtype, level, node = result
        parts = lambda rows: (part := energy.layer(Gemm(rows, size, size), dtype, level, node)) and (  # noqa: E731
            part.arithmetic / rows, part.movement / rows,
        )  # fmt: skip
        here = energy.layer(Gemm(m, size, size), dtype, level, node)
        self.draw(self.rows, parts(self.rows), m, parts(m))
        return (
            f"{counted(m, 'row')}, weights from {table.label(level)}: {si(here.arithmetic, 'J')} for arithmetic, "
            f"{si(here.movement, 'J')} for the weights. Arithmetic is {percent(here.arithmetic_share)} (estimate)."
        )
