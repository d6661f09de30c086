"""Pictures of chapter 6, second half: layers on an array, the first TPU, what stays still, matrix beside vector."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib import mapping, systolic
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines
from accelerator_lib.views.shares import Shares

FULL, LAST = "#f0b48a", style.COMPUTE


class Mapped:
    """One layer on the array: the PEs that its folds use; beside it, how busy each layer keeps the array."""

    def __init__(self, names):
        self.names = list(names)
        self.figure = style.figure((7.8, 4.2))
        self.square, ax = self.figure.subplots(1, 2, width_ratios=[1, 1.15])
        self.square.set(xlim=(-0.02, 1.02), ylim=(1.02, -0.02), xticks=[], yticks=[], aspect="equal")
        self.square.set_xlabel("output channels on columns\n(hatched: the last fold)", color=style.INK, fontsize=10)
        self.square.set_ylabel("k on rows", color=style.INK, fontsize=10)
        self.square.add_patch(Rectangle((0, 0), 1, 1, facecolor="#f4f4f4", edgecolor=style.MUTED))
        self.full = self.square.add_patch(Rectangle((0, 0), 1, 1, facecolor=FULL, edgecolor=style.INK))
        self.last = self.square.add_patch(
            Rectangle((0, 0), 1, 1, fill=False, edgecolor=LAST, hatch="///", linewidth=1.5, linestyle="--")
        )
        style.dress(ax, "busy PEs", "", (1e-4, 9), (-0.6, len(self.names) - 0.4), log="x")
        style.percents(ax.xaxis)
        at = np.arange(len(self.names))[::-1]
        ax.set_yticks(at, self.names)
        ax.tick_params(axis="y", labelsize=9)
        ax.grid(axis="y", visible=False)
        self.bars = ax.barh(at, [0.1] * len(at), left=1e-4, height=0.6, color=style.MEMORY, edgecolor=style.INK)
        self.texts = [style.label(ax, y=y, va="center", size=9) for y in at]
        style.moving(self.full, self.last, *self.bars, *self.texts)

    def show(self, result):
        """`result`: (name of the layer, edge, padded, arrays)."""
        name, edge, padded, arrays = result
        placed = {job.name: mapping.place(job, edge, padded, arrays) for job in mapping.jobs().values()}
        for key, bar, text in zip(self.names, self.bars, self.texts, strict=True):
            share = placed[key].utilization
            bar.set_width(max(share, 1.2e-4) - 1e-4)
            bar.set(facecolor=style.COMPUTE if key == name else "#7fb0d2", linewidth=1.5 if key == name else 0)
            text.set(text=f" {percent(share)}", x=max(share, 1.2e-4), fontweight="bold" if key == name else "normal")
        own = placed[name]
        self.full.set_bounds(0, 0, own.cols / edge, own.rows / edge)
        self.last.set_bounds(0, 0, own.last_cols / edge, own.last_rows / edge)
        folds = counted(own.folds, "fold")
        return (
            f"{name}: {folds} of up to {counted(own.rows, 'row')} × {counted(own.cols, 'column')} on {edge} × {edge}; "
            f"{percent(own.utilization)} of the PEs do useful work."
        )


class WorkloadSets(Lines):
    """Whole workloads over the size of the array."""

    EDGES = (8, 512)

    def __init__(self):
        self.sets = mapping.sets()
        super().__init__(
            list(self.sets), "edge of the array", "busy PEs", self.EDGES, (1e-4, 1), log="xy", legend="lower left"
        )
        style.percents(self.ax.yaxis)
        self.edges = np.unique(np.geomspace(*self.EDGES, 40).round())
        self.curves_ = [mapping.utilization(jobs, self.edges) for jobs in self.sets.values()]

    def show(self, edge):
        """`edge` of the array."""
        values = [float(mapping.utilization(jobs, edge)) for jobs in self.sets.values()]
        self.draw(self.edges, self.curves_, edge, values)
        told = "; ".join(f"{name} {percent(value)}" for name, value in zip(self.sets, values, strict=True))
        return f"{edge} × {edge} PEs, busy: {told}."


class TpuV1:
    """The first TPU: two predictions beside what it delivered."""

    KINDS = (("roofline", style.MEMORY, "o"), ("tile time", style.OTHER, "s"), ("delivered, published", style.INK, "D"))

    def __init__(self, names):
        self.names = list(names)
        self.figure, ax = style.axes("rate [OP/s]", "", (2e11, 1.6e14), log="x", size=(7.4, 3.9))
        at = np.arange(len(self.names))[::-1]
        ax.set(ylim=(-0.7, len(self.names) - 0.4))
        ax.set_yticks(at, self.names)
        ax.grid(axis="y", visible=False)
        self.rows = at
        self.lines = [ax.plot([], [], color=style.GRID, linewidth=4, zorder=1)[0] for _ in at]
        self.dots = [style.dot(ax, color, 11, marker, label=name, linestyle="") for name, color, marker in self.KINDS]
        self.texts = [style.label(ax, x=2.15e11, y=y - 0.33, color=style.MUTED, size=9, va="center") for y in at]
        self.figure.legend(handles=self.dots, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(*self.lines, *self.dots, *self.texts)

    def show(self, applications):
        """`applications`: of tpu.applications."""
        shift = (0.12, -0.12, 0)
        for kind, dot, by in zip(("roofline", "tiled", "delivered"), self.dots, shift, strict=True):
            dot.set_data([getattr(a, kind) for a in applications], self.rows + by)
        for a, line, text, y in zip(applications, self.lines, self.texts, self.rows, strict=True):
            line.set_data([a.tiled, a.delivered], [y, y])
            text.set_text(
                f"published: array in use {percent(a.active)}, waiting for weights {percent(a.stalled)} of the time"
            )
        worst = max(applications, key=lambda a: abs(np.log(a.tiled / a.delivered)))
        first = applications[0]
        return (
            f"{first.name}: {si(first.tiled, 'OP/s')} predicted, limited by {first.tile.bound}; "
            f"{si(first.delivered, 'OP/s')} delivered. Furthest off: {worst.name}, predicted at "
            f"{number(worst.tiled / worst.delivered)} times what was delivered."
        )


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


class VectorBalance(Lines):
    """How long the matrix unit works while a slower vector unit finishes its results."""

    OPERATIONS = (1, 8, 40)

    def __init__(self):
        names = ["bias: 1 operation a result", "activation: 8", "softmax and norm: 40"]
        super().__init__(
            names,
            "k, length of the dot products",
            "matrix unit at work",
            (16, 8192),
            (0, 1.02),
            legend="outside lower center",
        )
        style.percents(self.ax.yaxis)
        self.k = np.geomspace(16, 8192, 80)

    def show(self, result):
        """`result`: (k, ratio of matrix to vector rate, overlap)."""
        k, ratio, overlap = result
        share = lambda length: [mapping.vector_share(length, n, ratio, overlap) for n in self.OPERATIONS]  # noqa: E731
        values = [float(value) for value in share(k)]
        self.draw(self.k, share(self.k), k, values)
        return (
            f"Dot products of {number(k)}, vector unit {number(ratio)} times slower: the matrix unit works "
            f"{percent(values[0])} of the time with a bias, {percent(values[1])} with an activation, "
            f"{percent(values[2])} with softmax and norm."
        )
