"""Pictures of measurements: how a kernel is timed, and your dots on the roof."""

import numpy as np

from accelerator_course.views.charts import LOOKS, SHAPES, ground, key_rows, roomy, signs
from accelerator_course.views.kit import Chart, spots, words
from accelerator_course.views.roofline.roof import corner
from accelerator_course.views.stage import Stage, boxes, lines, paths
from accelerator_lib.units import binary, counted, number, percent, si

WORDS = {"streams": "streams", "attention": "attention", "products": "square products"}
WORDS |= {"decode": "few rows, one matrix"}


class Habits(Stage):
    """One kernel, call by call: the times, and the number that a way of timing prints.

    >>> view = Habits()
    >>> from accelerator_lib.machine.timing import History
    >>> run = History(0.2, 2e-5, (4e-3, *[1.0e-3, 1.1e-3] * 10))
    >>> view.show(measure.habits.reported("small", run))
    >>> view.show(measure.habits.reported("small", run, "the first call"))
    """

    size, noun = (740, 430), "way"
    time = Chart((96, 700), (370, 56), (0, 1), (1e-6, 10.0), "y", inside=True)
    ticks = 10.0 ** np.arange(-6, 2)

    def marks(self, found):  # measure.habits.Reported
        run, (left, right), floor = found.history, self.time.across, self.time.up[0]
        calls = [run.first, *run.seconds]
        x = left + 34 + (right - left - 60) / len(calls) * np.arange(len(calls))
        y, asked = self.time.y(calls), self.time.y(run.asked)
        level, median, high, low = self.time.y([found.seconds, found.median, found.high, found.low])
        role, looks = "good" if found.close else "bad", ["bad", *["memory round"] * (len(calls) - 1)]
        who, says = [f"call {n + 1}" for n in range(len(calls))], [si(seconds, "s") for seconds in calls]
        says[0], middle = f"{says[0]}, with compiling", f"{si(found.low, 's')} to {si(found.high, 's')}"
        band = {"who": "middle 80 % of the warm runs", "says": middle}
        wait = {"who": "asked for, not waited for", "says": si(run.asked, "s")}
        yield from self.time.axes(y=self.ticks, y_words=[si(tick, "s") for tick in self.ticks])
        said = (left, 20, f"{found.kernel} product, call by call", "ink bold start")
        way = right, 20, f"{found.way}: {si(found.seconds, 's')}", f"{role} bold end"
        under = (left + 34, "first", "bad"), ((left + right) / 2, "each waited for", "memory")
        under = [(x, floor + 26, *each, 12) for x, *each in (*under, (right - 16, "asked", "other"))]
        yield words("words", said, way, *under)
        yield boxes("middle", [0], left, high, right - left, max(low - high, 2), "good tint", **band)
        yield lines("median", [0], left, median, right, median, "good", 2)
        yield lines("printed", [0], left, level, right, level, f"{role} dashed", 2.5)
        yield spots("calls", range(len(calls)), x, y, 10, looks, who=who, says=says)
        yield spots("asked", [0], right - 16, asked, 12, "other", **wait)

    def say(self, found):
        much = f"{number(found.factor)} times the median" if found.factor != 1 else "the median"
        said = f"{found.way[0].upper()}{found.way[1:]}: {si(found.seconds, 's')}, {much} of"
        middle = f"the middle 80 % lie between {si(found.low, 's')} and {si(found.high, 's')}"
        return f"{said} {counted(found.warm, 'warm call')} that were waited for. Of these, {middle}."


