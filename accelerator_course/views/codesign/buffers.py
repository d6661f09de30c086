"""Where things stand in the drawing of a loop nest: the memory and its matrices, the buffers, their room."""

from functools import cache

from accelerator_course.views.stage import arrows, boxes, lines, texts

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


ROWS = ("A in", "B in", "C out", "C back")
BAR_ROLES = (*ROLES, "compute")


def bar_rows():
    """Tops of the four bars."""
    return [BARS + 24 * row for row in range(4)]


@cache
def outlines(depth, ends):
    """What stays of the bars of a level: what they will reach, their names, the line of zero."""
    left, scale, y = bars_left(depth), LONGEST / max(max(ends), 1), bar_rows()
    bold = [f"{role} bold start" for role in BAR_ROLES]
    return [
        boxes(f"ends{depth}", range(4), left, y, [end * scale for end in ends], BAR,
              [f"{role} line dashed" for role in BAR_ROLES]),
        lines(f"bars-zero{depth}", [0], left, y[0] - 4, left, y[-1] + BAR + 4, "ink", 1.5),
        texts(f"rows{depth}", range(4), left - 84, [each + BAR / 2 for each in y], ROWS, bold, 13),
    ]  # fmt: skip


def bars_left(depth):
    """Where the bars of a level begin."""
    return 92 if depth == 0 else 472


def orders(moment):
    """Beside a single buffer: the words of all six orders; of the others only in the end."""
    level, total = moment.levels[0], moment.orders
    over, scale, row = moment.step == moment.steps, LONGEST / max(total.values()), list(total).index(level.order)
    left, y = PLACES[2][0] + 48, TOP + 46 + 34 * row
    return [
        *_all_orders(tuple(total.items()), level.order, over),
        boxes("order", [0], left, y, level.words.words * scale, BAR, "good", who=f"order {level.order}"),
    ]


@cache
def _all_orders(total, order, over):
    left, scale = PLACES[2][0], LONGEST / max(words for _, words in total)
    y, own = [TOP + 46 + 34 * row for row in range(len(total))], [name == order for name, _ in total]
    names, looks = [name for name, _ in total], ["good line dashed" if mine else "muted" for mine in own]
    ends = [words * scale if over or mine else 0 for (_, words), mine in zip(total, own, strict=True)]
    told = [f"{words:,}" if over or mine else "?" for (_, words), mine in zip(total, own, strict=True)]
    middle, bold = [each + BAR / 2 for each in y], [f"{'ink bold' if mine else 'muted'} mono start" for mine in own]
    return [
        texts("orders-title", [0], left, 12, ["all six orders"], "ink bold start", 15),
        texts("orders-what", [0], left, TOP + 22, ["words, outermost loop first"], "ink start", 12),
        boxes("orders", range(6), left + 48, y, ends, BAR, looks, "",
              13, [f"order {name}" for name in names], told),
        lines("orders-zero", [0], left + 48, y[0] - 5, left + 48, y[-1] + BAR + 5, "ink", 1.5),
        texts("orders-names", range(6), left, middle, names, bold, 14),
        texts("orders-told", range(6), [left + 56 + end for end in ends], middle, told, bold, 13),
    ]  # fmt: skip
