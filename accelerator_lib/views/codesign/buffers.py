"""Where things stand in the drawing of a loop nest: the memory and its matrices, the buffers, their room."""

from functools import cache

from accelerator_lib.views.stage import arrows, boxes, lines, texts

NAMES, ROLES = ("A", "B", "C"), ("memory", "other", "compute")
PLACES, TOP, HIGH = ((4, 292), (320, 206), (550, 206)), 24, 304  # left edge and width of memory, SRAM, registers
EDGE, ZOOM = 124, 84  # longest edge of a matrix in the memory, of a tile in a buffer
MEMORY = ((18, 197), (156, 50), (156, 197))  # upper left corners of A, B and C
SPOTS = ((14, 148), (106, 34), (106, 148))  # the same in a buffer, from its own corner
BARS, BAR, LONGEST = 364, 17, 112  # top of the bars of words, thickness, length of the longest
GAUGE = 178


def unit_of(gemm):
    """Pixels of an element in the memory."""
    return EDGE / max(gemm.m, gemm.n, gemm.k)


def spot(depth, which):
    """Upper left corner of a tile of A, B or C in a buffer."""
    return PLACES[depth + 1][0] + SPOTS[which][0], TOP + SPOTS[which][1]


@cache
def places(gemm, deep):
    """The places that there are, and the matrices in the first."""
    names = ["memory (DRAM)", "SRAM", "registers"][: deep + 1]
    left, wide = zip(*PLACES[: deep + 1], strict=True)
    unit, middles = unit_of(gemm), [x + w / 2 for x, w in PLACES[: deep + 1]]
    x, y = zip(*MEMORY, strict=True)
    wide_of, high_of = (gemm.k, gemm.n, gemm.n), (gemm.m, gemm.k, gemm.m)
    gaps = [PLACES[i][0] + PLACES[i][1] + 3 for i in range(deep)]
    return [
        boxes("places", range(deep + 1), left, TOP, wide, HIGH, "muted line"),
        texts("place-names", range(deep + 1), middles, 12, names, "ink bold", 15),
        arrows("ways", range(deep), gaps, 170, [gap + 18 for gap in gaps], 170, "muted", 2.5),
        boxes("matrices", range(3), x, y, [e * unit for e in wide_of], [e * unit for e in high_of],
              ["memory tint", "other tint", "paper"], who=[f"matrix {name}" for name in NAMES]),
        boxes("edges", range(3), x, y, [e * unit for e in wide_of], [e * unit for e in high_of],
              [f"{role} line" for role in ROLES]),
        texts("matrix-names", range(3), [x[0] - 2, x[1], x[2]], [y[0] - 12, y[1] - 12, y[2] - 12],
              [f"A, {gemm.m} × {gemm.k}", f"B, {gemm.k} × {gemm.n}", f"C, {gemm.m} × {gemm.n}"],
              [f"{role} bold start" for role in ROLES], 13),
    ]  # fmt: skip


@cache
def gauge(depth, name, need, room, tile):
    """What the tiles take of the room there is, and what they are."""
    left = PLACES[depth + 1][0] + 14
    sizes = [f"{a} {tile[i]} × {tile[j]}" for a, i, j in zip(NAMES, (0, 2, 0), (2, 1, 1), strict=True)]
    layers = [
        texts(f"sizes{depth}", range(3), [left, left + 92, left + 92], [TOP + 136, TOP + 22, TOP + 136], sizes,
              [f"{role} bold start" for role in ROLES], 13),
    ]  # fmt: skip
    if room is None:
        return layers
    full = GAUGE * min(need / room, 1)
    told = f"{need:,} of {room:,} words"
    return [
        *layers,
        boxes(f"gauge{depth}", [0], left, 286, full, 16, "good", who=f"room in the {name}", says=told),
        boxes(f"room{depth}", [0], left, 286, GAUGE, 16, "ink line"),
        lines(f"zero{depth}", [0], left, 282, left, 306, "ink", 1.5),
        texts(f"told{depth}", [0], left, 315, [told], "ink start", 12),
    ]


def orders(moment):
    """Beside a single buffer: the words of all six orders; of the others only in the end."""
    left, over, level = PLACES[2][0], moment.step == moment.steps, moment.levels[0]
    names, total = list(moment.orders), list(moment.orders.values())
    scale, y = LONGEST / max(total), [TOP + 46 + 34 * row for row in range(len(names))]
    own = [name == level.order for name in names]
    ends = [words * scale if over or mine else 0 for words, mine in zip(total, own, strict=True)]
    so_far = [level.words.words * scale if mine else end for end, mine in zip(ends, own, strict=True)]
    told = [f"{words:,}" if over or mine else "?" for words, mine in zip(total, own, strict=True)]
    middle, bold = (
        [each + BAR / 2 for each in y],
        ["ink bold mono start" if mine else "muted mono start" for mine in own],
    )
    dashed = ["good line dashed" if mine else "muted line dashed" for mine in own]
    return [
        texts("orders-title", [0], left, 12, ["all six orders"], "ink bold start", 15),
        texts("orders-what", [0], left, TOP + 22, ["words, outermost loop first"], "ink start", 12),
        boxes("orders-ends", range(6), left + 48, y, ends, BAR, dashed),
        boxes("orders", range(6), left + 48, y, so_far, BAR, ["good" if mine else "muted" for mine in own], "", 13,
              [f"order {name}" for name in names], told),
        lines("orders-zero", [0], left + 48, y[0] - 5, left + 48, y[-1] + BAR + 5, "ink", 1.5),
        texts("orders-names", range(6), left, middle, names, bold, 14),
        texts("orders-told", range(6), [left + 56 + end for end in ends], middle, told, bold, 13),
    ]  # fmt: skip
