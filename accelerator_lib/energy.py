"""Energy: what arithmetic and traffic cost, by the published table of ladder.py. Estimates: good for ratios.

    multiply-accumulate = multiply + add (in the accumulator's format)          [pJ]
    access              = bytes x pJ for 64 bits / 8, or bytes x 8 x pJ/bit     [pJ]
    power               = rate x energy of one; 1 pJ x 1e12/s = 1 W
    clock and voltage   = speed f, power f V^2 with V = f^exponent              (dynamic part; ratios to the nominal)

Watts of whole chips, leakage and batteries are in power.py.
"""

from dataclasses import dataclass

from accelerator_lib import systolic
from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import number
from accelerator_lib.ladder import access, levels, operation
from accelerator_lib.workload import product

__all__ = [
    "Layer",
    "Point",
    "access",
    "access_pj",
    "compute_watts",
    "dataflow",
    "dvfs",
    "gemm_joules",
    "layer",
    "levels",
    "mac_pj",
    "memory_watts",
    "operation",
]


def mac_pj(dtype, node=7, accumulator=None):
    """Energy [pJ] of one multiply-accumulate; the sum may be kept in a wider format."""
    return operation("mult", dtype, node).pj + operation("add", accumulator or dtype, node).pj


def access_pj(bytes_moved, level, node=7):
    """Energy [pJ] to move bytes from or to a level; scalars or arrays."""
    return number("bytes_moved", bytes_moved, low=0) * access(level, node).pj_per_byte


def gemm_joules(gemm, dtype, node=7, accumulator=None):
    """Energy [J] of a product's arithmetic alone."""
    gemm = product(gemm)
    return gemm.m * gemm.n * gemm.k * mac_pj(dtype, node, accumulator) * 1e-12


def memory_watts(bytes_per_s, level, node=7):
    """Power [W] of moving so many bytes a second."""
    return number("bytes_per_s", bytes_per_s, low=0) * access(level, node).pj_per_byte * 1e-12


def compute_watts(flops_per_s, dtype, node=7, accumulator=None):
    """Power [W] of so many FLOP a second in multiply-accumulates, two FLOP each."""
    return number("flops_per_s", flops_per_s, low=0) / 2 * mac_pj(dtype, node, accumulator) * 1e-12


@dataclass(frozen=True)
class Point:
    """Speed, dynamic power and their quotient, as ratios to the nominal clock; scalars or arrays."""

    speed: float
    power: float

    @property
    def speed_per_watt(self):
        return self.speed / self.power


def dvfs(frequency, voltage_exponent=1.0):
    """Point at a clock [ratio to the nominal]; the voltage follows as clock to the exponent. Leakage: power.py."""
    frequency = number("frequency", frequency, low=0.01, high=100)
    return Point(frequency, frequency ** (1 + 2 * number("voltage_exponent", voltage_exponent, low=0, high=5)))


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


def dataflow(gemm, edge, flow, dtype="int8", accumulator="int32", node=45, sram="sram_32kb", dram="ddr"):
    """{part: J} of a product on an edge x edge systolic array: registers, operands, sums, DRAM, arithmetic.

    Registers: two operands read, a sum read and written for each multiply-accumulate. DRAM: every matrix once.
    """
    moved, macs = systolic.traffic(gemm, edge, edge, flow), gemm.m * gemm.n * gemm.k
    size, wide = format_bytes(dtype), 4
    bytes_of = {
        "registers": (macs * 2 * (size + wide), "register"),
        "inputs": (moved.inputs * size, sram),
        "weights": (moved.weights * size, sram),
        "sums": ((moved.outputs + moved.partials) * wide, sram),
        "DRAM": (moved.dram * size, dram),
    }
    joules = {name: access_pj(count, level, node) * 1e-12 for name, (count, level) in bytes_of.items()}
    return {**joules, "arithmetic": gemm_joules(gemm, dtype, node, accumulator)}
