"""Caches in a row before a memory, one access at a time: what is asked, where it is found, what must leave.

A copy is known by its cache and its line. Before it is fetched, it lies unseen on the line it is a copy of; so it flies
in. In a set the line used last stands first; whoever falls out on the right was unused for longest.
"""

import numpy as np

from accelerator_course.views.kit import bars, below, rows, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import counted, number

NAMES = ("L1", "L2", "L3", "L4")
LEFT, TOP, APART = 62, 74, 262  # of the first cell; pixels between two caches
WIDE, HIGH, CELL = 176, 22, 44  # of a set, and of a cell at most
RIBBON, ROW, EDGES = 284, 26, (14, 726)  # of memory
COLUMNS, ROWS = 21, 3  # lines of memory in a row, and rows
STRIP, BEGIN, END = 374, 84, 726  # of the accesses so far
RIGHT, COST = 564, 166  # of the cycles so far
LOOKS = ("good", "good tint", "memory")  # found in the first cache, in a further one, in memory
PARTS, BIT = {"tag": "memory tint", "set": "other", "byte": "muted soft"}, 17  # of an address; pixels of a bit


class Chase(Stage):
    """The address cut into tag, set and offset, the lines in both caches and in memory, hits and misses, and the cost.

    >>> own = (memory.Cache(2, 2, 16), memory.Cache(4, 2, 16))
    >>> view, steps = Chase(), list(frames.memory.hierarchy([*range(0, 400, 24), 8], own))
    >>> view.show(steps[0])
    >>> view.show(steps[1])
    >>> view.show(steps[-1])
    """

    size, noun = (740, 426), "access"

    def marks(self, lookup):
        """`lookup`: frames.memory.Lookup, of two caches at most."""
        places = Places(lookup)
        found = [places.way(), *places.frames(), places.ribbon(), places.copies(), *self._names(lookup)]
        for cache in range(len(lookup.caches)):
            found += _bits(lookup, cache)
        return [*found, *self._strip(lookup, places), *self._cost(lookup)]

    def _names(self, lookup):
        """Titles of caches and memory, and whether each cache had the line."""
        titles, level = [], lookup.now.level
        for cache, (name, shape) in enumerate(zip(NAMES, lookup.caches, strict=False)):
            x = LEFT + APART * cache
            size = f"{name}: {counted(shape.sets, 'set')} × {counted(shape.ways, 'way')}"
            found = ("miss", "bad bold end") if cache < level else ("–", "muted end")
            found = ("hit", "good bold end") if cache == level else found
            titles += [(x - 6, 10, size, "ink bold start"), (x - 14, 33, *found)]
        size = f"memory: {counted(len(lookup.lines), 'line')} of {lookup.caches[0].line_bytes} bytes"
        order = ["in each set", "left: used last", "right: leaves next"]
        return [
            words("titles", *titles, (EDGES[1], RIBBON - 11, size, "ink bold end")),
            below("order", RIGHT, 196, order, role="muted start"),
        ]

    def _strip(self, lookup, places):
        """One mark for each access so far, in the row of the level where it was found."""
        step, names = (END - BEGIN) / lookup.length, _levels(lookup)
        asked, levels = (np.array(column) for column in zip(*lookup.history, strict=True))
        top, x, look = rows(STRIP, 15, len(names)), BEGIN + step * np.arange(len(asked)), _looks(levels, len(names))
        who, says = [places.who[line] for line in asked], [places.says[line] for line in asked]
        return [
            lines("rows", range(len(top)), BEGIN, top + 14, END, top + 14, "muted faint", 1),
            boxes("found", range(len(x)), x, top[levels], max(step - 1, 1), 13, look, who=who, says=says),
            texts("levels", range(len(top)), BEGIN - 8, top + 7, names, "ink end", 12.5),
        ]

    def _cost(self, lookup):
        """Cycles so far by the level where they were spent: how many accesses, what one costs, bars from zero."""
        now, names = lookup.now, _levels(lookup)
        y, end = rows(44, 42, len(names)), RIGHT + COST
        said = [(RIGHT, 10, "cycles", "ink bold start"), (end, 10, number(now.time), "ink bold end")]
        for top, name, count, cost in zip(y, names, now.found, lookup.costs, strict=True):
            said += [(RIGHT, top, name), (end, top, f"{count} × {number(cost)}", "ink end")]
        said.append((end, y[-1] + 44, f"{number(now.average)} for each", "ink end"))
        look = _looks(np.arange(len(names)), len(names))
        long = COST * np.array(lookup.spent_shares)
        return [*bars("cycles", range(len(names)), RIGHT, y + 16.5, long, 13, look), words("cost", *said)]

    def say(self, lookup):
        now, names = lookup.now, _levels(lookup)
        gone = "".join(f"; line {line} leaves {names[cache]}" for cache, line in now.evicted)
        return (
            f"Access {now.number + 1}, address {now.address:,}: line {lookup.line} is found in {names[now.level]}, "
            f"{number(now.cost)} cycles{gone}. {now.hits} of {now.number + 1} hit; {number(now.time)} cycles so far."
        )


