"""Work: how much arithmetic a piece of a network needs, and how few bytes it can move.

    flops     = 2 x multiply-accumulates
    bytes     = every operand read once, every result written once (compulsory traffic)
    intensity = flops / bytes   [FLOP/byte]

Traffic between caches, and everything read twice for want of room, comes on top (chapter 4).
"""

from dataclasses import dataclass

from accelerator_lib.checks.inputs import real
from accelerator_lib.checks.signature import NonNegative, Number, Positive, Record, Whole, checked
from accelerator_lib.hardware import Format, format_bytes


class Work:
    """What every kind of work answers: flops, bytes_moved(dtype, ...), intensity(dtype, ...)."""

    def intensity(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Arithmetic intensity [FLOP/byte] of the compulsory traffic."""
        return self.flops / self.bytes_moved(dtype, weight_dtype, output_dtype)


@dataclass(frozen=True)
@checked
class Gemm(Work):
    """C[m, n] = A[m, k] B[k, n]: m rows of inputs meet k x n weights. Whole numbers or arrays of them."""

    m: Whole(unit="elements")
    n: Whole(unit="elements")
    k: Whole(unit="elements")

    # work [FLOP]: one multiply and one add for each of m x n x k products
    flops = property(lambda self: 2 * self.m * self.n * self.k)

    def bytes_moved(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Compulsory traffic [byte]: read A and B once, write C once; B and C may have formats of their own."""
        inputs = self.m * self.k * format_bytes(dtype)
        weights = self.k * self.n * format_bytes(own_or(weight_dtype, dtype))
        return inputs + weights + self.m * self.n * format_bytes(own_or(output_dtype, dtype))


Product = Record(Gemm, "a product such as Gemm(m=64, n=4096, k=4096)")  # for signatures
PerElement = Number(low=0, high=1e6)  # FLOP, reads or writes of one element


@dataclass(frozen=True)
@checked
class Elementwise(Work):
    """n elements, each with its own few FLOP, reads and writes: ReLU, normalisation, a pooled table lookup."""

    n: Whole(high=10**24, unit="elements")
    flops_per_element: PerElement = 1
    reads: PerElement = 1
    writes: PerElement = 1

    def __post_init__(self):
        real("reads + writes", self.reads + self.writes, low=1e-6)

    flops = property(lambda self: self.n * self.flops_per_element)

    def bytes_moved(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Traffic [byte]: so many reads and writes of every element; there are no weights."""
        reads = self.reads * format_bytes(dtype)
        return self.n * (reads + self.writes * format_bytes(own_or(output_dtype, dtype)))


def own_or(own, dtype):
    """A format of its own, or that of the inputs."""
    return dtype if own is None else own


SomeWork = Record(Work, "a piece of work such as Gemm(m=64, n=4096, k=4096)")


@checked
def relative_rate(flop_a: NonNegative, time_a: Positive, flop_b: Positive, time_b: Positive):
    """How many times faster class a runs than class b, from shares of FLOP and of time (any one unit)."""
    return (flop_a / time_a) / (flop_b / time_b)


@checked
def intensity(work: SomeWork, dtype: Format = "bf16"):
    """Arithmetic intensity [FLOP/byte] of a piece of work: what its compulsory traffic leaves."""
    return work.intensity(dtype)
