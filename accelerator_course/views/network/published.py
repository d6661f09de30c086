"""Models beside measurements: a curve through dots, and under it by how much each is missed."""

import numpy as np

from accelerator_course.views import style
from accelerator_lib.units import percent, si

MOST = 0.72  # of the miss axis, up and down


class Misses:
    """Published times as diamonds, the model as a line, and below the miss of each: too fast below zero.

    along: "bytes" on two logarithmic axes, or "ranks" on plain ones.

    >>> view = Misses("bytes")
    >>> view.show(network.published.by_size())
    >>> view.show(network.published.by_size(15e-6, 2e-6, 231.6e9))
    >>> view.show(network.published.by_size(60e-6, 5e-6, 100e9))
    """

    def __init__(self, along):
        self.axis, wide = along, along == "bytes"
        self.figure = style.figure((7.2, 4.9))
        top, low = self.figure.subplots(2, 1, height_ratios=[1.9, 1], sharex=True)
        xlim, ylim = ((600, 1.5e10), (6e-6, 0.3)) if wide else ((1.6, 8.4), (0, 60e-6))
        style.dress(top, "", "time [s]", xlim, ylim, "xy" if wide else "")
        x = "size of the array [byte]" if wide else "ranks"
        style.dress(low, x, "too fast    too slow", xlim, (-MOST, MOST), "x" if wide else "")
        style.percents(low.yaxis)
        if not wide:
            style.plain(low.xaxis)
        top.tick_params(labelbottom=False)
        self.line = top.plot([], [], color=style.COMPUTE, linewidth=2.5, label="model")[0]
        self.dots = top.plot([], [], "D", color=style.MEMORY, markersize=7, label="measured")[0]
        top.legend(frameon=False, fontsize=10, loc="upper left")
        low.axhline(0, color=style.MUTED, linewidth=1)
        self.stems = low.vlines([], [], [], color=style.OTHER, linewidth=3)
        self.ends, self.above, self.below = (
            low.plot([], [], mark, color=style.OTHER, markersize=size, clip_on=False, in_layout=False)[0]
            for mark, size in (("o", 6), ("^", 8), ("v", 8))
        )
        style.moving(self.line, self.dots, self.stems, self.ends, self.above, self.below)

    def show(self, rows):
        """`rows`: network.published.Beside, one for each size or number of ranks."""
        x = [row.bytes_moved if self.axis == "bytes" else row.n for row in rows]
        self.line.set_data(x, [row.model for row in rows])
        self.dots.set_data(x, [row.measured for row in rows])
        misses = np.clip([row.miss for row in rows], -MOST, MOST)
        self.stems.set_segments([[(at, 0), (at, miss)] for at, miss in zip(x, misses, strict=True)])
        for dots, there in (
            (self.ends, abs(misses) < MOST),
            (self.above, misses >= MOST),
            (self.below, misses <= -MOST),
        ):
            dots.set_data(np.array(x)[there], misses[there])
        return self.sentence(rows)

    def sentence(self, rows):
        """How many are near, and which is missed by most."""
        near = sum(abs(row.miss) <= 0.05 for row in rows)
        worst = max(rows, key=lambda row: abs(row.miss))
        way = "too fast" if worst.miss < 0 else "too slow"
        return (
            f"{near} of {len(rows)} within 5 %; farthest off at {worst.what}: {si(worst.model, 's')} against "
            f"{si(worst.measured, 's')}, {percent(abs(worst.miss))} {way}."
        )


class Ratios:
    """Model over measurement, one row each: on the line both agree, left of it the model is too fast.

    >>> view = Ratios()
    >>> view.show((*network.published.short("ring"), *network.published.decode("ring")))
    >>> view.show((*network.published.short("direct"), *network.published.decode("direct")))
    >>> view.show((*network.published.short("halving", 1e-7), *network.published.decode("halving", 1e-7)))
    """

    LIMITS = (0.12, 8.5)

    def __init__(self):
        self.figure = self.rows = None

    def show(self, rows):
        """`rows`: network.published.Beside, the same measurements every time."""
        if self.figure is None:
            self._build(rows)
        low, high = self.LIMITS
        for row, dot, words in zip(rows, self.dots, self.words, strict=True):
            dot.set_data([min(max(row.ratio, low), high)], [dot.get_ydata()[0]])
            dot.set_marker("o" if low <= row.ratio <= high else "<" if row.ratio < low else ">")
            words.set_text(f"{si(row.model, 's')} / {si(row.measured, 's')}")
        near = sum(abs(row.miss) <= 0.05 for row in rows)
        worst = max(rows, key=lambda row: row.factor)
        off = f"{worst.factor:.1f} times too {'fast' if worst.miss < 0 else 'slow'}"
        return f"{near} of {len(rows)} within 5 %; farthest off: {worst.what}, where the model is {off}."

    def _build(self, rows):
        limits, size = (self.LIMITS, (-0.6, len(rows) - 0.4)), (7.2, 0.9 + 0.42 * len(rows))
        self.figure, ax = style.axes("time of the model / measured time", "", *limits, "x", size)
        style.plain(ax.xaxis)
        ax.set_xticks([0.125, 0.25, 0.5, 1, 2, 4, 8])
        at = np.arange(len(rows))[::-1]
        ax.set_yticks(at, [row.what for row in rows])
        ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        self.dots = [ax.plot([1], [y], "o", color=style.COMPUTE, markersize=10, zorder=6, clip_on=False)[0] for y in at]
        self.words = [
            style.label(ax, "", 1.01, y, size=9.5, va="center", transform=ax.get_yaxis_transform()) for y in at
        ]
        for words in self.words:
            words.set_text("88.8 ms / 88.8 ms")  # what the layout must leave room for
        style.moving(*self.dots, *self.words)
