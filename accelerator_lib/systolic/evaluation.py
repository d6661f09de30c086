"""Evaluation: one question in one call. How long does this work take on this machine, mapped this way, and what binds?

    a chip              compute = FLOP / peak                                 (roofline)
    systolic arrays     compute = cycles of all folds / clock                 (edges, ramps and padding included)
    either              memory  = bytes / bandwidth;   the slower of the two, or their sum where nothing overlaps

The first knows how fast a machine could be, the second also what its shape wastes. Ignored: what roofline and
closed_form ignore; work without products runs at the bandwidth of the memory.
"""

from dataclasses import dataclass

from accelerator_lib import data, hardware, roofline
from accelerator_lib.hardware import AChip, Chip, Format
from accelerator_lib.inputs import NotAvailable
from accelerator_lib.signature import BytesPerS, Count, Given, Number, OneOf, Switch, checked
from accelerator_lib.systolic import closed_form, layers
from accelerator_lib.systolic.wavefront import DATAFLOWS
from accelerator_lib.workload import Conv, Gemm, Work


@dataclass(frozen=True)
@checked
class Arrays:
    """Equal systolic arrays of edge x edge PEs behind one memory."""

    edge: Count(high=2**16)
    arrays: Count(high=2**20)
    clock_hz: Number(high=1e12, unit="Hz")
    bytes_per_s: BytesPerS

    @property
    def peak(self):
        """Operations a second [OP/s] with every PE at work."""
        return hardware.peak_from_units(self.arrays * self.edge**2, 2, self.clock_hz)


@checked
def arrays_of(chip: AChip, dtype: Format = "bf16"):
    """Arrays of a TPU by id: published edge, number and bandwidth; where no clock is, the one that gives the peak."""
    table = {entry["chip"]: entry for entry in data.load("systolic")["arrays"]}
    if chip.id not in table:
        raise NotAvailable(f"the arrays of {chip.name} are not published; there are those of {', '.join(table)}")
    edge, count = table[chip.id]["edge"], table[chip.id].get("arrays_from_peak", table[chip.id]["arrays"])
    clock = chip.clock_hz or chip.peak(dtype) / (2 * count * edge**2)
    return Arrays(edge, count, clock, chip.need("bytes_per_s"))


@dataclass(frozen=True)
@checked
class Plan:
    """How work is laid onto a machine: formats, what stays still, whether sizes are padded, whether copies hide."""

    dtype: Format = "bf16"
    weight_dtype: Format = None
    output_dtype: Format = None
    dataflow: OneOf(DATAFLOWS) = "ws"
    padded: Switch = False
    overlap: Switch = True


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
        return "compute" if self.compute_seconds >= self.memory_seconds else "memory"

    @property
    def flops_per_s(self):
        return self.flops / self.seconds

    @property
    def utilization(self):
        return self.flops_per_s / self.peak


def _work(work):
    if not isinstance(work, Work):
        raise TypeError(f"work must be a Gemm, Conv or Elementwise, not {type(work).__name__}")
    return work


def _machine(machine):
    return machine if isinstance(machine, Arrays) else hardware.chip(machine)


def _plan(plan):
    if plan is not None and not isinstance(plan, Plan):
        raise TypeError(f"mapping must be a Plan such as Plan(dtype='int8', padded=True), not {type(plan).__name__}")
    return plan


@checked
def evaluate(
    work: Given("a Gemm, Conv or Elementwise", _work),
    machine: Given("a chip, its id, or Arrays", _machine),
    mapping: Given("a Plan", _plan) = None,
):
    """Evaluation of work on a chip's roofline, or on Arrays with their folds. Raises NotAvailable, TypeError."""
    plan = mapping or Plan()
    formats = plan.dtype, plan.weight_dtype, plan.output_dtype
    if isinstance(machine, Chip):
        placed = roofline.place(work, machine, *formats, overlap=plan.overlap)
        return Evaluation(placed.compute_seconds, placed.memory_seconds, placed.seconds, placed.peak, work.flops)
    compute = _cycles(work, machine, plan) / machine.clock_hz
    memory = work.bytes_moved(*formats) / machine.bytes_per_s
    seconds = max(compute, memory) if plan.overlap else compute + memory
    return Evaluation(compute, memory, seconds, machine.peak, work.flops)


def _cycles(work, machine, plan):
    """Cycles of all folds of a product or a convolution; other work takes none."""
    if not isinstance(work, (Gemm, Conv)):
        return 0.0
    gemm, groups = (work.gemm, work.groups) if isinstance(work, Conv) else (work, 1)
    gemm = layers.pad(gemm).full if plan.padded else gemm
    edge, flow = machine.edge, plan.dataflow
    return closed_form.cycles(gemm, edge, edge, flow, plan.overlap, arrays=machine.arrays, groups=groups).total
