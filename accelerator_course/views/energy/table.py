"""The energy ladder: operations and accesses of one node, from the cheapest to DRAM."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import number

LOW = 4e-3  # pJ, where the axis begins


class Ladder:
    """Energies of one process from the cheapest operation to DRAM; thin marks show the other process.

    >>> view = Ladder()
    >>> view.show((energy.table.compared(7), "int8 add"))
    >>> view.show((energy.table.compared(45, per_byte=True), "ddr"))
    >>> view.show((energy.table.compared(7, per_byte=True), "register"))
    """

    def __init__(self):
        self.figure, self.ax = style.axes("energy [pJ], estimate", "", (LOW, 6e4), log="x", size=(7.4, 6.0))
        style.plain(self.ax.xaxis)
        self.ax.grid(axis="y", linestyle=":")
        self.dots = None

    def _build(self, rungs):
        at = np.arange(len(rungs))
        self.ax.set(ylim=(-0.7, len(at) - 0.3))
        self.ax.set_yticks(at, [rung.label for rung in rungs])
        self.ax.tick_params(axis="y", labelsize=9)
        kinds = [("o", style.MEMORY) if rung.is_access else ("s", style.COMPUTE) for rung in rungs]
        self.dots = [style.dot(self.ax, color, 9, marker) for marker, color in kinds]
        self.texts = [style.label(self.ax, x=2600, y=y, va="center", size=9) for y in at]
        self.other = self.ax.plot(
            [], [], "|", color=style.INK, markersize=11, markeredgewidth=2, label="the other process"
        )
        self.figure.legend(handles=self.other, loc="outside lower center", frameon=False, fontsize=10)
        style.moving(*self.dots, *self.texts, *self.other)

    def show(self, result):
        """`result`: ({name: energy.table.Rung} from the cheapest, chosen name)."""
        rungs, chosen = result
        if self.dots is None:
            self._build(list(rungs.values()))
        for place, ((name, rung), dot, text) in enumerate(zip(rungs.items(), self.dots, self.texts, strict=True)):
            dot.set_data(([rung.pj], [place]) if rung.pj else ([], []))
            dot.set_markersize(14 if name == chosen else 9)
            text.set_text(number(rung.pj) if rung.pj else "not published")
            text.set_fontweight("bold" if name == chosen else "normal")
        there = [(rung.other_pj, place) for place, rung in enumerate(rungs.values()) if rung.other_pj]
        self.other[0].set_data(*zip(*there, strict=True))
        return _told(rungs[chosen])


def _told(rung):
    if rung.shrink is None:
        here, node = (rung.pj, rung.node) if rung.pj else (rung.other_pj, rung.other_node)
        return f"{rung.label}: {number(here)} {rung.unit} at {node} nm; the other process is not published."
    here = f"{rung.label} at {rung.node} nm: {number(rung.pj)} {rung.unit} (estimate, {rung.basis.replace('_', ' ')})."
    if rung.shrink == 1:
        return f"{here} In both processes it is the same."
    return f"{here} At 45 nm it is {number(rung.shrink)} times that of 7 nm."
