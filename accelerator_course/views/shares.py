"""One bar a thing on axes of matplotlib, cut into parts, each with a colour and a hatch of its own."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.bars import REACH
from accelerator_course.views.placing import spot
from accelerator_lib.units import percent

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
