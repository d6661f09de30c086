"""What different publications say about the energy of one thing."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import counted, number


class Disagreement:
    """Everything that the data say about a few things, source by source; one of them set off.

    >>> view = Disagreement()
    >>> values = {name: energy.sources.published(name) for name in energy.sources.GROUPS}
    >>> view.show((values, "GDDR6"))
    >>> view.show((values, "across a network"))
    """

    def __init__(self):
        self.figure, self.ax = style.axes("energy [pJ/bit]", "", (1e-2, 6e2), log="x", size=(7.4, 4.2))
        style.plain(self.ax.xaxis)
        self.dots = {}

    def _build(self, values):
        at = np.arange(len(values))[::-1]
        self.ax.set(ylim=(-0.7, len(values) - 0.3))
        self.ax.set_yticks(at, values)
        self.ax.tick_params(axis="y", labelsize=10)
        for y, (name, published) in zip(at, values.items(), strict=True):
            found = [row.pj_per_bit for row in published.rows]
            self.ax.plot([found[0], found[-1]], [y, y], color=style.GRID, linewidth=7, zorder=1, solid_capstyle="round")
            self.dots[name] = style.moving(self.ax.plot(found, [y] * len(found), "o", markersize=7)[0])

    def show(self, result):
        """`result`: ({name: energy.sources.Published}, chosen name)."""
        values, chosen = result
        if not self.dots:
            self._build(values)
        for name, dots in self.dots.items():
            dots.set(color=style.COMPUTE if name == chosen else style.MEMORY, marker="D" if name == chosen else "o")
        published = values[chosen]
        first, last, many = published.rows[0], published.rows[-1], len(published.rows)
        if many == 1:
            return f"{chosen}: one value, {number(first.pj_per_bit)} pJ/bit ({first.source})."
        return (
            f"{chosen}: {counted(many, 'value')} from {number(first.pj_per_bit)} to {number(last.pj_per_bit)} pJ/bit, "
            f"a factor of {number(published.spread)}."
        )
