"""The energy ladder, and what its sources say."""

import numpy as np

from accelerator_lib.energy import table
from accelerator_lib.units import counted, number
from accelerator_lib.views import style


class Ladder:
    """Energies of one node from the cheapest operation to DRAM; thin marks show the other node."""

    def __init__(self):
        self.names = list(dict.fromkeys(row.name for node in table.NODES for row in table.rows(node)))
        self.names.sort(
            key=lambda name: min(row.pj for node in table.NODES for row in table.rows(node) if row.name == name)
        )
        self.figure, ax = style.axes("energy [pJ], estimate", "", (4e-3, 6e4), log="x", size=(7.4, 6.0))
        style.plain(ax.xaxis)
        at = np.arange(len(self.names))
        ax.set(ylim=(-0.7, len(self.names) - 0.3))
        ax.set_yticks(at, [table.label(name) for name in self.names])
        ax.tick_params(axis="y", labelsize=9)
        ax.grid(axis="y", visible=False)
        self.bars = ax.barh(at, [1] * len(at), 0.7, left=4e-3, edgecolor="white")
        self.texts = [style.label(ax, x=2600, y=y, va="center", size=9) for y in at]
        self.other = ax.plot([], [], "|", color=style.INK, markersize=11, markeredgewidth=2, label="the other node")[0]
        self.figure.legend(handles=[self.other], loc="outside lower center", frameon=False, fontsize=10)
        style.moving(*self.bars, *self.texts, self.other)

    def show(self, result):
        """`result`: (node, whether accesses are shown per byte, chosen name)."""
        node, per_byte, chosen = result
        tables = {n: {row.name: row for row in table.rows(n)} for n in table.NODES}
        value = lambda row: row.pj_per_byte if per_byte and row.bits else row.pj  # noqa: E731
        points = []
        for place, (name, bar, text) in enumerate(zip(self.names, self.bars, self.texts, strict=True)):
            row, other = tables[node].get(name), tables[table.other(node)].get(name)
            pj = value(row) if row else 4e-3
            bar.set_width(pj - 4e-3)
            kind = style.COMPUTE if row and row.bits is None else style.MEMORY
            bar.set(
                facecolor=kind, hatch="" if row and row.bits is None else "///", alpha=1 if name == chosen else 0.75
            )
            text.set(text=number(pj) if row else "not published", fontweight="bold" if name == chosen else "normal")
            if other:
                points.append((value(other), place))
        self.other.set_data(*zip(*points, strict=True))
        row, other = tables[node].get(chosen), tables[table.other(node)].get(chosen)
        unit = "pJ per byte" if per_byte and row and row.bits else "pJ"
        told = table.label(chosen)
        if not row or not other:
            here = f"{number(value(row or other))} {unit} at {node if row else table.other(node)} nm"
            return f"{told}: {here}; the other node is not published."
        here = f"{told} at {node} nm: {number(value(row))} {unit} (estimate, {row.basis.replace('_', ' ')})."
        return f"{here} {_change(tables[45][chosen].pj / tables[7][chosen].pj)}"


def _change(ratio):
    return f"At 45 nm it is {number(ratio)} times that of 7 nm." if ratio != 1 else "At both nodes it is the same."


class Disagreement:
    """Everything that the data say about a few things, source by source."""

    def __init__(self):
        self.names = list(table.GROUPS)
        self.figure, ax = style.axes("energy [pJ/bit]", "", (1e-2, 6e2), log="x", size=(7.4, 4.2))
        style.plain(ax.xaxis)
        at = np.arange(len(self.names))[::-1]
        ax.set(ylim=(-0.7, len(self.names) - 0.3))
        ax.set_yticks(at, self.names)
        ax.tick_params(axis="y", labelsize=10)
        self.dots = []
        for y, name in zip(at, self.names, strict=True):
            values = [value for value, _ in table.published(name)]
            ax.plot([values[0], values[-1]], [y, y], color=style.GRID, linewidth=7, zorder=1, solid_capstyle="round")
            self.dots.append(ax.plot(values, [y] * len(values), "o", color=style.MEMORY, markersize=7)[0])
        style.moving(*self.dots)

    def show(self, group):
        for name, dots in zip(self.names, self.dots, strict=True):
            dots.set(color=style.COMPUTE if name == group else style.MEMORY, marker="D" if name == group else "o")
        rows = table.published(group)
        if len(rows) == 1:
            return f"{group}: one value, {number(rows[0][0])} pJ/bit ({rows[0][1].source})."
        return (
            f"{group}: {counted(len(rows), 'value')} from {number(rows[0][0])} to {number(rows[-1][0])} pJ/bit, "
            f"a factor of {number(rows[-1][0] / rows[0][0])}."
        )
