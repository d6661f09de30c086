"""Where the lines of memory lie: all of them in a ribbon, and their copies in the caches, in flight between two states.

A copy is known by its cache and its line. Before it is fetched, it lies unseen on the line it is a copy of; so it flies
in. In a set the line used last stands first; whoever falls out on the right was unused for longest.
"""

import numpy as np

from accelerator_course.views.stage import arrows, boxes, texts

NAMES = ("L1", "L2", "L3", "L4")
LEFT, TOP, APART = 62, 74, 262  # of the first cell; pixels between two caches
WIDE, HIGH = 176, 22  # of a set
RIBBON, ROW, EDGES = 284, 26, (14, 726)  # of memory
COLUMNS, ROWS = 21, 3  # lines of memory in a row, and rows


def said(line, caches):
    """What became of a memory.Line, in few words, so that its story is short."""
    names = [*NAMES[:caches], "memory"]
    where = "in memory alone" if line.level == caches else "in " + " and ".join(names[line.level : caches])
    if line.access is None:
        return where
    if line.came_from is None:
        return f"had to leave, now {where}"
    return f"found in {names[line.came_from]}, now {where}"


class Places:
    """Places and sizes of everything in one state."""

    def __init__(self, watched):
        self.watched, self.count = watched, len(watched.caches)
        lines = len(watched.lines)
        self.columns = max(COLUMNS, -(-lines // ROWS))
        self.cell = (EDGES[1] - EDGES[0]) / self.columns
        self.who = [f"line {i}" for i in range(lines)]
        self.says = [said(line, self.count) for line in watched.lines]

    def memory(self, line):
        """(x, y, width, height) of a line in the ribbon."""
        row, column = divmod(line, self.columns)
        return EDGES[0] + column * self.cell, RIBBON + row * ROW, self.cell - 2, HIGH - 2

    def cached(self, cache, own_set, way):
        """(x, y, width, height) of a place in a cache; `way` beyond the last is outside, on the right."""
        wide = min(44, WIDE / self.watched.caches[cache].ways)
        outside = 8 if way >= self.watched.caches[cache].ways else 0
        return LEFT + APART * cache + wide * way + outside, TOP + HIGH * own_set, wide - 2, HIGH - 2

    def held(self, cache, line):
        """Where a cache has a line now."""
        own_set = line % self.watched.caches[cache].sets
        way = np.flatnonzero(self.watched.now.contents[cache][own_set] == line)[0]
        return self.cached(cache, own_set, int(way))

    def ribbon(self):
        """The lines of memory, the one asked for lit."""
        places = [self.memory(i) for i in range(len(self.who))]
        roles = ["muted tint"] * len(places)
        roles[self.watched.line] = "compute"
        words = [str(i) for i in range(len(places))] if self.cell > 20 else ""
        return boxes("memory", range(len(places)), *_columns(places), roles, words, 12, self.who, self.says)

    def frames(self):
        """The empty places of all caches, the names of their sets, and the sets that were looked into."""
        cells, names, looked = [], [], []
        for cache, shape in enumerate(self.watched.caches):
            cells += [self.cached(cache, s, way) for s in range(shape.sets) for way in range(shape.ways)]
            x = LEFT + APART * cache
            asked = self.watched.split[cache][1] if cache <= self.watched.now.level else None
            names += [(x - 8, TOP + HIGH * (s + 0.5) - 1, s, s == asked) for s in range(shape.sets)]
            if asked is not None:
                looked.append((x - 52, TOP + HIGH * asked - 2, 54 + min(44, WIDE / shape.ways) * shape.ways, HIGH + 2))
        x, y, numbers, lit = zip(*names, strict=True)
        roles = ["other bold end" if one else "muted end" for one in lit]
        return [
            boxes("looked", range(len(looked)), *_columns(looked), "other tint"),
            boxes("frames", range(len(cells)), *_columns(cells), "paper"),
            texts("sets", range(len(names)), x, y, [f"set {s}" for s in numbers], roles, 12.5),
        ]

    def copies(self):
        """What the caches hold, what has just left them, and, unseen on its original, what the next access fetches."""
        watched, found = self.watched, []  # (cache, line, place, role)
        now = watched.now
        for cache, table in enumerate(now.contents):
            for line in table[table >= 0].tolist():
                own = line == watched.line and cache <= now.level
                role = "memory tint" if not own else "good" if cache == now.level else "memory"
                found.append((cache, line, self.held(cache, line), role))
        out = {}
        for cache, line in now.evicted:
            own_set = line % watched.caches[cache].sets
            way = watched.caches[cache].ways + out.setdefault((cache, own_set), 0)
            out[cache, own_set] += 1
            found.append((cache, line, self.cached(cache, own_set, way), "bad tint dashed"))
        if watched.next is not None:
            found += self._unseen(watched.next, now)
        caches, lines, places, roles = zip(*found, strict=True)
        keys = [cache * len(self.who) + line for cache, line in zip(caches, lines, strict=True)]
        who, says = [self.who[line] for line in lines], [self.says[line] for line in lines]
        return boxes("copies", np.array(keys), *_columns(places), roles, [str(line) for line in lines], 12.5, who, says)

    def _unseen(self, after, now):
        """Copies that the next access will make, each on the line that it is a copy of, and looking like it."""
        line = after.places[0][1]
        inside = after.level < self.count
        place = self.held(after.level, line) if inside else self.memory(line)
        role = "memory tint" if inside else "compute" if line == self.watched.line else "muted tint"
        return [(cache, line, place, role) for cache in range(after.level) if (cache, line) not in now.evicted]

    def way(self):
        """Arrows from where the line was found to where it is now."""
        now, line = self.watched.now, self.watched.line
        spots = [self.held(cache, line) for cache in range(min(now.level + 1, self.count))]
        if now.level == self.count:
            spots.append(self.memory(line))
        ends = []
        for cache in range(len(spots) - 1):
            (x2, y2, w2, h2), (x, y, w, _) = spots[cache], spots[cache + 1]
            below = cache + 1 == self.count
            ends.append((x + w / 2, y, x2 + w2 / 2, y2 + h2) if below else (x, y + h2 / 2, x2 + w2, y2 + h2 / 2))
        return arrows("way", range(len(ends)), *_columns(ends), "memory dashed", 1.4)


def _columns(places):
    """(x, y, width, height) of many as four columns."""
    return np.array(places, float).reshape(-1, 4).T
