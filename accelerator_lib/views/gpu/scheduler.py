"""A scheduler at work: who issues, who is ready, who waits."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib.units import percent
from accelerator_lib.views import style

SLOTS = ListedColormap(["white", "#ededed", "#8fbfe0", style.COMPUTE])  # dark, middle, light: legible in grey, too
WINDOW, MOST = 80, 32  # cycles, warps drawn


class Schedule:
    """Warps over cycles: who issues, who is ready, who waits for memory.

    >>> view = Schedule()
    >>> few, many = (list(gpu.scheduler.schedule(warps, 20, 1, 120)) for warps in (4, 32))
    >>> view.show((few, 0))
    >>> view.show((few, 30))
    >>> view.show((many, 119))
    """

    def __init__(self):
        ends = (-0.5, WINDOW - 0.5), (MOST - 0.5, -0.5)
        self.figure, ax = style.axes(f"cycle (the last {WINDOW})", "warp", *ends, size=(7.4, 4.0))
        for axis in (ax.xaxis, ax.yaxis):
            style.plain(axis)
        ax.grid(False)
        empty, extent = np.zeros((MOST, WINDOW)), (*ends[0], *ends[1])
        self.image = ax.imshow(empty, cmap=SLOTS, vmin=0, vmax=3, aspect="auto", extent=extent)
        self.cursor = ax.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        names = ("waits for memory", "ready", "issues")
        handles = [Rectangle((0, 0), 1, 1, facecolor=SLOTS(i + 1), label=name) for i, name in enumerate(names)]
        self.figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(self.image, self.cursor)

    def show(self, result):
        """`result`: ([scheduler.Slot], position)."""
        slots, at = result
        begin, now = max(0, at - WINDOW + 1), slots[at]
        shown = np.array([slot.doing for slot in slots[begin : at + 1]]).T
        picture = np.zeros((MOST, WINDOW))
        picture[: len(shown), : shown.shape[1]] = 1 + shown[:MOST]
        self.image.set_data(picture)
        self.cursor.set_xdata([at - begin] * 2)
        lost = "no warp is ready, the cycle is lost"
        doing = lost if now.issuing is None else f"warp {now.issuing} issues"
        return f"Cycle {at}: {doing}. So far {percent(now.utilization)} of the cycles issued something."
