"""A loop nest as a drawing, and four searches for the best mapping on their way to it."""

from functools import cache
from math import inf, isfinite, log, sqrt

import numpy as np

from accelerator_course.views.kit import below, rows, spots, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import si

NAMES, ROLES = ("A", "B", "C"), ("memory", "other", "compute")
SIDES = ((0, 2), (2, 1), (0, 1))  # of A, B, C: which of m, n, k are its rows and its columns
MOVES = ("A in", "B in", "C out", "C back")
PLACES, TOP, HIGH = ((4, 292), (320, 206), (550, 206)), 24, 304  # left edge and width of memory, SRAM, registers
EDGE, ZOOM = 124, 84  # longest edge of a matrix in the memory, of a tile in a buffer
MEMORY = ((18, 197), (156, 50), (156, 197))  # upper left corners of A, B and C
SPOTS = ((14, 148), (106, 34), (106, 148))  # the same in a buffer, from its own corner
BAR, LONGEST = 17, 112  # thickness and length of bars of words


class Nest(Stage):
    """A loop nest: tiles of A, B and C go from the memory to a buffer and back, in the order of the loops.

    >>> view = Nest()
    >>> run = list(codesign.loopnest.walk(Gemm(8, 8, 8), (2, 2, 2), "mkn", sram_words=192))
    >>> view.show(run[0])
    >>> view.show(run[5])
    >>> view.show(run[-1])
    >>> two = list(codesign.loopnest.walk(Gemm(10, 7, 5), (4, 3, 2), "mkn", (2, 2, 2), "nmk", 192, 48))
    >>> view.show(two[1])
    >>> view.show(two[6])
    >>> view.show(two[-1])
    """

    size, noun = (760, 462), "step"

    def marks(self, moment):
        """`moment`: codesign.loopnest.walk's."""
        layers = [*_places(moment.gemm, len(moment.levels)), self._sums(moment)]
        for depth, level in enumerate(moment.levels):
            layers += [self._loops(moment, depth, level)]
            layers += [*self._tiles(moment, depth, level), self._frames(moment, depth, level)]
            layers += _gauge(depth, level.name, level.need, level.room, level.tile)
            layers += self._bars(depth, level)
        return layers + (self._orders(moment) if len(moment.levels) == 1 else [])

    def _sums(self, moment):
        """Tiles of C that the memory holds, with how much of k is in them."""
        unit, (x, y), k = _unit(moment.gemm), MEMORY[2], moment.gemm.k
        row, col, high, across = unit * np.array(list(moment.sums), float).reshape(-1, 4).T
        part = high * np.array(list(moment.sums.values()), float) / k
        keys = [f"{key[0]}-{key[1]}" for key in moment.sums]
        who = [f"C from row {key[0] + 1}, column {key[1] + 1}" for key in moment.sums]
        says = ["finished" if done == k else f"{done} of {k} along k are in" for done in moment.sums.values()]
        return boxes("sums", keys, x + col, y + row + high - part, across, part, "compute tint", who=who, says=says)

    def _tiles(self, moment, depth, level):
        """Of each matrix: the tile in the buffer, the one that has gone home, and the one that comes next."""
        coming = moment.coming[1] if moment.coming and moment.coming[0] == depth else (None,) * 3
        found = []
        for which, name in enumerate(NAMES):
            seen = {}  # visit: (place, what it does); a tile keeps its visit as its key, and so it glides
            comes, home = coming[which], level.home if which == 2 else None
            if which == 2 and comes and not comes.again:
                comes = None  # a sum that begins at zero comes from nowhere
            for piece, here, says in (
                (comes, False, f"comes next into the {level.name}"),
                (home, False, "has gone home"),
                (level.held[which], True, f"in the {level.name}"),
            ):
                if piece is not None:
                    place = self._box(moment, depth, which, piece, here)
                    seen[piece.visit] = place, f"{says}: {piece.rows} × {piece.cols}"
            x, y, w, h = np.array([place for place, _ in seen.values()], float).reshape(-1, 4).T
            who = [f"tile {visit + 1} of {name} in the {level.name}" for visit in seen]
            says = [says for _, says in seen.values()]
            found.append(boxes(f"{name}{depth}", list(seen), x, y, w, h, ROLES[which], who=who, says=says))
        return found

    def _frames(self, moment, depth, level):
        """Where the tiles in a buffer come from: a frame in each matrix, or in the tile of the SRAM."""
        there = [which for which in range(3) if level.held[which]]
        where = [self._box(moment, depth, which, level.held[which], False) for which in there]
        return boxes(
            f"frames{depth}", [NAMES[i] for i in there], *np.array(where, float).reshape(-1, 4).T, role="ink line"
        )

    def _box(self, moment, depth, which, piece, here):
        """Where a tile lies: in the buffer, or at its place one level up."""
        if here:
            (x, y), unit = _spot(depth, which), ZOOM / max(moment.levels[depth].tile)
            return x, y, piece.cols * unit, piece.rows * unit
        (x, y), unit, row, col = MEMORY[which], _unit(moment.gemm), piece.row, piece.col
        if depth:  # in the tile of the SRAM that it is a part of
            tile = moment.levels[0].tile
            (x, y), unit = _spot(0, which), ZOOM / max(tile)
            row, col = (at % tile[side] for at, side in zip((row, col), SIDES[which], strict=True))
        return x + col * unit, y + row * unit, piece.cols * unit, piece.rows * unit

    def _loops(self, moment, depth, level):
        """The text of the loops: of each, which tile it is at."""
        at = zip("mnk", level.at, level.trips, strict=True) if level.at else ()
        here = {d: f"{place + 1}/{trips}" for d, place, trips in at}
        text = [(f"for {d}{'′' * depth} {here.get(d, '–')}", "ink mono start") for d in level.order]
        if depth == len(moment.levels) - 1:
            text.append(("C += A · B", "compute bold mono start"))
        x, y = 12 + 4 * (3 * depth), 44 + 19 * (3 * depth)
        return words(f"loops{depth}", *((x + 4 * i, y + 19 * i, *line, 12) for i, line in enumerate(text)))

    def _bars(self, depth, level):
        """Words counted, in the outline of the closed form."""
        ends = tuple(level.ends) if any(level.words) else (0,) * 4  # how far each goes is told once something moves
        left, scale, tops = _bars_left(depth), LONGEST / max(*ends, 1), rows(364, 24, 4)
        said = [f"{n:,} of {end:,}" if any(ends) else "0" for n, end in zip(level.words, ends, strict=True)]
        between = "memory ↔ SRAM" if depth == 0 else "SRAM ↔ registers"
        total = f"words, {between}: {level.words.words:,} of {level.ends.words:,}"
        beside, who = left + 8 + scale * np.array(ends), tuple(f"{row}, {between}" for row in MOVES)
        roles = (*ROLES, "compute")
        return [
            *_outlines(depth, ends),
            words(f"total{depth}", (left - 84, 348, total, "ink bold start")),
            boxes(f"words{depth}", range(4), left, tops, scale * np.array(level.words), BAR, roles, who=who, says=said),
            texts(f"counts{depth}", range(4), beside, tops + BAR / 2, said, "ink start"),
        ]

    def _orders(self, moment):
        """Beside a single buffer: the words of all six orders; of the others only in the end."""
        level, total, over = moment.levels[0], moment.orders, moment.step == moment.steps
        own = [name == level.order for name in total]
        said = [f"{count:,}" if over or mine else "?" for count, mine in zip(total.values(), own, strict=True)]
        scale, left, y = LONGEST / max(total.values()), PLACES[2][0], rows(TOP + 46 + BAR / 2, 34, len(total))
        long = scale * np.where(np.array(own) | over, list(total.values()), 0)
        looks = ["good line dashed" if mine else "muted" for mine in own]
        bold = [f"{'ink bold' if mine else 'muted'} mono start" for mine in own]
        start, who, now = left + 48, [f"order {name}" for name in total], scale * level.words.words
        title, what = (left, 12, "all six orders", "ink bold start", 15), "words, outermost loop first"
        mine = y[own.index(True)] - BAR / 2
        return [
            words("orders-title", title, (left, TOP + 22, what, "ink start", 12)),
            boxes("orders", range(6), start, y - BAR / 2, long, BAR, looks, who=who, says=said),
            lines("orders-zero", [0], start, y[0] - 14, start, y[-1] + 14, "ink", 1.5),
            texts("orders-names", range(6), left, y, list(total), bold, 14),
            texts("orders-words", range(6), start + 8 + long, y, said, bold),
            boxes("order", [0], start, mine, now, BAR, "good", who=f"order {level.order}"),
        ]

    def say(self, moment):
        """How far it is, and what has just come."""
        names = [f"{level.words.words:,} of {level.ends.words:,}" for level in moment.levels]
        counted = f"{names[0]} words between memory and SRAM"
        if len(names) > 1:
            counted += f", {names[1]} between SRAM and registers"
        if moment.step == moment.steps:
            return f"All sums are home: {counted}, as the closed form says."
        if not moment.step:
            return f"Nothing has moved yet: {counted}."
        came = [f"{_listed(level)} the {level.name}" for level in reversed(moment.levels) if any(level.came)]
        return f"Step {moment.step:,} of {moment.steps:,}, {', '.join(came) or 'nothing comes'}: {counted}."


