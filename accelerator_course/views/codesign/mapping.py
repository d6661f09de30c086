"""Two orders of a loop nest side by side, and four searches for the best mapping on their way to it."""

from functools import cache
from math import inf, isfinite, log, sqrt

import numpy as np

from accelerator_course.views.kit import bars, below, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import si

NAMES, ROLES = ("A", "B", "C"), ("memory", "other", "compute")
SIDES = ((0, 2), (2, 1), (0, 1))  # of A, B, C: which of m, n, k are its rows and its columns
MOVES = ("A in", "B in", "C out", "C back")
HALVES = (8, 388)  # left edges of the two programs
CORNERS = ((8, 176), (124, 56), (124, 176))  # upper left corners of A, B and C in the memory
BUFFER, TILES = (246, 56, 112, 220), ((4, 100), (58, 46), (58, 100))  # its corner and size; the tiles in it
EDGE, ROOM = 100, 50  # longest edge of a matrix, of a tile in the buffer [px]
LONGEST, BAR = 220, 16  # of bars of words


class Nest(Stage):
    """Two orders: one product, tile by tile, in two orders of its loops; what each has moved so far.

    >>> view, run = Nest(), list(frames.codesign.both())
    >>> view.show(run[0]), view.show(run[5]), view.show(run[-1])
    >>> view.show(list(frames.codesign.both(4, "kmn", "nkm"))[3])
    """

    size, noun = (760, 446), "step"

    def marks(self, both):  # a Both of frames.codesign
        most = max(sum(one.ends) for one in (both.left, both.right))
        yield lines("middle", [0], 374, 10, 374, 436, "muted", 1)
        for side, (left, moment) in enumerate(zip(HALVES, (both.left, both.right), strict=True)):
            yield from self._matrices(side, left, moment)
            here, trips = dict(zip("mnk", moment.at, strict=False)), dict(zip("mnk", moment.trips, strict=True))
            text = [f"for {d} {here[d] + 1 if d in here else '–'}/{trips[d]}" for d in moment.order]
            text = [(left + 8 + 10 * i, 22 + 19 * i, line, "ink mono start", 13) for i, line in enumerate(text)]
            yield words(f"loops {side}", *text)
            yield from self._tiles(side, left, moment)
            # words that have moved, both programs on one scale
            y, start, total = rows(334, 24, 4), left + 68, f"words moved: {moment.words.words:,}"
            said, roles = [f"{count:,}" for count in moment.words], (*ROLES, "compute")
            names = [(move, f"{role} bold end") for move, role in zip(MOVES, roles, strict=True)]
            long = LONGEST * np.array(moment.words) / (0.5 * most)
            yield words(f"total {side}", (left + 8, 306, total, "ink bold start", 16))
            yield below(f"moves {side}", start - 8, 334, names, 24)
            yield lines(f"zero {side}", [0], start, 322, start, 418, "muted", 1.2)
            yield from bars(f"words {side}", MOVES, start, y, long, BAR, roles, said, who=MOVES)

    def _matrices(self, side, left, moment):
        (x, y), (bx, by, wide, high), sizes = np.array(CORNERS).T, BUFFER, (moment.gemm.m, moment.gemm.n, moment.gemm.k)
        tall, across = _unit(moment.gemm) * np.array([[sizes[i] for i in sides] for sides in SIDES]).T
        who, tints = [f"matrix {name}" for name in NAMES], [f"{role} tint" for role in ROLES]
        head, need = ("buffer", "ink bold start", 14), f"{moment.need} words"
        yield boxes(f"matrices {side}", range(3), left + x, y, across, tall, tints, who=who)
        yield texts(f"names {side}", range(3), left + x, y - 11, NAMES, [f"{role} bold start" for role in ROLES], 14)
        yield boxes(f"buffer {side}", [0], left + bx, by, wide, high, "ink line", who="the buffer")
        yield words(f"buffer words {side}", (left + bx + 8, by + 14, *head))
        yield words(f"room {side}", (left + bx + 8, by + high - 16, need, "muted start"))

    def _tiles(self, side, left, moment):
        """Tiles in the buffer, each in the outline of its place; the one that has just gone home."""
        unit, small = _unit(moment.gemm), min(_unit(moment.gemm), ROOM / max(moment.tile))
        for which, name in enumerate(NAMES):
            (x, y), (bx, by) = CORNERS[which], TILES[which]
            here, home = moment.held[which], moment.home if which == 2 else None
            seen = {}  # visit: place; a tile keeps its visit as its key, and so it glides
            if home:
                place = left + x + unit * home.col, y + unit * home.row, unit * home.cols, unit * home.rows
                seen[home.visit] = place, "written back to memory"
            if here:
                place = left + BUFFER[0] + bx, BUFFER[1] + by, small * here.cols, small * here.rows
                seen[here.visit] = place, "in the buffer"
                frame = left + x + unit * here.col, y + unit * here.row, unit * here.cols, unit * here.rows
                yield boxes(f"frame {name} {side}", [0], *frame, "ink line")
            at = np.array([place for place, _ in seen.values()], float).reshape(-1, 4).T
            who, says = [f"tile {visit + 1} of {name}" for visit in seen], [says for _, says in seen.values()]
            yield boxes(f"{name} {side}", list(seen), *at, ROLES[which], who=who, says=says)

    def say(self, both):
        left, right = both.left, both.right
        if not both.step:
            sizes = " × ".join(str(size) for size in (left.gemm.m, left.gemm.n, left.gemm.k))
            return f"A product of {sizes} in tiles of {left.tile[0]}. Left: {left.order}. Right: {right.order}."
        now = f"{left.order} has moved {left.words.words:,} words, {right.order} {right.words.words:,}"
        return f"{'The end' if both.step == both.steps else f'Tile {both.step:,} of {both.steps - 1:,}'}: {now}."


