"""A scheduler at work: who issues, who is ready, who waits."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from accelerator_lib.gpu import scheduler
from accelerator_lib.units import percent
from accelerator_lib.views import style

SLOTS = ListedColormap(["white", "#ededed", "#8fbfe0", style.COMPUTE])  # dark, middle, light: legible in grey, too


class Schedule:
    """Warps over cycles: who issues, who is ready, who waits for memory."""

    WINDOW, MOST = 80, 32

    def __init__(self):
        self.figure, self.ax = style.axes(
            "cycle (the last 80)", "warp", (-0.5, self.WINDOW - 0.5), (self.MOST - 0.5, -0.5), size=(7.4, 4.0)
        )
        for axis in (self.ax.xaxis, self.ax.yaxis):
            style.plain(axis)
        self.ax.grid(False)
        self.image = self.ax.imshow(
            np.zeros((self.MOST, self.WINDOW)), cmap=SLOTS, vmin=0, vmax=3, aspect="auto",
            extent=(-0.5, self.WINDOW - 0.5, self.MOST - 0.5, -0.5),
        )  # fmt: skip
        self.cursor = self.ax.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        names = ("waits for memory", "ready", "issues")
        handles = [Rectangle((0, 0), 1, 1, facecolor=SLOTS(i + 1), label=name) for i, name in enumerate(names)]
        self.figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(self.image, self.cursor)

    def show(self, result):
        """`result`: (slots, position)."""
        slots, at = result
        begin, now = max(0, at - self.WINDOW + 1), slots[at]
        shown = np.array([slot.doing for slot in slots[begin : at + 1]]).T
        picture = np.zeros((self.MOST, self.WINDOW))
        picture[: len(shown), : shown.shape[1]] = 1 + shown[: self.MOST]
        self.image.set_data(picture)
        self.cursor.set_xdata([at - begin] * 2)
        issuing = np.flatnonzero(now.doing == scheduler.ISSUED)
        doing = f"warp {issuing[0]} issues" if len(issuing) else "no warp is ready, the cycle is lost"
        return f"Cycle {at}: {doing}. So far {percent(now.utilization)} of the cycles issued something."