def _listed(level):
    """What has come into a buffer: "A and B into"."""
    names = [name for name, new in zip(NAMES, level.came, strict=True) if new]
    return f"{', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]} into"


def _unit(gemm):
    """Pixels of an element in the memory."""
    return EDGE / max(gemm.m, gemm.n, gemm.k)


def _spot(depth, which):
    """Upper left corner of a tile of A, B or C in a buffer."""
    return PLACES[depth + 1][0] + SPOTS[which][0], TOP + SPOTS[which][1]


def _bars_left(depth):
    return 92 if depth == 0 else 472


@cache
def _places(gemm, deep):
    """The places that there are, and the matrices in the first."""
    (left, across), (x, y) = np.array(PLACES[: deep + 1]).T, np.array(MEMORY).T
    names, sizes = ["memory (DRAM)", "SRAM", "registers"][: deep + 1], (gemm.m, gemm.n, gemm.k)
    high, wide = _unit(gemm) * np.array([[sizes[side] for side in sides] for sides in SIDES]).T
    said = [f"{name}, {sizes[row]} × {sizes[col]}" for name, (row, col) in zip(NAMES, SIDES, strict=True)]
    gaps, who = (left + across + 3)[:-1], [f"matrix {name}" for name in NAMES]
    return [
        boxes("places", range(deep + 1), left, TOP, across, HIGH, "muted line"),
        texts("place-names", range(deep + 1), left + across / 2, 12, names, "ink bold", 15),
        arrows("ways", range(deep), gaps, 170, gaps + 18, 170, "muted", 2.5),
        boxes("matrices", range(3), x, y, wide, high, ["memory tint", "other tint", "paper"], who=who),
        boxes("edges", range(3), x, y, wide, high, [f"{role} line" for role in ROLES]),
        texts("matrix-names", range(3), x - (2, 0, 0), y - 12, said, [f"{role} bold start" for role in ROLES]),
    ]


