"""Roofline: a kernel runs no faster than the arithmetic or the memory allows.

    attainable = min(peak, intensity x bandwidth)                       [FLOP/s]; in turns, both times add
    seconds    = max(flops / peak, bytes / bandwidth)      + overhead

Ignored: caches that catch or spill traffic, tiles that do not fill the machine, clocks that droop under load. Source:
Williams, Waterman, Patterson, "Roofline: an insightful visual performance model", CACM 52(4), 2009.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import BytesPerS, FlopsPerS, Given, Number, Record, Single, Switch, Whole, checked
from accelerator_lib.hardware import AChip, Chip, Format, format_bytes
from accelerator_lib.workload.work import Work, own_or

Intensity, Some = Number(low=0, unit="FLOP/byte"), Number(low=0)


@checked
def ridge_point(peak: FlopsPerS, bandwidth: BytesPerS):
    """Intensity [FLOP/byte] at which a chip of this peak [FLOP/s] and bandwidth [B/s] changes its limit."""
    return peak / bandwidth


@checked
def ridge_of(chip: AChip, dtype: Format = "bf16"):
    """The ridge point [FLOP/byte] of a chip in a format. Raises NotAvailable."""
    return ridge_point(chip.peak(dtype), chip.need("bytes_per_s"))


@checked
def attainable(intensity: Intensity, peak: FlopsPerS, bandwidth: BytesPerS, overlap: Switch = True):
    """Throughput [FLOP/s] at an arithmetic intensity [FLOP/byte]; scalars or arrays.
    overlap=False: fetching and arithmetic take turns, and their times add."""
    fed = intensity * bandwidth
    return plain(np.minimum(peak, fed) if overlap else peak * fed / (peak + fed))


@checked
def limit(intensity: Single(Intensity), peak: Single(FlopsPerS), bandwidth: Single(BytesPerS)):
    """Which of the two binds at one intensity: "memory" or "compute"."""
    return binding(compute=intensity, memory=ridge_point(peak, bandwidth))


def binding(**sizes):
    """The name of what binds: the largest of {name: seconds, or what stands for them}; of equals, the first."""
    if not any(np.ndim(size) for size in sizes.values()):
        return max(sizes, key=sizes.get)
    return np.array([*sizes])[np.argmax(np.broadcast_arrays(*sizes.values()), axis=0)]


@dataclass(frozen=True, eq=False)
class Placed:
    """A kernel on a chip's roofline. Arrays where the work was given as arrays."""

    work: object
    chip: Chip
    dtype: str
    intensity: float  # FLOP/byte
    compute_seconds: float
    memory_seconds: float
    seconds: float
    flops_per_s: float

    bound = property(lambda self: binding(compute=self.compute_seconds, memory=self.memory_seconds))
    peak = property(lambda self: self.chip.peak(self.dtype))  # FLOP/s of the unit that has the format
    peak_unit = property(lambda self: self.chip.peak_unit(self.dtype))
    bandwidth = property(lambda self: self.chip.bytes_per_s)  # what the chip's memory delivers [B/s]
    ridge_point = property(lambda self: ridge_point(self.peak, self.bandwidth))
    # throughput [FLOP/s] that the chip allows at this intensity; a kernel that hides nothing stays below
    roof = property(lambda self: attainable(self.intensity, self.peak, self.bandwidth))
    # share of the peak that the kernel reaches, 0 to 1
    utilization = property(lambda self: self.flops_per_s / self.peak)


@checked
def place(
    gemm: Record(Work, "a Gemm, Conv or Elementwise"),
    chip: AChip,
    dtype: Format = "bf16",
    weight_dtype: Format = None,
    output_dtype: Format = None,
    overlap: Switch = True,
    overhead_seconds: Number(low=0, unit="s") = 0,
):
    """Time and limit of a Gemm (or other work) on a chip: Placed.
    overlap=False adds arithmetic and traffic instead of hiding the shorter behind the longer. Raises
    NotAvailable for a format the chip lacks, or where its bandwidth is not published."""
    compute = gemm.flops / chip.peak(dtype)
    memory = gemm.bytes_moved(dtype, weight_dtype, output_dtype) / chip.need("bytes_per_s")
    seconds = (np.maximum(compute, memory) if overlap else compute + memory) + overhead_seconds
    intensity = gemm.intensity(dtype, weight_dtype, output_dtype)
    return Placed(gemm, chip, dtype, intensity, compute, memory, plain(seconds), plain(gemm.flops / seconds))


@checked
def elementwise_seconds(n: Some, reads: Some, writes: Some, dtype: Format, chip: AChip):
    """Time [s] to read and write n elements so many times each at full memory bandwidth."""
    return n * (reads + writes) * format_bytes(dtype) / chip.need("bytes_per_s")


@checked
def critical_batch(d_in: Whole(), d_out: Whole(), chip: AChip, dtype: Format = "bf16", weight_dtype: Format = None):
    """Fewest rows for which a d_in -> d_out layer is compute-bound; None where no batch is enough.
    m f >= weights + m a: f bytes can come during a row's arithmetic, a are its own. More than the ridge suggests."""
    weights = d_in * d_out * format_bytes(own_or(weight_dtype, dtype))
    spare = 2 * d_in * d_out / ridge_of(chip, dtype) - (d_in + d_out) * format_bytes(dtype)
    enough = np.vectorize(lambda bytes, left: None if left <= 0 else max(1, ceil(bytes / left)), otypes=[object])
    return enough(weights, spare)[()]


def _named(works):
    if not isinstance(works, (dict, list, tuple)) or not works:
        raise TypeError(f"works must be named work such as {{'ReLU': Elementwise(10**6)}}, not {described(works)}")
    pairs = list(works.items()) if isinstance(works, dict) else list(works)
    if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise TypeError("works must be {name: work}, or pairs of a name and a piece of work")
    return pairs


@dataclass(frozen=True)
class Group:
    """Named kernels on one chip, all in one format: pairs of a name and a Placed; a name may occur again."""

    kernels: tuple

    # the names of those that are memory-bound
    waiting = property(lambda self: [name for name, placed in self.kernels if placed.bound == "memory"])

    @property
    def waiting_share(self):
        """FLOP of the memory-bound kernels / FLOP of all; 0 where nothing is calculated."""
        waiting = sum(placed.work.flops for _, placed in self.kernels if placed.bound == "memory")
        return waiting / (sum(placed.work.flops for _, placed in self.kernels) or 1)


@checked
def place_all(works: Given("{name: work}, or pairs of them", _named), chip: AChip, dtype: Format = "bf16"):
    """Every kernel of {name: work}, or of such pairs, on a chip: Group. Raises NotAvailable."""
    return Group(tuple((name, place(work, chip, dtype)) for name, work in works))


def plain(value):
    """A Python scalar where NumPy made a 0-d result of scalars."""
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value
