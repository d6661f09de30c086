"""Walking: a loop nest step by step, with the tile of each matrix that lies in each buffer, and the words counted.

    *_, last = walk(Gemm(10, 7, 5), (4, 3, 2), "mkn")
    tuple(last.words) == traffic(Gemm(10, 7, 5), (4, 3, 2), "mkn")

With a second level every tile of the SRAM is a nest of its own, over tiles of the registers. What is counted: a tile
that is not there yet is fetched; a sum whose place is needed goes home, and is fetched again when its turn comes back.
"""

from dataclasses import dataclass
from itertools import pairwise, product

from accelerator_lib.codesign.nest import Order, Tile, Traffic, Whole, counts, levels, tile_words
from accelerator_lib.inputs import NotAvailable
from accelerator_lib.signature import Count, checked

MOST_STEPS = 100_000
BUFFERS = ("SRAM", "registers")
SIDES = ((0, 2), (2, 1), (0, 1))  # of A, B, C: which of m, n, k its rows and its columns are


@dataclass(frozen=True)
class Piece:
    """A tile of a matrix, in elements; `visit` counts how many of that matrix came into the buffer before it."""

    row: int
    col: int
    rows: int
    cols: int
    visit: int

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


@dataclass(frozen=True)
class Moment:
    """A state of a walk; `coming` is (level, Pieces that come next, None where the one there stays), or None."""

    gemm: object
    step: int
    steps: int
    levels: tuple  # Level: the SRAM, then the registers if there are any
    coming: tuple | None
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
    buffers = [_Buffer(*each) for each in zip(BUFFERS, tiles, orders, rooms, ends, strict=False)]
    return _walk(gemm, buffers, sizes)


def _walk(gemm, buffers, sizes):
    plans, step = list(_plans(buffers, ((0, size) for size in sizes))), 0
    first, *inside = buffers
    sums, depth, at_work = {}, {}, None
    yield Moment(gemm, 0, len(plans) + 1, tuple(one.level() for one in buffers), first.coming(plans[0]), sums)
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
        yield Moment(gemm, step, len(plans) + 1, tuple(one.level() for one in buffers), coming, sums)
    if inside:
        inside[0].leave()
        depth = _deeper(depth, at_work)
    sums = _written(sums, depth, first.leave())
    yield Moment(gemm, step + 1, len(plans) + 1, tuple(one.level() for one in buffers), None, sums)


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


class _Buffer:
    """What a level holds while it is walked."""

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
        return None if here and (here.row, here.col) == (row, col) else Piece(row, col, rows, cols, self.visits[which])

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
                self.words[3] += piece.words if (piece.row, piece.col) in self.begun else 0
                self.begun.add((piece.row, piece.col))
            self.held[which] = piece
        return self.home

    def leave(self):
        """All goes: the sums home, the rest is dropped."""
        self.home = self.held[2]
        self.words[2] += self.home.words if self.home else 0
        self.held, self.begun, self.came, self.at = [None] * 3, set(), (False,) * 3, ()
        return self.home


def thin(moments, slowly=64, most=260):
    """The first states of a long walk one by one, then only every so many, and the last."""
    for moment in moments:
        rest = max(moment.steps - slowly, 0)
        every = -(-rest // (most - slowly)) or 1
        if moment.step <= slowly or not (moment.step - slowly) % every or moment.step == moment.steps:
            yield moment
