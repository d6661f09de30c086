"""Whole things and their parts: one bar a thing, cut into parts, each with a colour and a hatch of its own.

def energy_of(m=512): return {"weights stay": {"arithmetic": 1e-6, "registers": 2e-6}, "sums stay": {...}}

explore(energy_of, views.Shares("energy, relative to the largest", of="largest"), m=log(1, 4096))
"""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.bars import REACH
from accelerator_course.views.placing import spot
from accelerator_course.views.tell import tell
from accelerator_lib.units import number, percent

PARTS = (
    (style.COMPUTE, ""),
    (style.MEMORY, "///"),
    ("#3d8fc4", "..."),
    (style.OTHER, "xx"),
    ("#8c8c8c", "++"),
    (style.GOOD, "\\\\"),
)
LETTER = 0.0175  # of the axis: how wide a letter of a number is; a part that its number does not fit into carries none


class Cut:
    """Bars on given axes: `things` from top to bottom, `parts` in a legend."""

    def __init__(self, ax, things, parts, looks=PARTS):
        self.ax, self.things, self.parts = ax, list(things), list(parts)
        rows = np.arange(len(self.things))[::-1]
        ax.set(ylim=(-0.6, len(self.things) - 0.4))
        ax.set_yticks(rows, self.things)
        ax.tick_params(axis="y", labelsize=11)
        ax.grid(axis="y", visible=False)
        self.bars, self.texts, self.most = [], [], ax.get_xlim()[1]
        for place, name in enumerate(self.parts):
            color, hatch = looks[place % len(looks)]
            drawn = ax.barh(rows, [0.1] * len(rows), 0.62, color=color, hatch=hatch, edgecolor="white", label=name)
            self.bars.append(list(drawn))
            self.texts.append([style.label(ax, y=y, ha="center", va="center", fontweight="bold") for y in rows])
        style.moving(*[bar for row in self.bars for bar in row], *[text for row in self.texts for text in row])
        columns = 2 if len(self.parts) == 4 else min(3, len(self.parts))
        ax.figure.legend(loc="outside lower center", ncols=columns, frameon=False, fontsize=10)

    def place(self, axis, value, row=None):
        """A value of the x axis, on the bar of that thing or over all of them."""
        y = None if row is None else len(self.things) - 1 - self.things.index(row)
        return spot(self.ax, value, y if y is None else (y - REACH, y + REACH))

    def draw(self, table, line=None):
        """`table`: for each thing its parts as shares of one, in order; no number stands on `line`."""
        left = np.zeros(len(self.things))
        for bars, texts, widths in zip(self.bars, self.texts, np.transpose(table), strict=True):
            for i, width in enumerate(widths):
                seen = min(left[i] + width, self.most) - left[i]  # what lies within the axis
                bars[i].set(x=left[i], width=width)
                words, middle = percent(width), left[i] + seen / 2
                room = len(words) * LETTER * self.most
                if line is not None and abs(middle - line) < 0.6 * room:
                    middle = line - 0.6 * room
                texts[i].set(x=middle, text=words if seen >= room else "")
            left += widths


class Shares:
    """What a function returns, {thing: {part: number}}, as bars cut into parts.

    of: "each", every bar is one; "largest", bars relative to the longest; "one", the numbers are shares already; or the
    name of a thing, which is then no bar but the line at 100 %. say: a template of the totals such as
    "{weights stay:J}", or a function of the table. total: what the numbers add up to, in words, and `least`, how the
    smallest total is called: for the plain sentence.

    >>> view = Shares("energy", of="largest", say="Weights {weights stay:J}, sums {sums stay:J}.")
    >>> view.show({"weights stay": {"arithmetic": 1e-6, "DRAM": 3e-6}, "sums stay": {"arithmetic": 1e-6, "DRAM": 1e-6}})
    >>> view.show({"weights stay": {"arithmetic": 1e-6, "DRAM": 1e-6}, "sums stay": {"arithmetic": 1e-6, "DRAM": 9e-6}})
    """

    blind = False  # whether a guess comes first: the first thing alone

    def __init__(self, label, of="each", most=1.0, say=None, total="", least="The least"):
        self.label, self.of, self.most = label, of, most
        self.say, self.total, self.least = say, total, least
        self.figure = self.cut = None

    def show(self, table):
        """`table`: {thing: {part: number}}, the same things and parts every time."""
        bars = {thing: parts for thing, parts in table.items() if thing != self.of}
        if self.cut is None:
            self._build(bars, line=self.of in table)
        values = np.array([[parts.get(part, 0.0) for part in self.cut.parts] for parts in bars.values()], dtype=float)
        totals = {thing: sum(parts.values()) for thing, parts in table.items()}
        each = np.array([totals[thing] for thing in bars])
        whole = {"each": each[:, None], "largest": each.max(), "one": 1.0, **totals}[self.of]
        if self.blind:
            values[1:] = 0
        self.cut.draw(values / whole, line=1 if self.of in table else None)
        if callable(self.say):
            return self.say(table)
        if self.say:
            return tell(self.say, **totals)
        return self._totals(totals) if self.total else self._parts(table, totals)

    def place(self, axis, value, row=None):
        """A value of the axis, on one bar or over all."""
        return self.cut.place(axis, value, row)

    def _build(self, bars, line):
        self.figure, ax = style.axes(self.label, "", (0, self.most), size=(7.2, 1.5 + 0.62 * len(bars)))
        style.percents(ax.xaxis)
        self.cut = Cut(ax, bars, dict.fromkeys(part for parts in bars.values() for part in parts))
        if line:
            style.moving(ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--", zorder=5))

    def _totals(self, totals):
        printed = {thing: number(total) for thing, total in totals.items()}
        told = ", ".join(f"{thing} {words}" for thing, words in printed.items())
        best = printed[min(totals, key=totals.get)]
        least = " and ".join(thing for thing, words in printed.items() if words == best)
        return f"{self.total}: {told}. {self.least}: {least}."

    @staticmethod
    def _parts(table, totals):
        shares = (
            f"{thing}: " + ", ".join(f"{part} {percent(v / max(totals[thing], 1e-300))}" for part, v in parts.items())
            for thing, parts in table.items()
        )
        return "; ".join(shares) + "."