def _levels(lookup):
    return [*NAMES[: len(lookup.caches)], "memory"]


def _looks(levels, count):
    """The look of each level: the first cache, a further one, memory."""
    return pick(LOOKS, np.where(levels == count - 1, 2, np.minimum(levels, 1)))


def _bits(lookup, cache):
    """One box a bit of the address, coloured by what it is for in this cache, and below them the three numbers."""
    name, left, top = NAMES[cache], LEFT + APART * cache - 6, 22
    split, widths = lookup.split[cache], lookup.bits[cache]
    digits = format(lookup.now.address, f"0{lookup.address_bits}b")
    kinds, roles = np.repeat(list(PARTS), widths), np.repeat(list(PARTS.values()), widths)
    says = np.repeat([f"{value}" for value in split], widths)
    x, ends = left + BIT * np.arange(len(digits)), left + BIT * np.cumsum(widths)
    who = [f"{kind} in {name}" for kind in kinds]
    middles = ends - BIT * np.array(widths) / 2
    said = [f"{kind} {value}" if wide else "" for kind, value, wide in zip(PARTS, split, widths, strict=True)]
    parts = zip(middles, [top + 31] * 3, said, ["ink", "other bold", "ink"], [12.5] * 3, strict=True)
    return [
        boxes(f"bits-{name}", range(len(digits)), x, top, BIT - 1.5, 20, roles, list(digits), 13, who, says),
        words(f"parts-{name}", *parts),
    ]


def _story(line, names):
    """What became of a frames.memory.Line, in few words, so that its story is short."""
    caches = len(names) - 1
    where = "in memory alone" if line.level == caches else "in " + " and ".join(names[line.level : caches])
    if line.access is None:
        return where
    if line.came_from is None:
        return f"had to leave, now {where}"
    return f"found in {names[line.came_from]}, now {where}"


