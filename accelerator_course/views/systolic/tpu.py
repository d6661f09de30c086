"""The first TPU: predictions beside what it delivered."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import number, si

KINDS = (
    ("roofline", style.MEMORY, "o", 0.12),
    ("tile time", style.OTHER, "s", -0.12),
    ("delivered, published", style.INK, "D", 0),
)


class TpuV1:
    """The first TPU: two predictions beside what it delivered.

    >>> view = TpuV1()
    >>> view.show((systolic.tpu.applications(), systolic.tpu.applications()[3], (1.1, 1.3)))
    >>> view.show((systolic.tpu.applications(10), systolic.tpu.applications(10)[0], (1.1, 1.3)))
    >>> view.show((systolic.tpu.applications(), systolic.tpu.applications()[3], None))
    """

    def __init__(self):
        self.figure, self.ax = style.axes("rate [OP/s]", "", (2e11, 1.6e14), log="x", size=(7.4, 3.9))
        self.rows = None

    def show(self, result):
        """`result`: (tpu.Applications, as built: the one furthest off, typically_off or None: nothing measured)."""
        applications, worst, off = result
        if self.rows is None:
            self._build(applications)
        values = zip(*((a.roofline, a.tiled, a.delivered) for a in applications), strict=True)
        for dot, rates, (*_, shift) in zip(self.dots, values, KINDS, strict=True):
            dot.set_data(rates, self.rows + shift)
        for artist in (self.dots[-1], *self.lines):
            artist.set_visible(off is not None)
        for a, line, y in zip(applications, self.lines, self.rows, strict=True):
            line.set_data([a.tiled, a.delivered], [y, y])
        first = applications[0]
        predicted = f"{first.name}: {si(first.tiled, 'OP/s')} predicted, limited by {first.tile.bound}"
        if off is None:
            return f"{predicted}; the roofline allows {si(first.roofline, 'OP/s')}."
        return (
            f"{predicted}; the real machine delivered {si(first.delivered, 'OP/s')}. As it was built, furthest off is "
            f"{worst.name}, predicted at {number(worst.miss)} times what was delivered; the tile time is typically off "
            f"by a factor of {number(off[0])}, the roofline by {number(off[1])}."
        )

    def _build(self, applications):
        names = [application.name for application in applications]
        self.rows = np.arange(len(names))[::-1]
        self.ax.set(ylim=(-0.7, len(names) - 0.4))
        self.ax.set_yticks(self.rows, names)
        self.ax.grid(axis="y", visible=False)
        self.lines = [self.ax.plot([], [], color=style.GRID, linewidth=4, zorder=1)[0] for _ in names]
        self.dots = [style.dot(self.ax, color, 11, mark, label=name, linestyle="") for name, color, mark, _ in KINDS]
        counters = [
            f"counters: array in use {100 * a.active:.3g} %, useful work {100 * a.useful:.3g} %, "
            f"waiting for weights {100 * a.stalled:.3g} %"
            for a in applications
        ]
        for text, y in zip(counters, self.rows, strict=True):  # what was counted never moves
            style.label(self.ax, text, x=2.15e11, y=y - 0.33, color=style.MUTED, size=9, va="center")
        self.figure.legend(handles=self.dots, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(*self.lines, *self.dots)
