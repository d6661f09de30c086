"""Products in tiles: how many bytes a product moves when the chip can hold only a piece of it at a time.

    tiles of tm x tn               b (m k ceil(n / tn) + k n ceil(m / tm) + m n)
    lower bound, S words on chip   max(m k + k n + m n,  2 m n k / sqrt(S) - 2 S)      words
    room for a tile                operands in the shared memory, sums in the registers

Outputs stay put while a tile is worked on; no cache between tiles.
Source: J. Hong, H. Kung, "I/O complexity: the red-blue pebble game", STOC 1981, and later work on its constant.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import real, whole
from accelerator_lib.workload import Gemm
from accelerator_lib.workload.work import product


def gemm_bytes(gemm, tile_m, tile_n, dtype="bf16"):
    """Traffic [byte] of a product in output tiles: A once for every column of tiles, B once for every row of them."""
    gemm = product(gemm)
    rows, cols = -(-gemm.m // whole("tile_m", tile_m)), -(-gemm.n // whole("tile_n", tile_n))
    return format_bytes(dtype) * (gemm.m * gemm.k * cols + gemm.k * gemm.n * rows + gemm.m * gemm.n)


def io_lower_bound_words(gemm, words):
    """No schedule of the ordinary product moves fewer words through a store of so many words."""
    gemm, words = product(gemm), real("words", words, low=1)
    compulsory = 1.0 * gemm.m * gemm.k + 1.0 * gemm.k * gemm.n + 1.0 * gemm.m * gemm.n
    return np.maximum(compulsory, 2.0 * gemm.m * gemm.n * gemm.k / np.sqrt(words) - 2 * words)


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
    sram, sums = real("sram_bytes", sram_bytes), real("accumulator_bytes", accumulator_bytes)
    step, edge = whole("step", step, high=10**6), 0
    while True:
        need = budget(edge + step, edge + step, tile_k, dtype, stages)
        if need.operand_bytes > sram or need.accumulator_bytes > sums:
            return edge
        edge += step


@dataclass(frozen=True)
class OutputTile:
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


def tiles(gemm, tile_m, tile_n, dtype="bf16"):
    """Yield an OutputTile for every output tile, row by row, ragged edges included. The last total is gemm_bytes."""
    gemm, size = product(gemm), format_bytes(dtype)
    rows, cols = -(-gemm.m // whole("tile_m", tile_m)), -(-gemm.n // whole("tile_n", tile_n))
    inputs = weights = outputs = 0
    for count in range(rows * cols):
        row, col = divmod(count, cols)
        high, wide = min(tile_m, gemm.m - row * tile_m), min(tile_n, gemm.n - col * tile_n)
        inputs += high * gemm.k * size
        weights += gemm.k * wide * size
        outputs += high * wide * size
        yield OutputTile(count, row, col, rows, cols, inputs, weights, outputs)


def square(size):
    """The product of two size x size matrices."""
    return Gemm(size, size, size)


def intensity(gemm, tile_m, tile_n, dtype="bf16"):
    """Arithmetic intensity [FLOP/byte] of a product in tiles."""
    return product(gemm).flops / gemm_bytes(gemm, tile_m, tile_n, dtype)
