"""Pictures of chapter 2: loads on their way, caches."""

from itertools import pairwise

import numpy as np

from accelerator_course.views.charts import Lines, Rows
from accelerator_course.views.kit import bars, below, legend, rows, spots, wide, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, paths, pick, texts
from accelerator_lib.units import binary, counted, number, percent, scaled, si

KINDS = {"hits": ("hits", "good"), "compulsory": ("first use", "muted"), "capacity": ("capacity misses", "memory")}
KINDS |= {"conflict": ("conflict misses", "compute")}
COLUMNS = 64


class Loads(Stage):
    """Three loads on their way: how far each has come, and what memory could have delivered in that time.

    >>> view, moments = Loads(), list(frames.memory.travel((33, 206, 552), 1.41e9, 2.039e12))
    >>> view.show(moments[0]), view.show(moments[20]), view.show(moments[-1])
    """

    size, noun = (740, 374), "moment"
    HOME, FAR = 74, 690  # where loads leave and the farthest turns back
    SQUARES, CELL, LOOK = 262, 15.4, 40  # top of the squares, their pitch, squares in a row
    SQUARE = 1000  # numbers of one square

    def __init__(self, names=("L1", "L2", "HBM")):
        self.names = tuple(names)

    def marks(self, now):  # frames.memory.Travel
        names, n, home, cell, top = self.names, range(len(self.names)), self.HOME, self.CELL, self.SQUARES
        y, ends = rows(62, 50, len(n)), home + (self.FAR - home) * now.cycles / now.cycles.max()
        took = [f"{number(c)} cycles, {si(s, 's')}" for c, s in zip(now.cycles, now.each_seconds, strict=True)]
        says = [f"back after {one}" if back else "on its way" for one, back in zip(took, now.back, strict=True)]
        back = zip(y + 17, np.where(now.back, says, ""), strict=True)
        at, square = home + (self.FAR - home) * now.places, np.arange(round(now.needed / self.SQUARE))
        squares = home + cell * (square % self.LOOK), top + cell * (square // self.LOOK), cell - 2, cell - 2
        sent = f"{number(round(now.numbers, -2))} numbers" if now.now else "none yet"
        slow = f"at normal speed {scaled(now.slowdown, 1e6)} million times slower than the chip"
        meanwhile = "what HBM could have sent in that time: a square is 1,000 numbers of 4 bytes"
        yield boxes("lane", [0], home - 68, y[0] - 18, 54, y[-1] - y[0] + 36, "compute tint", "lane", 14)
        yield lines("tracks", n, home, y, ends, y, "muted", 2)
        yield spots("levels", n, ends, y, 14, "memory", who=names)
        yield spots("loads", n, at, y, 20, pick(("compute round", "good round"), now.back), who=names, says=says)
        yield texts("named", n, ends + 14, y, names, "ink bold start", 14)
        yield words("said", *((home + 14, at, text, "good bold start") for at, text in back))
        yield boxes("squares", square, *squares, pick(("muted soft", "memory"), square < now.numbers / self.SQUARE))
        yield words(
            "words",
            (home, 16, "distances to scale: a load covers the same length in every cycle", "muted start"),
            (home, top - 34, meanwhile, "muted start"),
            (home, top - 14, sent, "memory bold start", 14),
            (home, top + 5 * cell + 22, f"{now.now} cycles, {si(now.seconds, 's')} · {slow}", "muted start", 12),
        )

    def say(self, now):
        back = [name for name, home in zip(self.names, now.back, strict=True) if home]
        if not now.now:
            return "Three loads leave one lane together: to L1, to L2 and to HBM."
        if len(back) == len(self.names):
            sent = number(round(now.numbers, -2))
            return f"After {now.now} cycles all are back. HBM could have sent {sent} numbers meanwhile."
        who = f"{' and '.join(back)} {'has' if len(back) == 1 else 'have'} answered" if back else "none is back"
        return f"After {now.now} cycles, {si(now.seconds, 's')}: {who}."


class Bandwidths(Stage):
    """One tank for each memory, all of the same size; what each has read, when it was done, what it could have by now.

    >>> view, run = Bandwidths(["slow", "fast"], ["2015", "2024"]), list(frames.memory.reading(80e9, [34e9, 8e12]))
    >>> view.show(run[0]), view.show(run[1]), view.show(run[3]), view.show(run[-1])
    """

    size, noun = (740, 464), "moment"
    WIDE, HIGH, TOP, PIPE, CHIP = 88, 158, 48, 42, 30  # of a tank [px], of the pipe and the chip below it
    AXIS, ENDS = 406, (22, 718)

    def __init__(self, names, notes):
        """`notes`: a few words to stand below each name."""
        self.names, self.notes = tuple(names), tuple(notes)

    def marks(self, now):  # frames.memory.Reading
        # What is left, what runs out, the chip that it runs into; below, bandwidth, time, and how often it could
        names, n, wide, high = self.names, np.arange(len(self.names)), self.WIDE, self.HIGH
        x, floor, low = self.size[0] * (n + 0.5) / len(n), self.TOP + high, self.TOP + high + self.PIPE + self.CHIP
        left, half, full = x - wide / 2, wide * now.bytes_per_s / now.bytes_per_s.max() / 2, high * (1 - now.shares)
        rates, ends = [si(rate, "B/s") for rate in now.bytes_per_s], [si(end, "s") for end in now.finish_seconds]
        so_far = list(zip(now.done, ends, rates, now.tenths, now.ranks, now.shares, strict=True))
        says = [f"done after {end}" if over else f"reads at {r}, {t} tenths done" for over, end, r, t, *_ in so_far]
        places = {1: "1st", 2: "2nd", 3: "3rd"}
        text = [places.get(rank, f"{rank}th") if over else percent(share) for over, *_, rank, share in so_far]
        hover, runs = {"who": names, "says": says}, np.where(now.done, 0, self.PIPE)  # nothing runs any more when done
        pipes, deep = np.array([wide / 2 - half, wide / 2 + half]).T, high + self.PIPE
        walls = [f"M0 0V{high}H{near:.1f}V{deep}M{wide} 0V{high}H{far:.1f}V{deep}" for near, far in pipes]
        often = [f"{number(r)} ×" if r >= 1 else "" for r in now.whole_readings]
        chips = left, floor + self.PIPE, wide, self.CHIP, pick(("compute tint", "good"), now.done), text, 15
        yield boxes("streams", n, x - half, floor, 2 * half, runs, "memory soft", **hover)
        yield boxes("water", n, left, floor - full, wide, full, "memory", **hover)
        yield paths("walls", n, walls, left, self.TOP, "muted line", 2.5, who=names)
        yield boxes("chips", n, *chips, **hover)
        yield texts("names", n, x, 12, names, "ink bold", 15)
        yield texts("notes", n, x, 33, self.notes, "muted")
        yield texts("rates", n, x, low + 15, rates, "muted", who=names)
        yield texts("times", n, x, low + 37, np.where(now.done, ends, ""), "good bold", 16, who=names)
        yield texts("often", n, x, low + 91, often, "ink bold", 20, who=names)
        yield words("head", (self.size[0] / 2, low + 66, "how often each could have read its tank by now", "muted"))
        # Time from the start to the end of the reading, where each was done, and how slow the motion is
        (left, right), y, last, done = self.ENDS, self.AXIS, now.finish_seconds.max(), np.flatnonzero(now.done)
        here, *flags = left + (right - left) * np.array([now.seconds, *now.finish_seconds[done]]) / last
        step, factor = si(now.step_seconds, "s"), number(now.slowdown)
        slow = f"one step is {step}: at normal speed {factor} times slower than the chips"
        yield lines("road", range(2), left, y, [right, here], y, ("muted", "compute"), [2, 5])
        yield spots("flags", done, flags, y + np.zeros(len(done)), 10, "good round", who=[self.names[i] for i in done])
        yield words(
            "clock",
            (left, y + 21, "0 s", "muted start", 12),
            (right, y + 21, si(last, "s"), "muted end", 12),
            (min(max(here, left + 118), right - 165), y + 21, f"{si(now.seconds, 's')} now", "compute bold", 14),
            (left, y + 45, slow, "muted start", 12),
        )

    def say(self, now):
        data, done, count = si(now.data_bytes, "B"), int(now.done.sum()), len(self.names)
        after, name = f"After {si(now.seconds, 's')}", self.names[now.slowest]
        behind = f"the {name} has read {percent(now.shares[now.slowest])}"
        if not now.seconds:
            return f"{counted(count, 'tank')} of {data} each; the width of a pipe is the bandwidth."
        if done == count:
            most = number(now.whole_readings.max())
            return f"{after} the {name} is done, too. The fastest chip could have read {data} {most} times."
        if done == count - 1:
            return f"{after} {behind}. All others have read {data}."
        return f"{after}, {done} of {count} memories {'has' if done == 1 else 'have'} read {data}; {behind}."


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

    def marks(self, walked):  # memory.cache.Walked
        shares, chart = walked.census.shares, self.rows.chart
        before, (y,) = chart.x(np.cumsum([0, *shares.values()])), self.rows.y
        x, long = before[:-1], np.diff(before)
        names, roles = zip(*KINDS.values(), strict=True)
        said = [percent(share) for share in shares.values()]
        fits = [text if wide(text) < room - 4 else "" for text, room in zip(said, long, strict=True)]
        ticks = ["0", *(f"{n} %" for n in range(20, 101, 20))]
        yield from self.rows.frame("share of all accesses", (0, 0.2, 0.4, 0.6, 0.8, 1), ticks)[:-1]
        yield boxes("kinds", range(4), x, y - 16, long, 32, roles, fits, 13, names, said)
        yield from _cells(walked.line_hit_rates, 24, 128, 714, 222)
        yield words("cells name", (381, 366, "the lines of the array in order; green: found in the cache", "ink"))
        yield from legend("key", 152, 402, list(zip(roles, names, strict=True)))

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
    roles = ["good" if one == 10 else f"good soft tenths-{one}" if one > 1 else "muted soft tenths-1" for one in shown]
    who = [f"line {COLUMNS * row + col:,}" for row, col in zip(down, across, strict=True)]
    says = [f"{percent(value)} of its accesses hit" for value in values]
    places = left + x * across, top + y * down, x * (until - across), y * (to - down)
    yield boxes("frame", [0], left - 1, top - 1, wide + 2, high + 2, "muted line")
    yield boxes("cells", COLUMNS * down + across, *places, roles, who=who, says=says)


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


class Chase(Stage):
    """The address cut into tag, set and offset, the lines in both caches and in memory, hits and misses, and the cost.

    A copy is known by its cache and its line. Before it is fetched, it lies unseen on the line it is a copy of; so it
    flies in. In a set the line used last stands first; whoever falls out on the right was unused for longest.

    >>> own = (memory.Cache(2, 2, 16), memory.Cache(4, 2, 16))
    >>> view, steps = Chase(), list(frames.memory.hierarchy([*range(0, 400, 24), 8], own))
    >>> view.show(steps[0]), view.show(steps[-1])
    """

    size, noun = (740, 426), "access"
    LEFT, TOP, APART = 62, 74, 262  # of the first cell; pixels between two caches
    WIDE, HIGH, CELL = 176, 22, 44  # of a set, and of a cell at most
    RIBBON, BEGIN, END, STRIP = 284, 14, 726, 374  # of memory and its lines; of the accesses so far
    RIGHT, COST = 564, 166  # of the cycles so far
    PARTS, BIT = {"tag": "memory tint", "set": "other", "byte": "muted soft"}, 17  # of an address; pixels of a bit

    def marks(self, lookup):  # frames.memory.Lookup, of two caches at most
        self.lookup, self.now, n = lookup, lookup.now, len(lookup.lines)
        self.names, self.columns = _levels(lookup), max(21, -(-n // 3))
        self.who, self.says = [f"line {i}" for i in range(n)], [self._story(line) for line in lookup.lines]
        ribbon, lit = _columns([self._memory(i) for i in range(n)]), np.arange(n) == lookup.line
        numbers = [str(i) for i in range(n)] if n <= 63 else ""
        size = f"memory: {counted(n, 'line')} of {lookup.caches[0].line_bytes} bytes"
        order = ["in each set", "left: used last", "right: leaves next"]
        # Arrows from where the line was found to where it is now
        level, line, count = self.now.level, self.lookup.line, len(self.lookup.caches)
        places = [self._held(cache, line) for cache in range(min(level + 1, count))]
        places += [self._memory(line)] if level == count else []
        ends = []
        for cache, ((x2, y2, w2, h2), (x, y, w, _)) in enumerate(pairwise(places), 1):
            up = (x + w / 2, y, x2 + w2 / 2, y2 + h2)
            ends.append(up if cache == count else (x, y + h2 / 2, x2 + w2, y2 + h2 / 2))
        yield arrows("way", range(len(ends)), *_columns(ends), "memory dashed", 1.4)
        yield from self._frames()
        yield boxes("memory", range(n), *ribbon, pick(("muted tint", "compute"), lit), numbers, 12, self.who, self.says)
        # What the caches hold, what has just left them, and, unseen on its original, what the next access fetches
        lookup, now, found, out = self.lookup, self.now, [], {}  # found: (cache, line, place, role)
        for cache, table in enumerate(now.contents):
            for line in table[table >= 0].tolist():
                own = line == lookup.line and cache <= now.level
                role = "memory tint" if not own else "good" if cache == now.level else "memory"
                found.append((cache, line, self._held(cache, line), role))
        for cache, line in now.evicted:
            own_set, ways = line % lookup.caches[cache].sets, lookup.caches[cache].ways
            out[cache, own_set] = out.get((cache, own_set), -1) + 1
            place = self._cached(cache, own_set, ways + out[cache, own_set])
            found.append((cache, line, place, "bad tint dashed"))
        after = lookup.next
        if after is not None:  # each copy that it will make, on the line that it is a copy of, and looking like it
            line, inside = after.places[0][1], after.level < len(lookup.caches)
            place = self._held(after.level, line) if inside else self._memory(line)
            role = "memory tint" if inside else "compute" if line == lookup.line else "muted tint"
            fetched = (cache for cache in range(after.level) if (cache, line) not in now.evicted)
            found += [(cache, line, place, role) for cache in fetched]
        caches, held, places, roles = zip(*found, strict=True)
        keys = np.array(caches) * len(self.who) + held
        who, says = [self.who[line] for line in held], [self.says[line] for line in held]
        yield boxes("copies", keys, *_columns(places), roles, [str(line) for line in held], 12.5, who, says)
        yield from self._heads()
        yield words("memory title", (self.END, self.RIBBON - 11, size, "ink bold end"))
        yield below("order", self.RIGHT, 196, order, role="muted start")
        # A mark for each access so far, in the row of the level where it was found; cycles so far by that level
        lookup, now, names, left = self.lookup, self.now, self.names, self.BEGIN + 70
        asked, levels = np.array(lookup.history).T
        step, top, y = (self.END - left) / lookup.length, rows(self.STRIP, 15, len(names)), rows(44, 42, len(names))
        looks = ["good", *["good tint"] * (len(names) - 2), "memory"]
        hover = {"who": [self.who[line] for line in asked], "says": [self.says[line] for line in asked]}
        begin, end, shares = self.RIGHT, self.RIGHT + self.COST, np.array(lookup.spent_shares)
        often = [f"{count} × {number(cost)}" for count, cost in zip(now.found, lookup.costs, strict=True)]
        yield lines("rows", range(len(top)), left, top + 14, self.END, top + 14, "muted faint", 1)
        place, seen = (rows(left, step, len(asked)), top[levels]), [looks[level] for level in levels]
        yield boxes("found", range(len(asked)), *place, max(step - 1, 1), 13, seen, **hover)
        yield texts("levels", range(len(top)), left - 8, top + 7, names, "ink end", 12.5)
        yield texts("cost names", range(len(y)), begin, y, names, "ink start")
        yield texts("costs", range(len(y)), end, y, often, "ink end")
        yield from bars("cycles", range(len(y)), begin, y + 16.5, self.COST * shares, 13, looks)
        yield words("cost", (begin, 10, "cycles", "ink bold start"), (end, 10, number(now.time), "ink bold end"))
        yield words("each", (end, y[-1] + 44, f"{number(now.average)} for each", "ink end"))

    def _heads(self):
        """Above each cache its size, the address cut for it, one box a bit, and whether it had the line."""
        made, said, level = [], [], self.now.level
        digits = list(format(self.now.address, f"0{self.lookup.address_bits}b"))
        for cache, (name, shape) in enumerate(zip(self.names, self.lookup.caches, strict=False)):
            left, split = self.LEFT + self.APART * cache - 6, self.lookup.split[cache]
            widths, x = np.array(self.lookup.bits[cache]), rows(left, self.BIT, len(digits))
            middles, looks = left + self.BIT * (widths.cumsum() - widths / 2), ("ink end", "other bold", "ink")
            middles[0] = left + self.BIT * widths[0] - 5  # of a short tag, clear of the set
            roles, says = (np.repeat(list(one), widths) for one in (self.PARTS.values(), map(str, split)))
            who = [f"{kind} in {name}" for kind in np.repeat(list(self.PARTS), widths)]
            made.append(boxes(f"bits-{name}", range(len(x)), x, 22, self.BIT - 1.5, 20, roles, digits, 13, who, says))
            size = f"{name}: {counted(shape.sets, 'set')} × {counted(shape.ways, 'way')}"
            found = ("miss", "bad") if cache < level else ("hit", "good") if cache == level else ("–", "muted")
            bold = " bold end" if cache <= level else " end"
            said += [(left, 10, size, "ink bold start"), (left - 8, 33, found[0], found[1] + bold)]
            parts = zip(middles, self.PARTS, split, widths, looks, strict=True)
            said += [(x, 53, f"{kind} {value}" if wide else "", look, 12.5) for x, kind, value, wide, look in parts]
        return [*made, words("titles", *said)]

    def say(self, lookup):
        now, names, nth = lookup.now, _levels(lookup), lookup.now.number + 1
        gone = "".join(f"; line {line} leaves {names[cache]}" for cache, line in now.evicted)
        said = f"Access {nth}, address {now.address:,}: line {lookup.line} is found in {names[now.level]}, "
        return said + f"{number(now.cost)} cycles{gone}. {now.hits} of {nth} hit; {number(now.time)} cycles so far."

    def _story(self, line):
        """What became of a frames.memory.Line, in few words, so that its story is short."""
        caches = self.names[:-1]
        where = "in " + " and ".join(caches[line.level :]) if line.level < len(caches) else "in memory alone"
        if line.access is None:
            return where
        before = "had to leave" if line.came_from is None else f"found in {self.names[line.came_from]}"
        return f"{before}, now {where}"

    def _memory(self, line):
        """(x, y, width, height) of a line in the ribbon."""
        (row, column), cell = divmod(line, self.columns), (self.END - self.BEGIN) / self.columns
        return self.BEGIN + column * cell, self.RIBBON + row * 26, cell - 2, self.HIGH - 2

    def _cached(self, cache, own_set, way):
        """(x, y, width, height) of a place in a cache; `way` beyond the last is outside, on the right."""
        ways = self.lookup.caches[cache].ways
        wide, left = min(self.CELL, self.WIDE / ways), self.LEFT + self.APART * cache
        return left + wide * way + 8 * (way >= ways), self.TOP + self.HIGH * own_set, wide - 2, self.HIGH - 2

    def _held(self, cache, line):
        own_set = line % self.lookup.caches[cache].sets
        return self._cached(cache, own_set, int(np.flatnonzero(self.now.contents[cache][own_set] == line)[0]))

    def _frames(self):
        """The empty places of all caches, the names of their sets, and the sets that were looked into."""
        cells, names, looked = [], [], []
        for cache, shape in enumerate(self.lookup.caches):
            x, asked = self.LEFT + self.APART * cache, self.lookup.split[cache][1] if cache <= self.now.level else None
            for s in range(shape.sets):
                cells += [self._cached(cache, s, way) for way in range(shape.ways)]
                lit = "other bold end" if s == asked else "muted end"
                names.append((x - 8, self.TOP + self.HIGH * (s + 0.5) - 1, f"set {s}", lit, 12.5))
            if asked is not None:
                wide = 54 + min(self.CELL * shape.ways, self.WIDE)
                looked.append((x - 52, self.TOP + self.HIGH * asked - 2, wide, self.HIGH + 2))
        yield boxes("looked", range(len(looked)), *_columns(looked), "other tint")
        yield boxes("frames", range(len(cells)), *_columns(cells), "paper")
        yield words("sets", *names)


def _levels(lookup):
    return [*("L1", "L2", "L3", "L4")[: len(lookup.caches)], "memory"]


def _columns(places):
    return np.array(places, float).reshape(-1, 4).T
