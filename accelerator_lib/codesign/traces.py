"""Traces: what loader, host, copies and GPU do in the steps of a training run, as a profiler draws it.
Workers prepare at most two batches ahead each; the host takes one, starts its copy (beside all else from pinned memory)
and launches kernels, ahead of the GPU; a kernel runs when launched, after the one before, with its batch there, for the
longer of arithmetic and bytes. With `waits` the host waits after every kernel; then no launches can be recorded.
Parameters are declared. Ignored: gradients between GPUs, several streams, what the profiler costs.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from accelerator_lib.checks.signature import Count, OneOf, Seconds, Single, Switch, checked

STEPS = 4


@dataclass(frozen=True)
class Span:  # something that one lane does, from start to end [s]; `what` is one of prepare, wait, copy, launch, kernel
    lane: str
    what: str
    step: int
    start: float
    end: float


@dataclass(frozen=True)
@checked
class Job:  # the parameters of a run
    load_s: Single(Seconds) = 0.004  # one batch, one worker
    workers: Count(1, 32) = 4
    copy_s: Single(Seconds) = 0.0005
    pinned: Switch = True
    kernels: Count(1, 200) = 12  # of a step
    launch_s: Single(Seconds) = 1e-5
    arithmetic_s: Single(Seconds) = 4e-4  # of one kernel, at the peak
    memory_s: Single(Seconds) = 2e-4  # of its bytes, at the full bandwidth
    waits: Switch = False
    kernel_s = property(lambda self: max(self.arithmetic_s, self.memory_s))


JOBS = {
    "A": Job(load_s=0.020, workers=2),
    "B": Job(launch_s=2.5e-4, kernels=24, arithmetic_s=8e-5, memory_s=6e-5),
    "C": Job(launch_s=1e-4, kernels=24, arithmetic_s=1.5e-4, memory_s=1e-4, waits=True),
    "D": Job(arithmetic_s=1.2e-4, memory_s=4.5e-4),
}
TROUBLES = {"A": "the loader", "B": "launches", "C": "the host, which pauses after every kernel", "D": "memory"}
FIXES = {
    "as it is": lambda job: job,
    "four times as many loader workers": lambda job: replace(job, workers=4 * job.workers),
    "launches recorded and replayed": lambda job: job if job.waits else replace(job, launch_s=job.launch_s / 4),
    "the host no longer waits": lambda job: replace(job, waits=False),
    "half the bytes": lambda job: replace(job, memory_s=job.memory_s / 2),
    "a GPU with twice the arithmetic": lambda job: replace(job, arithmetic_s=job.arithmetic_s / 2),
}


@dataclass(frozen=True)
class Trace:  # spans of a run of some steps
    name: str
    job: Job
    before: Job  # without the fix
    spans: tuple
    seconds = cached_property(lambda self: max(span.end for span in self.spans))

    def of(self, lane, what=None):
        return [span for span in self.spans if span.lane == lane and what in (None, span.what)]

    @cached_property
    def busy(self):
        """Share of the time from the first kernel on in which the GPU has one."""
        kernels = self.of("GPU")
        return sum(span.end - span.start for span in kernels) / (self.seconds - kernels[0].start)

    @cached_property
    def step_seconds(self):
        """Of one step, when the run has got going: between the ends of the second and of the last one."""
        ends = [max(span.end for span in self.of("GPU") if span.step == step) for step in (1, STEPS - 1)]
        return (ends[1] - ends[0]) / (STEPS - 2)

    window = cached_property(lambda self: record(self.before).seconds)  # of the run before the fix: the time axis
    arithmetic_share = property(lambda self: self.job.arithmetic_s / self.job.kernel_s)  # of a kernel's time
    memory_share = property(lambda self: self.job.memory_s / self.job.kernel_s)


@checked
def trace(name: OneOf(JOBS) = "A", fix: OneOf(FIXES) = "as it is"):
    """The Trace of one of the four, repaired or not."""
    return record(FIXES[fix](JOBS[name]), name, JOBS[name])


@checked
def gain(name: OneOf(JOBS), fix: OneOf(FIXES)):
    """How many times faster a fix makes a step of a trace, once the run has got going."""
    return trace(name).step_seconds / trace(name, fix).step_seconds


def record(job, name="", before=None):
    """The Trace of a Job."""
    host = copier = gpu = 0.0
    spans, free, freed = [], [0.0] * job.workers, []  # freed: when the host took a batch
    for step in range(STEPS):
        worker, ahead = step % job.workers, step - 2 * job.workers  # at most two batches of a worker wait
        start = max(free[worker], freed[ahead] if ahead >= 0 else 0.0)
        free[worker] = arrived = start + job.load_s
        spans.append(Span("loader", "prepare", step, start, arrived))
        if arrived > host:
            spans.append(Span("host", "wait", step, host, arrived))
        start = max(arrived, host, copier)
        copier = start + job.copy_s
        spans.append(Span("copy", "copy", step, start, copier))
        host = max(host, arrived)
        if not job.pinned:
            spans.append(Span("host", "wait", step, host, copier))
            host = copier
        freed.append(host)
        for _ in range(job.kernels):
            spans.append(Span("host", "launch", step, host, host + job.launch_s))
            host += job.launch_s
            begin = max(host, gpu, copier)
            gpu = begin + job.kernel_s
            spans.append(Span("GPU", "kernel", step, begin, gpu))
            if job.waits:
                spans.append(Span("host", "wait", step, host, gpu))
                host = gpu
    return Trace(name, job, before or job, tuple(spans))
