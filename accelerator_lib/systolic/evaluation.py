"""Evaluation: one question in one call. How long does this work take on this machine, mapped this way, and what binds?

    a chip              compute = FLOP / peak                                 (roofline)
    systolic arrays     compute = cycles of all folds / clock                 (edges, ramps and padding included)
    either              memory  = bytes / bandwidth;   the slower of the two, or their sum where nothing overlaps

Ignored: what roofline and closed_form ignore; work without products runs at the bandwidth of the memory.
"""

from dataclasses import dataclass, field

import numpy as np

from accelerator_lib import data, hardware, roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import BytesPerS, Count, Given, Number, Record, Switch, checked
from accelerator_lib.hardware import AChip, Chip, Format
from accelerator_lib.systolic import closed_form, layers
from accelerator_lib.workload import Conv, Gemm
from accelerator_lib.workload.work import SomeWork


@dataclass(frozen=True)
@checked
class Arrays:
    """Equal systolic arrays of edge x edge PEs behind one memory; `peaks` [OP/s] where formats differ in speed."""

    edge: Count(high=2**16)
    arrays: Count(high=2**20)
    clock_hz: Number(high=1e12, unit="Hz")
    bytes_per_s: BytesPerS
    peaks: dict = field(default_factory=dict)  # by format; empty: every format at one multiply-add a PE and clock
    name: str = "these arrays"

    def peak(self, dtype="bf16"):
        """Operations a second [OP/s] with every PE at work. Raises NotAvailable for a format that there is not."""
        if self.peaks and dtype not in self.peaks:
            raise NotAvailable(f"{self.name} have no {dtype} peak; there are {', '.join(self.peaks)}")
        return self.peaks.get(dtype) or hardware.peak_from_units(self.arrays * self.edge**2, 2, self.clock_hz)

    def seconds(self, cycles, dtype="bf16"):
        """Time [s] of so many cycles at one multiply-add a PE; a format with twice the peak takes half."""
        return cycles * 2 * self.arrays * self.edge**2 / self.peak(dtype)


@checked
def arrays_of(chip: AChip):
    """Arrays of a TPU by id: published edge, number, peaks, bandwidth; an unpublished clock is what a peak implies."""
    table = {entry["chip"]: entry for entry in data.load("systolic")["arrays"]}
    if chip.id not in table:
        raise NotAvailable(f"the arrays of {chip.name} are not published; there are those of {', '.join(table)}")
    edge, count = table[chip.id]["edge"], table[chip.id].get("arrays_from_peak", table[chip.id]["arrays"])
    slowest = min(chip.matrix.values())
    clock = chip.clock_hz or slowest / (2 * count * edge**2)
    return Arrays(edge, count, clock, chip.need("bytes_per_s"), dict(chip.matrix), f"the arrays of {chip.name}")


@dataclass(frozen=True)
@checked
class Plan:
    """How work is laid onto a machine."""

    dtype: Format = "bf16"
    weight_dtype: Format = None
    output_dtype: Format = None
    dataflow: closed_form.Dataflow = "ws"
    padded: Switch = False  # sizes padded to the vector registers
    ahead: Switch = True  # the next fold is loaded while this one runs
    overlap: Switch = True  # copies from the memory hide behind arithmetic


@dataclass(frozen=True)
class Evaluation:
    """Seconds of the two halves and of the whole, and the share of the machine's peak that useful work reaches."""

    compute_seconds: float
    memory_seconds: float
    seconds: float
    peak: float  # FLOP/s
    flops: float

    @property
    def bound(self):
        """What the other half waits for: "compute" or "memory"."""
        bound = np.where(np.asarray(self.compute_seconds) >= self.memory_seconds, "compute", "memory")
        return bound.item() if bound.ndim == 0 else bound

    flops_per_s = property(lambda self: self.flops / self.seconds)
    utilization = property(lambda self: self.flops_per_s / self.peak)


def _machine(machine):
    return machine if isinstance(machine, Arrays) else hardware.chip(machine)


Machine = Given("a chip, its id, or Arrays", _machine)
Mapping = Record(Plan, "a Plan such as Plan(dtype='int8', padded=True)")


@checked
def evaluate(work: SomeWork, machine: Machine, mapping: Mapping = None):
    """Evaluation of work on a chip's roofline, or on Arrays with their folds. Raises NotAvailable, TypeError."""
    plan = mapping or Plan()
    formats = plan.dtype, plan.weight_dtype, plan.output_dtype
    if isinstance(machine, Chip):
        placed = roofline.place(work, machine, *formats, overlap=plan.overlap)
        return Evaluation(placed.compute_seconds, placed.memory_seconds, placed.seconds, placed.peak, work.flops)
    compute = machine.seconds(_cycles(work, machine, plan), plan.dtype)
    memory = work.bytes_moved(*formats) / machine.bytes_per_s
    seconds = np.maximum(compute, memory) if plan.overlap else compute + memory
    seconds = seconds.item() if np.ndim(seconds) == 0 and hasattr(seconds, "item") else seconds
    return Evaluation(compute, memory, seconds, machine.peak(plan.dtype), work.flops)


def _cycles(work, machine, plan):
    """Cycles of all folds of a product or a convolution; other work takes none."""
    if not isinstance(work, (Gemm, Conv)):
        return 0.0
    gemm, groups = (work.gemm, work.groups) if isinstance(work, Conv) else (work, 1)
    gemm = layers.pad(gemm).full if plan.padded else gemm
    edge, flow = machine.edge, plan.dataflow
    return closed_form.cycles(gemm, edge, edge, flow, plan.ahead, arrays=machine.arrays, groups=groups).total
