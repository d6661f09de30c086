"""A product in tiles on its way through three places: DRAM, shared memory, registers; below, the bytes tick."""

from functools import cache

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_course.views.tally import Tally
from accelerator_lib.units import binary, number, si

PLACES, TOP, HIGH = ((8, 260), (300, 200), (532, 200)), 26, 268  # left edge and width of each
EDGE, TILE = 108, 84  # the longest edge of a matrix, of a tile in the registers
A, B, C = (26, 174), (148, 50), (148, 174)  # upper left corners of the matrices
STRIPS, SUMS = (
    ((312, 136), (406, 40)),
    (590, 48),
)  # corners of the strips in the shared memory, of the tile in the registers
ROOM, LONGEST = 146, 1.2  # of a gauge: what there is, and how far a bar may pass it
AXIS, TICKS = 72e6, (0, 20e6, 40e6, 60e6)  # of the bytes, the same at every setting
BYTES = Tally(46, 322, 480, 36, ("A", "B", "C", "all"), ("memory", "other", "compute", "muted"))


class Odometer(Stage):
    """Strips of A and B march along k, a tile of C waits for them and goes home; the bytes of each operand tick.

    >>> view, room, need = Odometer(), tiling.sm_room(), tiling.budget(64, 96, 32)
    >>> run = [tiling.Reading(now, 1e5, need, room) for now in tiling.walk(Gemm(300, 200, 100), 64, 96, 32)]
    >>> large, much = next(tiling.walk(Gemm(512, 512, 512), 512, 512, 64)), tiling.budget(512, 512, 256)
    >>> view.show(run[0])
    >>> view.show(run[6])
    >>> view.show(run[-1])
    >>> view.show(tiling.Reading(large, 1e6, much, room))
    """

    size, noun = (740, 452), "step"

    def marks(self, reading):
        """`reading`: tiling.Reading."""
        now = reading.now
        return [
            *_places(now.gemm),
            *_gauges(reading.need, reading.room),
            *self._tiles(now),
            *self._strips(now),
            *self._words(now),
            *self._bytes(reading),
        ]

    def _tiles(self, now):
        """Tiles of C: those that are home, and the one in the registers with the part of its sums that is done."""
        top, left, high, wide, who = _grid(now.gemm, now.tile)
        home, here = np.arange(len(who)) < now.number, now.number < now.tiles
        count, zoom, unit = now.number + here, TILE / max(now.tile), _unit(now.gemm)
        scale = np.where(home, unit, zoom)
        x, y = np.where(home, C[0] + left * unit, SUMS[0]), np.where(home, C[1] + top * unit, SUMS[1])
        x, y, w, h = (column[:count] for column in (x, y, wide * scale, high * scale))
        says = [f"in the registers, {now.depth:,} of {now.gemm.k:,} along k are summed", "written to DRAM"]
        done = h[-1] * now.depth / now.gemm.k
        return [
            boxes("tiles", np.arange(count), x, y, w, h, "compute tint", "", 13, who[:count], pick(says, home[:count])),
            boxes("sums", [now.number] * here, SUMS[0], SUMS[1] + h[-1] - done, w[-1], done, "compute"),
        ]

    def _strips(self, now):
        """The strips in the shared memory, and those that come next, still in their matrices."""
        spots = []  # key, places of A and of B, what they do
        if now.arrived:
            _, _, high, wide = now.box(now.number)
            high, wide, deep = (edge * TILE / max(now.tile) for edge in (high, wide, min(now.arrived, now.tile[2])))
            places = (*STRIPS[0], deep, high), (*STRIPS[1], wide, deep)
            spots.append((f"{now.number}-{now.depth}", places, "in the shared memory"))
        if now.coming:
            tile, begin, deep = now.coming
            top, left, high, wide, start, long = (edge * _unit(now.gemm) for edge in (*now.box(tile), begin, deep))
            places = (A[0] + start, A[1] + top, long, high), (B[0] + left, B[1] + start, wide, long)
            spots.append((f"{tile}-{begin + deep}", places, f"comes next: {begin:,} to {begin + deep:,} along k"))
        keys, says = [key for key, *_ in spots], [told for *_, told in spots]
        found = []
        for which, (name, role) in enumerate((("A", "memory"), ("B", "other"))):
            x, y, w, h = zip(*(places[which] for _, places, _ in spots), strict=True) if spots else [()] * 4
            found.append(boxes(f"strips-{name}", keys, x, y, w, h, role, who=f"strips of {name}", says=says))
        return found

    def _words(self, now):
        """What lies in the shared memory and in the registers."""
        tile_m, tile_n, tile_k = now.tile
        tile = [f"tile {now.number + 1:,} of {now.tiles:,}", f"k: {now.depth:,} of {now.gemm.k:,}"]
        if now.number == now.tiles:
            tile = ["all tiles", "are written"]
        return [
            texts(
                "sram-words", range(4), [312, 312, 400, 400], [54, 75, 188, 209],
                ["B strip", f"{tile_k:,} × {tile_n:,}", "A strip", f"{tile_m:,} × {tile_k:,}"],
                ["other bold start", "ink start", "memory bold start", "ink start"], 13,
            ),
            texts(
                "register-words", range(3), 632, [156, 177, 200], [*tile, f"{tile_m:,} × {tile_n:,} sums"],
                ["compute bold", "ink", "muted"], 13,
            ),
        ]  # fmt: skip

    def _bytes(self, reading):
        words = [f"{si(a, 'B')} of {si(end, 'B')}" for a, end in zip(reading.moved, reading.ends, strict=True)]
        at, least = _along(reading.bound_bytes), f"lower bound of all: {si(reading.bound_bytes, 'B')}"
        return [
            *_axis(),
            *BYTES.marks([each / AXIS for each in reading.moved], [end / AXIS for end in reading.ends], words),
            lines("bound", [0], at, 314, at, 428, "ink dashed", 2),
            texts("bound-words", [0], at + 6, 308, least, "ink start", 13),
        ]

    def say(self, reading):
        now, room = reading.now, _narrow(reading)
        total, times = si(now.total_bytes, "B"), _times(reading.excess)
        if now.number == now.tiles:
            tiles = f"All {now.tiles:,} tiles are" if now.tiles > 1 else "The only tile is"
            return f"{tiles} written: {total} moved, {times}.{room}"
        if not now.bytes_moved:
            return f"Nothing has moved yet; the formula says {total} in the end, {times}.{room}"
        part = f"{now.depth:,} of {now.gemm.k:,} along k" if now.depth < now.gemm.k else "done"
        return f"Tile {now.number + 1:,} of {now.tiles:,}, {part}: {si(now.bytes_moved, 'B')} of {total} moved.{room}"


