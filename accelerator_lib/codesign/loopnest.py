"""A loop nest over tiles: how many words pass between a large memory and buffers, in closed form and step by step.
    for m, for n, for k, in any order:  C[m, n] += A[m, k] B[k, n]        on tiles
    A moves as often as n has trips, if n is outside a loop of A's own (m, k) that has more than one trip; else once
and so B with m, C with k. A sum that goes home and comes back is read once less than it is written. Exact for ragged
tiles; *_, last = walk(...) ends with the words of traffic(...). A tile of the SRAM is a nest of its own over registers.
"""

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from accelerator_lib.checks import inputs
from accelerator_lib.checks.signature import Given, OneOf, checked
from accelerator_lib.workload.work import Gemm, Product

ORDERS = ("mnk", "mkn", "nmk", "nkm", "kmn", "knm")  # the outermost loop first
INSIDE = {  # of each order: which loops (0, 1, 2 for m, n, k) stand inside that of n, of m, of k
    order: tuple(tuple("mnk".index(own) for own in order[order.index(other) + 1 :]) for other in "nmk")
    for order in ORDERS
}
LARGEST = 1 << 16  # elements along a dimension: all mappings of a product can still be counted


class Traffic(NamedTuple):  # words that move: inputs A, weights B, sums C that are written, and sums that are read back
    inputs: int
    weights: int
    written: int
    read: int
    words = property(lambda self: self.inputs + self.weights + self.written + self.read)  # all together


def _three(value, check):
    if isinstance(value, Gemm):  # a tile is a small product; questions write both so
        value = value.m, value.n, value.k
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        raise TypeError(f"a tile must be three whole numbers (along m, n, k), not {str(value)[:40]}")
    return tuple(check(f"tile_{d}", edge) for d, edge in zip("mnk", value, strict=True))


Tile = Given("a tile such as (64, 64, 16): elements along m, n, k", lambda value: _three(value, inputs.count))
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
    """Traffic [words] of a product in tiles; arrays may be given. Raises TypeError, ValueError, UnknownName."""
    return Traffic(*counts(gemm.m, gemm.n, gemm.k, *tile, order))


def counts(m, n, k, tile_m, tile_n, tile_k, order):
    """`traffic` without its checks: (inputs, weights, written, read), of numbers or arrays."""
    m_trips, n_trips, k_trips = trips = -(-m // tile_m), -(-n // tile_n), -(-k // tile_k)
    inside_n, inside_m, inside_k = INSIDE[order]
    written = m * n * _again(trips, inside_k, k_trips)
    inputs_, weights = m * k * _again(trips, inside_n, n_trips), k * n * _again(trips, inside_m, m_trips)
    return inputs_, weights, written, written - m * n


def _again(trips, inside, times):  # how often all of a matrix comes: `times`, or once if none of its own loops moves
    moves = False
    for loop in inside:
        moves = moves | (trips[loop] > 1)
    return 1 + moves * (times - 1)


def tile_words(tile):
    """Words of a tile of A, one of B and one of C."""
    m, n, k = tile
    return m * k + k * n + m * n


SIDES = ((0, 2), (2, 1), (0, 1))  # of A, B, C: which of m, n, k its rows and its columns are
MOST_STEPS = 20_000  # a walk of so many takes a second or two


@dataclass(frozen=True)
class Piece:  # a tile of a matrix, in elements; `visit` counts how many of that matrix came into the buffer before it
    row: int
    col: int
    rows: int
    cols: int
    visit: int
    again: bool = False  # a sum that was here before, and comes back with what it holds
    words = property(lambda self: self.rows * self.cols)


@dataclass(frozen=True)
class Moment:  # a state of a walk: which tile the loops are at, what lies in the buffer, the words that have moved
    gemm: object
    tile: tuple  # along m, n, k
    order: str
    step: int
    steps: int
    at: tuple  # which tile along m, n, k; empty before the first and after the last
    trips: tuple
    held: tuple  # Pieces of A, B, C; None where there is none
    came: tuple  # of A, B, C: whether it has just come
    home: Piece | None  # the tile of C that has just gone home
    words: Traffic  # so far
    ends: Traffic  # in the end, by the closed form
    need = property(lambda self: tile_words(self.tile))  # words that its tiles take in the buffer


@checked
def walk(gemm: Whole, tile: Tile, order: Order):
    """Yield a Moment for the start, for each tile that is worked on, and for the end, when all sums are home."""
    sizes = gemm.m, gemm.n, gemm.k
    tile = tuple(map(min, tile, sizes))
    trips = tuple(-(-size // edge) for size, edge in zip(sizes, tile, strict=True))
    if prod(trips) > MOST_STEPS:
        raise ValueError(f"{prod(trips):,} tiles are too many to walk; at most {MOST_STEPS:,}")
    return _walk(gemm, sizes, tile, trips, order)


def _walk(gemm, sizes, tile, trips, order):
    ends, steps = Traffic(*counts(*sizes, *tile, order)), prod(trips) + 1
    places, held, visits, words, begun = ["mnk".index(d) for d in order], [None] * 3, [0] * 3, [0] * 4, set()
    yield Moment(gemm, tile, order, 0, steps, (), trips, (None,) * 3, (False,) * 3, None, Traffic(*words), ends)
    for step, turn in enumerate(product(*(range(trips[place]) for place in places)), 1):
        at, came, home = tuple(turn[places.index(d)] for d in range(3)), [False] * 3, None
        spans = [(i * edge, min(edge, size - i * edge)) for i, edge, size in zip(at, tile, sizes, strict=True)]
        for which, sides in enumerate(SIDES):
            (row, rows), (col, cols) = (spans[side] for side in sides)
            if held[which] and (held[which].row, held[which].col) == (row, col):
                continue
            piece = Piece(row, col, rows, cols, visits[which], which == 2 and (row, col) in begun)
            came[which], visits[which] = True, visits[which] + 1
            if which == 2:
                home = held[2]
                words[2] += home.words if home else 0
                words[3] += piece.words if piece.again else 0
                begun.add((row, col))
            else:
                words[which] += piece.words
            held[which] = piece
        yield Moment(gemm, tile, order, step, steps, at, trips, tuple(held), tuple(came), home, Traffic(*words), ends)
    words[2] += held[2].words
    yield Moment(gemm, tile, order, steps, steps, (), trips, (None,) * 3, (False,) * 3, held[2], Traffic(*words), ends)
