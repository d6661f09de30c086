"""Costs: picojoules of a multiply-accumulate and of a byte moved, joules of a layer, watts of a rate.

Estimates, from the tables in table.py.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Number, Positive, Single, checked
from accelerator_lib.energy.table import SUMS, Arithmetic, Level, Node, access, operation
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.memory.transfer import Moved
from accelerator_lib.workload.work import Product

PJ = 1e-12  # joules
Rate, FlopRate = Number(low=0, unit="B/s"), Number(low=0, unit="FLOP/s")


@checked
def mac_pj(dtype: Arithmetic, node: Node = 7, accumulator: Arithmetic = None):
    """Energy [pJ] of one multiply-accumulate; the sum may be kept in a wider format."""
    return operation("mult", dtype, node).pj + operation("add", accumulator or dtype, node).pj


@checked
def access_pj(bytes_moved: Moved, level: Level, node: Node = 7):
    """Energy [pJ] to move bytes from or to a level; scalars or arrays."""
    return bytes_moved * access(level, node).pj_per_byte


@checked
def gemm_joules(gemm: Product, dtype: Arithmetic, node: Node = 7, accumulator: Arithmetic = None):
    """Energy [J] of a product's arithmetic alone."""
    return gemm.m * gemm.n * gemm.k * mac_pj(dtype, node, accumulator) * PJ


@checked
def compute_watts(flops_per_s: FlopRate, dtype: Arithmetic, node: Node = 7, accumulator: Arithmetic = None):
    """Power [W] of so many FLOP a second in multiply-accumulates, two FLOP each."""
    return flops_per_s / 2 * mac_pj(dtype, node, accumulator) * PJ


@checked
def memory_watts(bytes_per_s: Rate, level: Level, node: Node = 7):
    """Power [W] of moving so many bytes a second."""
    return bytes_per_s * access(level, node).pj_per_byte * PJ


@dataclass(frozen=True)
@checked
class Layer:
    """Energy [J] of what `rows` rows of inputs compute, and of the weights that are fetched once for all of them."""

    arithmetic: Single(Positive)
    movement: Single(Positive)
    rows: Single(Positive) = 1

    total = property(lambda self: self.arithmetic + self.movement)
    arithmetic_share = property(lambda self: self.arithmetic / self.total)
    # which of the two takes more
    larger = property(lambda self: "the arithmetic" if self.arithmetic > self.movement else "the fetch")
    # with how many rows both would take as much
    crossing = property(lambda self: self.movement / self.arithmetic * self.rows)


@checked
def layer(gemm: Product, dtype: Format = "fp16", level: Level = "a100_hbm", node: Node = 7):
    """Layer of a product: multiply-accumulates with wide sums, k x n weights once. Activations are left out."""
    arithmetic = gemm_joules(gemm, dtype, node, SUMS.get(dtype, "fp32"))
    return Layer(arithmetic, access_pj(gemm.k * gemm.n * format_bytes(dtype), level, node) * PJ, gemm.m)
