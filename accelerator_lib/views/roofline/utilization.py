"""Utilization, and what a faster part is worth."""

import numpy as np
from matplotlib.colors import LogNorm

from accelerator_lib.roofline import amdahl
from accelerator_lib.units import number, percent
from accelerator_lib.views import style


class Utilization:
    """Two gauges for one model step: MFU, the share of the peak; MBU, the share of the bandwidth."""

    def __init__(self):
        self.figure, ax = style.axes("utilisation", "", xlim=(0, 1.0), ylim=(-0.6, 1.6), size=(7.2, 2.6))
        style.percents(ax.xaxis)
        ax.set_yticks([0, 1], ["MBU\nbandwidth", "MFU\narithmetic"])
        ax.tick_params(axis="y", labelsize=11)
        ax.grid(axis="y", visible=False)
        ax.barh([0, 1], [1, 1], height=0.5, color="#eeeeee")
        self.bars = ax.barh([0, 1], [0, 0], height=0.5, color=[style.MEMORY, style.COMPUTE])
        for bar, hatch in zip(self.bars, style.HATCH.values(), strict=True):
            bar.set_hatch(hatch)
            bar.set_edgecolor("white")
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold", size=12) for y in (0, 1)]
        style.moving(*self.bars, *self.texts)

    def show(self, result):
        """`result`: (mfu, mbu), shares of one or None; above one, the numbers given cannot be true."""
        mfu, mbu = result
        for bar, text, share in zip(self.bars, self.texts, (mbu, mfu), strict=True):
            bar.set_width(min(share or 0, 1))
            text.set(text="not counted" if share is None else percent(share), x=min(share or 0, 0.86) + 0.015)
        gauges = f"MFU {percent(mfu)}" + ("" if mbu is None else f", MBU {percent(mbu)}")
        if max(mfu, mbu or 0) > 1:
            return f"{gauges}: more than the machine has. Such a speed is impossible."
        if mbu is None:
            return f"{gauges}: this share of the peak did work that the model needs."
        honest = "bandwidth" if mbu > mfu else "arithmetic"
        return f"{gauges}: the {honest} is the busier half, so judge by its gauge."


class Amdahl:
    """Speed-up of the whole over the share that is accelerated and by how much: lines of equal gain."""

    def __init__(self, speedup=(1, 64), fraction=(0.5, 1)):
        self.figure, ax = style.axes("speed-up of that part", "share of the time that gets faster", log="x")
        x, y = np.geomspace(*speedup, 120), np.linspace(*fraction, 90)
        levels = [1, 1.5, 2, 3, 4, 6, 8, 16, 32]
        gains = amdahl(y[:, None] * np.ones_like(x), np.ones_like(y)[:, None] * x)
        ax.contourf(x, y, gains, levels=[*levels, 64], cmap="Purples", norm=LogNorm(0.7, 150))
        lines = ax.contour(x, y, gains, levels=levels[1:], colors=style.MUTED, linewidths=0.8)
        ax.clabel(lines, fmt=lambda v: f"{v:g}x", fontsize=9, colors=style.INK)
        ax.set(xlim=style.room(*speedup), ylim=(fraction[0] - 0.01, fraction[1] + 0.01))
        ax.set_xticks([1, 2, 4, 8, 16, 32, 64])
        style.plain(ax.xaxis)
        style.percents(ax.yaxis)
        self.dot = style.moving(style.dot(ax, style.COMPUTE, 13, "s"))

    def show(self, result):
        """`result`: (fraction, speedup, gain of the whole)."""
        fraction, speedup, gain = result
        self.dot.set_data([speedup], [fraction])
        limit = f" Even an endless speed-up would stop at {number(1 / (1 - fraction))}x." if fraction < 1 else ""
        return (
            f"{percent(fraction)} of the time made {number(speedup)}x as fast: the whole is {gain:.2f}x as fast.{limit}"
        )
