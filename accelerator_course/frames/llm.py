"""Frames of chapters 10 and 10b: a step as a read head's sweep; a scheduler's steps, and requests to watch.

A request that needs more than all blocks is refused here, so that the others can be watched; serve raises an error.
"""

from dataclasses import dataclass, replace

import numpy as np

from accelerator_course.frames.roofline import PLAYED, moments
from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, OneOf, Positive, Record, Single, checked
from accelerator_lib.llm.serving import Request, Requests, State, Tokens, blocks_needed, serve
from accelerator_lib.llm.steps import Reading

MOST_CELLS = 10**7  # a few seconds
CHUNK = 6  # tokens of a step, where prompts are cut
BATCHING = ("static", "continuous", "chunked")
TURNS = tuple(Request(0, 1, output) for output in (2, 8, 3, 3))  # four users, one of them wants a long answer
# Three alike; when they are through, five that differ.
WAVES = *[(0, 4, 8)] * 3, (12, 4, 7), (12, 4, 4), (12, 2, 3), (13, 12, 4), (14, 4, 5)
WAVES = tuple(Request(*one) for one in WAVES)


@dataclass(frozen=True, eq=False)
class Sweep:
    """A moment of a decode step: for so many seconds the chip has read, the weights first, then notes user by user."""

    reading: Reading
    seconds: float
    step_seconds: float

    done = property(lambda self: self.seconds >= self.reading.memory_seconds)
    at_weights = property(lambda self: self.seconds < self.reading.weights_seconds)

    @property
    def reader(self):
        past = (self.seconds - self.reading.weights_seconds) / self.reading.cache_seconds
        return int(np.clip(past, 0, self.reading.users - 1))

    @property
    def served(self):
        """For which users the chip reads just now."""
        if self.at_weights or self.done:
            return np.full(self.reading.users, self.seconds > 0)
        return np.arange(self.reading.users) == self.reader

    # how many times slower than the chip the player is at normal speed
    slowdown = property(lambda self: PLAYED / self.step_seconds)


@checked
def sweep(reading: Record(Reading), step_seconds: Single(Positive) = 0.8e-3):
    """Yield a Sweep every so many seconds, the last one when all is read."""
    return (Sweep(reading, now, step_seconds) for now in moments(reading.memory_seconds, step_seconds, "the step"))


@dataclass(frozen=True, eq=False)
class Watched:
    """A step, and what every request did in all steps so far."""

    now: State
    past: tuple  # (time at the begin of the step, what each request did in it), the step of `now` being the last
    refused: tuple  # (request, blocks that it would need)
    requests: tuple  # all, also those refused


@checked
def watch(
    requests: Requests = WAVES,
    slots: Count(high=64) = 3,
    blocks: Count(high=10**9) = 10**9,
    block: Tokens = 4,
    batching: OneOf(BATCHING) = "continuous",
):
    """Yield a Watched after each step, also those in which nobody is there. Raises ValueError where all are refused."""
    steps = int(max(one.arrival for one in requests)) + sum(one.output for one in requests)
    size = steps * (steps + len(requests))  # every state tells all steps before it
    affordable("cells of its timelines", size, MOST_CELLS, "the number of requests, their output or arrival")
    needed = [blocks_needed(one, block) for one in requests]
    if min(needed) > blocks:
        raise ValueError(f"every request needs more than {blocks} blocks of {block} tokens: at least {min(needed)}")
    return _watched(requests, needed, slots, blocks, block, batching)


def _watched(requests, needed, slots, blocks, block, batching):
    kept = [i for i, need in enumerate(needed) if need <= blocks]
    refused = tuple((i, need) for i, need in enumerate(needed) if need > blocks)
    chosen = [requests[i] for i in kept]
    budget, static, past = CHUNK if batching == "chunked" else None, batching == "static", ()
    before, clock = (0,) * len(chosen), 0
    for state in serve(chosen, slots, blocks, block, budget, static):
        while clock < state.began:  # nobody is there
            empty = replace(state, began=clock, time=clock + 1, made=before, work={}, held=(), waiting=(), preempted=())
            past, clock = (*past, (clock, ("",) * len(requests))), clock + 1
            yield Watched(_renumbered(empty, kept, requests), past, refused, requests)
        did = [""] * len(requests)
        for i, at in enumerate(kept):
            did[at] = _did(state, i, before)
        past, before, clock = (*past, (state.began, tuple(did))), state.made, state.time
        yield Watched(_renumbered(state, kept, requests), past, refused, requests)


def _did(state, i, before):
    """What a request did in a step: a word, and "+" where it made a token."""
    token = "+" if state.made[i] > before[i] else ""
    if i in state.preempted:
        return "lost"
    if i in state.waiting:
        return "waits"
    if state.work.get(i) == 1 and before[i] and token:
        return "writes+"
    if i in state.work:
        return ("rereads" if before[i] else "reads") + token
    return "stalls" if i in dict(state.held) else ""


def _renumbered(state, kept, requests):
    if len(kept) == len(requests):
        return state

    def spread(values, rest):
        found = dict(zip(kept, values, strict=True))
        return tuple(found.get(i, rest) for i in range(len(requests)))

    them = {name: tuple(kept[i] for i in getattr(state, name)) for name in ("waiting", "preempted")}
    rest = {"logs": (), "made": 0, "lost": 0, "cached": 0}
    each = {name: spread(getattr(state, name), empty) for name, empty in rest.items()}
    work, held = {kept[i]: n for i, n in state.work.items()}, tuple((kept[i], pages) for i, pages in state.held)
    return replace(state, requests=requests, work=work, held=held, **them, **each)
