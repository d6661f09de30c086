"""Two budgets: strips of the operands wait in the shared memory, the sums of a tile stay in the registers.

    operands   (tm + tn) tk b stages        sums   4 tm tn        bytes

Sums must take less than all registers: some are for addresses and operands. Facts: data/gpus.yaml.
"""

from dataclasses import dataclass
from math import sqrt

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Whole, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.tiling.products import gemm_bytes, intensity, io_lower_bound_words
from accelerator_lib.workload import Gemm

SUM_BYTES = format_bytes("fp32")  # sums are kept in 32 bits


@dataclass(frozen=True)
class Budget:
    """What a tile needs on the chip [byte]: operands in the shared memory, sums in the accumulators (registers)."""

    operand_bytes: float
    accumulator_bytes: float

    def words(self, dtype="bf16"):
        """How many numbers that holds: operands in their format, sums in fp32."""
        return self.operand_bytes / format_bytes(dtype) + self.accumulator_bytes / SUM_BYTES

    both = property(lambda self: (self.operand_bytes, self.accumulator_bytes))  # (strips, sums)

    def fit(self, room):
        """Whether the strips fit into another Budget, and whether the sums do, with a register to spare."""
        return self.operand_bytes <= room.operand_bytes, self.accumulator_bytes < room.accumulator_bytes

    def fits(self, room):
        """Whether both do."""
        return all(self.fit(room))

    def takes_every_register(self, room):
        """Whether the sums fit, but leave none."""
        return self.accumulator_bytes == room.accumulator_bytes


@checked
def budget(tile_m: Whole(), tile_n: Whole(), tile_k: Whole(), dtype: Format = "bf16", stages: Whole() = 2):
    """Budget of a tile: `stages` copies of its A and B strips in flight, fp32 sums."""
    return Budget((tile_m + tile_n) * tile_k * format_bytes(dtype) * stages, SUM_BYTES * tile_m * tile_n)


@checked
def sm_room(arch="sm80"):
    """What one SM of a compute capability, "sm80" (A100), "sm90" (H100), has for one block. Raises UnknownName."""
    table = {entry["id"]: entry for entry in data.load("gpus")["sm_limits"]}
    limits, common = table[one_of("arch", arch, table)], data.load("gpus")["common"]
    return Budget(limits["shared_kib_per_block"] * 1024, limits["registers"] * common["register_bytes"])


@dataclass(frozen=True)
class Filled:
    """How full a tile makes an SM: the share of its shared memory that the strips take, of its registers the sums."""

    strips: float
    sums: float

    # share of the budget that fills first; above one, or one for the sums, the tile does not fit
    fuller = property(lambda self: max(self.strips, self.sums))
    other = property(lambda self: min(self.strips, self.sums))
    # which budget fills first
    first = property(lambda self: "registers" if self.sums > self.strips else "shared memory")


@checked
def filled(tile_m: Whole(), tile_n: Whole(), tile_k: Whole(), dtype: Format = "bf16", stages: Whole() = 2, arch="sm80"):
    """Filled by a tile on an SM of a compute capability."""
    need, room = budget(tile_m, tile_n, tile_k, dtype, stages), sm_room(arch)
    return Filled(need.operand_bytes / room.operand_bytes, need.accumulator_bytes / room.accumulator_bytes)


@dataclass(frozen=True)
class Choice:
    """A tile chosen for a product: what it needs beside the room there is, what it moves beside the lower bound."""

    gemm: Gemm
    tile_m: int
    tile_n: int
    need: Budget
    room: Budget
    dtype: str = "bf16"

    edge = property(lambda self: sqrt(self.tile_m * self.tile_n))  # of a square of the same area
    bytes_moved = property(lambda self: gemm_bytes(self.gemm, self.tile_m, self.tile_n, self.dtype))
    # FLOP for each byte moved
    intensity = property(lambda self: intensity(self.gemm, self.tile_m, self.tile_n, self.dtype))

    @property
    def least_bytes(self):
        """The lower bound [byte] of any schedule in this room; a tile that does not fit into it may move less."""
        return format_bytes(self.dtype) * float(io_lower_bound_words(self.gemm, self.room.words(self.dtype)))

    excess = property(lambda self: self.bytes_moved / self.least_bytes)  # how many times the lower bound it moves

    @property
    def shares(self):
        """What it needs of the room there is: {"operands": ..., "sums": ...}; above one is too much."""
        operands = self.need.operand_bytes / self.room.operand_bytes
        return {"operands": operands, "sums": self.need.accumulator_bytes / self.room.accumulator_bytes}

    fits = property(lambda self: self.need.fits(self.room))
