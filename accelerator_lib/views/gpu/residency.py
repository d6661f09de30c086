"""What fits on one SM, and what stops more."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib import gpu
from accelerator_lib.units import counted, number, percent
from accelerator_lib.views import style

NO_LIMIT = 1000  # blocks: of a resource that the launch does not use
BUCKETS = {"warps": "warps", "blocks": "blocks", "registers": "registers", "shared": "shared memory"}


class Buckets:
    """Four resources of an SM: how many blocks each would allow, and how full each is with the blocks that fit."""

    def __init__(self):
        self.figure, ax = style.axes("blocks that this resource allows on one SM", "", (0.8, 400), (-0.6, 3.6), log="x",
                                     size=(7.2, 3.2))  # fmt: skip
        style.plain(ax.xaxis)
        at = np.arange(4)[::-1]
        ax.set_yticks(at, BUCKETS.values())
        ax.grid(axis="y", visible=False)
        self.bars = ax.barh(at, [1] * 4, 0.6, left=0.8, edgecolor=style.INK)
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold") for y in at]
        self.line = ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        style.moving(*self.bars, *self.texts, self.line)

    def show(self, result):
        """`result`: (name of the compute capability, gpu.Occupancy)."""
        name, found = result
        for key, bar, text in zip(BUCKETS, self.bars, self.texts, strict=True):
            count, limits = found.allowed[key], key in found.limiters
            bar.set_width(max(count, 0.85) - 0.8)
            bar.set(facecolor=style.COMPUTE if limits else "#7fb0d2", hatch="..." if limits else "")
            told = counted(count, "block") if count < NO_LIMIT else "no limit"
            text.set(text=f" {told}" + (" ← limits" if limits else ""), x=min(max(count, 0.85), 120))
        self.line.set_xdata([max(found.blocks, 0.8)] * 2)
        if not found.blocks:
            return f"{name}: not even one block fits, the launch fails. Too many registers for so many threads."
        told = " and ".join(BUCKETS[key] for key in found.limiters)
        return (
            f"{name}: {counted(found.blocks, 'block')}, {counted(found.warps, 'warp')}, "
            f"occupancy {percent(found.fraction)}. The limit: {told}."
        )


class OccupancyMap:
    """Occupancy over threads of a block and registers of a thread; your launch is framed."""

    THREADS = tuple(range(32, 1025, 32))
    REGISTERS = tuple(range(16, 256, 8))

    def __init__(self):
        self.figure, ax = style.axes("threads of a block", "registers of a thread", size=(7.2, 4.2))
        shape = len(self.REGISTERS), len(self.THREADS)
        self.image = ax.imshow(
            np.zeros(shape), cmap="Oranges", vmin=0, vmax=1.25, aspect="auto", origin="lower", interpolation="nearest",
            extent=(16, 1040, 12, 252),
        )  # fmt: skip
        ax.set_xticks(range(128, 1025, 128))
        style.plain(ax.xaxis)
        style.plain(ax.yaxis)
        ax.grid(False)
        self.frame = ax.add_patch(Rectangle((0, 0), 32, 8, fill=False, edgecolor=style.INK, linewidth=2.5))
        bar = self.figure.colorbar(self.image, ax=ax, label="occupancy", boundaries=np.linspace(0, 1, 9))
        style.percents(bar.ax.yaxis)
        style.moving(self.image, self.frame)

    def show(self, result):
        """`result`: (compute capability, threads, registers, shared bytes)."""
        arch, threads, registers, shared = result
        table = gpu.occupancy_map(arch, self.THREADS, self.REGISTERS, shared)
        self.image.set_data(table)
        self.frame.set_xy((threads - 16, registers - registers % 8 - 4))
        own = gpu.occupancy(arch, threads, registers, shared)
        return (
            f"{threads} threads, {registers} registers, {number(shared / 1024)} KiB: occupancy {percent(own.fraction)} "
            f"on {gpu.limits(arch)['name']}. {percent(float((table == 1).mean()))} of this map's launches reach 100 %."
        )
