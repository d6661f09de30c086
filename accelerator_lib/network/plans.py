"""Plans: who sends which chunks to whom, in each step of an all-reduce.

A Message says what becomes of its chunks where they arrive: added, or written over what was there.
Sources as in links.py.
"""

from dataclasses import dataclass

SWITCH = -1  # the rank of the switch in a Message


@dataclass(frozen=True)
class Message:
    """Chunks `start` to `stop` - 1 on their way from rank `source` to rank `target`; SWITCH is the switch."""

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
            yield tuple(Message(rank, rank ^ far, *_half(rank, far, adds), adds) for rank in range(ranks))


def _half(rank, far, adds):
    """The chunks that a rank gives away (it adds the others), or has to pass on: `far` of them."""
    owner = rank ^ far if adds else rank
    start = owner // far * far
    return start, start + far


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
