"""Blocks that come and go: the text, what was counted so far, each operand in memory, and its block on the chip."""

import numpy as np

from accelerator_course.views.code import kernel
from accelerator_course.views.stage import Stage, arrows, boxes, pick, texts

ROWS, ROW, LETTERS, TOP, TEXT = 10, 20, 42, 30, 384  # of the text: rows, pixels of one, letters, where, how broad
SIDE, GAUGE = 412, 250  # the counters: where they begin, how broad a gauge is
WIDE, MEMORY, HIGH, CHIP, DEEP = 740, 272, 118, 424, 60  # the operands: where they lie, how high they are
MOST, EDGED = 256, 3  # parts that are drawn one by one; pixels below which an edge would be all that is seen


class Blocks(Stage):
    """Blocks on their way: from the memory to the chip, and back.

    >>> view = Blocks()
    >>> def played(id, at): return list(ladder.watch(ladder.judge(id, ladder.rung(id).steps[at].text).made))
    >>> tiled, fed, laid = played("product", -1), played("feed", 0), played("network", -1)
    >>> view.show(tiled[0])
    >>> view.show(tiled[40])
    >>> view.show(fed[5])
    >>> view.show(laid[-1])
    """

    size, noun = (740, 528), "step"

    def marks(self, state):
        text = kernel(state.code, state.line, ROWS, LETTERS, TEXT, TOP, ROW, "the text")
        return [*text, *_gauges(state), *_operands(state)]

    def say(self, state):
        return f"Step {state.number:,} of {state.length:,}, {state.where}: {state.said}."


def _gauges(state):
    """What was counted so far, two of it as shares."""
    y = TOP + 24 + 66 * np.arange(len(state.gauges))
    names = texts("counted", range(len(y)), SIDE, y - 4, [name for name, *_ in state.gauges], "ink bold start")
    told = [words for _, words, share in state.gauges]
    has = np.array([share is not None for *_, share in state.gauges])
    shares = np.array([share for *_, share in state.gauges if share is not None], float)
    key = np.flatnonzero(has)
    track = boxes("track", key, SIDE, y[has] + 8, GAUGE, 14, "muted soft")
    fill = boxes("fill", key, SIDE, y[has] + 8, GAUGE * shares, 14, "memory")
    words = texts("told", range(len(y)), SIDE, y + np.where(has, 34, 16), told, "ink start", 13)
    title = texts("so far", [0], [SIDE], [TOP - 16], [state.where], "ink bold start")
    return [title, names, track, fill, words]


def _operands(state):
    """Each operand in memory, and its block on the chip below."""
    many = len(state.spots)
    column = WIDE / many
    wide, left = min(column - 26, 210), column * np.arange(many) + 10
    memory = boxes("memory", range(many), left, MEMORY, wide, HIGH, "muted line")
    chip = boxes("chip", [0], [2], [CHIP - 8], [WIDE - 6], [DEEP + 24], "muted soft")
    names = texts("names", range(many), left, MEMORY - 12, [f"{s.name} {state.places[0]}" for s in state.spots],
                  "ink bold start", 13)  # fmt: skip
    part = np.array([spot.at for spot in state.spots])
    x, y = left + wide * part[:, 2], MEMORY + HIGH * part[:, 0]
    w, h = np.maximum(3, wide * (part[:, 3] - part[:, 2])), np.maximum(3, HIGH * (part[:, 1] - part[:, 0]))
    says = [_says(spot) for spot in state.spots]
    who = [spot.name for spot in state.spots]
    there = boxes("there", range(many), x, y, w, h, [_role(spot) for spot in state.spots], who=who, says=says)
    here = boxes("here", range(many), left, CHIP, wide * 0.7, DEEP - 20, [_role(spot) for spot in state.spots],
                 who=who, says=says)  # fmt: skip
    sides = texts("sides", range(many), left, CHIP + DEEP, [spot.sides for spot in state.spots], "ink start", 12)
    under = CHIP + DEEP + 32  # the box, where no arrow goes
    title = texts("on the chip", [0], [10], [under], [state.places[1]], "ink bold start", 13)
    stopped = [at for at in range(many) if state.fault]
    ring = boxes("stopped", stopped, x[stopped] - 2, y[stopped] - 2, w[stopped] + 4, h[stopped] + 4, "bad line")
    return [
        memory,
        seen(state, left, wide, MEMORY, HIGH),
        chip,
        there,
        here,
        *_ways(state, x + w / 2, y + h, left),
        names,
        sides,
        title,
        ring,
    ]


def _role(spot):
    return "compute" if spot.result else "good" if spot.came else "memory"


def _says(spot):
    if spot.result:
        return f"{spot.sides}: sums on the chip"
    return f"{spot.sides}: {'has just come' if spot.came else 'stays'}"


def seen(state, left, wide, top, high):
    """The parts that were on the chip before, with how often they came where there is room for a number."""
    parts = [
        (n, part, times) for n, spot in enumerate(state.spots) if len(spot.seen) <= MOST for part, times in spot.seen
    ]
    number = np.array([n for n, *_ in parts], int)
    part = np.array([part for _, part, _ in parts]).reshape(-1, 4)
    w, h = wide * (part[:, 3] - part[:, 2]), high * (part[:, 1] - part[:, 0])
    words = [str(times) if fits else "" for (*_, times), fits in zip(parts, (w > 15) & (h > 12), strict=True)]
    role = pick(("memory soft", "memory tint"), (w >= EDGED) & (h >= EDGED))
    return boxes("seen", [f"{n} {part}" for n, part, _ in parts], left[number] + wide * part[:, 2],
                 top + high * part[:, 0], w, h, role, words, 11)  # fmt: skip


def _ways(state, x, y, left):
    """An arrow for each block that comes or goes."""
    comes = [at for at, spot in enumerate(state.spots) if spot.came and not spot.result]
    goes = [at for at, spot in enumerate(state.spots) if spot.left]
    start = left + 20
    down = arrows("comes", comes, x[comes], y[comes], start[comes], CHIP - 2, "good")
    gone = [state.spots[at].left for at in goes]
    middle = [left[at] + min(WIDE / len(state.spots) - 26, 210) * (part[2] + part[3]) / 2
              for at, part in zip(goes, gone, strict=True)]  # fmt: skip
    low = [MEMORY + HIGH * (part[0] + 3 * part[1]) / 4 for part in gone]
    up = arrows("goes", goes, start[goes], CHIP - 2, middle, low, "ink")  # seen on a result that is in its way
    return [down, up]