@cache
def _axis():
    """Ticks below the bars, the same at every setting."""
    at = [_along(tick) for tick in TICKS]
    words = [si(tick, "B") if tick else "0" for tick in TICKS]
    return [
        lines("ticks", range(len(at)), at, 424, at, 430, "muted", 1.5),
        texts("tick-words", range(len(at)), at, 442, words, "muted", 12),
    ]


def _both(budget):
    return budget.operand_bytes, budget.accumulator_bytes


def _times(excess):
    return f"{number(excess)} times the lower bound" if number(excess) != "1" else "as little as the lower bound"


def _along(moved):
    """Where so many bytes lie on the axis."""
    return BYTES.left + BYTES.wide * moved / AXIS


def _fit(need, room):
    """Whether strips and sums fit; sums that take every register leave none to work with."""
    return need.operand_bytes <= room.operand_bytes, need.accumulator_bytes < room.accumulator_bytes


def _narrow(reading):
    """What does not fit, as a sentence of its own; empty where all does."""
    full = reading.need.accumulator_bytes == reading.room.accumulator_bytes
    sums = "sums take every register and leave none to work with" if full else "sums do not fit into the registers"
    names, fits = ("strips do not fit into the shared memory", sums), _fit(reading.need, reading.room)
    found = [f"the {name}" for name, fit in zip(names, fits, strict=True) if not fit]
    return f" But {', and '.join(found)}." if found else ""


def _unit(gemm):
    """Pixels of an element in the DRAM."""
    return EDGE / max(gemm.m, gemm.n, gemm.k)


@cache
def _grid(gemm, tile):
    """Of all tiles of C, in elements: first row, first column, rows, columns; and their names."""
    (tile_m, tile_n, _), down, across = tile, -(-gemm.m // tile[0]), -(-gemm.n // tile[1])
    row, col = np.indices((down, across)).reshape(2, -1)
    top, left = row * tile_m, col * tile_n
    who = tuple(f"tile {i + 1} of C" for i in range(down * across))
    return top, left, np.minimum(tile_m, gemm.m - top), np.minimum(tile_n, gemm.n - left), who


@cache
def _places(gemm):
    """The three places, and the matrices in the first."""
    (left, wide), unit = zip(*PLACES, strict=True), _unit(gemm)
    middles = [x + w / 2 for x, w in PLACES]
    x, y = zip(A, B, C, strict=True)
    return [
        boxes("places", range(3), left, TOP, wide, HIGH, "muted line"),
        texts("place-names", range(3), middles, 13, ["DRAM", "shared memory", "registers"], "ink bold", 15),
        arrows("ways", range(2), [270, 502], 160, [298, 530], 160, "muted", 2.5),
        boxes(
            "matrices", range(3), x, y, [gemm.k * unit, gemm.n * unit, gemm.n * unit],
            [gemm.m * unit, gemm.k * unit, gemm.m * unit],
            ["memory tint", "other tint", "paper"], who=["matrix A", "matrix B", "matrix C"],
        ),
        texts(
            "matrix-names", range(3), [80, 138, 202], [164, 104, 164], ["A", "B", "C"],
            ["memory bold", "other bold", "compute bold"], 15,
        ),
    ]  # fmt: skip


@cache
def _gauges(need, room):
    """What a tile needs of the room there is."""
    pairs = list(zip(_both(need), _both(room), strict=True))
    fits = _fit(need, room)
    left, told = [312, 544], [f"{binary(need)} of {binary(room)}" for need, room in pairs]
    return [
        boxes(
            "gauges", range(2), left, 266, [ROOM * min(need / room, LONGEST) for need, room in pairs], 19,
            ["good" if fit else "bad" for fit in fits], ["" if fit else "does not fit" for fit in fits], 12,
            ["gauge of the shared memory", "gauge of the registers"], told,
        ),
        boxes("rooms", range(2), left, 266, ROOM, 19, "ink line"),
        texts("gauge-words", range(2), left, 255, told, ["ink start" if fit else "bad bold start" for fit in fits], 12),
    ]  # fmt: skip
