"""Memories by their data pins and the rate of each: published ones, and one of your own."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.tell import tell
from accelerator_lib.units import si

PINS, RATES = (32, 16_384), (0.5, 64)  # data pins; Gbit/s on each
EQUAL = {1e10: 50, 1e11: 64, 1e12: 10_000, 1e13: 10_000}  # bandwidths [B/s] of the lines: data pins where each is named
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # so that no line runs through a name


class Pins:
    """A map of memories: wide ones on the right, fast pins above, dashed lines of equal bandwidth; a dot for yours.

    >>> view = Pins(memory.pins.memories())
    >>> view.show({"pins": 4096, "rate": 2.0, "energy": 3.92, "bandwidth": 1.024e12, "power": 32.1})
    >>> view.show({"pins": 32, "rate": 64.0, "energy": 20.3, "bandwidth": 2.56e11, "power": 41.6})
    """

    SAY = "{pins:,} pins at {rate:} Gbit/s: {bandwidth:B/s}. At {energy:} pJ/bit, keeping them busy takes {power:W}."

    def __init__(self, published):
        """`published`: memory.pins.Memory records."""
        limits = style.room(*PINS), style.room(*RATES)
        self.figure, ax = style.axes("data pins", "Gbit/s on each pin", *limits, log="xy")
        for axis, ticks in ((ax.xaxis, (32, 128, 512, 2048, 8192)), (ax.yaxis, (0.5, 1, 2, 4, 8, 16, 32, 64))):
            axis.set_ticks(ticks)
            style.plain(axis)
        pins = np.array(limits[0])
        for bytes_per_s, place in EQUAL.items():
            gbits = bytes_per_s * 8 / 1e9  # of all pins together
            ax.plot(pins, gbits / pins, color=style.MUTED, linewidth=0.9, linestyle="--")
            name = si(bytes_per_s, "B/s")
            style.label(ax, name, place, gbits / place, style.MUTED, 9, ha="center", va="center", bbox=PAPER)
        for one in published:
            gbits = one.bits_per_s / 1e9
            ax.plot([one.pins], [gbits], "D", color=style.OTHER, markersize=7)
            style.label(ax, one.name, one.pins * 1.13, gbits, style.OTHER, 9, va="center", bbox=PAPER)
        self.dot = style.moving(style.dot(ax, style.COMPUTE, 12, "s"))

    def show(self, memory):
        """`memory`: pins, rate [Gbit/s], energy [pJ/bit], bandwidth [B/s] and power [W] of one memory."""
        self.dot.set_data([memory["pins"]], [memory["rate"]])
        return tell(self.SAY, **memory)
