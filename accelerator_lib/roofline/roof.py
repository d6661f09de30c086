"""Roofline: a kernel runs no faster than the arithmetic or the memory allows.

    attainable = min(peak, intensity x bandwidth)          [FLOP/s]
    seconds    = max(flops / peak, bytes / bandwidth)      + overhead

Ignored: caches that catch or spill traffic, tiles that do not fill the machine, clocks that droop under load.
Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore
architectures", CACM 52(4), 2009.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.hardware import Chip, format_bytes
from accelerator_lib.inputs import flag, real, whole
from accelerator_lib.workload.work import Work, own_or


def ridge_point(peak, bandwidth):
    """Intensity [FLOP/byte] at which a chip of this peak [FLOP/s] and bandwidth [B/s] changes its limit."""
    return real("peak", peak, unit="FLOP/s") / real("bandwidth", bandwidth, unit="B/s")


def ridge_of(chip, dtype="bf16"):
    """The ridge point [FLOP/byte] of a chip in a format. Raises NotAvailable."""
    chip = hardware.chip(chip)
    return ridge_point(chip.peak(dtype), chip.need("bytes_per_s"))


def attainable(intensity, peak, bandwidth):
    """Throughput [FLOP/s] at an arithmetic intensity [FLOP/byte]; scalars or arrays."""
    slope = real("intensity", intensity, low=0, unit="FLOP/byte") * real("bandwidth", bandwidth, unit="B/s")
    return _plain(np.minimum(real("peak", peak, unit="FLOP/s"), slope))


@dataclass(frozen=True, eq=False)
class Placed:
    """A kernel on a chip's roofline. Arrays where the work was given as arrays."""

    work: object
    chip: Chip
    dtype: str
    peak: float  # FLOP/s of the unit that has the format
    peak_unit: str
    intensity: float  # FLOP/byte
    compute_seconds: float
    memory_seconds: float
    seconds: float
    flops_per_s: float
    bound: str  # "memory" or "compute"

    @property
    def ridge_point(self):
        return ridge_point(self.peak, self.chip.bytes_per_s)

    @property
    def utilization(self):
        """Share of the peak that the kernel reaches, 0 to 1."""
        return self.flops_per_s / self.peak


def place(gemm, chip, dtype="bf16", weight_dtype=None, output_dtype=None, overlap=True, overhead_seconds=0):
    """Time and limit of a Gemm (or other work) on a chip: Placed.

    overlap=False adds arithmetic and traffic instead of hiding the shorter behind the longer. Raises
    NotAvailable for a format the chip lacks, or where its bandwidth is not published.
    """
    chip = hardware.chip(chip)
    if not isinstance(gemm, Work):
        raise TypeError(f"gemm must be a Gemm, Conv or Elementwise, not {type(gemm).__name__} {gemm!r}"[:120])
    peak = chip.peak(dtype)
    compute = gemm.flops / peak
    memory = gemm.bytes_moved(dtype, weight_dtype, output_dtype) / chip.need("bytes_per_s")
    busy = np.maximum(compute, memory) if flag("overlap", overlap) else compute + memory
    seconds = busy + real("overhead_seconds", overhead_seconds, low=0, unit="s")
    return Placed(
        work=gemm,
        chip=chip,
        dtype=dtype,
        peak=peak,
        peak_unit=chip.peak_unit(dtype),
        intensity=gemm.intensity(dtype, weight_dtype, output_dtype),
        compute_seconds=compute,
        memory_seconds=memory,
        seconds=_plain(seconds),
        flops_per_s=_plain(gemm.flops / seconds),
        bound=_plain(np.where(np.asarray(compute) >= memory, "compute", "memory")),
    )


def critical_batch(d_in, d_out, chip, dtype="bf16", weight_dtype=None):
    """Fewest rows for which a d_in -> d_out layer is compute-bound; None where no batch is enough.

    Each further row brings arithmetic, but also its own activations: m f >= weights + m a, with f the bytes that
    the memory delivers during one row's arithmetic and a the bytes of one row.
    """
    chip = hardware.chip(chip)
    d_in, d_out = whole("d_in", d_in), whole("d_out", d_out)
    weights = d_in * d_out * format_bytes(own_or(weight_dtype, dtype))
    per_row = 2 * d_in * d_out / ridge_point(chip.peak(dtype), chip.need("bytes_per_s"))
    spare = per_row - (d_in + d_out) * format_bytes(dtype)
    enough = np.vectorize(lambda bytes, left: None if left <= 0 else max(1, ceil(bytes / left)), otypes=[object])
    return _plain(enough(weights, spare))


def elementwise_seconds(n, reads, writes, dtype, chip):
    """Time [s] to read and write n elements so many times each at full memory bandwidth."""
    moved = real("n", n, low=0) * (real("reads", reads, low=0) + real("writes", writes, low=0))
    return moved * format_bytes(dtype) / hardware.chip(chip).need("bytes_per_s")


def _plain(value):
    """A Python scalar where NumPy made a 0-d result of scalars."""
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value
