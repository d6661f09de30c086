"""The first TPU: predictions beside what it delivered."""

import numpy as np

from accelerator_lib.units import number, percent, si
from accelerator_lib.views import style


class TpuV1:
    """The first TPU: two predictions beside what it delivered."""

    KINDS = (("roofline", style.MEMORY, "o"), ("tile time", style.OTHER, "s"), ("delivered, published", style.INK, "D"))

    def __init__(self, names):
        self.names = list(names)
        self.figure, ax = style.axes("rate [OP/s]", "", (2e11, 1.6e14), log="x", size=(7.4, 3.9))
        at = np.arange(len(self.names))[::-1]
        ax.set(ylim=(-0.7, len(self.names) - 0.4))
        ax.set_yticks(at, self.names)
        ax.grid(axis="y", visible=False)
        self.rows = at
        self.lines = [ax.plot([], [], color=style.GRID, linewidth=4, zorder=1)[0] for _ in at]
        self.dots = [style.dot(ax, color, 11, marker, label=name, linestyle="") for name, color, marker in self.KINDS]
        self.texts = [style.label(ax, x=2.15e11, y=y - 0.33, color=style.MUTED, size=9, va="center") for y in at]
        self.figure.legend(handles=self.dots, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
        style.moving(*self.lines, *self.dots, *self.texts)

    def show(self, applications):
        """`applications`: of tpu.applications."""
        shift = (0.12, -0.12, 0)
        for kind, dot, by in zip(("roofline", "tiled", "delivered"), self.dots, shift, strict=True):
            dot.set_data([getattr(a, kind) for a in applications], self.rows + by)
        for a, line, text, y in zip(applications, self.lines, self.texts, self.rows, strict=True):
            line.set_data([a.tiled, a.delivered], [y, y])
            text.set_text(
                f"published: array in use {percent(a.active)}, waiting for weights {percent(a.stalled)} of the time"
            )
        worst = max(applications, key=lambda a: abs(np.log(a.tiled / a.delivered)))
        first = applications[0]
        return (
            f"{first.name}: {si(first.tiled, 'OP/s')} predicted, limited by {first.tile.bound}; "
            f"{si(first.delivered, 'OP/s')} delivered. Furthest off: {worst.name}, predicted at "
            f"{number(worst.tiled / worst.delivered)} times what was delivered."
        )
