"""Copies beside work, and the pins that make a memory fast."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import counted, sentence, si

CHUNKS = 64  # at most
PINS, RATES = (32, 16_384), (0.5, 64)  # data pins; Gbit/s on each
EQUAL = {1e10: 50, 1e11: 64, 1e12: 10_000, 1e13: 10_000}  # bandwidths [B/s] of the lines: data pins where each is named
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # so that no line runs through a name


class Transfer:
    """Copies and work on a time axis, chunk by chunk.

    >>> view = Transfer()
    >>> view.show(memory.hostlink.plan())
    >>> view.show(memory.hostlink.plan(chunks=64, compute_seconds=0.02))
    >>> view.show(memory.hostlink.plan(chunks=1, pinned=False))
    """

    def __init__(self, noun="chunk"):
        self.noun = noun
        label = "time, as a share of doing one after the other"
        self.figure, ax = style.axes(label, "", (0, 1), (-0.7, 1.9), size=(7.2, 2.9))
        style.percents(ax.xaxis)
        ax.set_yticks([1, 0], ["copy", "work"])
        ax.grid(axis="y", visible=False)
        looks = (1, style.MEMORY, "///"), (0, style.COMPUTE, "")
        self.copies, self.works = (
            ax.barh([y] * CHUNKS, 0, 0.6, color=color, edgecolor="white", linewidth=0.6, hatch=hatch)
            for y, color, hatch in looks
        )
        self.end = ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        self.text = style.label(ax, y=1.6, ha="right", va="center", fontweight="bold")
        style.moving(*self.copies, *self.works, self.end, self.text)

    def show(self, line):
        """`line`: memory.Timeline."""
        chunks, whole = len(line.copy_starts), line.one_by_one_seconds
        rows = ((self.copies, line.copy_starts, line.copy_seconds), (self.works, line.work_starts, line.work_seconds))
        for bars, starts, length in rows:
            for bar in bars[chunks:]:
                bar.set_visible(False)
            for bar, start in zip(bars, starts, strict=False):
                bar.set(x=start / whole, width=length / whole, visible=True)
        end, seconds = line.seconds / whole, si(line.seconds, "s")
        self.end.set_xdata([end, end])
        self.text.set(text=seconds, x=max(end - 0.01, 0.2))
        pace = (
            f"The {line.slower} set{'s' * (line.slower == 'work')} the pace." if line.overlaps else "Nothing overlaps."
        )
        return f"{seconds} for {counted(chunks, self.noun)}, {si(whole, 's')} one after the other. {pace}"


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
        return sentence(self.SAY, **memory)
