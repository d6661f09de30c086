"""Pictures of measurements: how a kernel is timed, and your dots on the roof."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.kit import Chart, spots, words
from accelerator_course.views.stage import Stage, boxes, lines
from accelerator_lib.units import binary, counted, number, percent, si

WORDS = {"decode": "few rows, one matrix", "products": "square products"}  # of groups, where their names do not do


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

    def marks(self, found):
        """`found`: measure.habits.Reported."""
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
        yield words(
            "words",
            (left, 20, f"{found.kernel} product, call by call", "ink bold start"),
            (right, 20, f"{found.way}: {si(found.seconds, 's')}", f"{role} bold end"),
            (left + 34, floor + 26, "first", "bad", 12),
            ((left + right) / 2, floor + 26, "each waited for", "memory", 12),
            (right - 16, floor + 26, "asked", "other", 12),
        )
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


class Yours:
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
    >>> view.show(dots.at(0)), view.show(dots.at(2))
    """

    def __init__(self, overlay):
        """`overlay`: measure.Overlay."""
        self.overlay, self.figure = overlay, style.figure((7.6, 6.4))
        places = self.figure.subplot_mosaic([["products", "streams"], ["roof", "roof"]], height_ratios=(1, 1.35))
        self.marks = {name: style.dot(ax, style.INK, 15, "*") for name, ax in places.items()}
        self._products(places["products"])
        self._streams(places["streams"])
        self._roof(places["roof"])
        self.drop = places["roof"].plot([], [], ":", color=style.INK, linewidth=1.4, zorder=5)[0]
        style.moving(*self.marks.values(), self.drop)

    def _products(self, ax):
        curve = self.overlay.products
        limits = (0, 1.03 * max(curve.sizes, default=1)), (0, 1.08 * max(curve.high, default=1))
        style.dress(ax, "edge of a square product", "throughput [FLOP/s]", *limits)
        style.plain(ax.xaxis)
        ax.vlines(curve.sizes, curve.low, curve.high, color=style.COMPUTE, linewidth=1.2, alpha=0.6)
        ax.plot(curve.sizes, curve.rates, "s-", color=style.COMPUTE, markersize=4, linewidth=1.5)

    def _streams(self, ax):
        curves = self.overlay.streams.items()
        sizes = [size for _, curve in curves for size in curve.sizes] or [1, 10]
        rates = [rate for _, curve in curves for rate in curve.rates] or [1, 10]
        limits = style.room(min(sizes), 1.01 * max(sizes)), style.room(0.8 * min(rates), 1.25 * max(rates))
        style.dress(ax, "all arrays [B]", "stream [B/s]", *limits, log="xy")
        for (kernel, curve), (color, dash, marker) in zip(curves, style.LOOKS, strict=False):
            ax.plot(curve.sizes, curve.rates, marker + dash, color=color, markersize=4, linewidth=1.5, label=kernel)
        ax.axhline(self.overlay.bytes_per_s, color=style.MUTED, linewidth=1, linestyle=":")
        if len(curves) > 1:
            _legend(ax, 3)

    def _roof(self, ax):
        roof, corner = self.overlay, self.overlay.ridge_point
        x, y = np.hstack(list(roof.groups.values()))
        across = style.room(min(corner, *x) / 2, 4 * max(corner, *x))
        up = style.room(min(y) / 2, 6 * max(roof.peak, *y))
        style.dress(ax, "arithmetic intensity [FLOP/byte]", "throughput [FLOP/s]", across, up, log="xy")
        style.plain(ax.xaxis)
        ax.plot([across[0], corner], [across[0] * roof.bytes_per_s, roof.peak], color=style.MEMORY, linewidth=2)
        ax.plot([corner, across[1]], [roof.peak, roof.peak], color=style.COMPUTE, linewidth=2, linestyle=(0, (6, 1.5)))
        source = "roof from these measurements" if roof.estimated else f"roof of {roof.chip} as published"
        style.label(ax, source, 0.985, 0.955, style.MUTED, transform=ax.transAxes, ha="right", va="top")
        looks = style.LOOKS[1:] + style.LOOKS[:1]
        for (group, dots), (color, _, marker) in zip(roof.groups.items(), looks, strict=False):
            ax.plot(
                *dots,
                marker,
                color=color,
                markersize=6,
                alpha=0.8,
                markeredgecolor="white",
                label=WORDS.get(group, group),
            )
        _legend(ax, 4)

    def show(self, picked):
        """`picked`: measure.Picked."""
        found, x = picked.measurement, picked.measurement.intensity
        for mark in self.marks.values():
            mark.set_data([], [])
        self.marks["roof"].set_data([x], [found.flops_per_s])
        self.drop.set_data([x, x], [found.flops_per_s, picked.attainable])
        if found.group in ("products", "streams"):
            rate = found.flops_per_s if found.group == "products" else found.bytes_per_s
            self.marks[found.group].set_data([picked.size], [rate])
        rates = f"{si(found.flops_per_s, 'FLOP/s')} and {si(found.bytes_per_s, 'B/s')}"
        roof = "estimated roof" if self.overlay.estimated else "roof"
        return (
            f"{_named(picked)} on {self.overlay.name}: {si(found.seconds, 's')}, {rates}, {percent(picked.reached)} of "
            f"what the {roof} allows at {number(x)} FLOP/byte. The middle 80 % of "
            f"{counted(found.repeats, 'repeat')} lie within {percent(found.spread)} of the median."
        )


def _legend(ax, columns):
    """Above the picture: inside, some machine's dots would lie under it."""
    ax.legend(frameon=False, fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 0.98), ncols=columns, borderpad=0)


def _named(picked):
    found = picked.measurement
    if found.group == "streams":
        return f"{str(found.conditions.get('kernel', found.name)).capitalize()} over {binary(picked.size)}"
    return (
        f"Product {found.name}"
        if found.group in ("decode", "products")
        else f"{found.group.capitalize()}, {found.name}"
    )
