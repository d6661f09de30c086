"""Frames of chapter 11: a pipeline's schedule, moment by moment: who works on what, what is kept, how long all wait."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accelerator_lib.network.pipeline import Schedule, schedule

MOST_STATES = 240  # of a run; a longer one takes larger steps


@dataclass(frozen=True, eq=False)
class Moment:
    """A schedule, played up to a moment."""

    schedule: Schedule
    clock: float
    since: float = 0.0  # the moment before

    @cached_property
    def live(self):
        """Micro-batches whose activations each stage keeps now."""
        return self.schedule.live_at(self.clock)

    @cached_property
    def here(self):
        """Which spans ran since the moment before, an array of True and False."""
        return (self.schedule.column("start") < self.clock) & (self.schedule.column("end") > self.since)

    @cached_property
    def running(self):
        """{stage: the Span that ran until now}."""
        until = self.here & (self.schedule.column("end") >= self.clock)
        return {self.schedule.spans[i].stage: self.schedule.spans[i] for i in np.flatnonzero(until)}

    @property
    def waited(self):
        """Share of the stages' time so far in which they waited."""
        starts, ends = (np.minimum(self.schedule.column(name), self.clock) for name in ("start", "end"))
        return 1 - float((ends - starts).sum()) / (self.schedule.stages * self.clock) if self.clock else 0.0


def watch(kind, stages, microbatches, interleave=1):
    """Yield the Moment before the first forward, then one for every forward's time (or part of it), to the end."""
    made = schedule(kind, stages, microbatches, interleave)
    ticks = round(made.seconds * interleave)
    step = -(-ticks // MOST_STATES)
    yield Moment(made, 0.0)
    for tick in range(step, ticks + step, step):
        yield Moment(made, min(tick, ticks) / interleave, (tick - step) / interleave)
