"""Hits over every capacity, from one pass."""

import numpy as np

from accelerator_lib.units import number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class HitCurve(Curves):
    """Hits over the capacity, from one pass: fully associative, and with the sets of the slider."""

    def __init__(self):
        names = ["fully associative", "16 ways or fewer, 64 sets"]
        super().__init__(names, "capacity [KiB]", "hit rate", (0.0625, 1024), (0, 1.02), legend="lower right")
        style.percents(self.ax.yaxis)

    def show(self, result):
        """`result`: (pattern, accesses, hits for 1, 2 ... lines, hits for 1 .. 16 ways of 64 sets, capacity [KiB])."""
        pattern, accesses, full, ways, kib = result
        lines = np.arange(1, 16_385)
        rate = full[np.minimum(lines, len(full)) - 1] / accesses
        at = 4.0 * np.arange(1, len(ways) + 1)
        partly = np.interp(lines / 16, at, ways / accesses, left=np.nan, right=np.nan)
        here = int(np.clip(round(kib * 16), 1, 16_384)) - 1
        dot = float(partly[here]) if np.isfinite(partly[here]) else None
        self.draw(lines / 16, [rate, partly], kib, [float(rate[here]), dot])
        best = full[-1] / accesses
        enough = (np.flatnonzero(rate >= best - 1e-12)[0] + 1) / 16
        return (
            f"{pattern}: {percent(float(rate[here]))} of {accesses:,} accesses hit in {number(kib)} KiB. "
            f"More than {number(enough)} KiB bring nothing."
        )
