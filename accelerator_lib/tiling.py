"""Tiling: how many bytes a product, a chain or attention moves when the chip can hold only a piece of it at a time.

    product, tiles of tm x tn      b (m k ceil(n / tn) + k n ceil(m / tm) + m n)
    lower bound, S words on chip   max(m k + k n + m n,  2 m n k / sqrt(S) - 2 S)      words
    chain of element-wise steps    2 n b for each step, or 2 n b once when fused
    attention, standard            b (4 N^2 + 4 N d)                      for each head
    attention, flash               b (2 N d + 2 N d ceil(N / rows)), or 4 N d b where a cache catches K and V

Outputs stay put while a tile is worked on; no cache between tiles unless said. Forward only, no mask.
Sources: J. Hong, H. Kung, "I/O complexity: the red-blue pebble game", STOC 1981, and later work on its constant;
T. Dao et al., "FlashAttention", 2022.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import flag, number, one_of, whole
from accelerator_lib.memory import Timeline
from accelerator_lib.workload import Gemm, product


def gemm_bytes(gemm, tile_m, tile_n, dtype="bf16"):
    """Traffic [byte] of a product in output tiles: A once for every column of tiles, B once for every row of them."""
    gemm = product(gemm)
    rows, cols = -(-gemm.m // whole("tile_m", tile_m)), -(-gemm.n // whole("tile_n", tile_n))
    return format_bytes(dtype) * (gemm.m * gemm.k * cols + gemm.k * gemm.n * rows + gemm.m * gemm.n)


def io_lower_bound_words(gemm, words):
    """No schedule of the ordinary product moves fewer words through a store of so many words."""
    gemm, words = product(gemm), number("words", words, low=1)
    compulsory = 1.0 * gemm.m * gemm.k + 1.0 * gemm.k * gemm.n + 1.0 * gemm.m * gemm.n
    return np.maximum(compulsory, 2.0 * gemm.m * gemm.n * gemm.k / np.sqrt(words) - 2 * words)


def chain_bytes(n, ops, dtype="fp16", fused=False):
    """Traffic [byte] of `ops` element-wise steps on n elements: each reads and writes, or only the ends when fused."""
    passes = 1 if flag("fused", fused) else whole("ops", ops, high=10**6)
    whole("ops", ops, high=10**6)
    return 2 * whole("n", n) * passes * format_bytes(dtype)


ALGORITHMS = ("standard", "flash")


def attention_bytes(
    tokens, head_dim, heads=1, batch=1, dtype="fp16", algorithm="standard", block_rows=128, kv_cached=False
):
    """Traffic [byte] of attention, forward, no mask: scores and weights through memory, or never there (flash)."""
    n, d = whole("tokens", tokens, high=10**8), whole("head_dim", head_dim, high=10**5)
    many = whole("heads", heads, high=10**5) * whole("batch", batch, high=10**7) * format_bytes(dtype)
    if one_of("algorithm", algorithm, ALGORITHMS) == "standard":
        return many * (4.0 * n * n + 4.0 * n * d) if isinstance(n, np.ndarray) else many * (4 * n * n + 4 * n * d)
    passes = -(-n // whole("block_rows", block_rows, high=10**8))
    return many * (4 * n * d if flag("kv_cached", kv_cached) else 2 * n * d + 2 * n * d * passes)


def attention_flops(tokens, head_dim, heads=1, batch=1):
    """Work [FLOP] of the two products, forward, no mask; flash does the same and a little more."""
    n = number("tokens", tokens, low=1, high=1e8)
    return 4.0 * n * n * whole("head_dim", head_dim, high=10**5) * whole("heads", heads) * whole("batch", batch)


def attention_seconds(tokens, head_dim, heads, batch, chip, algorithm="standard", reached=1.0):
    """Time [s] of attention on a chip: the longer of traffic at its bandwidth and work at a share of its fp16 peak.

    Flash is taken with K and V cached."""
    chip = hardware.chip(chip)
    moved = attention_bytes(tokens, head_dim, heads, batch, "fp16", algorithm, kv_cached=algorithm == "flash")
    rate = number("reached", reached, low=1e-3, high=1) * chip.peak("fp16")
    return np.maximum(moved / chip.need("bytes_per_s"), attention_flops(tokens, head_dim, heads, batch) / rate)


@dataclass(frozen=True)
class Budget:
    """What a tile needs on the chip [byte]: operands in the shared memory, sums in the accumulators (registers)."""

    operand_bytes: float
    accumulator_bytes: float


def budget(tile_m, tile_n, tile_k, dtype="bf16", stages=2):
    """Budget of a tile: `stages` copies of its A and B strips in flight, fp32 sums."""
    strips = (whole("tile_m", tile_m) + whole("tile_n", tile_n)) * whole("tile_k", tile_k) * format_bytes(dtype)
    return Budget(strips * whole("stages", stages), 4 * tile_m * tile_n)


def max_square_tile(tile_k, dtype="bf16", stages=2, sram_bytes=163 * 1024, accumulator_bytes=256 * 1024, step=16):
    """The largest square tile [elements], a multiple of `step`, within both budgets; 0 where none fits."""
    sram, sums = number("sram_bytes", sram_bytes), number("accumulator_bytes", accumulator_bytes)
    step, edge = whole("step", step, high=10**6), 0
    while True:
        need = budget(edge + step, edge + step, tile_k, dtype, stages)
        if need.operand_bytes > sram or need.accumulator_bytes > sums:
            return edge
        edge += step


@dataclass(frozen=True)
class Tile:
    """One output tile of a walk, and the bytes of each operand moved until it is done."""

    number: int
    row: int
    col: int
    rows: int  # tiles down
    cols: int
    inputs: int
    weights: int
    outputs: int

    @property
    def total(self):
        return self.inputs + self.weights + self.outputs


def walk(gemm, tile_m, tile_n, dtype="bf16"):
    """Yield a Tile for every output tile, row by row, ragged edges included. The last total is gemm_bytes."""
    gemm, size = product(gemm), format_bytes(dtype)
    rows, cols = -(-gemm.m // whole("tile_m", tile_m)), -(-gemm.n // whole("tile_n", tile_n))
    inputs = weights = outputs = 0
    for count in range(rows * cols):
        row, col = divmod(count, cols)
        high, wide = min(tile_m, gemm.m - row * tile_m), min(tile_n, gemm.n - col * tile_n)
        inputs += high * gemm.k * size
        weights += gemm.k * wide * size
        outputs += high * wide * size
        yield Tile(count, row, col, rows, cols, inputs, weights, outputs)


def staged(stages=1, copy_seconds=2e-6, maths_seconds=3e-6, tiles=12):
    """memory.Timeline of tiles: a copy needs a free buffer and the copy engine, arithmetic its copy and the unit.

    One buffer: the sum of the two for each tile. Two or more: the larger one."""
    stages, tiles = whole("stages", stages, high=100), whole("tiles", tiles, high=10_000)
    copy, maths = (number(n, v, low=0) for n, v in (("copy_seconds", copy_seconds), ("maths_seconds", maths_seconds)))
    copies, works, engine, unit = [], [], 0.0, 0.0
    for tile in range(tiles):
        free = works[tile - stages] + maths if tile >= stages else 0.0  # when its buffer was last read
        copies.append(max(engine, free))
        engine = copies[-1] + copy
        works.append(max(engine, unit))
        unit = works[-1] + maths
    return Timeline(np.array(copies), np.array(works), copy, maths)


def square(size):
    """The product of two size x size matrices."""
    return Gemm(size, size, size)