class Places:
    """Places and sizes of everything in one state."""

    def __init__(self, lookup):
        self.lookup, self.now, self.count = lookup, lookup.now, len(lookup.caches)
        self.columns = max(COLUMNS, -(-len(lookup.lines) // ROWS))
        self.cell = (EDGES[1] - EDGES[0]) / self.columns
        self.who = [f"line {i}" for i in range(len(lookup.lines))]
        self.says = [_story(line, _levels(lookup)) for line in lookup.lines]

    def memory(self, line):
        """(x, y, width, height) of a line in the ribbon."""
        row, column = divmod(line, self.columns)
        return EDGES[0] + column * self.cell, RIBBON + row * ROW, self.cell - 2, HIGH - 2

    def cached(self, cache, own_set, way):
        """(x, y, width, height) of a place in a cache; `way` beyond the last is outside, on the right."""
        wide, ways = self._cell(cache), self.lookup.caches[cache].ways
        return LEFT + APART * cache + wide * way + 8 * (way >= ways), TOP + HIGH * own_set, wide - 2, HIGH - 2

    def held(self, cache, line):
        """Where a cache has a line now."""
        own_set = line % self.lookup.caches[cache].sets
        return self.cached(cache, own_set, int(np.flatnonzero(self.now.contents[cache][own_set] == line)[0]))

    def _cell(self, cache):
        return min(CELL, WIDE / self.lookup.caches[cache].ways)

    def ribbon(self):
        """The lines of memory, the one asked for lit."""
        asked = np.arange(len(self.who)) == self.lookup.line
        numbers = [str(i) for i in range(len(self.who))] if self.cell > 20 else ""
        places = _columns([self.memory(i) for i in range(len(self.who))])
        roles = pick(("muted tint", "compute"), asked)
        return boxes("memory", range(len(self.who)), *places, roles, numbers, 12, self.who, self.says)

    def frames(self):
        """The empty places of all caches, the names of their sets, and the sets that were looked into."""
        cells, names, looked = [], [], []
        for cache, shape in enumerate(self.lookup.caches):
            x, asked = LEFT + APART * cache, self.lookup.split[cache][1] if cache <= self.now.level else None
            for s in range(shape.sets):
                cells += [self.cached(cache, s, way) for way in range(shape.ways)]
                lit = "other bold end" if s == asked else "muted end"
                names.append((x - 8, TOP + HIGH * (s + 0.5) - 1, f"set {s}", lit, 12.5))
            if asked is not None:
                looked.append((x - 52, TOP + HIGH * asked - 2, 54 + self._cell(cache) * shape.ways, HIGH + 2))
        return [
            boxes("looked", range(len(looked)), *_columns(looked), "other tint"),
            boxes("frames", range(len(cells)), *_columns(cells), "paper"),
            words("sets", *names),
        ]

    def copies(self):
        """What the caches hold, what has just left them, and, unseen on its original, what the next access fetches."""
        lookup, now, found = self.lookup, self.now, []  # (cache, line, place, role)
        for cache, table in enumerate(now.contents):
            for line in table[table >= 0].tolist():
                own = line == lookup.line and cache <= now.level
                role = "memory tint" if not own else "good" if cache == now.level else "memory"
                found.append((cache, line, self.held(cache, line), role))
        out = {}
        for cache, line in now.evicted:
            own_set = line % lookup.caches[cache].sets
            way = lookup.caches[cache].ways + out.setdefault((cache, own_set), 0)
            out[cache, own_set] += 1
            found.append((cache, line, self.cached(cache, own_set, way), "bad tint dashed"))
        if lookup.next is not None:
            found += self._unseen(lookup.next)
        caches, lines_, places, roles = zip(*found, strict=True)
        keys = np.array([cache * len(self.who) + line for cache, line in zip(caches, lines_, strict=True)])
        who, says = [self.who[line] for line in lines_], [self.says[line] for line in lines_]
        return boxes("copies", keys, *_columns(places), roles, [str(line) for line in lines_], 12.5, who, says)

    def _unseen(self, after):
        """Copies that the next access will make, each on the line that it is a copy of, and looking like it."""
        line = after.places[0][1]
        inside = after.level < self.count
        place = self.held(after.level, line) if inside else self.memory(line)
        role = "memory tint" if inside else "compute" if line == self.lookup.line else "muted tint"
        return [(cache, line, place, role) for cache in range(after.level) if (cache, line) not in self.now.evicted]

    def way(self):
        """Arrows from where the line was found to where it is now."""
        level, line = self.now.level, self.lookup.line
        spots = [self.held(cache, line) for cache in range(min(level + 1, self.count))]
        if level == self.count:
            spots.append(self.memory(line))
        ends = []
        for cache in range(len(spots) - 1):
            (x2, y2, w2, h2), (x, y, w, _) = spots[cache], spots[cache + 1]
            below_ = cache + 1 == self.count
            ends.append((x + w / 2, y, x2 + w2 / 2, y2 + h2) if below_ else (x, y + h2 / 2, x2 + w2, y2 + h2 / 2))
        return arrows("way", range(len(ends)), *_columns(ends), "memory dashed", 1.4)


def _columns(places):
    """(x, y, width, height) of many as four columns."""
    return np.array(places, float).reshape(-1, 4).T