class Yours(Stage):
    """What was measured on one machine: a dot is picked, and the sentence says how near it comes to the roof.

    >>> def made(group, name, flops, moved, seconds, **conditions):
    ...     return measure.Measurement(group, name, conditions, flops, moved, seconds, 0.9 * seconds, 1.2 * seconds, 9)
    >>> products = [made("products", f"{n} x {n} x {n}", 2 * n**3, 12 * n**2, n**3 / 2e10, M=n) for n in (256, 320)]
    >>> streams = [made("streams", f"triad, {b} B", b / 4, 1.5 * b, b / 2e10, kernel="triad", array_bytes=b)
    ...            for b in (2**20, 2**26)]
    >>> kept = tuple(products + streams)
    >>> mine = measure.Mine("cpu", "two cores", 1, 2, None, 2**25, None, "2026-11-22", True, {}, kept)
    >>> dots = measure.overlay(mine)
    >>> view = Yours(dots)
    >>> view.show(dots.at(0)), view.show(dots.at(1)), view.show(dots.at(2))
    """

    size, noun = (800, 624), "dot"

    def __init__(self, overlay):
        """`overlay`: measure.Overlay."""
        self.overlay, curve = overlay, overlay.products
        x, y = (0, 1.03 * max(curve.sizes, default=1)), (0, 1.08 * max(curve.high, default=1))
        self.products = Chart((94, 384), (206, 50), x, y, name="products", inside=True)
        curves = overlay.streams.values()
        sizes = [size for curve in curves for size in curve.sizes] or [1, 10]
        rates = [rate for curve in curves for rate in curve.rates] or [1, 10]
        x, y = (min(sizes), 1.01 * max(sizes)), (0.8 * min(rates), 1.25 * max(rates))
        x, y = (roomy(one, True, 0.02) for one in (x, y))
        self.streams = Chart((486, 780), (206, 50), x, y, "xy", name="streams", inside=True)
        spots = [pair for group in overlay.groups.values() for pair in zip(*group, strict=True)]
        xs, ys = [overlay.ridge_point, *(x for x, _ in spots)], [y for _, y in spots]
        x, y = (min(xs) / 2, 4 * max(xs)), (min(ys) / 2, 6 * max(overlay.peak, *ys))
        x, y = (roomy(one, True, 0.02) for one in (x, y))
        self.roof = Chart((94, 780), (566, 316), x, y, "xy", name="roof", inside=True)
        self.still = [*self._products(), *self._streams(), *self._roof()]

    def marks(self, picked):  # measure.Picked
        found, x = picked.measurement, picked.measurement.intensity
        at = float(self.roof.x(x))
        ends = float(self.roof.y(found.flops_per_s)), float(self.roof.y(picked.attainable))
        stars = [(float(self.roof.x(x)), ends[0])]
        if found.group in ("products", "streams"):
            chart = getattr(self, found.group)
            rate = found.flops_per_s if found.group == "products" else found.bytes_per_s
            stars.append((float(chart.x(picked.size)), float(chart.y(rate))))
        across, up = zip(*stars, strict=True)
        says = f"{si(found.flops_per_s, 'FLOP/s')}, {percent(picked.reached)} of the roof"
        yield from self.still
        yield lines("drop", [0], at, ends[0], at, ends[1], "ink dotted", 1.4)
        yield paths("here", range(len(stars)), SHAPES["star"], across, up, "ink", 1, _named(picked), says)

    def _products(self):
        curve, chart = self.overlay.products, self.products
        n, x = range(len(curve.sizes)), chart.x(np.asarray(curve.sizes, float))
        low, high = (chart.y(np.asarray(one, float)) for one in (curve.low, curve.high))
        who, says = [f"edge {size:,}" for size in curve.sizes], [si(rate, "FLOP/s") for rate in curve.rates]
        yield from ground(chart, "edge of a square product", "throughput", ("", "FLOP/s"))
        yield lines("spread", n, x, low, x, high, "compute faint", 1.2)
        yield chart.line("products", curve.sizes, curve.rates, "compute line", 1.5, "square products")
        yield signs(chart, "product dots", n, curve.sizes, curve.rates, "square", "compute", who, says, 0.5)

    def _streams(self):
        chart, (left, right) = self.streams, self.streams.across
        looks, y = dict(zip(self.overlay.streams, LOOKS, strict=False)), float(chart.y(self.overlay.bytes_per_s))
        rate = si(self.overlay.bytes_per_s, "B/s")
        yield from ground(chart, "all arrays", "stream", ("B", "B/s"))
        yield lines("bandwidth", [0], left, y, right, y, "muted dotted", 1.2, "bandwidth", rate)
        for kernel, (role, dash, shape) in looks.items():
            points = self.overlay.streams[kernel].sizes, self.overlay.streams[kernel].rates
            says = [f"{binary(size)}, {si(one, 'B/s')}" for size, one in zip(*points, strict=True)]
            yield chart.line(f"{kernel} line", *points, f"{role} line {dash}".strip(), 1.5, kernel)
            yield signs(chart, f"{kernel} dots", range(len(says)), *points, shape, role, kernel, says, 0.5)
        keys = [(kernel, *look) for kernel, look in looks.items()]
        yield from key_rows(keys, left, 800, 14, "stream key", 46)[0] if len(keys) > 1 else []

    def _roof(self):
        chart, roof = self.roof, self.overlay
        (x, y), (cx, cy) = corner(chart, roof.peak, roof.bytes_per_s, roof.ridge_point)
        right, top = chart.across[1], chart.up[1]
        source = "roof from these measurements" if roof.estimated else f"roof of {roof.chip} as published"
        yield from ground(chart, "arithmetic intensity [FLOP/byte]", "throughput", ("", "FLOP/s"))
        yield lines("slope", [0], x, y, cx, cy, "memory", 2, "bandwidth", si(roof.bytes_per_s, "B/s"))
        yield lines("flat", [0], cx, cy, right, cy, "compute dashed", 2, "peak", si(roof.peak, "FLOP/s"))
        yield words("source", (right - 8, top + 12, source, "muted end"))
        looks = dict(zip(roof.groups, LOOKS[1:] + LOOKS[:1], strict=False))
        for group, (role, _, shape) in looks.items():
            x, y = roof.groups[group]
            says = [f"{number(a)} FLOP/byte, {si(b, 'FLOP/s')}" for a, b in zip(x, y, strict=True)]
            yield signs(chart, f"{group} kernels", range(len(says)), x, y, shape, role, WORDS[group], says, 0.6)
        keys = [(WORDS[group], role, None, shape) for group, (role, _, shape) in looks.items()]
        yield from key_rows(keys, chart.across[0] + 120, 800, top - 14, "roof key", 42)[0]

    def say(self, picked):
        found, x = picked.measurement, picked.measurement.intensity
        rates = f"{si(found.flops_per_s, 'FLOP/s')} and {si(found.bytes_per_s, 'B/s')}"
        roof = "estimated roof" if self.overlay.estimated else "roof"
        said = f"{_named(picked)} on {self.overlay.name}: {si(found.seconds, 's')}, {rates}, {percent(picked.reached)} "
        said += f"of what the {roof} allows at {number(x)} FLOP/byte. The middle 80 % of "
        return said + f"{counted(found.repeats, 'repeat')} lie within {percent(found.spread)} of the median."


def _named(picked):
    found = picked.measurement
    if found.group == "streams":
        return f"{str(found.conditions.get('kernel', found.name)).capitalize()} over {binary(picked.size)}"
    products = found.group in ("decode", "products")
    return f"Product {found.name}" if products else f"{found.group.capitalize()}, {found.name}"
