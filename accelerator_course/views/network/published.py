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
