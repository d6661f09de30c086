"""A launch, and the teeth that waves cut into the speed of a product."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_lib import gpu
from accelerator_lib.units import counted, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class Sawtooth(Curves):
    """How much of the chip a square product uses, over its size."""

    def __init__(self):
        names = ["SMs with work × full tiles", "SMs with work alone"]
        super().__init__(names, "M = N", "share of the chip", (128, 8192), (0, 1.02), log="", legend="lower right")
        style.percents(self.ax.yaxis)
        self.sizes = np.arange(128, 8193, 64)

    def show(self, result):
        """`result`: (size, tile, SMs)."""
        size, tile, sms = result
        line, here = gpu.waves(self.sizes, self.sizes, tile, tile, sms), gpu.waves(size, size, tile, tile, sms)
        self.draw(self.sizes, [line.efficiency, line.wave_efficiency], size, [here.efficiency, here.wave_efficiency])
        return (
            f"{size:,} × {size:,}: {counted(here.tiles, 'tile')} in {counted(here.waves, 'wave')} on {sms} SMs; "
            f"{percent(here.efficiency)} of the chip at work."
        )


class Grid:
    """A launch: blocks of threads over the elements; the last block is rarely full."""

    COLUMNS, MOST = 16, 64

    def __init__(self):
        self.figure = style.figure((7.2, 2.9))
        ax = style.bare(self.figure.subplots(), (0, self.COLUMNS), (self.MOST // self.COLUMNS + 0.1, -0.1))
        self.boxes, self.fills = [], []
        for place in range(self.MOST):
            row, col = divmod(place, self.COLUMNS)
            spot = {"xy": (col + 0.06, row + 0.06), "width": 0.88, "height": 0.88}
            self.boxes.append(ax.add_patch(Rectangle(**spot, facecolor="white", edgecolor=style.MUTED)))
            self.fills.append(ax.add_patch(Rectangle(**spot, facecolor="#f0b48a", edgecolor=style.COMPUTE)))
        style.moving(*self.boxes, *self.fills)

    def show(self, result):
        """`result`: (elements, gpu.Launch)."""
        elements, made = result
        for place, (box, fill) in enumerate(zip(self.boxes, self.fills, strict=True)):
            there = place < made.blocks
            share = min(1, max(0, elements - place * made.threads) / made.threads)
            box.set_visible(there)
            fill.set(visible=there and share > 0, width=0.88 * share)
        beyond = f" (the first {self.MOST} are drawn)" if made.blocks > self.MOST else ""
        lanes = f" Each block's last warp has {counted(made.empty_lanes, 'empty lane')}." if made.empty_lanes else ""
        shape = f"{counted(made.blocks, 'block')} of {counted(made.threads, 'thread')}{beyond}"
        idle = f"{counted(made.idle_threads, 'thread')} of the last block have nothing to do."
        return f"{counted(elements, 'element')} in {shape}: {idle}{lanes}"
