"""Rows of bars: a name, a bar, its value in words. `Bars` shows any function that returns {name: number}."""

import numpy as np

from accelerator_lib.units import number
from accelerator_lib.views import style
from accelerator_lib.views.placing import spot
from accelerator_lib.views.tell import quantity, tell

PALE = "#7fb0d2"
REACH = 0.45  # of a mark on a bar, up and down from its middle: a little more than the bar


class Rows:
    """Horizontal bars on given axes, the first name on top; `draw` moves them, one may be chosen.

    On a logarithmic axis bars begin at its left end; a number beyond the right end keeps its words in the picture.
    """

    def __init__(self, ax, names, height=0.6, color=style.MEMORY, size=10, hatches=()):
        self.ax, self.names, self.color = ax, list(names), color
        self.at = np.arange(len(self.names))[::-1]
        ax.set(ylim=(-0.7, len(self.names) - 0.3))
        ax.set_yticks(self.at, self.names)
        ax.tick_params(axis="y", labelsize=size)
        ax.grid(axis="y", visible=False)
        self.low, self.high = ax.get_xlim()
        self.log = ax.get_xscale() == "log"
        start = self.low if self.log else 0
        self.bars = ax.barh(
            self.at, [0] * len(self.names), height, left=start, color=color, edgecolor="white", linewidth=0
        )
        for bar, hatch in zip(self.bars, hatches, strict=False):
            bar.set_hatch(hatch)
        self.start = start
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold", size=size) for y in self.at]
        style.moving(*self.bars, *self.texts)

    def draw(self, values, words, chosen=None):
        """A value and its words for each name, in order; None leaves a row empty; `chosen`: those to set off."""
        chosen = [chosen] if isinstance(chosen, str) else chosen
        room = (self.high / self.start) ** 0.02 if self.log else 0.012 * (self.high - self.low)
        for place, (value, text) in enumerate(zip(values, words, strict=True)):
            end = self.start if value is None else min(max(value, self.start), self.high)
            self.bars[place].set_width(end - self.start)
            beyond = value is not None and value > self.high
            at = self.high if beyond else end * room if self.log else end + room
            self.texts[place].set(text=text, x=at, ha="right" if beyond else "left")
            if chosen is not None:
                here = self.names[place] in chosen
                self.bars[place].set(facecolor=style.COMPUTE if here else PALE, hatch="..." if here else "")
                self.texts[place].set_fontweight("bold" if here else "normal")

    def place(self, axis, value, row=None):
        """A value of the x axis, on the bar of that name or over all of them."""
        y = None if row is None else float(self.at[self.names.index(row)])
        return spot(self.ax, value, y if y is None else (y - REACH, y + REACH))


class Bars:
    """What a function returns, {name: number}, side by side on an axis with fixed limits.

    >>> view = Bars("time", "s", (1e-3, 10))
    >>> view.show({"one": 0.01, "another": 1.0})
    >>> view.show({"one": 5.0, "another": 0.002})
    """

    def __init__(self, label, unit, limits, say=None):
        self.label, self.unit, self.limits, self.say = label, unit, limits, say
        self.figure = self.rows = None

    def show(self, values):
        """`values`: {name: number}, the same names every time."""
        if self.rows is None:
            low, high = self.limits
            log = "x" if low > 0 and high >= 100 * low else ""
            unit = f" [{self.unit}]" if self.unit not in ("%", "x", "") else ""
            size = (7.2, 0.9 + 0.55 * len(values))
            self.figure, ax = style.axes(f"{self.label}{unit}", "", self.limits, log=log, size=size)
            self.rows = Rows(ax, values, height=0.55)
        self.rows.draw(values.values(), [quantity(value, self.unit) for value in values.values()])
        if self.say:
            return tell(self.say, **values)
        least, most = min(values, key=values.get), max(values, key=values.get)
        if values[least] == values[most]:
            return f"All the same: {quantity(values[most], self.unit)}."
        return (
            f"{least}: {quantity(values[least], self.unit)}; {most}: {quantity(values[most], self.unit)}, "
            f"{number(values[most] / values[least])} times as much."
        )

    def place(self, axis, value, row=None):
        """A value of the axis, on one bar or over all."""
        return self.rows.place(axis, value, row)
