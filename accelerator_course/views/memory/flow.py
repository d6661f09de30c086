"""Copies beside work, and the pins that make a memory fast."""

import numpy as np

from accelerator_course.views.charts import Rows, ground, signs
from accelerator_course.views.kit import Chart, over, words
from accelerator_course.views.stage import Stage, boxes, lines
from accelerator_lib.units import counted, number, sentence, si

PINS, RATES = (32, 16_384), (0.5, 64)  # data pins; Gbit/s on each
EQUAL = {1e10: 50, 1e11: 64, 1e12: 10_000, 1e13: 10_000}  # bandwidths [B/s] of the lines: data pins where each is named


class Transfer(Stage):
    """Copies and work on a time axis, chunk by chunk.

    >>> view = Transfer()
    >>> view.show(memory.hostlink.plan())
    >>> view.show(memory.hostlink.plan(chunks=64, compute_seconds=0.02))
    >>> view.show(memory.hostlink.plan(chunks=1, pinned=False))
    """

    size, noun = (760, 250), "setting"

    def __init__(self, noun="chunk"):
        self.thing, self.rows = noun, Rows(("copy", "work"), (0, 1), 44, 72)

    def marks(self, line):
        """`line`: memory.Timeline."""
        whole, chart, (copies, works) = line.one_by_one_seconds, self.rows.chart, self.rows.y
        x, (floor, top) = np.linspace(0, 1, 6), chart.up
        made = self.rows.frame(
            "time, as a share of doing one after the other", x, [f"{100 * share:.0f} %" for share in x]
        )
        sides = (
            ("copies", "copy", copies, line.copy_starts, line.copy_seconds, "memory"),
            ("works", "work", works, line.work_starts, line.work_seconds, "compute"),
        )
        for name, what, y, starts, seconds, role in sides:
            begin, n = chart.x(np.asarray(starts) / whole), range(len(starts))
            long = chart.x(seconds / whole) - chart.across[0]
            who, says = [f"{what} {place + 1}" for place in n], f"{what}: {si(seconds, 's')}"
            gap = min(1.2, 0.2 * long)  # between one and the next
            made.append(boxes(name, n, begin, y - 22, np.maximum(long - gap, 0), 44, role, who=who, says=says))
        end, seconds = float(chart.x(line.seconds / whole)), si(line.seconds, "s")
        return [
            *made,
            lines("end", [0], end, top - 22, end, floor, "ink dashed", 1.5, "all of it", seconds),
            words("seconds", (max(end - 8, chart.across[0] + 80), top - 14, seconds, "ink bold end", 14)),
        ]

    def say(self, line):
        chunks, whole, seconds = len(line.copy_starts), line.one_by_one_seconds, si(line.seconds, "s")
        pace = (
            f"The {line.slower} set{'s' * (line.slower == 'work')} the pace." if line.overlaps else "Nothing overlaps."
        )
        return f"{seconds} for {counted(chunks, self.thing)}, {si(whole, 's')} one after the other. {pace}"


class Pins(Stage):
    """A map of memories: wide ones on the right, fast pins above, dashed lines of equal bandwidth; a dot for yours.

    >>> view = Pins(memory.pins.memories())
    >>> view.show({"pins": 4096, "rate": 2.0, "energy": 3.92, "bandwidth": 1.024e12, "power": 32.1})
    >>> view.show({"pins": 32, "rate": 64.0, "energy": 20.3, "bandwidth": 2.56e11, "power": 41.6})
    """

    size, noun = (760, 430), "memory"
    SAY = "{pins:,} pins at {rate:} Gbit/s: {bandwidth:B/s}. At {energy:} pJ/bit, keeping them busy takes {power:W}."

    def __init__(self, published):
        """`published`: memory.pins.Memory records."""
        limits = [(low / 1.13, high * 1.13) for low, high in (PINS, RATES)]
        self.published, self.chart = published, Chart((52, 738), (378, 34), *limits, log="xy", inside=True)

    def marks(self, memory):
        """`memory`: pins, rate [Gbit/s], energy [pJ/bit], bandwidth [B/s] and power [W] of one memory."""
        chart, (low, high), (least, most) = self.chart, *self.chart.scales
        gbits = np.array(list(EQUAL)) * 8 / 1e9  # of all pins together
        left, right = np.maximum(low, gbits / most), np.minimum(high, gbits / least)
        ends = (chart.x(left), chart.y(gbits / left), chart.x(right), chart.y(gbits / right))
        names = [si(rate, "B/s") for rate in EQUAL]
        equal = [
            (float(chart.x(pins)), float(chart.y(every / pins)), name, "muted", 12)
            for pins, every, name in zip(EQUAL.values(), gbits, names, strict=True)
        ]
        pins, rates = [one.pins for one in self.published], [one.bits_per_s / 1e9 for one in self.published]
        who = [one.name for one in self.published]
        says = [f"{number(a)} pins, {number(b)} Gbit/s on each" for a, b in zip(pins, rates, strict=True)]
        told = [
            (float(chart.x(a)) + 11, float(chart.y(b)), name, "other start", 12)
            for a, b, name in zip(pins, rates, who, strict=True)
        ]
        x, y = (32, 128, 512, 2048, 8192), (0.5, 1, 2, 4, 8, 16, 32, 64)
        at, own = ([memory["pins"]], [memory["rate"]]), si(memory["bandwidth"], "B/s")
        return [
            *ground(chart, "data pins", "Gbit/s on each pin", x=x, y=y),
            lines("equal", names, *ends, "muted dashed", 1, names),
            *over("equal names", *equal),
            *over("memory names", *told),
            signs(chart, "memories", who, pins, rates, "diamond", "other", who, says, 0.8),
            signs(chart, "dot", [0], *at, "square", "compute", "yours", own, 1.1),
        ]

    def say(self, memory):
        return sentence(self.SAY, **memory)
