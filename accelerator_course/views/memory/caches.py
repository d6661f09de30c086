"""A trace through a cache, by kind of miss and line by line; a cache that evicts beside a store that keeps."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.charts import Lines
from accelerator_course.views.kit import words
from accelerator_course.views.shares import Cut
from accelerator_course.views.stage import lines
from accelerator_lib.units import binary, counted, percent

KINDS = {
    "hits": ("hits", style.GOOD, ""),
    "compulsory": ("first use", "#8c8c8c", "++"),
    "capacity": ("capacity misses", style.MEMORY, "///"),
    "conflict": ("conflict misses", style.COMPUTE, "xx"),
}
COLUMNS = 64


class CacheTrace:
    """Above, the accesses by kind; below, every line of the array, dark where it hits once the walk has settled.

    >>> through = lambda trace, own: memory.cache.Walked(own, memory.census(trace, own, 10), memory.settled(trace, own))
    >>> view = CacheTrace()
    >>> view.show(through(memory.sweep(34, 64), memory.Cache(64, 8, 64)))
    >>> view.show(through(memory.sweep(8, 4), memory.Cache(64, 8, 64)))
    >>> view.show(through(memory.sweep(1024, 4096), memory.Cache(64, 8, 64)))
    """

    def __init__(self):
        self.figure = style.figure((7.2, 4.4))
        top, lines = self.figure.subplots(2, 1, height_ratios=[1, 2.2])
        style.dress(top, "share of all accesses", "", (0, 1))
        style.percents(top.xaxis)
        names, looks = [name for name, *_ in KINDS.values()], [look for _, *look in KINDS.values()]
        self.cut = Cut(top, [""], names, looks)
        top.set_yticks([])
        self.figure.legends[0].remove()
        self.figure.legend(loc="outside lower center", ncols=len(KINDS), frameon=False, fontsize=10)
        self.image = lines.imshow(np.zeros((4, COLUMNS)), cmap="Greens", vmin=0, vmax=1.4, aspect="auto")
        lines.set(xticks=[], yticks=[])
        lines.set_xlabel("the lines of the array in order; green: found in the cache", color=style.INK, fontsize=11)
        style.moving(self.image)

    def place(self, axis, value, row=None):
        """A share of the accesses, on the bar above."""
        return self.cut.place(axis, value, "")

    def show(self, walked):
        """`walked`: memory.cache.Walked."""
        cache, census, lines = walked.cache, walked.census, walked.line_hit_rates
        self.cut.draw([list(census.shares.values())])
        grid = np.full(-(-len(lines) // COLUMNS) * COLUMNS, np.nan)
        grid[: len(lines)] = lines
        self.image.set_data(np.ma.masked_invalid(grid.reshape(-1, COLUMNS)))
        worst = max(("compulsory", "capacity", "conflict"), key=lambda kind: getattr(census, kind))
        blame = f"Most misses: {KINDS[worst][0]} ({getattr(census, worst):,})." if census.misses else "No misses."
        return (
            f"{census.hits:,} of {census.accesses:,} accesses hit ({percent(census.hit_rate)}) in "
            f"{binary(cache.capacity_bytes)}, {counted(cache.sets, 'set')} x {counted(cache.ways, 'way')}. {blame}"
        )


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
