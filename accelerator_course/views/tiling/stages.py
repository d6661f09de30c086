"""Buffers in flight: in each one a copy is on its way, arrives, and is worked on; above, whether the unit is busy."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import counted, percent, si

MOST, END = 5, 4e-6  # buffers, and the time axis [s]
LOOKS = {
    "on its way": ("#dbe9f3", ""),
    "arrives": (style.MEMORY, "///"),
    "worked on": (style.COMPUTE, ""),
}


class Stages:
    """A lane for each buffer, and one for the arithmetic; the time axis holds still.

    >>> view = Stages()
    >>> view.show(tiling.staged(40, 5e-7, 1e-7, 2e-7, 1))
    >>> view.show(tiling.staged(40, 5e-7, 1e-7, 2e-7, 4))
    >>> view.show(tiling.staged(40, 1e-6, 5e-7, 2e-7, 5))
    """

    def __init__(self):
        self.figure, ax = style.axes("time [s]", "", (0, END), (-0.6, MOST + 1.2), size=(7.2, 3.6))
        ax.set_yticks(range(MOST + 1), [*(f"buffer {MOST - i}" for i in range(MOST)), "arithmetic"])
        ax.grid(axis="y", visible=False)
        self.bars = {
            name: ax.broken_barh([], (0, 0), facecolor=color, hatch=hatch, edgecolor="white", linewidth=0.6, label=name)
            for name, (color, hatch) in LOOKS.items()
        }
        ax.legend(frameon=False, fontsize=10, ncols=3, loc="upper right", borderaxespad=0)
        style.moving(*self.bars.values())

    def show(self, run):
        """`run`: tiling.Staged."""
        lane = MOST - 1 - np.arange(len(run.works)) % run.buffers
        self._lay("on its way", run.asked, run.transfers - run.asked, lane)
        self._lay("arrives", run.transfers, run.transfer_seconds, lane)
        both = np.concatenate([lane, np.full(len(lane), MOST)])
        self._lay("worked on", np.concatenate([run.works] * 2), run.work_seconds, both)
        more = f"{run.enough} are enough" if run.buffers >= run.enough else f"{run.enough} would be enough"
        return (
            f"{counted(run.buffers, 'buffer')}: a tile every {si(run.each, 's')}, the arithmetic is busy "
            f"{percent(run.busy)} of the time; {more}."
        )

    def _lay(self, name, start, long, lane):
        """Boxes from `start` on, so long [s], in their lanes."""
        left, right = start, np.minimum(start + long, END)
        low, high = lane - 0.36, lane + 0.36
        corners = [(left, low), (left, high), (right, high), (right, low)]
        boxes = np.stack([np.stack(np.broadcast_arrays(x, y), axis=-1) for x, y in corners], axis=1)
        self.bars[name].set_verts(boxes[left < END])
