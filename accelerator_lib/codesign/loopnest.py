"""A loop nest over tiles: how many words pass between a large memory and buffers, in closed form and step by step.

    for m, for n, for k, in any order:  C[m, n] += A[m, k] B[k, n]        on tiles
    A moves as often as n has trips, if n is outside a loop of A's own (m, k) that has more than one trip; else once

and so B with m, C with k. A tile is fetched when its place in the matrix changes; a sum whose place is needed goes home
and is fetched when its turn comes back: it is read once less than it is written. Exact for ragged tiles.

    *_, last = walk(Gemm(10, 7, 5), (4, 3, 2), "mkn")        the second road: the tiles that lie in each buffer
    tuple(last.words) == traffic(Gemm(10, 7, 5), (4, 3, 2), "mkn")

With a second level every tile of the SRAM is a nest of its own, over tiles of the registers. Left out: time, a second
buffer that fills meanwhile, data that pass a level by, one read for many.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from math import prod
from typing import NamedTuple

from accelerator_lib.checks import inputs
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Given, OneOf, checked
from accelerator_lib.workload.work import Gemm, Product

ORDERS = ("mnk", "mkn", "nmk", "nkm", "kmn", "knm")  # the outermost loop first
INSIDE = {  # of each order: which loops (0, 1, 2 for m, n, k) stand inside that of n, of m, of k
    order: tuple(tuple("mnk".index(own) for own in order[order.index(other) + 1 :]) for other in "nmk")
    for order in ORDERS
}
LARGEST = 1 << 16  # elements along a dimension: all mappings of a product can still be counted


class Traffic(NamedTuple):
    """Words that move: inputs A, weights B, sums C that are written, and sums that are read back."""

    inputs: int
    weights: int
    written: int
    read: int

    @property
    def words(self):
        """All together."""
        return self.inputs + self.weights + self.written + self.read


def _three(value, check):
    if isinstance(value, Gemm):  # a tile is a small product; questions write both so
        value = value.m, value.n, value.k
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        raise TypeError(f"a tile must be three whole numbers (along m, n, k), not {str(value)[:40]}")
    return tuple(check(f"tile_{d}", edge) for d, edge in zip("mnk", value, strict=True))


def _tile(value):
    return _three(value, inputs.count)


Tile = Given("a tile such as (64, 64, 16): elements along m, n, k", _tile)
Tiles = Given("a tile such as (64, 64, 16), or three arrays", lambda value: _three(value, inputs.whole))
Order = OneOf(ORDERS)


def whole_product(gemm):
    """A product of whole numbers up to 65,536, no arrays: one whose mappings can be counted or walked."""
    if not isinstance(gemm, Gemm):
        raise TypeError(f"gemm must be a product such as Gemm(m=64, n=4096, k=4096), not {type(gemm).__name__}")
    for d in "mnk":
        inputs.count(d, getattr(gemm, d), high=LARGEST)
    return gemm


Whole = Given("a product such as Gemm(m=64, n=4096, k=4096), up to 65,536 along each dimension", whole_product)


@checked
def traffic(gemm: Product, tile: Tiles, order: Order):
    """Traffic [words] of a product in tiles of `tile` (along m, n, k); the product and the tile may be arrays.

    Raises TypeError, ValueError, UnknownName.
    """
    return Traffic(*counts(gemm.m, gemm.n, gemm.k, *tile, order))


def counts(m, n, k, tile_m, tile_n, tile_k, order):
    """`traffic` without its checks: (inputs, weights, written, read), of numbers or arrays."""
    m_trips, n_trips, k_trips = trips = -(-m // tile_m), -(-n // tile_n), -(-k // tile_k)
    inside_n, inside_m, inside_k = INSIDE[order]
    written = m * n * _again(trips, inside_k, k_trips)
    inputs_, weights = m * k * _again(trips, inside_n, n_trips), k * n * _again(trips, inside_m, m_trips)
    return inputs_, weights, written, written - m * n


def _again(trips, inside, times):
    """How often all of a matrix comes: `times` if one of its own loops inside has more than one trip, else once."""
    moves = False
    for loop in inside:
        moves = moves | (trips[loop] > 1)
    return 1 + moves * (times - 1)


def as_mapping(given):
    """A mapping of two levels, or one clear line. Raises TypeError, ValueError, UnknownName."""
    if not isinstance(given, (tuple, list)) or len(given) != 4:
        raise TypeError(f"a mapping is (tile, order, tile, order), the SRAM first, not {str(given)[:60]}")
    outer, order, inner, inner_order = given
    return (
        _tile(outer), inputs.one_of("order", order, ORDERS), _tile(inner), inputs.one_of("order", inner_order, ORDERS),
    )  # fmt: skip


Mapping = Given("a mapping (tile, order, tile, order)", as_mapping)


@checked
def levels(gemm: Whole, mapping: Mapping):
    """(Traffic between DRAM and SRAM, Traffic between SRAM and registers) of a mapping (tile, order, tile, order).

    Each tile of the SRAM is a product of its own in tiles of the registers: its sums begin at zero there and are added
    to those in the SRAM when they are written. Whole numbers, no arrays. Raises TypeError, ValueError, UnknownName.
    """
    return unchecked_levels(gemm, mapping)


def unchecked_levels(gemm, mapping):
    """`levels` without its checks."""
    outer, order, inner, inner_order = mapping
    sizes = [parts(whole, edge) for whole, edge in zip((gemm.m, gemm.n, gemm.k), outer, strict=True)]
    total = [0, 0, 0, 0]
    for m, times_m in sizes[0]:
        for n, times_n in sizes[1]:
            for k, times_k in sizes[2]:
                one = counts(m, n, k, *inner, inner_order)
                total = [a + times_m * times_n * times_k * b for a, b in zip(total, one, strict=True)]
    return Traffic(*counts(gemm.m, gemm.n, gemm.k, *outer, order)), Traffic(*total)


def parts(whole, edge):
    """[(length, how many)] of the pieces into which tiles cut a dimension: full ones, and a ragged one at the end."""
    full, rest = divmod(whole, edge)
    return [(length, times) for length, times in ((edge, full), (rest, 1)) if length and times]


def tile_words(tile):
    """Words of a tile of A, one of B and one of C."""
    m, n, k = tile
    return m * k + k * n + m * n


SIDES = ((0, 2), (2, 1), (0, 1))  # of A, B, C: which of m, n, k its rows and its columns are


@dataclass(frozen=True)
class Piece:
    """A tile of a matrix, in elements; `visit` counts how many of that matrix came into the buffer before it."""

    row: int
    col: int
    rows: int
    cols: int
    visit: int
    again: bool = False  # a sum that was here before, and comes back with what it holds

    @property
    def words(self):
        return self.rows * self.cols


@dataclass(frozen=True)
class Level:
    """One buffer: its loops and where they stand, the tiles of A, B and C in it, and the words that went in and out."""

    name: str
    tile: tuple  # along m, n, k
    order: str
    room: int | None  # words; None: not asked
    at: tuple  # which tile along m, n, k; empty while nothing lies here
    trips: tuple
    held: tuple  # Pieces of A, B, C; None where there is none
    came: tuple  # of A, B, C: whether it has just come
    home: Piece | None  # the tile of C that has just gone home
    words: Traffic  # so far
    ends: Traffic  # in the end, by the closed form

    @property
    def need(self):
        """Words that its tiles take."""
        return tile_words(self.tile)


class Buffer:
    """What a level holds while it is walked: the one thing here that changes; each `level()` is a frozen copy."""

    def __init__(self, name, tile, order, room, ends):
        self.name, self.tile, self.order, self.room, self.ends = name, tile, order, room, ends
        self.held, self.visits, self.words, self.begun = [None] * 3, [0] * 3, [0] * 4, set()
        self.at = self.trips = ()
        self.quiet()

    def quiet(self):
        self.came, self.home = (False,) * 3, None

    def level(self):
        return Level(
            self.name, self.tile, self.order, self.room, self.at, self.trips, tuple(self.held), self.came, self.home,
            Traffic(*self.words), self.ends,
        )  # fmt: skip

    def coming(self, plan):
        """(level, Pieces that a plan brings), None for those that are there already."""
        return plan[0], tuple(self._piece(which, plan[3]) for which in range(3))

    def _piece(self, which, spans):
        (row, rows), (col, cols) = (spans[side] for side in SIDES[which])
        here = self.held[which]
        if here and (here.row, here.col) == (row, col):
            return None
        return Piece(row, col, rows, cols, self.visits[which], which == 2 and (row, col) in self.begun)

    def go(self, plan):
        """Fetch what is missing; the tile of C that goes home, if one does."""
        _, self.at, self.trips, spans = plan
        new, self.home = [self._piece(which, spans) for which in range(3)], None
        self.came = tuple(piece is not None for piece in new)
        for which, piece in enumerate(new):
            if piece is None:
                continue
            self.visits[which] += 1
            if which < 2:
                self.words[which] += piece.words
            else:
                self.home = self.held[2]
                self.words[2] += self.home.words if self.home else 0
                self.words[3] += piece.words if piece.again else 0
                self.begun.add((piece.row, piece.col))
            self.held[which] = piece
        return self.home

    def leave(self):
        """All goes: the sums home, the rest is dropped."""
        self.home = self.held[2]
        self.words[2] += self.home.words if self.home else 0
        self.held, self.begun, self.came, self.at = [None] * 3, set(), (False,) * 3, ()
        return self.home


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
    gemm: Whole, tile: Tile, order: Order, inner: Tile = None, inner_order: Order = "mnk",
    sram_words: Count() = None, register_words: Count() = None,
):  # fmt: skip
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
    steps = prod(-(-size // edge) for size, edge in zip(sizes, tiles[-1], strict=True))
    if steps > MOST_STEPS:
        raise ValueError(f"at least {steps:,} tiles are too many to walk; at most {MOST_STEPS:,}")
    both = unchecked_levels(gemm, (tiles[0], order, tiles[-1], inner_order))
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
