"""Kernels replayed: blocks that come and go; one access of a warp, to the sectors or banks it touches; a sketch."""

import numpy as np

from accelerator_course.views.kit import bars, kernel, rows, words
from accelerator_course.views.stage import Layer, Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent

TOP, SIDE, GAUGE = 30, 412, 250  # of text and counters: from here; where the counters begin, how broad a gauge is
TEXT = 10, 42, 384, TOP, 20  # of the kernel, at the upper left: rows, letters, how broad, from where, pixels of a row
WIDE, MEMORY, HIGH, CHIP, DEEP = 740, 272, 118, 424, 60  # the operands: where they lie, how high they are
THIN = 20  # the shortest side of an array
MOST, EDGED = 256, 3  # parts that are drawn one by one; pixels below which an edge would be all that is seen


def gauges(heading, entries, pitch, role):
    """What was counted so far, at the upper right: (name, words, share or None), a bar for each share."""
    names, said, shares = zip(*entries, strict=True)
    y, has = rows(TOP + 24, pitch, len(entries)), [i for i, share in enumerate(shares) if share is not None]
    long, high = GAUGE * np.array([shares[i] for i in has]), [38 if i in has else 16 for i in range(len(entries))]
    yield words("so far", (SIDE, TOP - 16, heading, "ink bold start"))
    yield texts("counted", range(len(y)), SIDE, y - 4, names, "ink bold start")
    yield from bars("track", has, SIDE, y[has] + 16, np.full(len(has), GAUGE), 16, "muted soft")
    yield from bars("fill", has, SIDE, y[has] + 16, long, 16, role)
    yield texts("counts", range(len(y)), SIDE, y + high, said, "ink start")


def visited(state, left, wide, top, high):
    """The parts that were on the chip before, with how often they came where there is room for a number."""
    parts = [(i, *one) for i, spot in enumerate(state.spots) if len(spot.seen) <= MOST for one in spot.seen]
    number, part = np.array([i for i, *_ in parts], int), np.array([part for _, part, _ in parts]).reshape(-1, 4)
    wide, high = (np.broadcast_to(side, len(state.spots))[number] for side in (wide, high))
    w, h = wide * (part[:, 3] - part[:, 2]), high * (part[:, 1] - part[:, 0])
    often = [str(times) if fits else "" for (*_, times), fits in zip(parts, (w > 15) & (h > 12), strict=True)]
    role = pick(("memory soft", "memory tint"), (w >= EDGED) & (h >= EDGED))
    x, y, keys = left[number] + wide * part[:, 2], top + high * part[:, 0], [f"{i} {part}" for i, part, _ in parts]
    return boxes("visited", keys, x, y, w, h, role, often, 11)