def _unit(gemm):
    return EDGE / max(gemm.m, gemm.n, gemm.k)


LANES = ("muted", "memory", "other", "compute")
START, FINISH, LANE = 126, 506, 88  # of the lanes: ends, height
MIDDLES = rows(118, LANE, 4)
TICKS, FARTHEST = (100, 30, 10, 5, 3, 2, 1.5, 1.2, 1.05), 100.0  # times the optimum; where the lanes begin


class Searches(Stage):
    """Four searches for the best mapping on the same budget, each as far from the finish as its best is.

    >>> view, run = Searches(), list(frames.codesign.compare(1000, 0))
    >>> view.show(run[0]), view.show(run[20]), view.show(run[-1])
    >>> view.show(list(frames.codesign.compare(10, 1, 2**14, 2**10))[-1])
    """

    size, noun, title = (760, 462), "look", "A race for the best mapping"

    def marks(self, now):  # a Comparison of frames.codesign
        runs, names = now.runs, [run.strategy for run in now.runs]
        at, said = _along([run.ratio for run in runs]), [_lines(run) for run in runs]
        says = [", ".join(text for text, *_ in lines_[:3] if text) for lines_ in said]
        yield from _track(now.optimum, now.legal, tuple(names))
        yield words("trials", (4, 12, f"{now.trials:,} of {now.budget:,} trials each", "ink bold start", 16))
        # small bars: every best so far, of all lanes
        finds = [(lane, *gain) for lane, run in enumerate(runs) for gain in run.gains]
        lanes, keys = [lane for lane, *_ in finds], [f"{lane}-{trial}" for lane, trial, _ in finds]
        x, y = _along([ratio for *_, ratio in finds]) - 3, MIDDLES[lanes] - 6
        who, roles = [f"finds of {names[lane]}" for lane in lanes], [f"{LANES[lane]} soft" for lane in lanes]
        gains = [f"trial {trial:,}: {_times(ratio)}" for _, trial, ratio in finds]
        yield boxes("finds", keys, x, y, 6, 12, roles, who=who, says=gains)
        yield lines("ways", names, START, MIDDLES, at, MIDDLES, LANES, 3)
        if now.trials:  # rings: what each has just tried; what does not fit stands behind the start
            fits = [isfinite(run.last) for run in runs]
            x = np.where(fits, _along([run.last for run in runs]), START - 13)
            who = [f"trial of {name}" for name in names]
            last = [_times(run.last) if fit else "does not fit" for run, fit in zip(runs, fits, strict=True)]
            rings = [f"{role} line round" for role in LANES]
            yield spots("tried", names, x, MIDDLES + 21, 10, rings, who=who, says=last)
        yield spots("runners", names, at, MIDDLES, 20, [f"{role} round" for role in LANES], who=names, says=says)
        for i, lines_ in enumerate(said):
            yield below(f"found{i}", FINISH + 18, MIDDLES[i] - 34, lines_, 16.5, size=12)

    def say(self, now):
        if not now.trials:
            best = f"{now.legal:,} mappings that fit, {si(now.optimum.joules, 'J')}"
            return f"Nothing tried yet. The finish is the best of {best}."
        found = [f"{one.strategy} {_ratio(one.ratio) if one.gains else 'nothing that fits'}" for one in now.runs]
        trials = "1 trial" if now.trials == 1 else f"{now.trials:,} trials"
        return f"After {trials}, energy as a multiple of the best of all: {'; '.join(found)}."


