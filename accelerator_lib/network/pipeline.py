"""Pipelines: a model cut into stages, a batch cut into micro-batches, and the order in which each stage works.
    gpipe         every forward, then every backward          1f1b   fill, then one forward, one backward, by turns
    interleaved   1f1b where each stage holds several chunks of the model, dealt out like cards
    idle          (stages - 1) / interleave / (micro-batches + (stages - 1) / interleave)     of the total time
A forward through a stage takes 1, a backward 2; sending takes no time. Source of the interleaved order: "Efficient
large-scale language model training on GPU clusters using Megatron-LM", SC 2021.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, OneOf, Whole, checked
from accelerator_lib.data import frozen

KINDS = ("gpipe", "1f1b", "interleaved")
FORWARD, BACKWARD = 1, 2
Stages, Microbatches, Interleave, Kind = Count(high=64), Count(high=1024), Count(high=32), OneOf(KINDS)


@dataclass(frozen=True)
class Span:
    """One forward ("F") or backward ("B") of a micro-batch through a chunk of a stage; times in forwards of a stage."""

    stage: int
    way: str
    microbatch: int
    chunk: int
    start: float
    end: float


@dataclass(frozen=True, eq=False)
class Schedule:  # who did what when, and what it cost
    kind: str
    stages: int
    microbatches: int
    interleave: int
    spans: tuple  # by their start
    seconds = cached_property(lambda self: max(span.end for span in self.spans))  # until all is done, in forwards
    worked = property(lambda self: sum(span.end - span.start for span in self.spans))
    idle = property(lambda self: 1 - self.worked / (self.stages * self.seconds))  # share in which stages wait

    @cached_property
    def waits(self):
        """Of each stage, how long it waits (before its first turn, between turns, after its last), in forwards."""
        stage, start, end = (self.columns[name] for name in ("stage", "start", "end"))
        first = np.array([start[stage == one].min() for one in range(self.stages)])
        last = np.array([end[stage == one].max() for one in range(self.stages)])
        work = np.bincount(stage, end - start, self.stages)
        return tuple(zip(first.tolist(), (last - first - work).tolist(), (self.seconds - last).tolist(), strict=True))

    @cached_property
    def _kept(self):
        """(moments, stages, +1 or -1): activations are kept from the start of a forward to the end of its backward."""
        forward = np.array([span.way == "F" for span in self.spans])
        changes = np.where(forward, 1, -1)
        moments = np.where(forward, *(self.columns[name] for name in ("start", "end")))
        rising = np.lexsort((changes, moments))  # what ends makes room for what begins
        return frozen((moments[rising], self.columns["stage"][rising], changes[rising]))

    @cached_property
    def columns(self):  # {field: array} of the spans
        fields = ("stage", "microbatch", "chunk", "start", "end")
        return frozen({name: np.array([getattr(span, name) for span in self.spans]) for name in fields})

    @cached_property
    def peaks(self):
        """The most micro-batches of each stage whose activations are kept at once; a chunk counts its part."""
        _, stage, change = self._kept
        most = (np.cumsum(np.where(stage == one, change, 0)).max() for one in range(self.stages))
        return tuple(float(n / self.interleave) for n in most)

    live = property(lambda self: max(self.peaks))  # the most that any stage keeps at once

    def live_at(self, moment):
        """Micro-batches of each stage whose activations are kept when a moment has come."""
        moments, stage, change = self._kept
        there = (moments < moment) | ((moments == moment) & (change < 0))  # what begins now is not yet there
        found = np.bincount(stage[there], change[there], self.stages)
        return tuple((found / self.interleave).tolist())


@checked
def pipeline_bubble(stages: Whole(), microbatches: Whole(), interleave: Whole() = 1):
    """Share of the total time in which a stage waits; scalars or arrays."""
    waits = (stages - 1) / interleave
    return waits / (microbatches + waits)


@checked
def order(kind: Kind, stage: Count(low=0), stages: Stages, microbatches: Microbatches, interleave: Interleave = 1):
    """What one stage does in turn: ("F" or "B", micro-batch, chunk), ... Raises NotAvailable, ValueError."""
    _possible(kind, stages, microbatches, interleave)
    if stage >= stages:
        raise ValueError(f"stage = {stage} is outside the allowed range, 0 to {stages - 1}")
    total = microbatches * interleave
    ahead = stages - stage - 1  # forwards before the first backward
    if interleave > 1:
        ahead = 2 * ahead + (interleave - 1) * stages
    ahead = total if kind == "gpipe" else min(ahead, total)
    turns = [("F", i) for i in range(ahead)]
    for i in range(ahead, total):
        turns += [("F", i), ("B", i - ahead)]
    turns += [("B", i) for i in range(total - ahead, total)]
    return tuple((way, *_dealt(way, i, stages, interleave)) for way, i in turns)


def _dealt(way, turn, stages, interleave):
    """(micro-batch, chunk) of a turn: `stages` micro-batches through one chunk, then the same ones through the next."""
    if interleave == 1:
        return turn, 0
    around, inside = divmod(turn, stages * interleave)
    chunk = inside // stages
    return around * stages + inside % stages, chunk if way == "F" else interleave - 1 - chunk


def _possible(kind, stages, microbatches, interleave):
    if (kind == "interleaved") != (interleave > 1):
        raise NotAvailable(f"{kind} with {interleave} chunks a stage: two or more are interleaved, one is not")
    if interleave > 1 and (stages < 2 or microbatches % stages):
        rounds = "interleaving deals out micro-batches in rounds of one for each of two or more stages"
        raise NotAvailable(f"{rounds}: {microbatches} are no whole number of rounds of {stages}")


def play(orders, interleave=1):
    """Spans of the stages' orders, by start, each turn as soon as it can. Raises ValueError where all wait."""
    stages, clock = len(orders), [0] * len(orders)  # in FORWARD / interleave, so that times are whole
    done, turn, spans, moved = {}, [0] * len(orders), [], True
    last = stages * interleave - 1
    while moved:
        moved = False
        for stage, turns in enumerate(orders):
            while turn[stage] < len(turns):
                way, microbatch, chunk = turns[turn[stage]]
                place = chunk * stages + stage  # of the chunk in the model
                needs = [("F", microbatch, place - 1)] if way == "F" and place else []
                if way == "B":
                    needs = [("F", microbatch, place)] + ([("B", microbatch, place + 1)] if place < last else [])
                if not all(need in done for need in needs):
                    break
                start = max([clock[stage], *(done[need] for need in needs)])
                end = clock[stage] = start + (FORWARD if way == "F" else BACKWARD)
                done[way, microbatch, place] = end
                spans.append(Span(stage, way, microbatch, chunk, start / interleave, end / interleave))
                turn[stage], moved = turn[stage] + 1, True
    waiting = [stage for stage in range(stages) if turn[stage] < len(orders[stage])]
    if waiting:
        raise ValueError(f"deadlock: stages {', '.join(map(str, waiting))} wait for one another")
    return tuple(sorted(spans, key=lambda span: (span.start, span.stage)))


@checked
@cache
def schedule(kind: Kind, stages: Stages, microbatches: Microbatches, interleave: Interleave = 1):
    """The Schedule of `kind`; times in forwards of a stage. Raises NotAvailable where it cannot be dealt out."""
    _possible(kind, stages, microbatches, interleave)
    if stages * microbatches * interleave > 16_384:
        raise ValueError(f"{stages} x {microbatches} x {interleave} forwards are too many to play: at most 16,384")
    orders = [order(kind, stage, stages, microbatches, interleave) for stage in range(stages)]
    return Schedule(kind, stages, microbatches, interleave, play(orders, interleave))