class Blocks(Stage):
    """Blocks on their way: from the memory to the chip, and back. Sides are to scale, but none is shorter than THIN.

    >>> view = Blocks()
    >>> def played(id, at): return list(ladder.replay(ladder.judge(id, ladder.rung(id).steps[at].text).made))
    >>> tiled, fed, laid = played("product", -1), played("feed", 0), played("network", -1)
    >>> view.show(tiled[0]), view.show(tiled[40]), view.show(fed[5]), view.show(laid[-1])
    """

    size, noun = (740, 528), "step"

    def marks(self, state):
        yield from kernel(state.code, state.line, *TEXT, "the text")
        yield from gauges(state.where, state.gauges, 66, "memory")
        # Each operand in memory, and its block on the chip below
        spots, many = state.spots, range(len(state.spots))
        column = WIDE / len(spots)
        left, shape = rows(10, column, len(spots)), np.array([spot.shape for spot in spots])
        pixels = min(min(column - 26, 210) / shape[:, 1].max(), HIGH / shape[:, 0].max())  # of a number
        high, wide = np.maximum(THIN, pixels * shape).T
        top, bottom, start, end = np.array([spot.at for spot in spots]).T
        x, y = left + wide * start, MEMORY + high * top
        w, h = np.maximum(3, wide * (end - start)), np.maximum(3, high * (bottom - top))
        who, under = [spot.name for spot in spots], CHIP + DEEP + 32
        done = ["sums on the chip" if spot.result else "has just come" if spot.came else "stays" for spot in spots]
        says = [f"{spot.sides}: {one}" for spot, one in zip(spots, done, strict=True)]
        role = ["compute" if spot.result else "good" if spot.came else "memory" for spot in spots]
        names, sides = [f"{spot.name} {state.places[0]}" for spot in spots], [spot.sides for spot in spots]
        now = slice(None) if state.fault else slice(0)
        yield boxes("memory", many, left, MEMORY, wide, high, "muted line")
        yield visited(state, left, wide, MEMORY, high)
        yield boxes("chip", [0], 2, CHIP - 8, WIDE - 6, DEEP + 24, "muted soft")
        yield boxes("there", many, x, y, w, h, role, who=who, says=says)
        yield boxes("here", many, left, CHIP, w, np.minimum(h, DEEP - 16), role, who=who, says=says)
        # an arrow for each block that comes or goes
        comes = [at for at, spot in enumerate(spots) if spot.came and not spot.result]
        goes = [at for at, spot in enumerate(spots) if spot.left]
        top, bottom, start, end = np.array([spots[at].left for at in goes]).reshape(-1, 4).T
        middle, low = left[goes] + wide[goes] * (start + end) / 2, MEMORY + high[goes] * (top + 3 * bottom) / 4
        yield arrows("comes", comes, (x + w / 2)[comes], (y + h)[comes], left[comes] + 10, CHIP - 2, "good")
        yield arrows("goes", goes, left[goes] + 10, CHIP - 2, middle, low, "ink")  # seen on a result in its way
        yield texts("names", many, left, MEMORY - 12, names, "ink bold start")
        yield texts("sides", many, left, CHIP + DEEP, sides, "ink start", 12)
        yield words("on the chip", (10, under, state.places[1], "ink bold start"))  # below, where no arrow goes
        yield boxes("stopped", many[now], x[now] - 2, y[now] - 2, w[now] + 4, h[now] + 4, "bad line")

    def say(self, state):
        return f"Step {state.number:,} of {state.length:,}, {state.where}: {state.said}."


AREA, TOUCHED = 352, 112  # what is touched: from here, so many pixels down
NEAR = 8  # places of the array that are shown beside its end, where none of them is asked for
HEADS = {"race": "a race: two threads at one place", "bounds": "outside of the array", "wrong": "a wrong number"}
HEADS |= {"deadlock": "a barrier that not all reach", "unset": "nobody has written there"}
HEADS |= {"alignment": "an address between"}
DOES = {"load": "reads", "store": "stores to", "atomic": "adds to"}
DOES |= {f"shared {kind}": does for kind, does in DOES.items()} | {"copy": "copies from"}


class Lanes:
    """The lanes of a warp in a row, from `left`, one every `pitch` px, `top` down and `high`."""

    def __init__(self, state, left, pitch, top, high):
        self.state, self.left, self.pitch, self.top, self.high = state, left, pitch, top, high
        self.all = np.arange(len(state.step.mask))
        self.wide = pitch * len(self.all)

    def x(self, lane):
        return self.left + self.pitch * (np.asarray(lane) + 0.5) - 1

    def boxes(self, role, numbers="", says=""):
        who, left = [f"lane {lane}" for lane in self.all] if says else "", self.left + self.pitch * self.all
        return boxes("lanes", self.all, left, self.top, self.pitch - 2, self.high, role, numbers, 11, who, says)

    def threads(self, x, y, role="compute", name="threads", lanes=None):
        """A line from each lane at work to its place, named where it is faint."""
        lanes = self.state.lanes if lanes is None else lanes
        who = [f"lane {lane}" for lane in lanes] if "faint" in role else ""
        size = 2 if role == "bad" else 0.8
        return lines(name, lanes, self.x(lanes), self.top + self.high, x, y, role, size, who=who)

    def ring(self):
        """A ring around those that a fault names."""
        marked = self.state.blamed
        left, wide, high = self.left + self.pitch * marked - 2, self.pitch + 2, self.high + 6
        return boxes("blamed", marked, left, self.top - 3, wide, high, "bad line")

    def beyond(self, top, high):
        """The array as a bar, what lies beyond it dashed, and a line from each lane at work to where it asks."""
        (name, length, _), (low, most) = self.state.step.fault.asked, self.state.asked_range
        works, blamed = self.state.lanes, self.state.blamed
        first, last = low if low < 0 else max(min(low, length - 1) - NEAR, 0), max(most + 1, NEAR)
        wide = self.wide / max(last - first, 1)
        ends = self.state.step.index, 0, length
        place, start, end = (self.left + wide * (np.clip(at, first, last) - first) for at in ends)
        title = name if end - start > 90 else ""
        yield boxes("outside", [0], self.left, top, self.wide, high, "bad tint dashed")
        yield boxes("inside", [0], start, top, max(end - start, 3), high, "memory tint", title, 12)
        yield self.threads(place[works] + wide / 2, top, "compute faint", "asked")
        yield self.threads(place[blamed] + wide / 2, top, "bad", "asked wrong", blamed)


