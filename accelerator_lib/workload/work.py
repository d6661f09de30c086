"""Workload: how much arithmetic a piece of a network needs, and how few bytes it can move.

    flops     = 2 x multiply-accumulates
    bytes     = every operand read once, every result written once (compulsory traffic)
    intensity = flops / bytes   [FLOP/byte]

Traffic between caches, and everything read twice for want of room, comes on top (chapter 4).
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.hardware import format_bytes
from accelerator_lib.inputs import real, whole
from accelerator_lib.signature import Given


class Work:
    """What every kind of work answers: flops, bytes_moved(dtype, ...), intensity(dtype, ...)."""

    def intensity(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Arithmetic intensity [FLOP/byte] of the compulsory traffic."""
        return self.flops / self.bytes_moved(dtype, weight_dtype, output_dtype)


@dataclass(frozen=True)
class Gemm(Work):
    """C[m, n] = A[m, k] B[k, n]: m rows of inputs meet k x n weights. Whole numbers or arrays of them."""

    m: int
    n: int
    k: int

    def __post_init__(self):
        for name in ("m", "n", "k"):
            object.__setattr__(self, name, whole(name, getattr(self, name), unit="elements"))

    @property
    def flops(self):
        """Work [FLOP]: one multiply and one add for each of m x n x k products."""
        return 2 * self.m * self.n * self.k

    def bytes_moved(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Compulsory traffic [byte]: read A and B once, write C once; B and C may have formats of their own."""
        inputs = self.m * self.k * format_bytes(dtype)
        weights = self.k * self.n * format_bytes(own_or(weight_dtype, dtype))
        return inputs + weights + self.m * self.n * format_bytes(own_or(output_dtype, dtype))


def product(gemm):
    """A Gemm, or one clear line: what models ask of their `gemm`. Raises TypeError."""
    if not isinstance(gemm, Gemm):
        raise TypeError(f"gemm must be a product such as Gemm(m=64, n=4096, k=4096), not {type(gemm).__name__}")
    return gemm


Product = Given("a product such as Gemm(m=64, n=4096, k=4096)", product)  # for signatures


@dataclass(frozen=True)
class Conv(Work):
    """A 2-D convolution over [batch, in_channels, height, width]; square kernel, equal stride both ways."""

    batch: int
    height: int
    width: int
    in_channels: int
    out_channels: int
    kernel: int
    stride: int = 1
    padding: int = 0
    groups: int = 1

    def __post_init__(self):
        for name in ("batch", "height", "width", "in_channels", "out_channels", "kernel", "stride", "groups"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        object.__setattr__(self, "padding", whole("padding", self.padding, low=0))
        if np.any(self.in_channels % self.groups) or np.any(self.out_channels % self.groups):
            raise ValueError(
                f"groups = {self.groups} must divide in_channels = {self.in_channels} "
                f"and out_channels = {self.out_channels}"
            )
        if np.any(np.minimum(self.height, self.width) + 2 * self.padding < self.kernel):
            raise ValueError(
                f"kernel = {self.kernel} does not fit into {self.height} x {self.width} pixels "
                f"with padding = {self.padding}"
            )

    @property
    def out_height(self):
        return (self.height + 2 * self.padding - self.kernel) // self.stride + 1

    @property
    def out_width(self):
        return (self.width + 2 * self.padding - self.kernel) // self.stride + 1

    @property
    def gemm(self):
        """The product of one group that the convolution becomes: patches x filters."""
        return Gemm(
            m=self.batch * self.out_height * self.out_width,
            n=self.out_channels // self.groups,
            k=self.kernel**2 * self.in_channels // self.groups,
        )

    @property
    def flops(self):
        """Work [FLOP] of all groups; products with padding zeros are counted, as most tools do."""
        return self.groups * self.gemm.flops

    @property
    def im2col_factor(self):
        """Elements of the patch matrix / elements of the input: how often im2col would copy each pixel."""
        return self.out_height * self.out_width * self.kernel**2 / (self.height * self.width)

    def bytes_moved(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Compulsory traffic [byte]: the image, the filters and the result once each, no im2col copies."""
        image = self.batch * self.in_channels * self.height * self.width * format_bytes(dtype)
        filters = self.groups * self.gemm.k * self.gemm.n * format_bytes(own_or(weight_dtype, dtype))
        result = self.batch * self.out_channels * self.out_height * self.out_width
        return image + filters + result * format_bytes(own_or(output_dtype, dtype))


@dataclass(frozen=True)
class Elementwise(Work):
    """n elements, each with its own few FLOP, reads and writes: ReLU, normalisation, a pooled table lookup."""

    n: int
    flops_per_element: float = 1
    reads: float = 1
    writes: float = 1

    def __post_init__(self):
        object.__setattr__(self, "n", whole("n", self.n, unit="elements", high=10**24))
        for name in ("flops_per_element", "reads", "writes"):
            object.__setattr__(self, name, real(name, getattr(self, name), low=0, high=1e6))
        real("reads + writes", self.reads + self.writes, low=1e-6)

    @property
    def flops(self):
        return self.n * self.flops_per_element

    def bytes_moved(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Traffic [byte]: so many reads and writes of every element; there are no weights."""
        reads = self.reads * format_bytes(dtype)
        return self.n * (reads + self.writes * format_bytes(own_or(output_dtype, dtype)))


def own_or(own, dtype):
    """A format of its own, or that of the inputs."""
    return dtype if own is None else own


def relative_rate(flop_a, time_a, flop_b, time_b):
    """How many times faster class a runs than class b, from shares of FLOP and of time (any one unit)."""
    rate_a = real("flop_a", flop_a, low=0) / real("time_a", time_a)
    return rate_a / (real("flop_b", flop_b) / real("time_b", time_b))


def intensity(work, dtype="bf16"):
    """Arithmetic intensity [FLOP/byte] of a piece of work: what its compulsory traffic leaves."""
    return work.intensity(dtype)
