"""What the lanes of a warp touch: sectors of the memory, banks of the shared memory."""

from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from accelerator_lib.units import counted, percent
from accelerator_lib.views import style

MOST = 64  # sectors drawn


class Sectors:
    """What the lanes touch in memory: each lane's bytes, and the sectors that must be brought.

    >>> view = Sectors()
    >>> def pattern(name): return name, gpu.access.touched(*gpu.access.PATTERNS[name])
    >>> view.show(pattern("a[lane]"))
    >>> view.show(pattern("a[31 - lane]"))
    >>> view.show(pattern("a[0]"))
    >>> view.show(pattern("column, rows padded to 33"))
    """

    def __init__(self):
        self.figure = style.figure((7.4, 3.4))
        ax = style.bare(self.figure.subplots(), (-0.5, 31.5), (-0.35, 1.35))
        ax.text(-0.4, 1.25, "lanes of the warp", fontsize=10, color=style.MUTED)
        self.under = ax.text(-0.4, -0.3, "", fontsize=10, color=style.MUTED)
        self.lanes = ax.scatter([], [], s=55, marker="s", color=style.COMPUTE, zorder=3)
        self.lines = ax.add_collection(LineCollection([], colors=style.MUTED, linewidths=0.8))
        self.boxes = [
            ax.add_patch(Rectangle((0, 0), 1, 0.2, facecolor="#cfe3f2", edgecolor=style.MEMORY)) for _ in range(MOST)
        ]
        style.moving(self.lines, self.lanes, self.under, *self.boxes)

    def show(self, result):
        """`result`: (name, access.Access)."""
        name, found = result
        landing, count = found.landing, len(found.sectors)
        width = min(2.0, len(landing) / count)
        left = (len(landing) - 1 - width * count) / 2
        for place, box in enumerate(self.boxes):
            box.set_visible(place < count)
            box.set_bounds(left + (place + 0.04) * width, -0.15, 0.92 * width, 0.22)
        self.lanes.set_offsets([(lane, 1) for lane in range(len(landing))])
        self.lines.set_segments([[(lane, 0.96), (left + width * end, 0.07)] for lane, end in enumerate(landing)])
        kind = f"{counted(count, 'sector')} of {found.sector_bytes} bytes"
        self.under.set_text(f"{kind}, in {found.pieces} places" if found.pieces > 1 else f"{kind}, in a row")
        brought = f"{found.bytes_brought:,} bytes brought, {percent(found.efficiency)} of them asked for"
        return f"{name}: {counted(count, 'sector')}, {brought}."


class Banks:
    """The banks of shared memory: how many different words each must deliver.

    >>> view = Banks()
    >>> def pattern(name): return name, gpu.access.touched(*gpu.access.PATTERNS[name])
    >>> view.show(pattern("a[2 * lane]"))
    >>> view.show(pattern("column of a matrix, m[lane][5]"))
    >>> view.show(pattern("column, rows padded to 33"))
    """

    def __init__(self):
        self.figure, self.ax = style.axes("bank", "different words", (-0.7, 31.7), (0, 33), size=(7.4, 2.9))
        for axis in (self.ax.xaxis, self.ax.yaxis):
            style.plain(axis)
        self.line = self.ax.axhline(1, color=style.INK, linewidth=1.2, linestyle="--")
        self.bars = ()

    def show(self, result):
        """`result`: (name, access.Access)."""
        name, found = result
        if not self.bars:
            self.bars = self.ax.bar(range(len(found.words)), [1] * len(found.words), 0.8, edgecolor="white")
            style.moving(*self.bars, self.line)
        for bar, count in zip(self.bars, found.words, strict=True):
            worst = count == found.turns > 1
            bar.set_height(count)
            bar.set(facecolor=style.COMPUTE if worst else style.MEMORY, hatch="..." if worst else "")
        self.line.set_ydata([found.turns] * 2)
        if found.turns == 1:
            return f"{name}: no conflict, {counted(int(found.words.sum()), 'word')} in one turn."
        return f"{name}: one bank must deliver {found.turns} words, so the access takes {found.turns} turns."