def _lines(run):
    outer, order, inner, inside = run.leader or ((), "", (), "")
    return [
        (_times(run.ratio) if run.gains else "nothing that fits yet", "ink bold start", 13),
        (f"since trial {run.found_at:,}" if run.gains else "",),
        (f"no gain for {run.stalled:,}" if run.stalled else "", "bad start" if run.stuck else "ink start"),
        (f"{' × '.join(map(str, outer))}, {order}" if outer else "",),
        (f"inside {' × '.join(map(str, inner))}, {inside}" if inner else "",),
    ]


def _times(ratio):
    return f"{_ratio(ratio)} times the best" if ratio > 1 + 1e-9 else "the best of all"


def _ratio(ratio):
    """To the hundredth where it is small: all of a column alike."""
    return f"{ratio:,.2f}" if ratio < 100 else f"{ratio:,.0f}"


def _along(ratios):
    """Where ratios to the best lie: the closer to the finish, the more the scale is stretched."""
    shares = [min(sqrt(log(max(ratio, 1.0)) / log(FARTHEST)), 1) if ratio < inf else 1 for ratio in ratios]
    return FINISH - (FINISH - START) * np.array(shares)


@cache
def _track(optimum, legal, names):
    x, right, top, bottom = _along(TICKS), FINISH + 18, MIDDLES[0] - LANE / 2, MIDDLES[-1] + LANE / 2
    finish = f"finish: {si(optimum.joules, 'J')}"
    parts = [[*name.replace(", ", ",|").split("|"), ""][:2] for name in names]
    key = "disc: best so far   ·   small bars: earlier bests   ·   ring: latest trial, left of the start: unfit"
    axis = "energy as a multiple of the best of all (the scale stretches near 1)"
    ends = (f"{finish}, the best of", "good bold start"), (f"{legal:,} that fit", "good start")
    return [
        boxes("lanes", range(4), START, MIDDLES - LANE / 2 + 4, FINISH - START, LANE - 8, "muted soft faint"),
        lines("ticks", range(len(x)), x, top - 4, x, bottom, "muted faint", 1),
        texts("tick-words", range(len(x)), x, top - 14, [f"{tick:g}" for tick in TICKS], "muted", 12),
        words("axis", (START, top - 34, axis, "muted start", 12), (4, bottom + 18, key, "muted start", 12)),
        lines("finish", [0], FINISH, top - 8, FINISH, bottom + 4, "good", 4, "finish", f"{finish}, the best of all"),
        below("finish-words", right, 12, ends),
        *(below(f"name{i}", 4, MIDDLES[i] - 10, parts[i], 20, f"{LANES[i]} bold start", 14) for i in range(4)),
    ]
