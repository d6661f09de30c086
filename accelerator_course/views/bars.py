"""Rows on axes of matplotlib: a name, a bar or a dot, its value in words.

The length of a bar is its number, so a bar begins at zero. A logarithmic axis has no zero: there each row has a dot.
"""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.placing import spot

PALE = "#7fb0d2"
REACH = 0.45  # of a mark on a bar, up and down from its middle: a little more than the bar


class Rows:
    """Horizontal bars, or dots on a logarithmic axis, the first name on top; `draw` moves them, one may be chosen.

    What lies beyond an end of the axis is shown at that end: a dot as an arrow head, and its words stay in the picture.
    """

    def __init__(self, ax, names, height=0.6, color=style.MEMORY, size=10, hatches=()):
        self.ax, self.names = ax, list(names)
        self.at = np.arange(len(self.names))[::-1]
        ax.set(ylim=(-0.7, len(self.names) - 0.3))
        ax.set_yticks(self.at, self.names)
        ax.tick_params(axis="y", labelsize=size)
        self.low, self.high = ax.get_xlim()
        self.apart = 10 / (72 * ax.figure.get_figwidth() * ax.get_position().width)  # of the axis: words from a dot
        self.colors = [color] * len(self.names) if isinstance(color, str) else list(color)
        self.hatches = [*hatches, *[""] * len(self.names)][: len(self.names)]
        self.log = ax.get_xscale() == "log"
        self.marks = self._dots() if self.log else self._bars(height)
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold", size=size) for y in self.at]
        style.moving(*self.marks, *self.texts)

    def _bars(self, height):
        self.ax.grid(axis="y", visible=False)
        bars = self.ax.barh(self.at, [0] * len(self.at), height, color=self.colors, edgecolor="white", linewidth=0)
        for bar, hatch in zip(bars, self.hatches, strict=True):
            bar.set_hatch(hatch)
        return bars

    def _dots(self):
        self.ax.grid(axis="y", linestyle=":")  # a line to follow from the name
        return [
            style.dot(self.ax, color, marker="s" if hatch else "o", clip_on=False)
            for color, hatch in zip(self.colors, self.hatches, strict=True)
        ]

    def draw(self, values, words, chosen=None):
        """A value and its words for each name, in order; None leaves a row empty; `chosen`: those to set off."""
        chosen = [chosen] if isinstance(chosen, str) else chosen
        for place, (value, text) in enumerate(zip(values, words, strict=True)):
            if self.log:
                self._place_dot(place, value)
            else:
                self.marks[place].set_width(0 if value is None else min(max(value, 0), self.high))
            self._place_words(place, value, text)
            if chosen is not None:
                self._set_off(place, self.names[place] in chosen)

    def _place_dot(self, place, value):
        dot, inside = self.marks[place], value is None or self.low <= value <= self.high
        dot.set_data(
            ([] if value is None else [min(max(value, self.low), self.high)], [] if value is None else [self.at[place]])
        )
        usual = "s" if self.hatches[place] else "o"
        dot.set_marker(usual if inside else ">" if value > self.high else "<")

    def _place_words(self, place, value, text):
        room = (self.high / self.low) ** self.apart if self.log else 0.012 * (self.high - self.low)
        end = self.low if value is None else min(max(value, self.low), self.high)
        beyond = value is not None and value > self.high
        right, left = (end * room, end / room) if self.log else (end + room, end)
        self.texts[place].set(text=text, x=left if beyond else right, ha="right" if beyond else "left")

    def _set_off(self, place, here):
        self.texts[place].set_fontweight("bold" if here else "normal")
        if self.log:
            self.marks[place].set(color=style.COMPUTE if here else style.MEMORY, markersize=13 if here else 9)
        else:
            self.marks[place].set(facecolor=style.COMPUTE if here else PALE, hatch="..." if here else "")

    def place(self, axis, value, row=None):
        """A value of the x axis, on the bar of that name or over all of them."""
        y = None if row is None else float(self.at[self.names.index(row)])
        return spot(self.ax, value, y if y is None else (y - REACH, y + REACH))
