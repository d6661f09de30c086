"""Frames of chapter 4: a product strip by strip, attention block by block, a softmax half a block at a time.

The bytes are counted on the way and end where the closed forms of `tiling` say.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Switch, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.tiling import Budget, attention_bytes, gemm_bytes
from accelerator_lib.tiling.softmax import State, reference, stream
from accelerator_lib.workload.work import Gemm, Product

SLOWLY = 2  # tiles that are walked strip by strip
TRIPS = 4  # of every score where scores are written: out and in for the softmax, out and in as weights


@dataclass(frozen=True)
class Strip:
    """Strips of a product on the chip, how far the tile of C is, the bytes of each operand so far."""

    gemm: Gemm
    tile: tuple  # of C: rows, columns, and the depth of a strip
    dtype: str
    number: int  # of the tile that is in the registers; as many as there are when all are written
    depth: int  # how much of k this tile has seen
    arrived: int  # how much of it came with the strips that are there now; 0 before the first
    input_bytes: int
    weight_bytes: int
    output_bytes: int

    # tiles of C: down, across
    grid = property(lambda self: (-(-self.gemm.m // self.tile[0]), -(-self.gemm.n // self.tile[1])))
    tiles = property(lambda self: self.grid[0] * self.grid[1])
    done = property(lambda self: self.number == self.tiles)  # whether all tiles are written
    summed = property(lambda self: self.depth / self.gemm.k)  # share of k that the tile in the registers has seen
    bytes_moved = property(lambda self: self.input_bytes + self.weight_bytes + self.output_bytes)
    # what the whole walk moves, by the formula
    total_bytes = property(lambda self: gemm_bytes(self.gemm, *self.tile[:2], self.dtype))

    def box(self, number):
        """Of a tile: (first row, first column, rows, columns), in elements; ragged at the edges."""
        row, col = divmod(number, self.grid[1])
        top, left = row * self.tile[0], col * self.tile[1]
        return top, left, min(self.tile[0], self.gemm.m - top), min(self.tile[1], self.gemm.n - left)

    # the strips on the chip: (number of their tile, where they begin along k, how deep they are), or None
    here = property(lambda self: (self.number, self.depth - self.arrived, self.arrived) if self.arrived else None)

    @property
    def coming(self):
        """What is brought next, in the same words, or None at the end."""
        number, depth = (self.number, self.depth) if self.depth < self.gemm.k else (self.number + 1, 0)
        if number >= self.tiles:
            return None
        return number, depth, min(self.tile[2], self.gemm.k - depth) if number < SLOWLY else self.gemm.k


@dataclass(frozen=True)
class Reading:
    """A Strip, and what a tile needs beside the room there is."""

    now: Strip
    need: Budget
    room: Budget

    @property
    def moved(self):
        """What was moved so far [byte]: (inputs, weights, outputs, all)."""
        return self.now.input_bytes, self.now.weight_bytes, self.now.output_bytes, self.now.bytes_moved

    once_bytes = property(lambda self: self.now.gemm.bytes_moved(self.now.dtype))  # every matrix moved once
    excess = property(lambda self: self.now.total_bytes / self.once_bytes)  # how many times that the whole walk moves

    @property
    def ends(self):
        """What each operand will have moved in the end [byte]: (inputs, weights, outputs, all)."""
        gemm, (down, across), size = self.now.gemm, self.now.grid, format_bytes(self.now.dtype)
        moved = gemm.m * gemm.k * across * size, gemm.k * gemm.n * down * size, gemm.m * gemm.n * size
        return (*moved, self.now.total_bytes)


@checked
def product(gemm: Product, tile_m: Count(), tile_n: Count(), tile_k: Count(), dtype: Format = "bf16"):
    """Yield a Strip before anything is brought, one for every strip or tile, one when all is written.

    The first two tiles are walked strip by strip, the others in one step each: they do the same again."""
    tile, size, inputs, weights, outputs = (tile_m, tile_n, tile_k), format_bytes(dtype), 0, 0, 0
    now = Strip(gemm, tile, dtype, 0, 0, 0, 0, 0, 0)
    yield now
    while coming := now.coming:
        number, begin, deep = coming
        _, _, high, wide = now.box(number)
        if number > now.number:
            outputs += _area(now) * size
        inputs, weights = inputs + high * deep * size, weights + deep * wide * size
        now = Strip(gemm, tile, dtype, number, begin + deep, deep, inputs, weights, outputs)
        yield now
    yield Strip(gemm, tile, dtype, now.tiles, 0, 0, inputs, weights, outputs + _area(now) * size)


def _area(now):
    _, _, high, wide = now.box(now.number)
    return high * wide


@dataclass(frozen=True)
class Blocked:
    """One head of attention, cut into blocks."""

    tokens: int
    head_dim: int
    block_rows: int
    block_cols: int
    cached: bool  # whether a cache catches K and V after the first pass
    dtype: str

    # blocks of scores: down, across
    grid = property(lambda self: (-(-self.tokens // self.block_rows), -(-self.tokens // self.block_cols)))
    count = property(lambda self: self.grid[0] * self.grid[1])
    flash_bytes = property(lambda self: self._bytes("flash"))  # all that flash moves, by the formula
    # all that moves where scores are written, by the formula
    standard_bytes = property(lambda self: self._bytes("standard"))
    # how many times less flash moves; below one, it moves more
    saved = property(lambda self: self.standard_bytes / self.flash_bytes)
    cost = property(lambda self: self.flash_bytes / self.standard_bytes)  # how many times as much flash moves
    # the size of the scores, all of them at once
    score_bytes = property(lambda self: self.tokens**2 * format_bytes(self.dtype))

    def _bytes(self, algorithm):
        more = {"block_rows": self.block_rows, "kv_cached": self.cached}
        return int(attention_bytes(self.tokens, self.head_dim, dtype=self.dtype, algorithm=algorithm, **more))

    def rows(self, i):
        """How many tokens the block i of Q has."""
        return min(self.block_rows, self.tokens - i * self.block_rows)

    def cols(self, j):
        """How many tokens the block j of K and V has."""
        return min(self.block_cols, self.tokens - j * self.block_cols)


@dataclass(frozen=True)
class Block:
    """One block of scores on the chip: its place in the grid, or None before the first and after the last."""

    blocks: Blocked
    used: int  # blocks of scores that were there and are gone
    place: tuple | None
    flash_bytes: int
    standard_bytes: int

    @property
    def coming(self):
        """The place of the block after this one, or None."""
        following = self.used + (self.place is not None)
        return divmod(following, self.blocks.grid[1]) if following < self.blocks.count else None


@checked
def attention(
    tokens: Count(high=10**6),
    head_dim: Count(high=10**5) = 64,
    block_rows: Count() = 128,
    block_cols: Count() = 128,
    cached: Switch = False,
    dtype: Format = "fp16",
):
    """Yield a Block before anything is brought, one for every block of scores, one when all is written.

    for each block of rows of Q, for each block of K and V:   S = Q K^T,  softmax,  O += S V

    Beside it, the bytes that would have moved by then if every block of scores were written, read for the softmax,
    written as weights and read again. Forward only, no mask. Source: T. Dao, "FlashAttention-2", 2023: rows in the
    outer loop; the first version (T. Dao et al., "FlashAttention", 2022) had the columns there.
    """
    blocks = Blocked(tokens, head_dim, block_rows, block_cols, cached, dtype)
    token = blocks.head_dim * format_bytes(blocks.dtype)  # bytes of one row of Q, K, V or O
    down, across = blocks.grid
    flash = standard = 0
    yield Block(blocks, 0, None, 0, 0)
    for i in range(down):
        flash, standard = flash + blocks.rows(i) * token, standard + blocks.rows(i) * token
        for j in range(across):
            both = 2 * blocks.cols(j) * token  # K and V
            flash += 0 if blocks.cached and i else both
            standard += 0 if i else both
            standard += TRIPS * blocks.rows(i) * blocks.cols(j) * format_bytes(blocks.dtype)
            yield Block(blocks, i * across + j, (i, j), flash, standard)
        flash, standard = flash + blocks.rows(i) * token, standard + blocks.rows(i) * token  # the output
    yield Block(blocks, blocks.count, None, flash, standard)


@dataclass(frozen=True, eq=False)
class Half:
    """Half a block of a softmax: it is read and what was summed is scaled down, or it is added, too.

    `weights`, those of all scores so far, are for looking at: the stream itself keeps maximum, total and sums.
    """

    state: State  # of this block, complete
    added: bool
    all_scores: np.ndarray
    before: float  # the running maximum before this block, minus infinity for the first
    total: float
    sums: np.ndarray  # [d], not yet divided by the total
    full: np.ndarray  # [d], the result with all scores at hand
    final: np.ndarray  # [n], weights exp(s - m) with the maximum of all scores
    most: float  # the largest number that is ever kept: a total, or a sum without its sign

    @property
    def weights(self):
        """[read]: exp(s - m) with the running maximum."""
        seen = self.all_scores[: self.state.read]
        return np.exp(seen - self.state.maximum) if self.state.maximum > -np.inf else np.zeros(len(seen))

    # the number of the first score of this block
    first = property(lambda self: self.state.read - len(self.state.scores))
    # [d], the result of what was added so far; zeros before the first
    output = property(lambda self: self.sums / self.total if self.total else self.sums)
    # the largest difference of a component from the full result
    distance = property(lambda self: float(np.abs(self.output - self.full).max()))


@checked
def softmax(scores, values, block: Count() = 4):
    """Yield two Halves for every block of one row: scores [n], values [n, d]; arguments as of `tiling.softmax`."""
    return _halves(stream(scores, values, block), np.asarray(scores, float), np.asarray(values, float))


def _halves(states, scores, values):
    states = list(states)
    most = max(state.total * max(1, abs(state.output).max()) for state in states)
    rest = reference(scores, values), np.exp(scores - scores.max()), most
    before, total, sums = -np.inf, 0.0, np.zeros(values.shape[1])
    for state in states:
        yield Half(state, False, scores, before, total * state.scale, sums * state.scale, *rest)
        before, total, sums = state.maximum, state.total, state.output * state.total
        yield Half(state, True, scores, before, total, sums, *rest)
