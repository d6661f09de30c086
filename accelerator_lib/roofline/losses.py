"""Losses: what lies between the roof and a measured speed.

    step     = work + kernels x launch
    achieved = wave x clock x matmul share / (1 + (1 - overlap))
    layer    = arithmetic + waiting for operands + element-wise steps + launches

Ignored: that losses influence one another (a lower clock also hides more traffic), launches that overlap with work.
"""

from dataclasses import dataclass
from math import prod

from accelerator_lib.inputs import real, share, whole
from accelerator_lib.roofline.roof import place
from accelerator_lib.workload import Gemm, transformer


@dataclass(frozen=True)
class LaunchedStep:
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
    """A step of so many kernels, each started after the last one ended: LaunchedStep. Nothing is hidden or captured."""
    return LaunchedStep(
        whole("kernels", kernels, low=0),
        real("work_seconds", work_seconds, unit="s"),
        real("launch_seconds", launch_seconds, low=0, unit="s"),
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


def from_peak(wave=0.82, clock=0.90, matmul_share=0.80, overlap=0.70):
    """The four losses between peak and training speed, each a share of one: Losses.

    Unhidden traffic is taken to last as long as the arithmetic; overlap is the part of it that is hidden.
    """
    return Losses(
        real("wave", wave, low=0.01, high=1),
        real("clock", clock, low=0.01, high=1),
        real("matmul_share", matmul_share, low=0.01, high=1),
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
    placed = [place(work, chip, dtype) for work in transformer.layer(tokens, d_model, d_ff).values()]
    products = [p for p in placed if isinstance(p.work, Gemm)]
    separate = [p for p in placed if not isinstance(p.work, Gemm)]
    alone = 1 - share("fused", fused)
    return LayerTime(
        tensor_seconds=sum(p.compute_seconds for p in products),
        waiting_seconds=sum(p.seconds - p.compute_seconds for p in products),
        elementwise_seconds=alone * sum(p.memory_seconds for p in separate),
        launch_seconds=real("launch_seconds", launch_seconds, low=0) * (len(products) + alone * len(separate)),
    )
