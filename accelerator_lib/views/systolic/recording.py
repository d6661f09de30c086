"""A whole run beside the cycle that is shown: busy PEs over the cycles, and the product as it is completed."""

from itertools import zip_longest

import numpy as np
from matplotlib.ticker import MaxNLocator

from accelerator_lib.views import style
from accelerator_lib.views.painted import Painted, cells

PARTS = np.array([[255, 255, 255], [207, 227, 217], [0, 105, 78]], dtype=np.uint8)  # nothing yet, a part, the whole
LENGTHS = (10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 10_000)  # of the axis of cycles: it rarely changes
MOST_TICKS, TOP = 7, 1.05
TICKS = MaxNLocator(MOST_TICKS - 2, integer=True)


class Trapezoid:
    """Busy PEs over the cycles, and where we stand.

    Runs have many lengths, so ticks and their labels move, too: six texts take a fifth of the time of an axis.
    """

    def __init__(self, ax):
        self.ax = style.dress(ax, "", "busy PEs", (0, LENGTHS[0]), (0, TOP))
        style.percents(ax.yaxis)
        ax.set_xticks([])
        ax.set_xlabel("cycle", labelpad=20)
        self.grid = ax.plot([], [], color=style.GRID, linewidth=0.7, zorder=0.5)[0]
        below = {
            "color": style.MUTED,
            "fontsize": 10,
            "ha": "center",
            "va": "top",
            "transform": ax.get_xaxis_transform(),
        }
        self.ticks = [ax.text(0, -0.035, "", **below) for _ in range(MOST_TICKS)]
        self.area = ax.fill_between([0, 1], [0, 0], step="post", color="#f0b48a")
        self.line = ax.plot([], [], color=style.COMPUTE, linewidth=2, drawstyle="steps-post")[0]
        self.cursor = ax.axvline(0, color=style.INK, linewidth=1.5, linestyle="--")
        self.dot = style.dot(ax, style.INK, 9)
        self.ticks[0].set(x=LENGTHS[0], text="640")  # the layout leaves room for it
        style.moving(self.grid, *self.ticks, self.area, self.line, self.cursor, self.dot)
        self.run = self.end = None

    def draw(self, run, at, most=None):
        """`run`: recording.Recording; `most`: cycles that the axis must hold."""
        if self.run is not run:
            self.run, (x, y) = run, (np.repeat(np.arange(len(run) + 1), 2)[1:-1], np.repeat(run.busy, 2))
            self.area.set_verts([np.column_stack([[0, *x, len(run)], [0, *y, 0]])])
            self.line.set_data(np.arange(len(run) + 1), [*run.busy, run.busy[-1]])
        self._reach(next(length for length in LENGTHS if length >= (most or len(run))))
        self.cursor.set_xdata([at + 0.5] * 2)
        self.dot.set_data([at + 0.5], [run.busy[at]])

    def _reach(self, end):
        """The axis from 0 to `end`."""
        if self.end == end:
            return
        self.end = end
        self.ax.viewLim.intervalx = 0, end  # set_xlim would have the background drawn again
        places = [place for place in TICKS.tick_values(0, end) if place <= end]
        self.grid.set_data(np.repeat(places, 3), [0, TOP, np.nan] * len(places))
        for text, place in zip_longest(self.ticks, places[:MOST_TICKS]):
            text.set_visible(place is not None)
            text.set(x=place or 0, text="" if place is None else f"{place:,.0f}")


class Result:
    """The product as it is completed: white nothing yet, light a part of the sum, dark the whole."""

    def __init__(self, ax):
        ax.set(xticks=[], yticks=[])
        ax.set_title("C so far", color=style.INK, fontsize=11)
        self.picture = Painted(ax)
        style.moving(*ax.spines.values())

    def draw(self, run, at):
        self.picture.paint(cells(PARTS[run.progress(at)], self.picture.size))
