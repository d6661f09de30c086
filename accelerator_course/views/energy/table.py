"""Energies: operations and accesses of one node, from the cheapest to DRAM."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import number

LOW = 4e-3  # pJ, where the axis begins


class Energies:
    """Energies of one process from the cheapest operation to DRAM; thin marks show the other process.

    >>> view = Energies()
    >>> view.show((energy.table.compared(7), "int8 add"))
    >>> view.show((energy.table.compared(45, per_byte=True), "ddr"))
    >>> view.show((energy.table.compared(7, per_byte=True), "register"))
    """

    def __init__(self):
        self.figure, self.ax = style.axes("energy [pJ], estimate", "", (LOW, 6e4), log="x", size=(7.4, 6.0))
        style.plain(self.ax.xaxis)
        self.ax.grid(axis="y", linestyle=":")
        self.dots = None

    def _build(self, rows):
        at = np.arange(len(rows))
        self.ax.set(ylim=(-0.7, len(at) - 0.3))
        self.ax.set_yticks(at, [row.label for row in rows])
        self.ax.tick_params(axis="y", labelsize=9)
        kinds = [("o", style.MEMORY) if row.is_access else ("s", style.COMPUTE) for row in rows]
        self.dots = [style.dot(self.ax, color, 9, marker) for marker, color in kinds]
        self.texts = [style.label(self.ax, x=2600, y=y, va="center", size=9) for y in at]
        self.other = self.ax.plot(
            [], [], "|", color=style.INK, markersize=11, markeredgewidth=2, label="the other process"
        )
        self.figure.legend(handles=self.other, loc="outside lower center", frameon=False, fontsize=10)
        style.moving(*self.dots, *self.texts, *self.other)

    def show(self, result):
        """`result`: ({name: energy.table.Compared} from the cheapest, chosen name)."""
        rows, chosen = result
        if self.dots is None:
            self._build(list(rows.values()))
        for place, ((name, row), dot, text) in enumerate(zip(rows.items(), self.dots, self.texts, strict=True)):
            dot.set_data(([row.pj], [place]) if row.pj else ([], []))
            dot.set_markersize(14 if name == chosen else 9)
            text.set_text(number(row.pj) if row.pj else "not published")
            text.set_fontweight("bold" if name == chosen else "normal")
        there = [(row.other_pj, place) for place, row in enumerate(rows.values()) if row.other_pj]
        self.other[0].set_data(*zip(*there, strict=True))
        return _told(rows[chosen])


def _told(row):
    if row.shrink is None:
        here, node = (row.pj, row.node) if row.pj else (row.other_pj, row.other_node)
        return f"{row.label}: {number(here)} {row.unit} at {node} nm; the other process is not published."
    here = f"{row.label} at {row.node} nm: {number(row.pj)} {row.unit} (estimate, {row.basis.replace('_', ' ')})."
    if row.shrink == 1:
        return f"{here} In both processes it is the same."
    return f"{here} At 45 nm it is {number(row.shrink)} times that of 7 nm."
