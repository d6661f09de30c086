"""Roofline: a kernel runs no faster than the arithmetic or the memory allows.

    attainable = min(peak, intensity x bandwidth)          [FLOP/s]
    seconds    = max(flops / peak, bytes / bandwidth)      + overhead

Ignored: caches that catch or spill traffic, tiles that do not fill the machine, clocks that droop under load.
Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore
architectures", CACM 52(4), 2009.
"""

from dataclasses import dataclass
from math import ceil, prod

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.hardware import Chip, format_bytes
from accelerator_lib.inputs import flag, number, share, whole
from accelerator_lib.workload import Gemm, Work, transformer_layer


def ridge_point(peak, bandwidth):
    """Intensity [FLOP/byte] at which a chip of this peak [FLOP/s] and bandwidth [B/s] changes its limit."""
    return number("peak", peak, unit="FLOP/s") / number("bandwidth", bandwidth, unit="B/s")


def attainable(intensity, peak, bandwidth):
    """Throughput [FLOP/s] at an arithmetic intensity [FLOP/byte]; scalars or arrays."""
    slope = number("intensity", intensity, low=0, unit="FLOP/byte") * number("bandwidth", bandwidth, unit="B/s")
    return _plain(np.minimum(number("peak", peak, unit="FLOP/s"), slope))


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
    seconds = busy + number("overhead_seconds", overhead_seconds, low=0, unit="s")
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
    weights = d_in * d_out * format_bytes(weight_dtype or dtype)
    per_row = 2 * d_in * d_out / ridge_point(chip.peak(dtype), chip.need("bytes_per_s"))
    spare = per_row - (d_in + d_out) * format_bytes(dtype)
    enough = np.vectorize(lambda bytes, left: None if left <= 0 else max(1, ceil(bytes / left)), otypes=[object])
    return _plain(enough(weights, spare))


def elementwise_seconds(n, reads, writes, dtype, chip):
    """Time [s] to read and write n elements so many times each at full memory bandwidth."""
    moved = number("n", n, low=0) * (number("reads", reads, low=0) + number("writes", writes, low=0))
    return moved * format_bytes(dtype) / hardware.chip(chip).need("bytes_per_s")


def mfu(params, tokens_per_s, n_chips, peak, flops_per_param=6):
    """Model FLOP utilisation: FLOP/s the model needs / peak of all chips; training takes 6 a parameter and token."""
    needed = (
        number("flops_per_param", flops_per_param)
        * number("params", params)
        * number("tokens_per_s", tokens_per_s, low=0)
    )
    return needed / (number("n_chips", n_chips) * number("peak", peak, unit="FLOP/s"))


def mbu(bytes_per_step, seconds, bytes_per_s):
    """Memory bandwidth utilisation: bytes a step has to move / seconds it took / bandwidth [B/s]."""
    moved = number("bytes_per_step", bytes_per_step, low=0, unit="B")
    return moved / number("seconds", seconds, unit="s") / number("bytes_per_s", bytes_per_s, unit="B/s")


def amdahl(fraction, speedup):
    """Speed-up of the whole when `fraction` of its time runs `speedup` times faster; scalars or arrays."""
    part = share("fraction", fraction)
    return 1 / (1 - part + part / number("speedup", speedup))


@dataclass(frozen=True)
class Step:
    """One step of a model: useful seconds, and the seconds spent on starting kernels."""

    kernels: int
    work_seconds: float
    launch_seconds: float

    @property
    def overhead_seconds(self):
        return self.kernels * self.launch_seconds

    @property
    def seconds(self):
        return self.work_seconds + self.overhead_seconds

    @property
    def added(self):
        """Overhead as a share of the useful time."""
        return self.overhead_seconds / self.work_seconds


def launched_step(kernels, launch_seconds, work_seconds):
    """A step of so many kernels, each started after the last one ended: Step. Nothing is hidden or captured."""
    return Step(
        whole("kernels", kernels, low=0),
        number("work_seconds", work_seconds, unit="s"),
        number("launch_seconds", launch_seconds, low=0, unit="s"),
    )


@dataclass(frozen=True)
class Losses:
    """What is left of the datasheet peak after each loss, in order; shares of one."""

    wave: float
    clock: float
    matmul_share: float
    overlap: float

    @property
    def factors(self):
        """Each loss as a factor: {name: what it leaves}."""
        waiting = 1 / (1 + (1 - self.overlap))
        return {
            "partial waves": self.wave,
            "power-capped clock": self.clock,
            "not matmul": self.matmul_share,
            "traffic not hidden": waiting,
        }

    @property
    def achieved(self):
        """wave x clock x share / (1 + (1 - overlap))."""
        return prod(self.factors.values())


def losses(wave=0.82, clock=0.90, matmul_share=0.80, overlap=0.70):
    """The four losses between peak and training speed, each a share of one: Losses.

    Unhidden traffic is taken to last as long as the arithmetic; overlap is the part of it that is hidden.
    """
    return Losses(
        number("wave", wave, low=0.01, high=1),
        number("clock", clock, low=0.01, high=1),
        number("matmul_share", matmul_share, low=0.01, high=1),
        share("overlap", overlap),
    )


@dataclass(frozen=True)
class LayerTime:
    """Where the time of one transformer layer goes [s]."""

    tensor_seconds: float  # arithmetic at the matrix unit's peak
    waiting_seconds: float  # products waiting for their operands
    elementwise_seconds: float
    launch_seconds: float

    @property
    def seconds(self):
        return self.tensor_seconds + self.waiting_seconds + self.elementwise_seconds + self.launch_seconds

    @property
    def utilization(self):
        """Share of the time in which the matrix unit does useful work."""
        return self.tensor_seconds / self.seconds


def layer_time(tokens, chip, fused=0.0, launch_seconds=0.0, dtype="bf16", d_model=4096, d_ff=11008):
    """One forward transformer layer, products and element-wise steps one after the other: LayerTime.

    `fused` of the element-wise steps ride along with a product: no launch and no traffic of their own.
    """
    placed = {name: place(work, chip, dtype) for name, work in transformer_layer(tokens, d_model, d_ff).items()}
    products = [p for p in placed.values() if isinstance(p.work, Gemm)]
    separate = [p for p in placed.values() if not isinstance(p.work, Gemm)]
    alone = 1 - share("fused", fused)
    return LayerTime(
        tensor_seconds=sum(p.compute_seconds for p in products),
        waiting_seconds=sum(p.seconds - p.compute_seconds for p in products),
        elementwise_seconds=alone * sum(p.memory_seconds for p in separate),
        launch_seconds=number("launch_seconds", launch_seconds, low=0) * (len(products) + alone * len(separate)),
    )


def _plain(value):
    """A Python scalar where NumPy made a 0-d result of scalars."""
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value
