"""A trace through a cache, by kind of miss and line by line; a cache that evicts beside a store that keeps."""

from itertools import pairwise

import numpy as np

from accelerator_course.views.charts import Lines, Rows
from accelerator_course.views.kit import legend, wide, words
from accelerator_course.views.stage import Stage, boxes, lines
from accelerator_lib.units import binary, counted, percent

KINDS = {
    "hits": ("hits", "good"),
    "compulsory": ("first use", "muted"),
    "capacity": ("capacity misses", "memory"),
    "conflict": ("conflict misses", "compute"),
}
COLUMNS = 64


class CacheTrace(Stage):
    """Above, the accesses by kind; below, every line of the array, dark where it hits once the walk has settled.

    >>> through = lambda trace, own: memory.cache.Walked(own, memory.census(trace, own, 10), memory.settled(trace, own))
    >>> view = CacheTrace()
    >>> view.show(through(memory.sweep(34, 64), memory.Cache(64, 8, 64)))
    >>> view.show(through(memory.sweep(8, 4), memory.Cache(64, 8, 64)))
    >>> view.show(through(memory.sweep(1024, 4096), memory.Cache(64, 8, 64)))
    """

    size, noun = (760, 424), "setting"

    def __init__(self):
        self.rows = Rows(["all"], (0, 1), 10, 50, left=24)

    def marks(self, walked):
        """`walked`: memory.cache.Walked."""
        shares, chart = walked.census.shares, self.rows.chart
        before, (y,) = chart.x(np.cumsum([0, *shares.values()])), self.rows.y
        x, long = before[:-1], np.diff(before)
        names, roles = zip(*KINDS.values(), strict=True)
        said = [percent(share) for share in shares.values()]
        fits = [text if wide(text) < room - 4 else "" for text, room in zip(said, long, strict=True)]
        frame = self.rows.frame(
            "share of all accesses", (0, 0.2, 0.4, 0.6, 0.8, 1), ["0", *(f"{n} %" for n in range(20, 101, 20))]
        )
        return [
            *frame[:-1],
            boxes("kinds", range(4), x, y - 16, long, 32, roles, fits, 13, names, said),
            *_cells(walked.line_hit_rates, 24, 128, 714, 222),
            words("cells name", (381, 366, "the lines of the array in order; green: found in the cache", "ink")),
            *legend("key", 152, 402, list(zip(roles, names, strict=True))),
        ]

    def place(self, axis, value, row=None):
        """A share of the accesses, on the bar above, as shares of the picture."""
        return self.rows.place(self.size, (0, 1), value, "all", 32)

    def say(self, walked):
        cache, census = walked.cache, walked.census
        worst = max(("compulsory", "capacity", "conflict"), key=lambda kind: getattr(census, kind))
        blame = f"Most misses: {KINDS[worst][0]} ({getattr(census, worst):,})." if census.misses else "No misses."
        return (
            f"{census.hits:,} of {census.accesses:,} accesses hit ({percent(census.hit_rate)}) in "
            f"{binary(cache.capacity_bytes)}, {counted(cache.sets, 'set')} x {counted(cache.ways, 'way')}. {blame}"
        )


def _cells(rates, left, top, wide, high):
    """Lines of the array, 64 in a row; those beside and below each other that hit as often are one box."""
    count = -(-len(rates) // COLUMNS)
    grid = np.full(count * COLUMNS, np.nan)
    grid[: len(rates)] = rates
    shades = np.where(np.isnan(grid), 0, 1 + np.round(9 * np.nan_to_num(grid))).astype(int).reshape(count, COLUMNS)
    first = np.flatnonzero(np.r_[True, (shades[1:] != shades[:-1]).any(1)])  # of the rows that are alike
    found = []
    for begin, end in zip(first, np.r_[first[1:], count], strict=True):
        turns = np.flatnonzero(np.r_[True, np.diff(shades[begin]) != 0, True])
        found += [(begin, end, a, b) for a, b in pairwise(turns) if shades[begin, a]]
    down, to, across, until = np.array(found).reshape(-1, 4).T
    shown, values = shades[down, across], grid.reshape(count, COLUMNS)[down, across]
    x, y = wide / COLUMNS, high / count
    roles = ["good" if one == 10 else f"good soft tenths-{one}" for one in shown]
    who = [f"line {COLUMNS * row + col:,}" for row, col in zip(down, across, strict=True)]
    says = [f"{percent(value)} of its accesses hit" for value in values]
    places = left + x * across, top + y * down, x * (until - across), y * (to - down)
    return [
        boxes("frame", [0], left - 1, top - 1, wide + 2, high + 2, "muted line"),
        boxes("cells", COLUMNS * down + across, *places, roles, who=who, says=says),
    ]


class CacheOrScratchpad(Lines):
    """Hit rates over the size of an array, and a line where the store ends: what {name: share} along `over` returns.

    >>> view = CacheOrScratchpad(32, over="array", y="hit rate", unit="%")
    >>> array = Axis("array", "array [KiB]", np.array([4, 32, 64, 1024]), log=True)
    >>> curves = {"LRU cache": [0.9, 0.9, 0, 0], "scratchpad": [0.9, 0.9, 0.45, 0.03]}
    >>> view.show(Along(array, curves, {"LRU cache": 0.0, "scratchpad": 0.45}, {"array": 64}))
    >>> view.show(Along(array, curves, {"LRU cache": 0.9, "scratchpad": 0.9}, {"array": 4}))
    """

    def __init__(self, capacity_kib, **more):
        super().__init__(**more)
        self.capacity_kib = capacity_kib

    def decorate(self):
        x, (floor, top) = float(self.chart.x(self.capacity_kib)), self.chart.up
        name = (x - 8, floor - 14, f"capacity {self.capacity_kib} KiB", "muted end")
        return [lines("capacity", [0], x, top, x, floor, "muted", 1.2), words("capacity name", name)]
