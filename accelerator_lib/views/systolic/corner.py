"""Processing elements of an array: who works, and what each has accumulated."""

import numpy as np

from accelerator_lib.units import percent
from accelerator_lib.views import style


class Array:
    """One square a processing element: filled and outlined while it works, its sum written inside.

    >>> view, states = Array(3, 3), list(systolic.simulate(np.ones((3, 4)), np.ones((4, 3))))
    >>> view.show(states[0])
    >>> view.show(states[4])
    """

    RESIZES = True

    def __init__(self, rows, cols):
        self.figure, ax = style.axes("column of the array", "row of the array", size=(4.6, 4.2))
        self.image = style.moving(ax.imshow(np.zeros((rows, cols)), cmap="Oranges", vmin=0, vmax=1.8))
        ax.set(xticks=range(cols), yticks=range(rows))
        for axis in (ax.xaxis, ax.yaxis):
            style.plain(axis)
        ax.grid(False)
        self.sums = [[self._text(ax, col, row) for col in range(cols)] for row in range(rows)]

    def _text(self, ax, col, row):
        return style.moving(ax.text(col, row, "", ha="center", va="center", fontsize=12, color=style.INK))

    def show(self, state):
        cycle, active, sums = state
        self.image.set_data(active)
        for texts, row, busy in zip(self.sums, sums, active, strict=True):
            for text, value, works in zip(texts, row, busy, strict=True):
                text.set(text=f"{value:.0f}", fontweight="bold" if works else "normal")
        return f"Cycle {cycle}: {active.sum()} of {active.size} processing elements work ({percent(active.mean())})."
