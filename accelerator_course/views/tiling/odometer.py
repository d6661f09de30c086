"""A product in tiles on its way through three places: DRAM, shared memory, registers; below, the bytes tick."""

from functools import cache

import numpy as np

from accelerator_course.views.kit import Chart, below, legend, tally, words
from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import binary, number, si

PLACES, TOP, HIGH = {"DRAM": (8, 260), "shared memory": (300, 200), "registers": (532, 200)}, 26, 268  # left, width
EDGE, TILE = 108, 84  # the longest edge of a matrix, of a tile in the registers
A, B, C = (26, 174), (148, 38), (148, 174)  # upper left corners of the matrices: C beside A, below B
STRIPS, SUMS = {"A": (312, 136), "B": (406, 40)}, (590, 48)  # corners of the strips, of the tile in the registers
GAUGES, ROOM, LONGEST = (312, 544), 146, 1.2  # left edges; what there is, and how far a bar may pass it
AXIS, TICKS = 72e6, (0, 20e6, 40e6, 60e6)  # of the bytes, the same at every setting
LEFT, WIDE = 46, 480  # of the bars of bytes
BYTES = LEFT, 322, WIDE, 36, ("A", "B", "C", "all"), ("memory", "other", "compute", "muted")  # of the tally
SCALE = Chart((LEFT, LEFT + WIDE), (424, 314), (0, AXIS), (0, 1))
ROLES = {"A": "memory", "B": "other"}


class Odometer(Stage):
    """Strips of A and B march along k, a tile of C waits for them and goes home; the bytes of each operand tick.

    >>> view, room, need = Odometer(), tiling.sm_room(), tiling.budget(64, 96, 32)
    >>> strips = list(frames.tiling.product(Gemm(300, 200, 100), 64, 96, 32))
    >>> run = [frames.tiling.Reading(now, need, room) for now in strips]
    >>> large, much = next(frames.tiling.product(Gemm(512, 512, 512), 512, 512, 64)), tiling.budget(512, 512, 256)
    >>> view.show(run[0]), view.show(run[6]), view.show(run[-1]), view.show(frames.tiling.Reading(large, much, room))
    """

    size, noun = (740, 452), "step"

    def marks(self, reading):  # frames.tiling.Reading
        now = reading.now
        yield from _places(now.gemm, now.grid)
        yield from _gauges(reading.need, reading.room)
        yield from (*self._tiles(now), *self._strips(now), *self._words(now), *self._bytes(reading))

    def _tiles(self, now):
        """Tiles of C: those that are home, and the one in the registers with the part of its sums that is done."""
        top, left, high, wide, who = _grid(now.gemm, now.tile)
        home, here = np.arange(len(who)) < now.number, not now.done
        count, unit = now.number + here, _unit(now.gemm)
        scale = np.where(home, unit, _zoom(now))
        x, y = np.where(home, C[0] + left * unit, SUMS[0]), np.where(home, C[1] + top * unit, SUMS[1])
        x, y, w, h = (column[:count] for column in (x, y, wide * scale, high * scale))
        says = [f"in the registers, {now.depth:,} of {now.gemm.k:,} along k are summed", "written to DRAM"]
        done = h[-1] * now.summed
        says = pick(says, home[:count])
        yield boxes("tiles", np.arange(count), x, y, w, h, "compute tint", "", 13, who[:count], says)
        yield boxes("sums", [now.number] * here, SUMS[0], SUMS[1] + h[-1] - done, w[-1], done, "compute")

    def _strips(self, now):
        """The strips in the shared memory, where they lie in their matrices, and those that come next."""
        spots = {name: [] for name in STRIPS}  # key, place, what it does
        source = []  # of the strips in use
        if now.here:
            number_, begin, deep = now.here
            source = [_home(now, now.here, name) for name in STRIPS]
            _, _, high, wide = (edge * _zoom(now) for edge in now.box(number_))
            deep = min(deep, now.tile[2]) * _zoom(now)
            for name, size in (("A", (deep, high)), ("B", (wide, deep))):
                spots[name].append((f"{number_}-{now.depth}", *STRIPS[name], *size, "in the shared memory"))
        if now.coming:
            number_, begin, deep = now.coming
            says = f"comes next: {begin:,} to {begin + deep:,} along k"
            for name in STRIPS:
                spots[name].append((f"{number_}-{begin + deep}", *_home(now, now.coming, name), says))
        for name, rows in spots.items():
            keys, x, y, w, h, says = zip(*rows, strict=True) if rows else [()] * 6
            yield boxes(f"strips-{name}", keys, x, y, w, h, ROLES[name], who=f"strips of {name}", says=says)
        yield boxes("in-use", range(len(source)), *np.reshape(source, (-1, 4)).T, "ink line")

    def _words(self, now):
        """What lies in the shared memory and in the registers."""
        tile_m, tile_n, tile_k = now.tile
        tile = [f"tile {now.number + 1:,} of {now.tiles:,}", f"k: {now.depth:,} of {now.gemm.k:,}"]
        if now.done:
            tile = ["all tiles", "are written"]
        lines_ = [(tile[0], "compute bold"), (tile[1], "ink"), (f"{tile_m:,} × {tile_n:,} sums", "muted")]
        yield below("B strip", 312, 54, [("B strip", "other bold start"), f"{tile_k:,} × {tile_n:,}"], 21)
        yield below("A strip", 400, 188, [("A strip", "memory bold start"), f"{tile_m:,} × {tile_k:,}"], 21)
        yield below("register-words", 632, 156, lines_, 22)

    def _bytes(self, reading):
        said = [f"{si(a, 'B')} of {si(end, 'B')}" for a, end in zip(reading.moved, reading.ends, strict=True)]
        at, least = SCALE.x(reading.once_bytes), f"each matrix once: {si(reading.once_bytes, 'B')}"
        yield from _axis()
        yield from tally(*BYTES, np.array(reading.moved) / AXIS, np.array(reading.ends) / AXIS, said)
        yield lines("once", [0], at, 314, at, 428, "ink dashed", 2)
        yield words("once-words", (at + 6, 308, least))

    def say(self, reading):
        now, room = reading.now, _narrow(reading)
        total, excess = si(now.total_bytes, "B"), number(reading.excess)
        times = "the size of the matrices" if excess == "1" else f"{excess} times the size of the matrices"
        if now.done:
            tiles = f"All {now.tiles:,} tiles are" if now.tiles > 1 else "The only tile is"
            return f"{tiles} written: {total} moved, {times}.{room}"
        if not now.bytes_moved:
            return f"Nothing has moved yet. In the end {total} will have moved, {times}.{room}"
        part = f"{now.depth:,} of {now.gemm.k:,} along k" if now.depth < now.gemm.k else "done"
        return f"Tile {now.number + 1:,} of {now.tiles:,}, {part}: {si(now.bytes_moved, 'B')} of {total} moved.{room}"


