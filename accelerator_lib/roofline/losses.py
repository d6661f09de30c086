"""Losses: what lies between the roof and a measured speed.

    step     = launch + (kernels - 1) x max(launch, kernel) + kernel          kernel = work / kernels
    layer    = arithmetic + waiting for operands + element-wise steps + launches

Launches are queued ahead: a kernel hides the launch of its successor, and where launches are longer than kernels, the
queue runs dry. Ignored: a full queue.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Number, Seconds, Share, Switch, Whole, checked
from accelerator_lib.hardware import AChip, Format
from accelerator_lib.roofline.roof import place
from accelerator_lib.workload import transformer
from accelerator_lib.workload.transformer import LLAMA
from accelerator_lib.workload.work import Gemm

Launch = Number(low=0, unit="s")


@dataclass(frozen=True)
class LaunchedStep:
    """One step of a model in kernels of equal length: useful seconds, and those of waiting for launches."""

    kernels: int
    launch_seconds: float
    work_seconds: float

    @property
    def kernel_seconds(self):
        """The work of one kernel."""
        return self.work_seconds / np.maximum(self.kernels, 1)

    @property
    def idle_seconds(self):
        """The first launch, and what every other launch is longer than the kernel that hides it."""
        gap = np.maximum(0.0, self.launch_seconds - self.kernel_seconds)
        return np.minimum(self.kernels, 1) * self.launch_seconds + np.maximum(self.kernels - 1, 0) * gap

    @property
    def seconds(self):
        return self.work_seconds + self.idle_seconds

    @property
    def limit(self):
        """Which of the two sets the pace: "work" or "launches"."""
        return "launches" if self.launch_seconds > self.kernel_seconds else "work"

    @property
    def steady_seconds(self):
        """One of many such steps in a row, their launches queued ahead: each kernel hides the launch of the next."""
        return np.maximum(self.kernels * self.launch_seconds, self.work_seconds)

    @property
    def one_by_one_seconds(self):
        """How long it would take if every launch waited for the kernel before it to end."""
        return self.work_seconds + self.kernels * self.launch_seconds


@checked
def launched_step(kernels: Whole(low=0), launch_seconds: Launch, work_seconds: Seconds):
    """A step in so many equal kernels, their launches queued ahead from an empty queue: LaunchedStep."""
    return LaunchedStep(kernels, launch_seconds, work_seconds)


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
    def shares(self):
        """Each part of the time as a share of it: {what happens: share}."""
        return {
            "matrix unit works": self.tensor_seconds / self.seconds,
            "products wait for weights": self.waiting_seconds / self.seconds,
            "norms, residuals, activation": self.elementwise_seconds / self.seconds,
            "kernel launches": self.launch_seconds / self.seconds,
        }

    @property
    def utilization(self):
        """Share of the time in which the matrix unit does useful work."""
        return self.tensor_seconds / self.seconds


@checked
def layer_time(
    tokens: Whole(),
    chip: AChip,
    fused: Share = 0.0,
    launch_seconds: Launch = 0.0,
    queued: Switch = False,
    dtype: Format = "bf16",
    d_model: Whole() = LLAMA.d_model,
    d_ff: Whole() = LLAMA.d_ff,
):
    """One forward transformer layer, products and element-wise steps one after the other: LayerTime.

    `fused` of the element-wise steps ride along with a product: no launch and no traffic of their own. Launches that
    are `queued` run ahead, layer after layer: only what they are longer than the layer's work is lost.
    """
    placed = [place(work, chip, dtype) for work in transformer.layer(tokens, d_model, d_ff).values()]
    products = [p for p in placed if isinstance(p.work, Gemm)]
    separate = [p for p in placed if not isinstance(p.work, Gemm)]
    busy = sum(p.seconds for p in products) + (1 - fused) * sum(p.memory_seconds for p in separate)
    launches = launch_seconds * (len(products) + (1 - fused) * len(separate))
    return LayerTime(
        tensor_seconds=sum(p.compute_seconds for p in products),
        waiting_seconds=sum(p.seconds - p.compute_seconds for p in products),
        elementwise_seconds=(1 - fused) * sum(p.memory_seconds for p in separate),
        launch_seconds=np.maximum(0.0, launches - busy) if queued else launches,
    )