@cache
def _gauge(depth, name, need, room, tile):
    """What the tiles take of the room there is, and what they are."""
    left, full, y = PLACES[depth + 1][0] + 14, 178, 286
    sizes = [f"{a} {tile[i]} × {tile[j]}" for a, (i, j) in zip(NAMES, SIDES, strict=True)]
    x, tops = left + np.array([0, 92, 92]), TOP + np.array([136, 22, 136])
    layers = [texts(f"sizes{depth}", range(3), x, tops, sizes, [f"{role} bold start" for role in ROLES])]
    if room is None:
        return layers
    said, long = f"{need:,} of {room:,} words", full * min(need / room, 1)
    return [
        *layers,
        boxes(f"gauge{depth}", [0], left, y, long, 16, "good", who=f"room in the {name}", says=said),
        boxes(f"room{depth}", [0], left, y, full, 16, "ink line"),
        lines(f"zero{depth}", [0], left, y - 4, left, y + 20, "ink", 1.5),
        words(f"room-words{depth}", (left, y + 29, said, "ink start", 12)),
    ]


@cache
def _outlines(depth, ends):
    """What stays of the bars of a level: what they will reach, their names, the line of zero."""
    left, long, tops = _bars_left(depth), LONGEST / max(*ends, 1) * np.array(ends), rows(364, 24, 4)
    roles = (*ROLES, "compute")
    return [
        boxes(f"ends{depth}", range(4), left, tops, long, BAR, [f"{role} line dashed" for role in roles]),
        lines(f"bars-zero{depth}", [0], left, tops[0] - 4, left, tops[-1] + BAR + 4, "ink", 1.5),
        texts(f"rows{depth}", range(4), left - 84, tops + BAR / 2, MOVES, [f"{role} bold start" for role in roles]),
    ]


