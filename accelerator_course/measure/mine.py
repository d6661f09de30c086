"""Mine: what was measured on one machine, in base units, and the chip that the models are to think it is.

Where the device is one of the published chips, its peaks are those; else they are estimated from the file itself (the
fastest product, the fastest stream over arrays larger than the caches), and the name of the chip says so. Its rows are
like published ones (data/measured.yaml), so that one door predicts both; streams that a cache may have served are left
out, as are launches: no published row is like them.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from accelerator_course import syllabus
from accelerator_lib import hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.hardware import Chip


@dataclass(frozen=True)
class Measurement:
    """One kernel at one size: seconds of a run (median), between which the middle 80 % of the repeats lie."""

    group: str
    name: str
    conditions: dict
    flops: float
    bytes_moved: float  # that it has to move, were every operand moved once
    seconds: float
    low: float
    high: float
    repeats: int
    calls: int = 1

    flops_per_s = property(lambda self: self.flops / self.seconds)
    bytes_per_s = property(lambda self: self.bytes_moved / self.seconds)
    intensity = property(lambda self: self.flops / self.bytes_moved)  # FLOP per byte
    # width of the middle 80 % of the repeats over the median
    spread = property(lambda self: (self.high - self.low) / self.seconds)


@dataclass(frozen=True)
class Mine:
    """A file of measurements."""

    platform: str  # cpu, gpu or tpu
    name: str
    count: int
    cores: int | None
    clock_hz: float | None
    cache_bytes: float | None
    driver: str | None
    date: str
    complete: bool
    versions: dict
    measurements: tuple

    def of(self, group):
        """The measurements of a group, small to large."""
        return tuple(each for each in self.measurements if each.group == group)

    @cached_property
    def known(self):
        """The published chip that this device is, or None."""
        for pattern, id in syllabus.load("measure")["chips"].items():
            if re.search(pattern, self.name):
                return hardware.chip(id)
        return None

    @cached_property
    def from_memory(self):
        """Streams over arrays that no cache holds, or the largest where the caches' sizes are not known."""
        streams = self.of("streams")
        sizes = [each.conditions.get("array_bytes", 0) for each in streams]
        least = min(2 * self.cache_bytes, max(sizes, default=0)) if self.cache_bytes else max(sizes, default=0)
        return tuple(each for each, size in zip(streams, sizes, strict=True) if size >= least)

    @cached_property
    def best_product(self):
        """The fastest product, or None."""
        made = [each for group in ("products", "decode") for each in self.of(group)]
        return max(made, key=lambda each: each.flops_per_s, default=None)

    @cached_property
    def best_stream(self):
        """The fastest stream from memory, or None."""
        return max(self.from_memory, key=lambda each: each.bytes_per_s, default=None)

    @cached_property
    def chip(self):
        """The chip of the models. Raises NotAvailable where the file holds too little to estimate one."""
        if self.known:
            return self.known
        if not (self.best_product and self.best_stream):
            lacks = "the file has no product or no stream to judge by"
            raise NotAvailable(f"{self.name} is no published chip, and {lacks}")
        return Chip(
            id="measured-here",
            name=f"{self.name}, peaks estimated from its own measurements",
            vector={self.dtype: self.best_product.flops_per_s},
            bytes_per_s=self.best_stream.bytes_per_s,
            kind=self.platform,
            units=self.cores,
            unit="core",
        )

    estimated = property(lambda self: self.known is None)  # whether the chip's peaks are estimated from this file

    def rows(self):
        """The measurements of a published kind as such rows, device named from the file, basis "measured here"."""
        kept = [each for each in self.measurements if each.group in MAKERS]
        return tuple(_row(self, each) for each in kept if each.group != "streams" or each in self.from_memory)

    # the format of the products
    dtype = property(lambda self: self.best_product.conditions.get("dtype", "fp32") if self.best_product else "fp32")


BASIS = "measured here"


def identity(group, name):
    """The id of a measurement's row."""
    return f"measured_{group}_{re.sub('[^a-z0-9]+', '_', name.lower()).strip('_')}"


def _row(mine, each):
    kind, workload, metric, value, unit = MAKERS[each.group](each)
    method = f"median of {each.repeats * each.calls} runs after a warm-up"
    return {
        "id": identity(each.group, each.name),
        "kind": kind,
        "chip": mine.known.id if mine.known else None,
        "device": mine.known.name if mine.known else mine.name,
        "n_devices": each.conditions.get("devices", 1),
        "workload": workload,
        "conditions": {**each.conditions, "spread": each.spread, "method": method},
        "metric": metric,
        "value": value,
        "unit": unit,
        "source": f"python -m accelerator_course.measure, {mine.date[:10]}",
        "basis": BASIS,
    }


def _product(each):
    words = "dense matmul" if each.group == "products" else "dense matmul, one weight matrix and few rows"
    workload = f"{words} {str(each.conditions.get('dtype', '')).upper()}".strip()
    return "gemm", workload, "throughput", each.flops_per_s / 1e12, "TFLOP/s"


def _stream(each):
    workload = f"streaming kernel: {each.conditions.get('kernel', each.name)}"
    return "memory_bandwidth", workload, "bandwidth", each.bytes_per_s / 1e9, "GB/s"


MAKERS = {  # kind, workload, metric, value, unit
    "products": _product,
    "decode": _product,
    "streams": _stream,
    "attention": lambda each: ("attention", "standard attention", "runtime", 1e3 * each.seconds, "ms"),
    "collectives": lambda each: ("collective", "all-reduce", "bus_bandwidth", each.bytes_per_s / 1e9, "GB/s"),
}
