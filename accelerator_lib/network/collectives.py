"""Collectives with numbers: an all-reduce step by step, every rank's array as it is, until all hold the sum.
An array is cut into n chunks, chunk c is one n-th of it. Who sends which chunks to whom, step by step, say the plans
(sources as in links.py); a Message says what becomes of its chunks where they arrive.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.network.links import ALGORITHMS, Algorithm, all_reduce_counts

SWITCH, MOST_RANKS, MOST_NUMBERS = -1, 64, 1 << 20  # SWITCH: its rank in a Message
MOST_KEPT = 5 * 10**7  # numbers of all steps: 400 MB


@dataclass(frozen=True)
class Message:  # chunks `start` to `stop` - 1 on their way from rank `source` to rank `target`; SWITCH is the switch
    source: int
    target: int
    start: int
    stop: int
    adds: bool  # to what is there, or written over it


def ring(ranks):
    """Messages of each step: every rank sends one chunk to the next; sums travel once around, results once more."""
    for step in range(2 * (ranks - 1)):
        chunks = [(rank - step) % ranks for rank in range(ranks)]
        adds = step < ranks - 1
        yield tuple(Message(rank, (rank + 1) % ranks, chunk, chunk + 1, adds) for rank, chunk in enumerate(chunks))


def halving(ranks):
    """Halves, quarters, ... to a partner at half, a quarter, ... of the ranks; then the same back."""
    distances = [ranks >> k for k in range(1, ranks.bit_length())]
    for adds, order in ((True, distances), (False, distances[::-1])):
        for far in order:
            starts = [(rank ^ far if adds else rank) // far * far for rank in range(ranks)]  # of what is given away
            yield tuple(Message(rank, rank ^ far, at, at + far, adds) for rank, at in enumerate(starts))


def direct(ranks):
    """All to everybody, in one step."""
    pairs = [(rank, other) for rank in range(ranks) for other in range(ranks) if rank != other]
    yield tuple(Message(rank, other, 0, ranks, True) for rank, other in pairs)


def switch(ranks):
    """All to the switch, which adds: each rank gets one chunk of the sum, hands it back, and the switch copies it."""
    whole = [Message(rank, SWITCH, 0, ranks, True) for rank in range(ranks)]
    yield (*whole, *(Message(SWITCH, rank, rank, rank + 1, True) for rank in range(ranks)))
    chunks = [Message(rank, SWITCH, rank, rank + 1, False) for rank in range(ranks)]
    pairs = [(rank, chunk) for rank in range(ranks) for chunk in range(ranks)]
    yield (*chunks, *(Message(SWITCH, rank, chunk, chunk + 1, False) for rank, chunk in pairs))


PLANS = {"ring": ring, "halving": halving, "direct": direct, "switch": switch}


@dataclass(frozen=True, eq=False)
class Step:  # after `step` of `steps`: every rank's array, what has moved, what moves next
    algorithm: str
    step: int
    steps: int
    buffers: np.ndarray  # [ranks, numbers]
    sent: tuple  # numbers that each rank has sent so far
    summed: np.ndarray  # [ranks, chunks]: arrays of how many ranks are in a chunk
    moved: tuple  # Messages of this step
    next: tuple  # Messages of the step to come
    total: float  # numbers that each rank will have sent in the end
    others: dict  # {algorithm: (numbers that each rank sends, steps)} of all that are possible
    ranks = property(lambda self: len(self.buffers))
    edges = property(lambda self: _edges(self.buffers.shape[1], self.ranks))  # where its chunks begin and end
    # [ranks, chunks]: the numbers of a chunk, added up; one number that stands for it in a picture
    totals = cached_property(lambda self: np.add.reduceat(self.buffers, self.edges[:-1], axis=1))
    done = property(lambda self: int((self.summed == self.ranks).sum()))  # chunks that are the whole sum


def _arrays(given):
    arrays = np.asarray(given)
    if arrays.dtype.kind not in "iuf" or arrays.ndim != 2:
        raise TypeError(f"arrays must be numbers, one row a rank, not {arrays.dtype} of shape {arrays.shape}")
    ranks, numbers = arrays.shape
    if not 2 <= ranks <= MOST_RANKS or not 1 <= numbers <= MOST_NUMBERS:
        raise ValueError(f"need 2 to {MOST_RANKS} ranks and 1 to {MOST_NUMBERS:,} numbers; got {ranks} and {numbers}")
    _kept(2 * ranks * numbers)  # before all are looked at: every plan has a step
    if not np.isfinite(arrays).all() or np.abs(arrays.astype(float)).max() > 1e15:
        raise ValueError("the numbers must be finite, and at most 1e15, so that their sums are exact")
    return arrays.astype(float if arrays.dtype.kind == "f" else np.int64)


def _kept(size):  # Refuses more numbers than all steps together may have
    affordable("numbers of all steps", size, MOST_KEPT, "the ranks or numbers of arrays")


@checked
def all_reduce(arrays: Given("numbers, one row a rank", _arrays), algorithm: Algorithm = "ring"):
    """Yield a Step at the start and after each step: in the end the sum on every rank. Raises TypeError, ValueError."""
    ranks, numbers = arrays.shape
    plan = [*PLANS[algorithm](ranks)]
    _kept((len(plan) + 1) * ranks * numbers)
    total = numbers * all_reduce_counts(ranks, algorithm)[0]
    others = {name: all_reduce_counts(ranks, name) for name in ALGORITHMS if name != "halving" or not ranks & ranks - 1}
    others = {name: (numbers * part, int(count)) for name, (part, count) in others.items()}
    return _run(arrays, algorithm, plan, total, others)


def _run(buffers, algorithm, plan, total, others):
    ranks, numbers = buffers.shape
    summed, sent, edges = np.ones((ranks, ranks), int), np.zeros(ranks, int), _edges(numbers, ranks)
    for step in range(len(plan) + 1):
        moved = plan[step - 1] if step else ()
        if step:
            buffers, summed = _deliver(buffers, edges, moved), _deliver(summed, range(ranks + 1), moved)
            for message in moved:
                if message.source != SWITCH:
                    sent[message.source] += edges[message.stop] - edges[message.start]
        following = plan[step] if step < len(plan) else ()
        there = tuple(sent.tolist())
        yield Step(algorithm, step, len(plan), buffers, there, summed, moved, following, total, others)


def _deliver(before, edges, messages):
    after, whole = before.copy(), before.sum(axis=0)
    for message in messages:
        if message.target == SWITCH:
            continue
        part = slice(edges[message.start], edges[message.stop])
        what = whole[part] if message.source == SWITCH and message.adds else before[message.source, part]
        if message.source == SWITCH and not message.adds:  # passed on from the rank that owns the chunk
            what = before[message.start, part]
        if message.adds and message.source != SWITCH:
            after[message.target, part] += what
        else:
            after[message.target, part] = what
    return after


def _edges(numbers, ranks):
    return [numbers * chunk // ranks for chunk in range(ranks + 1)]
