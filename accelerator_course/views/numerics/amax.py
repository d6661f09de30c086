"""Largest magnitudes under scales from their history: what is clipped, and how much of the format lies idle."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import counted, number


class History:
    """A tensor's largest magnitude after scaling, step by step, against the largest number of the format.

    >>> view = History()
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(16.0)))
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(100.0), 1))
    >>> view.show(numerics.amax.delayed(numerics.amax.magnitudes(1.0), 64, "e5m2", 2))
    """

    def __init__(self):
        self.figure, ax = style.axes(
            "step", "largest magnitude, in the format's largest", (-20, 2020), (2**-9, 2**7), log="y"
        )
        style.plain(ax.xaxis)
        ax.set_yticks([2.0**power for power in (-8, -6, -4, -2, 0, 2, 4, 6)])
        ax.set_yticklabels(["1/256", "1/64", "1/16", "1/4", "1", "4", "16", "64"])
        ax.axhspan(1, 2**7, color="#fbe9e7", zorder=0)
        ax.axhline(1, color=style.INK, linewidth=1.5)
        style.label(ax, "here it is clipped", 2000, 90, "#b3261e", 11, ha="right", va="top", fontweight="bold")
        self.course = ax.plot([], [], ".", color=style.MEMORY, markersize=3, label="kept")[0]
        self.cut = ax.plot([], [], "x", color="#b3261e", markersize=6, markeredgewidth=1.5, label="clipped")[0]
        ax.legend(frameon=False, fontsize=10, loc="upper left")
        style.moving(self.course, self.cut)

    def show(self, found):
        """`found`: amax.Delayed."""
        share, steps = found.scaled / found.largest, np.arange(len(found.amax))
        self.course.set_data(steps[~found.clipped], share[~found.clipped])
        self.cut.set_data(steps[found.clipped], np.minimum(share[found.clipped], 100))
        count = int(found.clipped.sum())
        idle = float(found.headroom_octaves.mean())
        told = (
            f"{counted(count, 'step')} clipped, the worst {number(found.worst)} times too large"
            if count
            else "nothing clipped"
        )
        return f"{told}; octaves that stay unused above the largest value: {idle:.2g} on average."
