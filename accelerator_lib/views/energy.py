"""Pictures of chapter 8: the energy ladder, what sources say, a layer, a dataflow, instructions."""

import numpy as np

from accelerator_lib import energy, ladder, power
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines
from accelerator_lib.views.shares import Shares
from accelerator_lib.workload import Gemm


class Ladder:
    """Energies of one node from the cheapest operation to DRAM; thin marks show the other node."""

    def __init__(self):
        self.names = list(dict.fromkeys(row.name for node in ladder.NODES for row in ladder.ladder(node)))
        self.names.sort(
            key=lambda name: min(row.pj for node in ladder.NODES for row in ladder.ladder(node) if row.name == name)
        )
        self.figure, ax = style.axes("energy [pJ], estimate", "", (4e-3, 6e4), log="x", size=(7.4, 6.0))
        style.plain(ax.xaxis)
        at = np.arange(len(self.names))
        ax.set(ylim=(-0.7, len(self.names) - 0.3))
        ax.set_yticks(at, [ladder.label(name) for name in self.names])
        ax.tick_params(axis="y", labelsize=9)
        ax.grid(axis="y", visible=False)
        self.bars = ax.barh(at, [1] * len(at), 0.7, left=4e-3, edgecolor="white")
        self.texts = [style.label(ax, x=2600, y=y, va="center", size=9) for y in at]
        self.other = ax.plot([], [], "|", color=style.INK, markersize=11, markeredgewidth=2, label="the other node")[0]
        self.figure.legend(handles=[self.other], loc="outside lower center", frameon=False, fontsize=10)
        style.moving(*self.bars, *self.texts, self.other)

    def show(self, result):
        """`result`: (node, whether accesses are shown per byte, chosen name)."""
        node, per_byte, chosen = result
        tables = {n: {row.name: row for row in ladder.ladder(n)} for n in ladder.NODES}
        value = lambda row: row.pj_per_byte if per_byte and row.bits else row.pj  # noqa: E731
        points = []
        for place, (name, bar, text) in enumerate(zip(self.names, self.bars, self.texts, strict=True)):
            row, other = tables[node].get(name), tables[ladder.other(node)].get(name)
            pj = value(row) if row else 4e-3
            bar.set_width(pj - 4e-3)
            kind = style.COMPUTE if row and row.bits is None else style.MEMORY
            bar.set(
                facecolor=kind, hatch="" if row and row.bits is None else "///", alpha=1 if name == chosen else 0.75
            )
            text.set(text=number(pj) if row else "not published", fontweight="bold" if name == chosen else "normal")
            if other:
                points.append((value(other), place))
        self.other.set_data(*zip(*points, strict=True))
        row, other = tables[node].get(chosen), tables[ladder.other(node)].get(chosen)
        unit = "pJ per byte" if per_byte and row and row.bits else "pJ"
        told = ladder.label(chosen)
        if not row or not other:
            here = f"{number(value(row or other))} {unit} at {node if row else ladder.other(node)} nm"
            return f"{told}: {here}; the other node is not published."
        here = f"{told} at {node} nm: {number(value(row))} {unit} (estimate, {row.basis.replace('_', ' ')})."
        return f"{here} {_change(tables[45][chosen].pj / tables[7][chosen].pj)}"


def _change(ratio):
    return f"At 45 nm it is {number(ratio)} times that of 7 nm." if ratio != 1 else "At both nodes it is the same."


class Disagreement:
    """Everything that the data say about a few things, source by source."""

    def __init__(self):
        self.names = list(ladder.GROUPS)
        self.figure, ax = style.axes("energy [pJ/bit]", "", (1e-2, 6e2), log="x", size=(7.4, 4.2))
        style.plain(ax.xaxis)
        at = np.arange(len(self.names))[::-1]
        ax.set(ylim=(-0.7, len(self.names) - 0.3))
        ax.set_yticks(at, self.names)
        ax.tick_params(axis="y", labelsize=10)
        self.dots = []
        for y, name in zip(at, self.names, strict=True):
            values = [value for value, _ in ladder.published(name)]
            ax.plot([values[0], values[-1]], [y, y], color=style.GRID, linewidth=7, zorder=1, solid_capstyle="round")
            self.dots.append(ax.plot(values, [y] * len(values), "o", color=style.MEMORY, markersize=7)[0])
        style.moving(*self.dots)

    def show(self, group):
        for name, dots in zip(self.names, self.dots, strict=True):
            dots.set(color=style.COMPUTE if name == group else style.MEMORY, marker="D" if name == group else "o")
        rows = ladder.published(group)
        if len(rows) == 1:
            return f"{group}: one value, {number(rows[0][0])} pJ/bit ({rows[0][1].source})."
        return (
            f"{group}: {counted(len(rows), 'value')} from {number(rows[0][0])} to {number(rows[-1][0])} pJ/bit, "
            f"a factor of {number(rows[-1][0] / rows[0][0])}."
        )


class LayerEnergy(Lines):
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
            f"{counted(m, 'row')}, weights from {ladder.label(level)}: {si(here.arithmetic, 'J')} for arithmetic, "
            f"{si(here.movement, 'J')} for the weights. Arithmetic is {percent(here.arithmetic_share)} (estimate)."
        )


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


class Overhead(Lines):
    """What an instruction costs beside its operations: shared by one, or by a thousand."""

    def __init__(self):
        super().__init__(["overhead"], "operations of one instruction", "share of the energy", (1, 2048), (0, 1.02))
        style.percents(self.ax.yaxis)
        self.operations = np.geomspace(1, 2048, 80)
        for row, _, share in power.instructions():
            self.ax.plot(row["ops"], share, "D", color=style.MEMORY, markersize=8)
            style.label(self.ax, f" {row['instruction']}", row["ops"], share + 0.03, style.MEMORY, 9)

    def show(self, result):
        """`result`: (operations of an instruction, pJ of one operation, pJ of the overhead)."""
        operations, each, overhead = result
        share = power.overhead_share(operations, each, overhead)
        self.draw(self.operations, [power.overhead_share(self.operations, each, overhead)], operations, [share])
        return (
            f"{counted(operations, 'operation')} at {number(each)} pJ behind {number(overhead)} pJ of fetching and "
            f"decoding: {percent(share)} of the energy is overhead, {number(each + overhead / operations)} "
            "pJ for each operation."
        )