class Replay(Stage):
    """Lanes and what they touch: sectors of 32 bytes of global memory, or banks of shared memory, turn by turn.

    >>> view = Replay()
    >>> def played(which): return list(ladder.replay(ladder.judge("transpose", which.text).made))
    >>> straight, *_, spared = (played(step) for step in ladder.rung("transpose").steps)
    >>> crossed = played(ladder.rung("transpose").steps[1])
    >>> view.show(straight[0]), view.show(straight[8]), view.show(crossed[-12]), view.show(spared[-12])
    >>> view.show(next(state for state in spared if state.step.kind == "barrier"))
    """

    size, noun = (740, 512), "access"

    def marks(self, state):
        step, lanes = state.step, Lanes(state, 34, 22, 286, 22)
        role, met = np.array(step.mask, int), step.fault and step.fault.touches
        role[state.blamed] = 2 if step.fault else role[state.blamed]
        says = [self._says(step, *each) for each in zip(step.mask, step.index, step.values, strict=True)]
        yield from kernel(state.code, step.line, *TEXT)
        if not met:
            # What the block has been counted so far: bytes, turns, barriers; two of them as shares
            moved = f"{state.asked_bytes:,} bytes asked for, {state.brought_bytes:,} moved"
            turns = f"{counted(state.accesses, 'access', 'accesses')}, {counted(state.turns, 'turn')}"
            entries = [("global memory: asked for / moved", moved, state.used or 0)]
            entries += [("shared memory: accesses / turns", turns, state.free or 0)]
            shares = [(y, share) for y, share in ((TOP + 40, state.used), (TOP + 120, state.free)) if share is not None]
            came = f"{counted(state.barriers, 'warp')} came to a barrier"
            yield from gauges("so far, in this block", entries, 80, ["memory", "good"])
            yield words("share", *((SIDE + 258, y, percent(share), "ink bold start") for y, share in shares))
            yield words("barriers", (SIDE, TOP + 174, came))
        yield lanes.boxes(pick(("muted tint dashed", "compute", "bad"), role), lanes.all.astype(str), says)
        yield words("warp", (2, 270, f"warp {step.warp} of block {state.block}: its lanes", "ink bold start"))
        # what the lanes at work touch: sectors and banks are one layer, as a later layer lies above all others
        note = "a barrier: the warp waits until every warp of its block has come"
        place = (lanes.left, AREA + TOUCHED + 14, note, "muted start", 12)
        if step.fault and step.fault.asked:
            (name, length, _), (low, most) = step.fault.asked, state.asked_range
            place = (lanes.left, 403, f"{name}: 0 to {length - 1:,}; asked for: {low:,} to {most:,}", "ink start", 12)
            yield from lanes.beyond(AREA, TOUCHED // 3)
        elif step.sectors or step.turns:
            yield from (self._sectors if step.sectors else self._banks)(state, lanes)
            place = ()
        yield from [words("place", place)] if place else ()
        yield from [lanes.ring(), *_met(step.fault)] if met else ()

    def _says(self, step, works, place, value):
        if not works:
            return "rests"
        return f"{DOES[step.kind]} {step.array}, place {place:,}: {value:g}" if step.array else "is at the barrier"

    def _sectors(self, state, lanes):
        """The sectors, four or eight in a row, the words asked for lit in them; a line from each lane to its word."""
        number, columns = state.touched, 4 if len(state.touched) <= 4 else 8
        row, pitch = min(34, TOUCHED / -(-len(number) // columns)), lanes.wide / columns
        rank, wide, high = np.arange(len(number)), pitch - 4, row - 5
        x, y = lanes.left + pitch * (rank % columns), AREA + row * (rank // columns)
        asked, each = np.bincount(state.sector.astype(np.intp), minlength=len(number)), wide / state.sector_words
        says = [f"{counted(n, 'lane')} ask{'s' if n == 1 else ''} for words of it; all its bytes move" for n in asked]
        left, top, who = x[state.sector] + each * state.within, y[state.sector], [f"sector {n:,}" for n in number]
        note = f"{state.step.array}, sectors of global memory; orange is what was asked for"
        yield words("place", (lanes.left, AREA + TOUCHED + 14, note, "muted start", 12))
        yield boxes("homes", rank, x, y, wide, high, "memory tint", who=who, says=says)
        yield self._words(state, left + 1, top + 3, each - 2, high - 6)
        yield lanes.threads(left + each / 2, top, "compute faint")

    def _banks(self, state, lanes):
        """The banks, a pile of words on each, one for each turn; a line from each lane to its word."""
        bank, floor, thick = np.arange(state.banks), AREA + TOUCHED, min(20, TOUCHED / state.step.turns)
        lanes_of = np.bincount(state.bank.astype(np.intp), minlength=state.banks)
        says = [f"gives {counted(n, 'lane')} a word" for n in lanes_of]
        names, wide = [f"bank {b}" for b in bank], lanes.pitch - 2  # names as keys, too: no sector becomes a bank
        left, top = lanes.left + lanes.pitch * state.bank, floor - thick * state.turn
        turn, x = np.unique(state.turn), lanes.left + lanes.pitch * bank
        turn, numbers = turn[:: -(-len(turn) // 8)], bank.astype(str)
        note = f"{state.step.array}, banks of shared memory: one word a turn; turns numbered upwards"
        yield words("place", (lanes.left, floor + 36, note, "muted start", 12))
        yield boxes("homes", names, x, floor + 2, wide, 20, "memory tint", numbers, 11, names, says)
        yield self._words(state, left, top, wide, thick - min(2, thick / 4))
        yield lanes.threads(left + lanes.pitch / 2 - 1, top, "compute faint")
        yield texts("turns", turn, lanes.left - 6, floor - thick * (turn - 0.5), turn.astype(str), "ink end", 12)

    def _words(self, state, x, y, wide, high):
        return boxes("words", state.lanes, x, y, wide, high, "compute", who=[f"lane {lane}" for lane in state.lanes])

    def say(self, state):
        step, does = state.step, "comes to the barrier"
        if step.kind != "barrier":
            does = f"{DOES[step.kind]} {step.array}"
        if step.fault:
            does += f". Here it goes wrong: {step.fault.words}"
        elif step.kind != "barrier":
            does += f": {_cost(state)}"
        return f"Access {step.number:,} of {step.length:,}, line {step.line}: warp {step.warp} {does}."


def _cost(state):
    """What an access costs: 32 lanes, 4 sectors for 128 bytes; 32 lanes, 32 turns."""
    step, lanes = state.step, counted(len(state.lanes), "lane")
    if step.sectors:
        return f"{lanes}, {counted(step.sectors, 'sector')} for {counted(state.asked_now, 'byte')}"
    return f"{lanes}, {counted(step.turns, 'turn')}"


def _met(fault, left=SIDE, top=TOP - 16, wide=152, gap=20, high=26):
    """The threads of a fault, each a box with its line, and arrows to the place where they meet."""
    many, touches, y = np.arange(len(fault.touches)), fault.touches, top + 28
    x = left + wide / 2 + (wide + gap) * many
    says, ways = zip(*((f"line {t.line}: {t.way} {t.place}", f"line {t.line} {t.way}") for t in touches), strict=True)
    middle, place = max(left + 100, x.mean()), top + 124
    head, who = f"✘ {HEADS.get(fault.kind, 'here it stops')}", [touch.who for touch in touches]
    yield words("stopped", (left, top, head, "bad bold start"))
    yield boxes("threads met", many, x - wide / 2, y, wide, high, "bad tint", who, 13, who, says)
    yield texts("ways met", many, x, y + high + 14, ways, "ink", 12)
    yield arrows("arrows met", many, x, y + high + 26, middle + (x - middle) / 4, place - 4, "bad")
    yield boxes("place met", [0], middle - 100, place, 200, high, "bad line", touches[0].place)


SKETCH, ROW, OPERAND = 520, 88, 120  # of a sketch; of one of its rows; of an operand


class Sketched(Stage):
    """Lanes and what they touch: a row for each line that reads or writes. Of blocks, how often each came.

    >>> from accelerator_course.ladder.sketch import sketch
    >>> def drawn(id, text): return sketch(ladder.rung(id), text, 10)
    >>> view, rung = Sketched(), ladder.rung("transpose")
    >>> view.show(drawn("transpose", rung.slow.text)), view.show(drawn("transpose", rung.steps[1].text))
    >>> view.show(drawn("map", "out[thread + 9] = 1.0")), view.show(drawn("feed", ladder.rung("feed").slow.text))
    """

    size = (SKETCH, 4 * ROW)

    def high(self, drawn):
        """Pixels that a picture needs of the height."""
        return ROW * len(drawn.rows) if hasattr(drawn.rows[0], "step") else OPERAND + 54

    def marks(self, drawn):
        if not hasattr(drawn.rows[0], "step"):
            return self._blocks(drawn.rows[0])
        layers = [(layer, i) for i, state in enumerate(drawn.rows) for layer in self._row(state, ROW * i)]
        return [Layer(f"{layer.name} {i}", layer.kind, layer.columns) for layer, i in layers]

    def say(self, drawn):
        if not hasattr(drawn.rows[0], "step"):
            return f"{'; '.join(f'{spot.name}: {self._times(spot)}' for spot in drawn.rows[0].spots)}."
        return f"{'; '.join(self._head(state) for state in drawn.rows)}."

    def _head(self, state):
        step = state.step
        if step.kind == "barrier":
            return f"line {step.line}: barrier"
        head = f"line {step.line} {DOES[step.kind]} {step.array}"
        if step.access is None:
            (name, length, _), (low, most) = step.fault.asked, state.asked_range
            return f"{head}: {name} {low:,} to {most:,} of 0 to {length - 1:,}"
        return f"{head}: {_cost(state)}"

    def _row(self, state, top):
        """One access: the lanes at work filled, and lines to what they touch."""
        step, lanes = state.step, Lanes(state, 4, 16, top + 20, 11)
        yield words("head", (lanes.left, top + 9, self._head(state), "ink bold start"))
        yield lanes.boxes(pick(("muted tint dashed", "compute"), step.mask))
        if step.fault and step.fault.asked:
            yield from lanes.beyond(top + 58, 14)
        elif step.access is not None:
            # Sectors, as broad as the lanes above where all are used; or banks
            top, high = top + 58, 14
            if state.step.sectors:
                homes, pitch = np.arange(len(state.touched)), lanes.wide / max(len(state.touched), 4)
                word = (pitch - 2) / state.sector_words
                x = lanes.left + pitch * state.sector + word * state.within
            else:
                homes, pitch, word = np.arange(state.banks), lanes.pitch, lanes.pitch - 2
                x = lanes.left + pitch * state.bank
            yield boxes("homes", homes, lanes.left + pitch * homes, top, pitch - 2, high, "memory tint")
            yield boxes("words", state.lanes, x, top + 3, np.maximum(word, 1), high - 6, "compute")
            yield lanes.threads(x + word / 2, top)
        yield from [lanes.ring()] if step.fault else ()

    def _times(self, spot):
        """How often blocks of an operand came: 4 blocks, 2 times each."""
        blocks = counted(len(spot.seen), "block")
        return f"{blocks}, each once" if spot.most_often == 1 else f"{blocks}, up to {spot.most_often} times"

    def _blocks(self, state):
        """Each operand, and how often each of its blocks came."""
        spots_, many = state.spots, range(len(state.spots))
        column = SKETCH / len(spots_)
        wide, left = min(column - 14, 190), rows(4, column, len(spots_))
        up, down, start, end = np.array([spot.at for spot in spots_]).T
        x, y, w, h = left + wide * start, 24 + OPERAND * up, wide * (end - start), OPERAND * (down - up)
        now = slice(None) if state.fault else slice(0)
        yield texts("names", many, left, 10, [spot.name for spot in spots_], "ink bold start")
        yield boxes("memory", many, left, 24, wide, OPERAND, "muted line")
        yield visited(state, left, wide, 24, OPERAND)
        yield texts("times", many, left, OPERAND + 38, [self._times(spot) for spot in spots_], "ink start", 12)
        yield boxes("stopped", many[now], x[now], y[now], w[now], h[now], "bad line")
