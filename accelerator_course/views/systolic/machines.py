"""Machines around arrays: the first TPU beside what it delivered."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import si

RATES = (
    ("roofline", style.MEMORY, "o", 0.12),
    ("tile time", style.OTHER, "s", -0.12),
    ("delivered, published", style.INK, "D", 0),
)


class TpuV1:
    """The first TPU: two predictions beside what it delivered.

    >>> view = TpuV1()
    >>> view.show((systolic.tpu.applications(), True))
    >>> view.show((systolic.tpu.applications(10), False))
    """

    def __init__(self):
        self.figure, self.ax = style.axes("rate [OP/s], logarithmic axis", "", (2e11, 1.6e14), log="x", size=(7.4, 3.9))
        self.rows = None

    def show(self, result):
        """`result`: (tpu.Applications, whether what was measured is shown)."""
        applications, measured = result
        if self.rows is None:
            self._build(applications)
        values = zip(*((a.roofline, a.tiled, a.delivered) for a in applications), strict=True)
        for dot, rates, (*_, shift) in zip(self.dots, values, RATES, strict=True):
            dot.set_data(rates, self.rows + shift)
        for artist in (self.dots[-1], *self.lines):
            artist.set_visible(measured)
        for a, line, y in zip(applications, self.lines, self.rows, strict=True):
            line.set_data([a.tiled, a.delivered], [y, y])
        first = applications[0]
        delivered = f"; the real machine delivered {si(first.delivered, 'OP/s')}" if measured else ""
        return f"{first.name}: {si(first.tiled, 'OP/s')} by the tile time, limited by {first.tile.bound}{delivered}."

    def _build(self, applications):
        names = [application.name for application in applications]
        self.rows = np.arange(len(names))[::-1]
        self.ax.set(ylim=(-0.7, len(names) - 0.4))
        self.ax.set_yticks(self.rows, names)
        self.ax.grid(axis="y", visible=False)
        self.lines = [self.ax.plot([], [], color=style.GRID, linewidth=4, zorder=1)[0] for _ in names]
        self.dots = [style.dot(self.ax, color, 11, mark, label=name, linestyle="") for name, color, mark, _ in RATES]
        self.figure.legend(handles=self.dots, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(*self.lines, *self.dots)
