"""A few quantities side by side on one axis."""

import numpy as np

from accelerator_lib.units import number, si
from accelerator_lib.views import style


class Bars:
    """One horizontal bar a name, on a logarithmic axis with fixed limits."""

    def __init__(self, names, label, unit, limits):
        self.names, self.unit, self.low = list(names), unit, limits[0]
        self.figure, ax = style.axes(f"{label} [{unit}]", "", limits, log="x", size=(7.2, 0.9 + 0.55 * len(self.names)))
        at = np.arange(len(self.names))[::-1]
        ax.set_yticks(at, self.names)
        ax.grid(axis="y", visible=False)
        self.bars = ax.barh(at, [0] * len(at), left=self.low, height=0.55, color=style.MEMORY)
        self.texts = [style.label(ax, x=self.low, y=y, va="center", fontweight="bold") for y in at]
        style.moving(*self.bars, *self.texts)

    def _told(self, value):
        return f"{number(value)}x" if self.unit == "x" else si(value, self.unit)

    def show(self, values):
        """`values`: one for each name, in order."""
        for bar, text, value in zip(self.bars, self.texts, values, strict=True):
            bar.set_width(value - self.low)
            text.set(text=f" {self._told(value)}", x=value)
        least, most = int(np.argmin(values)), int(np.argmax(values))
        return (
            f"{self.names[least]}: {self._told(values[least])}; {self.names[most]}: {self._told(values[most])}, "
            f"{number(values[most] / values[least])} times as much."
        )