LANES = ("muted", "memory", "other", "compute")
START, FINISH, LANE = 126, 506, 88  # of the lanes: ends, height
MIDDLES = rows(118, LANE, 4)
TICKS, FARTHEST = (100, 30, 10, 5, 3, 2, 1.5, 1.2, 1.05), 100.0  # times the optimum; where the lanes begin


class Searches(Stage):
    """Four searches for the best mapping on the same budget, each as far from the finish as its best is.

    >>> from accelerator_course.frames import codesign as frames
    >>> view, run = Searches(), list(frames.compare(1000, 0))
    >>> view.show(run[0])
    >>> view.show(run[20])
    >>> view.show(run[-1])
    >>> view.show(list(frames.compare(10, 1, 2**14, 2**10))[-1])
    """

    size, noun, title = (760, 462), "look", "A race for the best mapping"

    def marks(self, now):
        """`now`: a Comparison of frames.codesign."""
        runs, names = now.runs, [run.strategy for run in now.runs]
        at, said = _along([run.ratio for run in runs]), [_lines(run) for run in runs]
        says = [", ".join(text for text, *_ in lines_[:3] if text) for lines_ in said]
        discs = [f"{role} round" for role in LANES]
        return [
            *_track(now.optimum, now.legal, tuple(names)),
            words("trials", (4, 12, f"{now.trials:,} of {now.budget:,} trials each", "ink bold start", 16)),
            self._finds(runs),
            lines("ways", names, START, MIDDLES, at, MIDDLES, LANES, 3),
            *(self._tried(runs, names) if now.trials else []),
            spots("runners", names, at, MIDDLES, 20, discs, who=names, says=says),
            *(below(f"found{i}", FINISH + 18, MIDDLES[i] - 34, lines_, 16.5, size=12) for i, lines_ in enumerate(said)),
        ]

    def _finds(self, runs):
        """Small bars: every best so far, of all lanes."""
        finds = [(lane, *gain) for lane, run in enumerate(runs) for gain in run.gains]
        lanes, keys = [lane for lane, *_ in finds], [f"{lane}-{trial}" for lane, trial, _ in finds]
        x, y = _along([ratio for *_, ratio in finds]) - 3, MIDDLES[lanes] - 6
        who, roles = [f"finds of {runs[lane].strategy}" for lane in lanes], [f"{LANES[lane]} soft" for lane in lanes]
        says = [f"trial {trial:,}: {_times(ratio)}" for _, trial, ratio in finds]
        return boxes("finds", keys, x, y, 6, 12, roles, who=who, says=says)

    def _tried(self, runs, names):
        """Rings: what each has just tried; what does not fit stands behind the start."""
        x = np.where([isfinite(run.last) for run in runs], _along([run.last for run in runs]), START - 13)
        says = [_times(run.last) if isfinite(run.last) else "does not fit" for run in runs]
        roles, who = [f"{role} line round" for role in LANES], [f"trial of {name}" for name in names]
        return [spots("tried", names, x, MIDDLES + 21, 10, roles, who=who, says=says)]

    def say(self, now):
        """Who is how far from the best of all."""
        if not now.trials:
            best = f"{now.legal:,} mappings that fit, {si(now.optimum.joules, 'J')}"
            return f"Nothing tried yet. The finish is the best of {best}."
        found = [f"{one.strategy} {_ratio(one.ratio) if one.gains else 'nothing that fits'}" for one in now.runs]
        trials = "1 trial" if now.trials == 1 else f"{now.trials:,} trials"
        return f"After {trials}, in times the best of all: {'; '.join(found)}."


def _lines(run):
    """Of a run: five lines."""
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
    """Lanes, the ticks above them, the finish."""
    x, right, top, bottom = _along(TICKS), FINISH + 18, MIDDLES[0] - LANE / 2, MIDDLES[-1] + LANE / 2
    finish = f"finish: {si(optimum.joules, 'J')}"
    parts = [[*name.replace(", ", ",|").split("|"), ""][:2] for name in names]
    key = "disc: its best so far   ·   small bars: bests before   ·   ring: just tried, left of the start: unfit"
    axis = "energy over that of the best of all (the scale stretches)"
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
