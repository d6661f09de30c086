"""Costs: picojoules of a multiply-accumulate and of a byte moved, joules of a layer, watts of a rate.

    energy of a product  = m n k x (multiply + add)
    energy of a transfer = bytes x energy of one byte
    watts                = rate x energy of one action

Estimates, from the tables in table.py.
"""

from dataclasses import dataclass

from accelerator_lib.energy.table import access, operation
from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import real
from accelerator_lib.workload.work import product


def mac_pj(dtype, node=7, accumulator=None):
    """Energy [pJ] of one multiply-accumulate; the sum may be kept in a wider format."""
    return operation("mult", dtype, node).pj + operation("add", accumulator or dtype, node).pj


def access_pj(bytes_moved, level, node=7):
    """Energy [pJ] to move bytes from or to a level; scalars or arrays."""
    return real("bytes_moved", bytes_moved, low=0) * access(level, node).pj_per_byte


def gemm_joules(gemm, dtype, node=7, accumulator=None):
    """Energy [J] of a product's arithmetic alone."""
    gemm = product(gemm)
    return gemm.m * gemm.n * gemm.k * mac_pj(dtype, node, accumulator) * 1e-12


def memory_watts(bytes_per_s, level, node=7):
    """Power [W] of moving so many bytes a second."""
    return real("bytes_per_s", bytes_per_s, low=0) * access(level, node).pj_per_byte * 1e-12


def compute_watts(flops_per_s, dtype, node=7, accumulator=None):
    """Power [W] of so many FLOP a second in multiply-accumulates, two FLOP each."""
    return real("flops_per_s", flops_per_s, low=0) / 2 * mac_pj(dtype, node, accumulator) * 1e-12


@dataclass(frozen=True)
class Layer:
    """Energy [J] of a product whose weights come once from one level."""

    arithmetic: float
    movement: float

    @property
    def total(self):
        return self.arithmetic + self.movement

    @property
    def arithmetic_share(self):
        return self.arithmetic / self.total


def layer(gemm, dtype="fp16", level="hbm2_low", node=7):
    """Layer of a product: its multiply-accumulates, and k x n weights read once. Activations are left out."""
    arithmetic = gemm_joules(gemm, dtype, node)
    return Layer(arithmetic, access_pj(gemm.k * gemm.n * format_bytes(dtype), level, node) * 1e-12)
