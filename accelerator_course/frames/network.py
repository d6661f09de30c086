"""Frames of chapter 11: a pipeline moment by moment; on a ring of chips, a token's sum, or the keys of a sequence."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accelerator_lib.network.decode import Token
from accelerator_lib.network.links import Two, all_reduce_counts, ring_parts
from accelerator_lib.network.pipeline import Schedule, schedule

MOST_STATES = 240  # of a run; a longer one takes larger steps
PLAYED = 0.4  # seconds for which a state stands while the player plays at normal speed


@dataclass(frozen=True, eq=False)
class Moment:
    """A schedule, played up to a moment."""

    schedule: Schedule
    clock: float
    since: float = 0.0  # the moment before

    # micro-batches whose activations each stage keeps now
    live = cached_property(lambda self: self.schedule.live_at(self.clock))

    @cached_property
    def here(self):
        """Which spans ran since the moment before, an array of True and False."""
        return (self.schedule.columns["start"] < self.clock) & (self.schedule.columns["end"] > self.since)

    @cached_property
    def running(self):
        """{stage: the Span that ran until now}."""
        until = self.here & (self.schedule.columns["end"] >= self.clock)
        return {self.schedule.spans[i].stage: self.schedule.spans[i] for i in np.flatnonzero(until)}

    @property
    def waited(self):
        """Share of the stages' time so far in which they waited."""
        starts, ends = (np.minimum(self.schedule.columns[name], self.clock) for name in ("start", "end"))
        return 1 - float((ends - starts).sum()) / (self.schedule.stages * self.clock) if self.clock else 0.0


def watch(kind, stages, microbatches, interleave=1):
    """Yield the Moment before the first forward, then one for every forward's time (or part of it), to the end."""
    made = schedule(kind, stages, microbatches, interleave)
    ticks = round(made.seconds * interleave)
    step = -(-ticks // MOST_STATES)
    yield Moment(made, 0.0)
    for tick in range(step, ticks + step, step):
        yield Moment(made, min(tick, ticks) / interleave, (tick - step) / interleave)


@dataclass(frozen=True, eq=False)
class Turn:
    """A token whose chips stand in a ring, at step `step` of one of its sums; beside it the token on eight chips."""

    token: Token
    usual: Token
    sums: int  # of a token
    step: int
    parts: Two  # of a sum: its bytes, its steps

    steps = property(lambda self: int(all_reduce_counts(self.token.n)[1]))
    done = property(lambda self: self.step / self.steps)
    wire_seconds = property(lambda self: self.done * self.parts.times[0])
    latency_seconds = property(lambda self: self.done * self.parts.times[1])
    # [chips]: which chunk stands at which chip now
    chunks_at = property(lambda self: (np.arange(self.token.n) + self.step) % self.token.n)
    summed = property(lambda self: 2 * self.step >= self.steps)  # whether the chunks hold the sum of all
    # how many times slower than the chips the player is at normal speed
    slowdown = property(lambda self: PLAYED * self.steps / self.parts.seconds)


def around(token, usual, sums, bytes_moved, bytes_per_s, step_seconds):
    """Yield the Turn before the first step of one sum, and one after each step."""
    parts = ring_parts(bytes_moved, token.n, bytes_per_s, step_seconds)
    for step in range(Turn(token, usual, sums, 0, parts).steps + 1):
        yield Turn(token, usual, sums, step, parts)


def passed(chips, zigzag):
    """Yield causal attention over a ring of chips, at the start and after every step; two chunks of a sequence on each.

    {done: steps; owner: [chunk], its chip; when: [queries, keys], the step in which they meet; work: [step, chip],
    pairs of chunks, a chunk with itself half; seconds: so far, 1 for a pair, all wait for the busiest}. `zigzag`: a
    chip holds an early and a late chunk. Queries stay; in the first step every chip computes with its own keys.
    """
    chunks, steps = np.arange(2 * chips), np.arange(chips)
    owner = np.minimum(chunks, chunks[::-1]) if zigzag else chunks // 2
    when, pairs = (owner[:, None] - owner) % chips, np.tri(2 * chips) - np.eye(2 * chips) / 2
    work = np.array([[pairs[(when == step) & (owner[:, None] == chip)].sum() for chip in steps] for step in steps])
    for done in range(chips + 1):
        seconds = float(work[:done].max(axis=1).sum())
        yield {"done": done, "owner": owner, "when": when, "work": work, "seconds": seconds}
