"""Whole things and their parts: one bar a thing, cut into shares, each part with a colour and a hatch of its own."""

import numpy as np

from accelerator_lib.units import percent
from accelerator_lib.views import style

PARTS = (
    (style.COMPUTE, ""),
    (style.MEMORY, "///"),
    ("#3d8fc4", "..."),
    (style.OTHER, "xx"),
    ("#8c8c8c", "++"),
    (style.GOOD, "\\\\"),
)
LEAST = 0.07  # a share narrower than this carries no number


class Shares:
    """Base of views with cut bars: `things` from top to bottom, `parts` in the legend; the whole bar is one."""

    def __init__(self, things, parts, xlabel, most=1.0):
        self.things, self.parts = list(things), list(parts)
        height = 1.5 + 0.62 * len(self.things)
        self.figure, self.ax = style.axes(xlabel, "", (0, most), size=(7.2, height))
        style.percents(self.ax.xaxis)
        rows = np.arange(len(self.things))[::-1]
        self.ax.set(ylim=(-0.6, len(self.things) - 0.4))
        self.ax.set_yticks(rows, self.things)
        self.ax.tick_params(axis="y", labelsize=11)
        self.ax.grid(axis="y", visible=False)
        self.bars, self.texts = [], []
        for name, (color, hatch) in zip(self.parts, PARTS, strict=False):
            drawn = self.ax.barh(rows, [0.1] * len(rows), 0.62, color=color, hatch=hatch, edgecolor="white", label=name)
            self.bars.append(list(drawn))
            self.texts.append([style.label(self.ax, y=y, ha="center", va="center", fontweight="bold") for y in rows])
        style.moving(*[bar for row in self.bars for bar in row], *[text for row in self.texts for text in row])
        self.figure.legend(loc="outside lower center", ncols=min(3, len(self.parts)), frameon=False, fontsize=10)

    def draw(self, table):
        """`table`: for each thing its parts, in order."""
        left = np.zeros(len(self.things))
        for bars, texts, widths in zip(self.bars, self.texts, np.transpose(table), strict=True):
            for i, width in enumerate(widths):
                bars[i].set(x=left[i], width=width)
                texts[i].set(x=left[i] + width / 2, text=percent(width) if width >= LEAST else "")
            left += widths