def _narrow(reading):
    """What does not fit, as a sentence of its own; empty where all does."""
    full = reading.need.takes_every_register(reading.room)
    sums = "sums take every register and leave none to work with" if full else "sums do not fit into the registers"
    names, fits = ("strips do not fit into the shared memory", sums), reading.need.fit(reading.room)
    found = [f"the {name}" for name, fit in zip(names, fits, strict=True) if not fit]
    return f" But {', and '.join(found)}." if found else ""


def _unit(gemm):
    return EDGE / max(gemm.m, gemm.n, gemm.k)


def _zoom(now):
    return TILE / max(now.tile)


def _home(now, strips, name):
    """Where a strip lies in its matrix: (x, y, w, h)."""
    number_, begin, deep = strips
    top, left, high, wide, start, long = (edge * _unit(now.gemm) for edge in (*now.box(number_), begin, deep))
    return (A[0] + start, A[1] + top, long, high) if name == "A" else (B[0] + left, B[1] + start, wide, long)


@cache
def _grid(gemm, tile):
    """Of all tiles of C, in elements: first row, first column, rows, columns; and their names."""
    (tile_m, tile_n, _), down, across = tile, -(-gemm.m // tile[0]), -(-gemm.n // tile[1])
    row, col = np.indices((down, across)).reshape(2, -1)
    top, left = row * tile_m, col * tile_n
    who = tuple(f"tile {i + 1} of C" for i in range(down * across))
    return top, left, np.minimum(tile_m, gemm.m - top), np.minimum(tile_n, gemm.n - left), who


@cache
def _axis():
    """Ticks below the bars, the same at every setting."""
    at = SCALE.x(TICKS)
    said = [si(tick, "B") if tick else "0" for tick in TICKS]
    return [
        lines("ticks", range(len(at)), at, 424, at, 430, "muted", 1.5),
        texts("tick-words", range(len(at)), at, 442, said, "muted", 12),
    ]


@cache
def _places(gemm, grid):
    """The three places, and the matrices in the first."""
    (left, wide), unit, (down, across) = zip(*PLACES.values(), strict=True), _unit(gemm), grid
    x, y = zip(A, B, C, strict=True)
    size = [gemm.k * unit, gemm.n * unit, gemm.n * unit], [gemm.m * unit, gemm.k * unit, gemm.m * unit]
    says = [f"read {across:,} times: by every column of tiles", f"read {down:,} times: by every row of tiles"]
    roles, who = ["memory tint", "other tint", "paper"], ["matrix A", "matrix B", "matrix C"]
    middles = [x + w / 2 for x, w in PLACES.values()]
    names = [(80, 164, "A", "memory bold", 15), (138, 94, "B", "other bold", 15), (202, 160, "C", "compute bold", 15)]
    return [
        boxes("places", range(3), left, TOP, wide, HIGH, "muted line"),
        words("place-names", *((x, 13, name, "ink bold", 15) for x, name in zip(middles, PLACES, strict=True))),
        arrows("ways", range(2), [270, 502], 160, [298, 530], 160, "muted", 2.5),
        boxes("matrices", range(3), x, y, *size, roles, who=who, says=[*says, "written once"]),
        words("matrix-names", *names),
        *legend("next", 20, 48, [("memory", ""), ("other", "comes next")], gap=-2),
        *legend("use", 20, 72, [("ink line", "in use")]),
    ]


@cache
def _gauges(need, room):
    """What a tile needs of the room there is."""
    pairs = list(zip(need.both, room.both, strict=True))
    fits, said = need.fit(room), [f"{binary(used)} of {binary(there)}" for used, there in pairs]
    long = [ROOM * min(used / there, LONGEST) for used, there in pairs]
    who = ["gauge of the shared memory", "gauge of the registers"]
    bad, look = pick(("does not fit", ""), fits), pick(("bad", "good"), fits)
    ink = ["ink start" if fit else "bad bold start" for fit in fits]
    return [
        boxes("gauges", range(2), GAUGES, 266, long, 19, look, bad, 12, who, said),
        boxes("rooms", range(2), GAUGES, 266, ROOM, 19, "ink line"),
        texts("gauge-words", range(2), GAUGES, 255, said, ink, 12),
    ]
