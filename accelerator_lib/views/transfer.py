"""Pictures of bytes on their way: Little's tank, copies beside work, memories by pins and rate, who keeps what."""

import numpy as np

from accelerator_lib import data, hostlink
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines


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


class Transfer:
    """Copies and work on a time axis, chunk by chunk."""

    MOST = 64

    def __init__(self, noun="chunk"):
        self.noun = noun
        self.figure, self.ax = style.axes(
            "time, as a share of doing one after the other", "", (0, 1), (-0.7, 1.9), size=(7.2, 2.9)
        )
        style.percents(self.ax.xaxis)
        self.ax.set_yticks([1, 0], ["copy", "work"])
        self.ax.grid(axis="y", visible=False)
        self.copies, self.works = (
            [
                self.ax.barh([y], [0], 0.6, color=color, edgecolor="white", linewidth=0.6, hatch=hatch)[0]
                for _ in range(self.MOST)
            ]
            for y, color, hatch in ((1, style.MEMORY, "///"), (0, style.COMPUTE, ""))
        )
        self.end = self.ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        self.text = style.label(self.ax, y=1.6, ha="right", va="center", fontweight="bold")
        style.moving(*self.copies, *self.works, self.end, self.text)

    def show(self, line):
        chunks = len(line.copy_starts)
        whole = chunks * (line.copy_seconds + line.work_seconds)
        rows = ((self.copies, line.copy_starts, line.copy_seconds), (self.works, line.work_starts, line.work_seconds))
        for bars, starts, length in rows:
            for i, bar in enumerate(bars):
                bar.set(x=starts[i] / whole if i < chunks else 0, width=length / whole if i < chunks else 0)
        self.end.set_xdata([line.seconds / whole] * 2)
        self.text.set(text=si(line.seconds, "s"), x=max(line.seconds / whole - 0.01, 0.2))
        slower = "copies" if line.copy_seconds > line.work_seconds else "work"
        pace = f"The {slower} set{'s' * (slower == 'work')} the pace."
        if line.seconds > 0.999 * whole:
            pace = "Nothing overlaps."
        return f"{si(line.seconds, 's')} for {counted(chunks, self.noun)}, {si(whole, 's')} one after the other. {pace}"


class Pins(Lines):
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


class Placement(Lines):
    """One job on a card behind a link and on a chip with unified memory, over how often it reads its data."""

    def __init__(self, passes=(1, 10_000)):
        names = ["card: there and back, then read fast", "unified: read where it lies"]
        super().__init__(names, "passes over the data", "time [s]", passes, (1e-6, 1e4), log="xy")
        self.passes = np.geomspace(*passes, 80)

    def show(self, result):
        """`result`: (settings of hostlink.place_job without passes, passes)."""
        settings, passes = result
        curve, here = (hostlink.place_job(passes=p, **settings) for p in (self.passes, passes))
        parts = [curve.discrete, curve.unified_reading], [here.discrete, here.unified_reading]
        self.draw(self.passes, parts[0], passes, parts[1])
        faster = "The card" if here.discrete < here.unified_reading else "Unified memory"
        return (
            f"{counted(passes, 'pass', 'passes')}: {si(here.discrete, 's')} on the card, {si(here.moving, 's')} of it "
            "on the link; "
            f"{si(here.unified_reading, 's')} in unified memory. {faster} is faster."
        )


class CacheOrScratchpad(Lines):
    """Hit rate of a repeated walk: an LRU cache falls off a cliff, a scratchpad that keeps what fits does not."""

    def __init__(self, capacity_kib=32):
        names = ["LRU cache", "scratchpad"]
        super().__init__(names, "array [KiB]", "hit rate", (4, 1024), (0, 1.0), legend="upper right")
        style.percents(self.ax.yaxis)
        self.capacity = capacity_kib * 1024
        self.ax.axvline(capacity_kib, color=style.MUTED, linewidth=1.2)
        style.label(self.ax, f"capacity {capacity_kib} KiB", capacity_kib * 1.05, 0.03, style.MUTED)
        self.sizes = np.geomspace(4, 1024, 300)

    def show(self, result):
        """`result`: (array [KiB], passes)."""
        kib, passes = result
        rates = [hostlink.cache_or_scratchpad(size * 1024, self.capacity, passes) for size in self.sizes]
        cache, pad = hostlink.cache_or_scratchpad(kib * 1024, self.capacity, passes)
        self.draw(self.sizes, np.transpose(rates), kib, [cache, pad])
        rates = f"the cache hits {percent(cache)}, the scratchpad {percent(pad)} of the time"
        return f"{number(kib)} KiB, {passes} passes: {rates}."
