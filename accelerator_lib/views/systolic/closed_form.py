"""Which shapes fill an array, one large or several small."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib import systolic
from accelerator_lib.units import counted, number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves
from accelerator_lib.views.shares import Shares
from accelerator_lib.workload import Gemm


class StaysStill(Shares):
    """Energy of a product by dataflow, relative to the dearest one."""

    FLOWS = ("os", "ws", "is")

    def __init__(self):
        things = ["output-stationary", "weight-stationary", "input-stationary"]
        parts = ["registers", "inputs from SRAM", "weights from SRAM", "sums to and from SRAM", "DRAM"]
        super().__init__(things, parts, "energy, relative to the dearest")

    def show(self, result):
        """`result`: (gemm, edge, pJ of an access to register, SRAM and DRAM)."""
        gemm, edge, register, sram, dram = result
        macs, rows = gemm.flops / 2, []
        for flow in self.FLOWS:
            moved = systolic.traffic(gemm, edge, edge, flow)
            reads = (moved.inputs, moved.weights, moved.outputs + moved.partials)
            rows.append([4 * macs * register, *(sram * count for count in reads), dram * moved.dram])
        totals = np.sum(rows, axis=1)
        self.draw(np.array(rows) / totals.max())
        told = ", ".join(f"{name} {number(total / macs)}" for name, total in zip(self.things, totals, strict=True))
        return f"pJ for each multiply-accumulate: {told}."


class ShapeMap:
    """Busy share of the array over rows of inputs and array size; your place is framed."""

    ROWS = tuple(2**i for i in range(13))
    EDGES = (16, 32, 64, 128, 256, 512)

    def __init__(self):
        self.figure, self.ax = style.axes("M, rows of inputs", "edge of the array", size=(7.6, 3.9))
        shape = len(self.EDGES), len(self.ROWS)
        self.image = self.ax.imshow(np.zeros(shape), cmap="Oranges", vmin=0, vmax=1.6, aspect="auto", origin="lower")
        for axis, names in ((self.ax.xaxis, self.ROWS), (self.ax.yaxis, self.EDGES)):
            axis.set_ticks(range(len(names)), [f"{name:,}" for name in names])
        self.ax.grid(False)
        self.texts = [
            self.ax.text(col, row, "", ha="center", va="center", fontsize=9) for row, col in np.ndindex(shape)
        ]
        self.frame = self.ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=style.INK, linewidth=3))
        style.moving(self.frame)
        self.drawn = None

    def _draw(self, size, overlap):
        """The map itself; it stays while only the frame moves."""
        rows, edges = np.meshgrid(self.ROWS, self.EDGES)
        share = systolic.cycles(Gemm(rows, size, size), edges, edges, "ws", overlap).utilization
        self.image.set_data(share)
        for text, value in zip(self.texts, share.flat, strict=True):
            text.set_text(f"{100 * value:.0f}" if value > 0.095 else f"{100 * value:.1g}")
        self.drawn = size, overlap

    def show(self, result):
        """`result`: (M, edge, N = K, overlap)."""
        m, edge, size, overlap = result
        if self.drawn != (size, overlap):
            self._draw(size, overlap)
        col, row = np.log2(m), self.EDGES.index(edge)
        self.frame.set_bounds(col - 0.5, row - 0.5, 1, 1)
        own = systolic.cycles(Gemm(m, size, size), edge, edge, "ws", overlap).utilization
        return (
            f"{counted(m, 'row')} of inputs on {edge} × {edge} PEs: {percent(own, 3)} of them busy "
            f"(numbers on the map: percent)."
        )


class Split(Curves):
    """One large array against the same PEs in smaller ones, over the rows of inputs."""

    def __init__(self):
        names = ["one array", "four of half the edge", "sixteen of a quarter"]
        super().__init__(names, "M, rows of inputs", "busy PEs", (1, 4096), (0, 1.02), legend="lower right")
        style.percents(self.ax.yaxis)
        self.rows = np.unique(np.geomspace(1, 4096, 80).round())

    def show(self, result):
        """`result`: (M, edge of the one array, N = K)."""
        m, edge, size = result

        def busy(rows, pieces):
            side = int(edge / pieces**0.5)
            return systolic.cycles(Gemm(rows, size, size), side, side, "ws", overlap=True, arrays=pieces).utilization

        values = [busy(m, pieces) for pieces in (1, 4, 16)]
        self.draw(self.rows, [busy(self.rows, pieces) for pieces in (1, 4, 16)], m, values)
        return (
            f"{counted(m, 'row')}: one array of {edge} × {edge} is {percent(values[0])} busy, four of {edge // 2} × "
            f"{edge // 2} {percent(values[1])}, sixteen of {edge // 4} × {edge // 4} {percent(values[2])}."
        )
