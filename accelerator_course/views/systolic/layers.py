"""Layers on an array: which PEs they use, what padding adds."""

from matplotlib.patches import Rectangle

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_lib.units import counted, number, percent

FULL = "#f0b48a"


class Padding:
    """A layer of weights and the inputs before it, and the larger ones that the machine computes with.

    >>> view = Padding()
    >>> view.show(systolic.layers.pad(Gemm(1, 1, 1)))
    >>> view.show(systolic.layers.pad(Gemm(250, 1000, 1000)))
    """

    def __init__(self):
        self.figure = style.figure((7.8, 4.2))
        self.inputs, self.weights = self.figure.subplots(1, 2)
        self.boxes = []
        sides = (self.inputs, "inputs: features (lanes)", "batch (sublanes)"), (self.weights, "weights: features", "")
        for ax, across, down in sides:
            style.dress(ax, across, down, (0, 536), (536, 0))
            ax.set_aspect("equal")
            for axis in (ax.xaxis, ax.yaxis):
                style.plain(axis)
                axis.set_ticks(range(0, 513, 128))
            zeros = Rectangle((0, 0), 1, 1, facecolor="white", edgecolor=style.MEMORY, hatch="///", label="zeros")
            real = Rectangle((0, 0), 1, 1, facecolor=FULL, edgecolor=style.COMPUTE, label="your numbers")
            self.boxes.append([ax.add_patch(zeros), ax.add_patch(real)])
        self.figure.legend(handles=self.boxes[0], loc="outside lower center", ncols=2, frameon=False, fontsize=10)
        style.moving(*self.boxes[0], *self.boxes[1])

    def show(self, padded):
        """`padded`: layers.Padded."""
        own, full = padded.gemm, padded.full
        for gemm, place in ((full, 0), (own, 1)):
            self.boxes[0][place].set_bounds(0, 0, gemm.k, gemm.m)
            self.boxes[1][place].set_bounds(0, 0, gemm.n, gemm.k)
        return (
            f"Inputs {own.m:,} × {own.k:,} become {full.m:,} × {full.k:,} ({percent(padded.zeros)} zeros), "
            f"weights {own.k:,} × {own.n:,} become {full.k:,} × {full.n:,} ({percent(padded.weight_zeros)} zeros): "
            f"{number(padded.excess)} times the work."
        )


class Mapped:
    """One layer on the array: the PEs that each kind of fold uses; beside it, how busy each layer keeps the array.

    >>> view, jobs = Mapped(), systolic.layers.jobs()
    >>> view.show(("depthwise 3×3, 512 channels", {n: systolic.layers.mapped(j, 128) for n, j in jobs.items()}))
    >>> view.show(("129 wide, batch 512", {n: systolic.layers.mapped(j, 8, True, 4) for n, j in jobs.items()}))
    """

    def __init__(self):
        self.figure = style.figure((7.8, 4.2))
        plan, self.ax = self.figure.subplots(1, 2, width_ratios=[1, 1.15])
        style.bare(plan, (-0.02, 1.02), (1.02, -0.02)).set_aspect("equal")
        plan.set_xlabel("output channels on columns", color=style.INK, fontsize=10)
        plan.set_ylabel("k on rows", color=style.INK, fontsize=10)
        paper, used = (
            {"facecolor": "#f4f4f4", "edgecolor": style.MUTED},
            {"facecolor": FULL, "edgecolor": style.COMPUTE},
        )
        self.arrays, self.used = (
            [plan.add_patch(Rectangle((0, 0), 1, 1, **look)) for _ in range(4)] for look in (paper, used)
        )
        self.counts = [style.label(plan, ha="center", va="center") for _ in range(4)]
        style.moving(*self.arrays, *self.used, *self.counts)
        self.rows = None

    def show(self, result):
        """`result`: (name of a layer, {name: layers.Mapping} of all)."""
        name, found = result
        if self.rows is None:
            style.dress(self.ax, "busy PEs, logarithmic axis", "", (1e-4, 9), log="x")
            style.percents(self.ax.xaxis)
            self.ax.set_xticks([1e-4, 1e-2, 1])
            self.rows = Rows(self.ax, found, size=9)
        shares = [one.utilization for one in found.values()]
        self.rows.draw(shares, [percent(share) for share in shares], chosen=name)
        own = found[name]
        self._lay(own)
        size = f"{counted(own.rows, 'row')} × {counted(own.cols, 'column')}"
        return (
            f"{name}: {counted(own.folds, 'fold')} of up to {size} on {own.edge} × {own.edge}; "
            f"{percent(own.utilization)} of the PEs do useful work."
        )

    def _lay(self, mapping):
        """One array for each kind of fold: full ones and those in the last columns; below, those in the last rows."""
        pitch = 1 / max(len(mapping.tiles), len(mapping.tiles[0]))
        side, kinds = 0.92 * pitch, {}
        for down, row in enumerate(mapping.tiles):
            for right, kind in enumerate(row):
                kinds[2 * down + right] = (pitch * (right + 0.04), pitch * (down + 0.04), kind)
        for place, artists in enumerate(zip(self.arrays, self.used, self.counts, strict=True)):
            for artist in artists:
                artist.set_visible(place in kinds)
            if place in kinds:
                x, y, (folds, rows, cols) = kinds[place]
                array, used, count = artists
                array.set_bounds(x, y, side, side)
                used.set_bounds(x, y, side * cols / mapping.edge, side * rows / mapping.edge)
                count.set(x=x + side / 2, y=y + side / 2, text=counted(folds, "fold"))
