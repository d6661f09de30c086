"""Blocks that come and go: the text, what was counted so far, each operand in memory, and its block on the chip."""

import numpy as np

from accelerator_course.views.code import kernel
from accelerator_course.views.kit import bars, rows, words
from accelerator_course.views.stage import Stage, arrows, boxes, pick, texts

TOP, SIDE, GAUGE = 30, 412, 250  # of text and counters: from here; where the counters begin, how broad a gauge is
WIDE, MEMORY, HIGH, CHIP, DEEP = 740, 272, 118, 424, 60  # the operands: where they lie, how high they are
THIN = 20  # the shortest side of an array
MOST, EDGED = 256, 3  # parts that are drawn one by one; pixels below which an edge would be all that is seen


def text(code, line, *head):
    """The kernel's text, its running line lit, at the upper left."""
    return kernel(code, line, 10, 42, 384, TOP, 20, *head)


def gauges(heading, entries, pitch, role):
    """What was counted so far, at the upper right: (name, words, share or None), a bar for each share."""
    names, said, shares = zip(*entries, strict=True)
    y, has = rows(TOP + 24, pitch, len(entries)), [i for i, share in enumerate(shares) if share is not None]
    long, high = GAUGE * np.array([shares[i] for i in has]), [38 if i in has else 16 for i in range(len(entries))]
    return [
        words("so far", (SIDE, TOP - 16, heading, "ink bold start")),
        texts("counted", range(len(y)), SIDE, y - 4, names, "ink bold start"),
        *bars("track", has, SIDE, y[has] + 16, np.full(len(has), GAUGE), 16, "muted soft"),
        *bars("fill", has, SIDE, y[has] + 16, long, 16, role),
        texts("told", range(len(y)), SIDE, y + high, said, "ink start"),
    ]


def seen(state, left, wide, top, high):
    """The parts that were on the chip before, with how often they came where there is room for a number."""
    parts = [(i, *one) for i, spot in enumerate(state.spots) if len(spot.seen) <= MOST for one in spot.seen]
    number, part = np.array([i for i, *_ in parts], int), np.array([part for _, part, _ in parts]).reshape(-1, 4)
    wide, high = (np.broadcast_to(side, len(state.spots))[number] for side in (wide, high))
    w, h = wide * (part[:, 3] - part[:, 2]), high * (part[:, 1] - part[:, 0])
    often = [str(times) if fits else "" for (*_, times), fits in zip(parts, (w > 15) & (h > 12), strict=True)]
    role = pick(("memory soft", "memory tint"), (w >= EDGED) & (h >= EDGED))
    x, y, keys = left[number] + wide * part[:, 2], top + high * part[:, 0], [f"{i} {part}" for i, part, _ in parts]
    return boxes("seen", keys, x, y, w, h, role, often, 11)


class Blocks(Stage):
    """Blocks on their way: from the memory to the chip, and back. Sides are to scale, but none is shorter than THIN.

    >>> view = Blocks()
    >>> def played(id, at): return list(ladder.replay(ladder.judge(id, ladder.rung(id).steps[at].text).made))
    >>> tiled, fed, laid = played("product", -1), played("feed", 0), played("network", -1)
    >>> view.show(tiled[0]), view.show(tiled[40]), view.show(fed[5]), view.show(laid[-1])
    """

    size, noun = (740, 528), "step"

    def marks(self, state):
        yield from text(state.code, state.line, "the text")
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
        yield seen(state, left, wide, MEMORY, high)
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
