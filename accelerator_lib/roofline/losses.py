"""Losses: what lies between the roof and a measured speed.

    step     = launch + (kernels - 1) x max(launch, kernel) + kernel          kernel = work / kernels

Launches are queued ahead: a kernel hides the launch of its successor, and where launches are longer than kernels, the
queue runs dry. Ignored: a full queue.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Number, Seconds, Whole, checked

Launch = Number(low=0, unit="s")


@dataclass(frozen=True)
class LaunchedStep:
    """One step of a model in kernels of equal length: useful seconds, and those of waiting for launches."""

    kernels: int
    launch_seconds: float
    work_seconds: float

    kernel_seconds = property(lambda self: self.work_seconds / np.maximum(self.kernels, 1))  # the work of one kernel

    @property
    def idle_seconds(self):
        """The first launch, and what every other launch is longer than the kernel that hides it."""
        gap = np.maximum(0.0, self.launch_seconds - self.kernel_seconds)
        return np.minimum(self.kernels, 1) * self.launch_seconds + np.maximum(self.kernels - 1, 0) * gap

    seconds = property(lambda self: self.work_seconds + self.idle_seconds)
    # one of many such steps in a row, their launches queued ahead: each kernel hides the launch of the next
    steady_seconds = property(lambda self: np.maximum(self.kernels * self.launch_seconds, self.work_seconds))
    # how long it would take if every launch waited for the kernel before it to end
    one_by_one_seconds = property(lambda self: self.work_seconds + self.kernels * self.launch_seconds)


@checked
def launched_step(kernels: Whole(low=0), launch_seconds: Launch, work_seconds: Seconds):
    """A step in so many equal kernels, their launches queued ahead from an empty queue: LaunchedStep."""
    return LaunchedStep(kernels, launch_seconds, work_seconds)
