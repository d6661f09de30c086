"""Layers on an array: which PEs they use, whole workloads, matrix beside vector units."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib.systolic import layers
from accelerator_lib.units import counted, number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class Padding:
    """A matrix, and the larger one that the machine computes with."""

    def __init__(self):
        self.figure, ax = style.axes("features (lanes)", "batch (sublanes)", (0, 1056), (264, 0), size=(7.2, 3.6))
        for axis in (ax.xaxis, ax.yaxis):
            style.plain(axis)
        self.padded = ax.add_patch(
            Rectangle((0, 0), 1, 1, facecolor="white", edgecolor=style.MEMORY, hatch="///", label="zeros for padding")
        )
        self.real = ax.add_patch(
            Rectangle((0, 0), 1, 1, facecolor="#f0b48a", edgecolor=style.COMPUTE, label="your numbers")
        )
        self.figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=10)
        style.moving(self.padded, self.real)

    def show(self, result):
        """`result`: (batch, features, padded batch, padded features)."""
        batch, features, tall, wide = result
        self.padded.set_bounds(0, 0, wide, tall)
        self.real.set_bounds(0, 0, features, batch)
        used = batch * features / (tall * wide)
        return (
            f"{batch} × {features} becomes {tall} × {wide}: {percent(1 - used)} of the numbers are zeros, "
            f"{number(1 / used)} times the work."
        )


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
        placed = {job.name: layers.mapped(job, edge, padded, arrays) for job in layers.jobs().values()}
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


class WorkloadSets(Curves):
    """Whole workloads over the size of the array."""

    EDGES = (8, 512)

    def __init__(self):
        self.sets = layers.sets()
        super().__init__(
            list(self.sets), "edge of the array", "busy PEs", self.EDGES, (1e-4, 1), log="xy", legend="lower left"
        )
        style.percents(self.ax.yaxis)
        self.edges = np.unique(np.geomspace(*self.EDGES, 40).round())
        self.curves_ = [layers.utilization(jobs, self.edges) for jobs in self.sets.values()]

    def show(self, edge):
        """`edge` of the array."""
        values = [float(layers.utilization(jobs, edge)) for jobs in self.sets.values()]
        self.draw(self.edges, self.curves_, edge, values)
        told = "; ".join(f"{name} {percent(value)}" for name, value in zip(self.sets, values, strict=True))
        return f"{edge} × {edge} PEs, busy: {told}."


class VectorBalance(Curves):
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
        share = lambda length: [layers.vector_share(length, n, ratio, overlap) for n in self.OPERATIONS]  # noqa: E731
        values = [float(value) for value in share(k)]
        self.draw(self.k, share(self.k), k, values)
        return (
            f"Dot products of {number(k)}, vector unit {number(ratio)} times slower: the matrix unit works "
            f"{percent(values[0])} of the time with a bias, {percent(values[1])} with an activation, "
            f"{percent(values[2])} with softmax and norm."
        )
