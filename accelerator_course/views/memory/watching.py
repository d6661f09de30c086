"""Caches in a row before a memory, one access at a time: what is asked, where it is found, what must leave."""

import numpy as np

from accelerator_course.views.memory.addresses import bits
from accelerator_course.views.memory.hierarchy import APART, EDGES, LEFT, NAMES, RIBBON, Places
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number

STRIP, BEGIN, END = 374, 84, 726  # of the accesses so far [px]
RIGHT, WIDE = 564, 166  # of the cycles so far
LOOKS = ("good", "good tint", "memory")  # found in the first cache, in a further one, in memory


class Chase(Stage):
    """The address cut into tag, set and offset, the lines in both caches and in memory, hits and misses, and the cost.

    >>> own = (memory.Cache(2, 2, 16), memory.Cache(4, 2, 16))
    >>> view, steps = Chase(), list(frames.memory.hierarchy([*range(0, 400, 24), 8], own))
    >>> view.show(steps[0])
    >>> view.show(steps[1])
    >>> view.show(steps[-1])
    """

    size, noun = (740, 426), "access"

    def marks(self, watched):
        """`watched`: memory.watching.Watched, of two caches at most."""
        places = Places(watched)
        found = [places.way(), *places.frames(), places.ribbon(), places.copies(), self._names(watched)]
        for cache, name in enumerate(NAMES[: len(watched.caches)]):
            found += bits(name, watched, cache, LEFT + APART * cache - 6, 22)
        return [*found, *self._strip(watched, places), *self._cost(watched)]

    def _names(self, watched):
        """Titles of caches and memory, and whether each cache had the line."""
        rows, level = [], watched.now.level
        for cache, (name, shape) in enumerate(zip(NAMES, watched.caches, strict=False)):
            x = LEFT + APART * cache
            size = f"{name}: {counted(shape.sets, 'set')} × {counted(shape.ways, 'way')}"
            tried, role = (
                ("miss", "bad bold") if cache < level else ("hit", "good bold") if cache == level else ("–", "muted")
            )
            rows += [(x - 6, 10, size, "ink bold start"), (x - 14, 33, tried, f"{role} end")]
        size = f"memory: {counted(len(watched.lines), 'line')} of {watched.caches[0].line_bytes} bytes"
        rows.append((EDGES[0], RIBBON - 11, size, "ink bold start"))
        for row, words in enumerate(("in each set", "left: used last", "right: leaves next")):
            rows.append((RIGHT, 196 + 18 * row, words, "muted start"))
        x, y, words, roles = zip(*rows, strict=True)
        return texts("titles", range(len(rows)), x, y, words, roles, 13)

    def _strip(self, watched, places):
        """One mark for each access so far, in the row of the level where it was found."""
        step = (END - BEGIN) / watched.length
        asked, levels = (np.array(column) for column in zip(*watched.history, strict=True))
        names = [*NAMES[: len(watched.caches)], "memory"]
        row = STRIP + 15 * np.arange(len(names))
        marks = boxes(
            "found", range(len(asked)), BEGIN + step * np.arange(len(asked)), STRIP + 15 * levels, max(step - 1, 1), 13,
            pick(LOOKS, _looks(levels, len(names))),
            who=[places.who[line] for line in asked], says=[places.says[line] for line in asked],
        )  # fmt: skip
        floor = lines("rows", range(len(row)), BEGIN, row + 14, END, row + 14, "muted faint", 1)
        return [floor, marks, texts("levels", range(len(row)), BEGIN - 8, row + 7, names, "ink end", 12.5)]

    def _cost(self, watched):
        """Cycles so far by the level where they were spent: how many accesses, what one costs, bars from zero."""
        now, names = watched.now, [*NAMES[: len(watched.caches)], "memory"]
        spent = np.array(now.found) * watched.costs
        y = 44 + 42 * np.arange(len(names))
        rows = [(RIGHT, 10, "cycles", "ink bold start"), (RIGHT + WIDE, 10, number(now.time), "ink bold end")]
        for top, name, count, cost in zip(y, names, now.found, watched.costs, strict=True):
            rows += [(RIGHT, top, name, "ink start"), (RIGHT + WIDE, top, f"{count} × {number(cost)}", "ink end")]
        rows.append((RIGHT + WIDE, y[-1] + 44, f"{number(now.average)} for each", "ink end"))
        x, tops, words, roles = zip(*rows, strict=True)
        look = pick(LOOKS, _looks(np.arange(len(names)), len(names)))
        bars = boxes("cycles", range(len(names)), RIGHT, y + 10, WIDE * spent / max(now.time, 1e-30), 13, look)
        return [bars, texts("cost", range(len(rows)), x, tops, words, roles, 13)]

    def say(self, watched):
        now, names = watched.now, [*NAMES[: len(watched.caches)], "memory"]
        gone = "".join(f"; line {line} leaves {names[cache]}" for cache, line in now.evicted)
        return (
            f"Access {now.number + 1}, address {now.address:,}: line {watched.line} is found in {names[now.level]}, "
            f"{number(now.cost)} cycles{gone}. {now.hits} of {now.number + 1} hit; {number(now.time)} cycles so far."
        )


def _looks(levels, count):
    """The look of each level: the first cache, a further one, memory."""
    return np.where(levels == count - 1, 2, np.minimum(levels, 1))
