"""What the lanes of a warp touch: sectors of the memory, banks of the shared memory."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from accelerator_lib.gpu import access
from accelerator_lib.units import counted, percent
from accelerator_lib.views import style


class Sectors:
    """What 32 lanes touch in memory: each lane's bytes, and the 32-byte sectors that must be brought."""

    MOST = 64

    def __init__(self):
        self.figure, ax = style.axes("", "", (-0.5, 31.5), (-0.35, 1.35), size=(7.4, 3.4))
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.text(-0.4, 1.25, "lanes of the warp", fontsize=10, color=style.MUTED)
        self.under = ax.text(-0.4, -0.3, "", fontsize=10, color=style.MUTED)
        self.lanes = ax.scatter(range(32), [1] * 32, s=55, marker="s", color=style.COMPUTE, zorder=3)
        self.lines = ax.add_collection(LineCollection([], colors=style.MUTED, linewidths=0.8))
        self.boxes = [
            ax.add_patch(Rectangle((0, 0), 1, 0.2, facecolor="#cfe3f2", edgecolor=style.MEMORY))
            for _ in range(self.MOST)
        ]
        style.moving(self.lines, self.lanes, self.under, *self.boxes)

    def show(self, result):
        """`result`: (name, byte addresses [lanes, bytes])."""
        name, addresses = result
        sectors = access.sectors_of(addresses)
        width = min(2.0, 32 / len(sectors))
        left = 15.5 - width * len(sectors) / 2
        place = dict(zip(sectors, left + width * np.arange(len(sectors)), strict=True))
        for box, sector in zip(self.boxes, [*sectors, *[None] * self.MOST], strict=False):
            box.set_visible(sector is not None)
            if sector is not None:
                box.set_bounds(place[sector] + 0.04 * width, -0.15, 0.92 * width, 0.22)
        ends = [(place[a // 32] + width * (a % 32) / 32, 0.07) for a in addresses[:, 0]]
        self.lines.set_segments([[(lane, 0.96), end] for lane, end in enumerate(ends)])
        count, share = len(sectors), access.efficiency_of(addresses)
        gaps = int((np.diff(sectors) > 1).sum())
        self.under.set_text(
            f"{counted(count, 'sector')} of 32 bytes" + (f", in {gaps + 1} places" if gaps else ", in a row")
        )
        return f"{name}: {counted(count, 'sector')}, {32 * count:,} bytes brought, {percent(share)} of them asked for."


class Banks:
    """The 32 banks of shared memory: how many different words each must deliver."""

    def __init__(self):
        self.figure, ax = style.axes("bank", "different words", (-0.7, 31.7), (0, 33), size=(7.4, 2.9))
        for axis in (ax.xaxis, ax.yaxis):
            style.plain(axis)
        self.bars = ax.bar(range(32), [1] * 32, 0.8, edgecolor="white")
        self.line = ax.axhline(1, color=style.INK, linewidth=1.2, linestyle="--")
        style.moving(*self.bars, self.line)

    def show(self, result):
        """`result`: (name, byte addresses [lanes, bytes])."""
        name, addresses = result
        counts = access.banks_of(addresses)
        worst = int(counts.max())
        for bar, count in zip(self.bars, counts, strict=True):
            bar.set_height(count)
            bar.set(
                facecolor=style.COMPUTE if count == worst > 1 else style.MEMORY,
                hatch="..." if count == worst > 1 else "",
            )
        self.line.set_ydata([worst, worst])
        if worst == 1:
            return f"{name}: no conflict, {counted(int(counts.sum()), 'word')} in one turn."
        return f"{name}: one bank must deliver {worst} words, so the access takes {worst} turns."
