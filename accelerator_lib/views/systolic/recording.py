"""A whole run beside the cycle that is shown: busy PEs over the cycles, and the product as it is completed."""

import numpy as np

from accelerator_lib.views import style
from accelerator_lib.views.painted import Painted, cells

PARTS = np.array([[255, 255, 255], [207, 227, 217], [0, 105, 78]], dtype=np.uint8)  # nothing yet, a part, the whole
LENGTHS = (10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 10_000)  # of the axis of cycles: it rarely changes


class Trapezoid:
    """Busy PEs over the cycles, and where we stand. Its axis moves too: runs have many lengths."""

    def __init__(self, ax):
        self.ax = style.dress(ax, "cycle", "busy PEs", (0, LENGTHS[0]), (0, 1.05))
        style.percents(ax.yaxis)
        style.plain(ax.xaxis)
        ax.xaxis.get_major_locator().set_params(integer=True)
        self.area = ax.fill_between([0, 1], [0, 0], step="post", color="#f0b48a")
        self.line = ax.plot([], [], color=style.COMPUTE, linewidth=2, drawstyle="steps-post")[0]
        self.cursor = ax.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        self.dot = style.dot(ax, style.INK, 9)
        style.moving(ax.xaxis, *ax.spines.values(), self.area, self.line, self.cursor, self.dot)
        self.run = None

    def draw(self, run, at, most=None):
        if self.run is not run:
            self.run, (x, y) = run, (np.repeat(np.arange(len(run) + 1), 2)[1:-1], np.repeat(run.busy, 2))
            self.area.set_verts([np.column_stack([[0, *x, len(run)], [0, *y, 0]])])
            self.line.set_data(np.arange(len(run) + 1), [*run.busy, run.busy[-1]])
        end = next(length for length in LENGTHS if length >= (most or len(run)))
        if self.ax.get_xlim()[1] != end:
            self.ax.set_xlim(0, end)
        self.cursor.set_xdata([at + 0.5] * 2)
        self.dot.set_data([at + 0.5], [run.busy[at]])


class Result:
    """The product as it is completed: white nothing yet, light a part of the sum, dark the whole."""

    def __init__(self, ax):
        ax.set(xticks=[], yticks=[])
        ax.set_title("C so far", color=style.INK, fontsize=11)
        self.picture = Painted(ax)

    def draw(self, run, at):
        self.picture.paint(cells(PARTS[run.progress(at)], self.picture.size))
