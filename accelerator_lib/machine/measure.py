"""Measure: the roofline of the machine that runs this notebook, with JAX on whatever device it has.

    bandwidth   the fastest of two streams over arrays too large for most caches
    peak        the fastest of three fp32 matrix products
    operations  six real jitted kernels: time by the clock, FLOP and bytes by XLA's own cost analysis

Ignored: write-allocate traffic, other programs on the machine, clocks that change while it runs.
"""

import gc
import os
from dataclasses import dataclass

import numpy as np

from accelerator_lib import roofline
from accelerator_lib.hardware import Chip
from accelerator_lib.machine import kernels, system
from accelerator_lib.machine.progress import Progress
from accelerator_lib.machine.timing import Timing, run
from accelerator_lib.recorded import or_recorded, place
from accelerator_lib.workload import Elementwise


@dataclass(frozen=True)
class Operation:
    """One jitted kernel: the model's count beside XLA's, and the measured time."""

    name: str
    work: object  # the model's Gemm or Elementwise
    xla_flops: float
    xla_bytes: float
    timing: Timing

    intensity = property(lambda self: self.xla_flops / self.xla_bytes)  # FLOP per byte by XLA's count
    flops_per_s = property(lambda self: self.xla_flops / self.timing.seconds)


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

    whose = property(lambda self: place())  # what to call it: this machine, or the recorded one

    @property
    def chip(self):
        name = f"{self.whose} ({self.device})"
        return Chip(id="this-machine", name=name, vector={"fp32": self.peak}, bytes_per_s=self.bytes_per_s)

    ridge_point = property(lambda self: roofline.ridge_point(self.peak, self.bytes_per_s))

    def placed(self):
        """The measured operations on the measured roof: roofline.Group."""
        return roofline.Group(tuple((operation.name, self._placed(operation)) for operation in self.operations))

    def _placed(self, operation):
        times = operation.xla_flops / self.peak, operation.xla_bytes / self.bytes_per_s, operation.timing.seconds
        return roofline.Placed(operation.work, self.chip, "fp32", operation.intensity, *times, operation.flops_per_s)


@or_recorded
def machine():
    """Measure this machine: yields Progress, about 10 s in all (1 s in short mode), arrays of at most 64 MB."""
    import jax

    device = jax.devices()[0]
    large = 1024 if device.platform == "cpu" else 2048  # edge of a product that fills the machine
    streams, products, operations = kernels.streams(), kernels.products(large), kernels.operations(large)
    names = iter([*(f"streaming: {name}" for name in streams), *(f"matrix product {n}" for n in products), *operations])
    steps = len(streams) + len(products) + len(operations)
    rates, speeds, timed = [], [], []

    def progress():
        gc.collect()  # the last kernel's arrays go before the next one's come
        return Progress((len(rates) + len(speeds) + len(timed)) / steps, next(names))

    for make, moved in streams.values():
        yield progress()
        rates.append((moved, run(*make(), in_place=True)[1]))
    for make, flops in products.values():
        yield progress()
        speeds.append((flops, run(*make())[1]))
    for name, (make, work) in operations.items():
        yield progress()
        cost, timing = run(*make(), in_place=isinstance(work, Elementwise))
        timed.append(Operation(name, work, cost["flops"], cost["bytes"], timing))
    moved, bytes_timing = max(rates, key=lambda rate: rate[0] / rate[1].seconds)
    flops, peak_timing = max(speeds, key=lambda rate: rate[0] / rate[1].seconds)
    name = f"{device.device_kind}, {os.cpu_count()} cores" if device.platform == "cpu" else device.device_kind
    ran, versions = level(device.platform, system.cache_bytes()), f"jax {jax.__version__}, numpy {np.__version__}"
    peak, rate = (flops / peak_timing.seconds, peak_timing), (moved / bytes_timing.seconds, bytes_timing)
    yield Progress(1.0, "done", Machine(name, *peak, *rate, ran, versions, tuple(timed)))


def level(platform, cache_bytes):
    """What the streams ran against: arrays of 64 MB, and the largest cache that the system reports (or None)."""
    if platform != "cpu":
        return "memory"
    if cache_bytes is None:
        return "memory, if the caches are smaller than 64 MB"
    return "cache or memory" if cache_bytes >= kernels.TOTAL_BYTES else "memory"
