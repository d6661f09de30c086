"""Measure: the roofline of the machine that runs this notebook, with JAX on whatever device it has.

    bandwidth   the fastest of two streams over arrays too large for most caches
    peak        the fastest of three fp32 matrix products
    operations  six real jitted kernels: time by the clock, FLOP and bytes by XLA's own cost analysis

Every kernel is compiled and run once before the clock starts; times are medians of repeats, each waited for.
Ignored: write-allocate traffic, other programs on the machine, clocks that change while it runs.
"""

import gc
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from accelerator_lib import roofline, settings
from accelerator_lib.hardware import Chip
from accelerator_lib.machine import kernels
from accelerator_lib.workload import Elementwise


@dataclass(frozen=True)
class Timing:
    """Seconds of one run: the median, and where the middle 80 % of the repeats lie."""

    seconds: float
    low: float
    high: float
    repeats: int

    @property
    def spread(self):
        """Width of the middle 80 % over the median."""
        return (self.high - self.low) / self.seconds


@dataclass(frozen=True)
class Operation:
    """One jitted kernel: the model's count beside XLA's, and the measured time."""

    name: str
    work: object  # the model's Gemm or Elementwise
    xla_flops: float
    xla_bytes: float
    timing: Timing

    @property
    def intensity(self):
        """FLOP per byte by XLA's count."""
        return self.xla_flops / self.xla_bytes

    @property
    def flops_per_s(self):
        return self.xla_flops / self.timing.seconds


@dataclass(frozen=True)
class Machine:
    """What was measured. `chip` stands in the sliders like any other."""

    device: str
    peak: float  # FLOP/s, fp32
    peak_timing: Timing
    bytes_per_s: float
    bytes_timing: Timing
    level: str  # what the stream ran against: "memory" or "cache or memory"
    versions: str
    operations: tuple = ()

    @property
    def chip(self):
        name = f"this machine ({self.device})"
        return Chip(id="this-machine", name=name, vector={"fp32": self.peak}, bytes_per_s=self.bytes_per_s)

    @property
    def placed(self):
        """The measured operations on the measured roof: pairs of a name and a roofline.Placed."""
        chip, ridge = self.chip, roofline.ridge_point(self.peak, self.bytes_per_s)
        return [
            (
                operation.name,
                roofline.Placed(
                    work=operation.work,
                    chip=chip,
                    dtype="fp32",
                    peak=self.peak,
                    peak_unit=chip.peak_unit("fp32"),
                    intensity=operation.intensity,
                    compute_seconds=operation.xla_flops / self.peak,
                    memory_seconds=operation.xla_bytes / self.bytes_per_s,
                    seconds=operation.timing.seconds,
                    flops_per_s=operation.flops_per_s,
                    bound="compute" if operation.intensity >= ridge else "memory",
                ),
            )
            for operation in self.operations
        ]


@dataclass(frozen=True)
class Progress:
    """How far the measurement is; the last one carries the Machine."""

    fraction: float
    doing: str
    machine: Machine | None = None


def machine():
    """Measure this machine: yields Progress, about 10 s in all (1 s in short mode), arrays of at most 64 MB."""
    import jax

    device = jax.devices()[0]
    large = 1024 if device.platform == "cpu" else 2048  # edge of a product that fills the machine
    streams, products, operations = kernels.streams(), kernels.products(large), kernels.operations(large)
    steps = len(streams) + len(products) + len(operations)
    done = 0

    def progress(doing):
        nonlocal done
        done += 1
        gc.collect()  # the last kernel's arrays go before the next one's come
        return Progress((done - 1) / steps, doing)

    rates = []
    for name, (make, moved) in streams.items():
        yield progress(f"streaming: {name}")
        rates.append((moved, _run(*make(), in_place=True)[1]))
    speeds = []
    for size, (make, flops) in products.items():
        yield progress(f"matrix product {size}")
        speeds.append((flops, _run(*make())[1]))
    moved, bytes_timing = max(rates, key=lambda rate: rate[0] / rate[1].seconds)
    flops, peak_timing = max(speeds, key=lambda rate: rate[0] / rate[1].seconds)
    found = Machine(
        device=f"{device.device_kind}, {os.cpu_count()} cores" if device.platform == "cpu" else device.device_kind,
        peak=flops / peak_timing.seconds,
        peak_timing=peak_timing,
        bytes_per_s=moved / bytes_timing.seconds,
        bytes_timing=bytes_timing,
        level=_level(device.platform),
        versions=f"jax {jax.__version__}, numpy {np.__version__}",
    )
    placed = []
    for name, (make, work) in operations.items():
        yield progress(name)
        cost, timing = _run(*make(), in_place=isinstance(work, Elementwise))
        placed.append(Operation(name, work, cost["flops"], cost["bytes accessed"], timing))
    yield Progress(1.0, "done", replace(found, operations=tuple(placed)))


def caches():
    """{"L1": bytes, "L2": ...}: data caches of one core, as the operating system reports them; {} where it does not."""
    found = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            kind, level, size = ((folder / name).read_text().strip() for name in ("type", "level", "size"))
        except OSError:
            continue
        factor = {"K": 2**10, "M": 2**20, "G": 2**30}.get(size[-1:])
        if kind != "Instruction":
            found[f"L{level}"] = int(size[:-1]) * factor if factor else int(size)
    return found


def cache_bytes():
    """Size [byte] of the largest cache that the operating system reports; None where it does not say."""
    return max(caches().values(), default=None)


def _level(platform):
    cache = cache_bytes() if platform == "cpu" else 0
    if cache is None:
        return "memory, if the caches are smaller than 64 MB"
    return "cache or memory" if cache >= kernels.TOTAL_BYTES else "memory"


def _run(function, *arguments, in_place=False):
    """Compile, warm up, repeat for a while: (XLA's cost analysis, Timing).

    In place, the result takes over the memory of the first argument (donation): else the clock would count the
    operating system handing out fresh pages, which costs more than the stream itself.
    """
    import jax

    lowered = jax.jit(function, donate_argnums=(0,) if in_place else ()).lower(*arguments)
    compiled = lowered.compile()
    cost = compiled.cost_analysis() or lowered.cost_analysis()
    cost = cost[0] if isinstance(cost, list) else cost
    first, *others = arguments

    def once():
        nonlocal first
        result = jax.block_until_ready(compiled(first, *others))
        first = result if in_place else first

    once()
    budget, least = (0.03, 3) if settings.short() else (0.6, 7)
    seconds, start = [], time.perf_counter()
    while len(seconds) < least or (time.perf_counter() - start < budget and len(seconds) < 1000):
        begin = time.perf_counter()
        once()
        seconds.append(time.perf_counter() - begin)
    low, median, high = np.quantile(seconds, (0.1, 0.5, 0.9))
    return cost, Timing(float(median), float(low), float(high), len(seconds))
