"""Walking: a loop nest step by step, with the tile of each matrix that lies in each buffer, and the words counted.

    *_, last = walk(Gemm(10, 7, 5), (4, 3, 2), "mkn")
    tuple(last.words) == traffic(Gemm(10, 7, 5), (4, 3, 2), "mkn")

With a second level every tile of the SRAM is a nest of its own, over tiles of the registers. What is counted: a tile
that is not there yet is fetched; a sum whose place is needed goes home, and is fetched again when its turn comes back.
"""

from dataclasses import dataclass
from itertools import pairwise, product

from accelerator_lib.checks.inputs import NotAvailable, count
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.codesign.buffers import Buffer
from accelerator_lib.codesign.nest import ORDERS, Order, Tile, Traffic, Whole, counts, levels, tile_words

MOST_STEPS = 20_000  # a walk of so many takes a second or two
BUFFERS = ("SRAM", "registers")


@dataclass(frozen=True)
class Moment:
    """A state of a walk; `coming` is (level, Pieces that come next, None where the one there stays), or None."""

    gemm: object
    step: int
    steps: int
    levels: tuple  # Level: the SRAM, then the registers if there are any
    coming: tuple | None
    orders: dict  # {order: words between the memory and the first buffer, in the end}, of all six
    sums: dict  # {(row, col, rows, cols) of a tile of C: how much of k is in the memory's copy}

    @property
    def words(self):
        """Traffic so far between the memory and the first buffer."""
        return self.levels[0].words


@checked
def walk(
    gemm: Whole,
    tile: Tile,
    order: Order,
    inner: Tile = None,
    inner_order: Order = "mnk",
    sram_words: Count() = None,
    register_words: Count() = None,
):
    """Yield a Moment for the start, for each tile that is worked on, and for the end, when all sums are home.

    Raises TypeError, ValueError; NotAvailable, which is one, if tiles do not fit into the buffer of so many words.
    """
    sizes = gemm.m, gemm.n, gemm.k
    tiles = [tuple(map(min, tile, sizes))]
    if inner is not None:
        tiles.append(tuple(map(min, inner, tiles[0])))
    for name, edges, room in zip(BUFFERS, tiles, (sram_words, register_words), strict=False):
        if room is not None and tile_words(edges) > room:
            long, words = " × ".join(map(str, edges)), tile_words(edges)
            raise NotAvailable(f"{name}: tiles of {long} take {words:,} words, and there is room for {room:,}")
    steps = 1
    for size, edge in zip(sizes, tiles[-1], strict=True):
        steps *= -(-size // edge)
    if steps > MOST_STEPS:
        raise ValueError(f"at least {steps:,} tiles are too many to walk; at most {MOST_STEPS:,}")
    both = levels(gemm, (tiles[0], order, tiles[-1], inner_order))
    ends = both if inner is not None else (Traffic(*counts(*sizes, *tiles[0], order)),)
    rooms = (sram_words, register_words)
    orders = (order, inner_order)
    buffers = [Buffer(*each) for each in zip(BUFFERS, tiles, orders, rooms, ends, strict=False)]
    return _walk(gemm, buffers, sizes)


def _walk(gemm, buffers, sizes):
    plans, step = list(_plans(buffers, ((0, size) for size in sizes))), 0
    first, *inside = buffers
    orders = {order: sum(counts(*sizes, *first.tile, order)) for order in ORDERS}
    sums, depth, at_work = {}, {}, None
    yield Moment(gemm, 0, len(plans) + 1, tuple(one.level() for one in buffers), first.coming(plans[0]), orders, sums)
    for step, (plan, following) in enumerate(pairwise([*plans, None]), 1):
        which, _, _, spans = plan
        if which == 0:
            if inside:
                inside[0].leave()
                depth = _deeper(depth, at_work)
            sums = _written(sums, depth, first.go(plan))
            at_work = spans
            if not inside:
                depth = _deeper(depth, spans)
        else:
            first.quiet()
            inside[0].go(plan)
        coming = buffers[following[0]].coming(following) if following else None
        yield Moment(gemm, step, len(plans) + 1, tuple(one.level() for one in buffers), coming, orders, sums)
    if inside:
        inside[0].leave()
        depth = _deeper(depth, at_work)
    sums = _written(sums, depth, first.leave())
    yield Moment(gemm, step + 1, len(plans) + 1, tuple(one.level() for one in buffers), None, orders, sums)


def _plans(buffers, spans, level=0):
    """(level, indices, trips, spans along m, n, k) of everything that will be worked on, in order."""
    spans, buffer = tuple(spans), buffers[level]
    trips = tuple(-(-long // edge) for (_, long), edge in zip(spans, buffer.tile, strict=True))
    places = ["mnk".index(d) for d in buffer.order]
    for turn in product(*(range(trips[place]) for place in places)):
        at = tuple(turn[places.index(d)] for d in range(3))
        cut = tuple(
            (begin + i * edge, min(edge, long - i * edge))
            for i, edge, (begin, long) in zip(at, buffer.tile, spans, strict=True)
        )
        yield level, at, trips, cut
        if level + 1 < len(buffers):
            yield from _plans(buffers, cut, level + 1)


def _deeper(depth, spans):
    """How much of k each tile of C has seen, with one more tile's work."""
    if spans is None:
        return depth
    (row, rows), (col, cols), (_, deep) = spans
    key = row, col, rows, cols
    return {**depth, key: depth.get(key, 0) + deep}


def _written(sums, depth, piece):
    """What the memory holds of the sums, after a tile of C has gone home."""
    if piece is None:
        return sums
    key = piece.row, piece.col, piece.rows, piece.cols
    return {**sums, key: depth[key]}


def thin(moments, slowly=56, most=150):
    """The first `slowly` states of a long walk one by one, then only every so many, and the last: about `most`."""
    slowly = count("slowly", slowly, low=0)
    most = count("most", most, low=slowly + 1)
    for moment in moments:
        rest = max(moment.steps - slowly, 0)
        every = -(-rest // (most - slowly)) or 1
        if moment.step <= slowly or not (moment.step - slowly) % every or moment.step == moment.steps:
            yield moment
