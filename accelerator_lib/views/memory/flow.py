"""Bytes in flight: Little's tank; memories by pins and rate."""

import numpy as np

from accelerator_lib import data
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class Tank:
    """Bytes in flight: how full the tank between the memory and the SMs is."""

    def __init__(self):
        self.figure, ax = style.axes("bytes in flight", "", (1e3, 1e8), (-0.7, 1.7), log="x", size=(7.2, 2.6))
        ax.set_yticks([1, 0], ["needed", "held by\nthe warps"])
        ax.grid(axis="y", visible=False)
        self.bars = ax.barh([1, 0], [1, 1], 0.62, left=1e3, color=[style.MUTED, style.MEMORY])
        self.bars[1].set_hatch("///")
        self.bars[1].set_edgecolor("white")
        self.texts = [style.label(ax, y=y, va="center", fontweight="bold") for y in (1, 0)]
        style.moving(*self.bars, *self.texts)

    def show(self, tank):
        for bar, text, value in zip(self.bars, self.texts, (tank.needed_bytes, tank.held_bytes), strict=True):
            bar.set_width(max(value - 1e3, 1))
            text.set(text=si(value, "B"), x=max(value, 1e3) * 1.12)
        return (
            f"{si(tank.needed_bytes, 'B')} must be under way; {si(tank.held_bytes, 'B')} are. "
            f"{percent(tank.share)} of the bandwidth is reached; full from {counted(tank.warps_needed, 'warp')} on "
            "each SM."
        )


class Pins(Curves):
    """A memory's bandwidth is pins x rate: published ones, and one of your own."""

    def __init__(self):
        super().__init__(["yours"], "data pins", "Gbit/s on each pin", (32, 16_384), (0.5, 64), log="xy")
        style.plain(self.ax.yaxis)
        pins = np.array([32, 16_384.0])
        for rate in (1e10, 1e11, 1e12, 1e13):
            self.ax.plot(pins, rate * 8 / pins / 1e9, color=style.MUTED, linewidth=0.9, linestyle="--")
            x = np.clip(rate * 8 / 1e9 / 0.75, 40, 12_000)
            style.label(self.ax, si(rate, "B/s"), x, rate * 8 / x / 1e9, style.MUTED, 9, rotation=-34, va="center")
        for name, bits, gbit in published_pins():
            self.ax.plot([bits], [gbit], "D", color=style.OTHER, markersize=7)
            style.label(self.ax, name, bits * 1.08, gbit * 1.06, style.OTHER, 9)

    def show(self, result):
        """`result`: (pins, Gbit/s on each, pJ/bit)."""
        pins, gbit, energy = result
        rate = pins * gbit * 1e9 / 8
        self.draw([], [[]], pins, [gbit])
        return (
            f"{pins:,} pins at {number(gbit)} Gbit/s: {si(rate, 'B/s')}. "
            f"At {number(energy)} pJ/bit, keeping them busy takes {si(rate * 8 * energy * 1e-12, 'W')}."
        )


def published_pins():
    """(name, data pins, Gbit/s on each) of a few memories."""
    for row in data.load("memory_levels")["memories"]:
        yield row["name"], row["bits"], row["bytes_per_s"] * 8 / row["bits"] / 1e9
