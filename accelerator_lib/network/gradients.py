"""Gradients: the sum over GPUs that each have their own batch, two ways. S: all gradients, in bytes.
DataParallel   after the backward pass (n-1) S into GPU 0, and the new weights, as many, out of it
DDP            buckets around a ring as soon as they are made: 2(n-1)/n S into and out of every GPU, n/2 times less
               at the busiest, and hidden behind the backward pass except for the last bucket
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Bytes, BytesPerS, Count, OneOf, Seconds, Single, checked
from accelerator_lib.network.links import ring_all_reduce_seconds

WAYS = ("DataParallel", "DDP")


@dataclass(frozen=True)
class Span:  # what a lane does from `start` to `end` [s]
    lane: str  # "backward" or "link"
    what: str
    start: float
    end: float
    sender: int | None = None
    receiver: int | None = None


@dataclass(frozen=True, eq=False)
class Reduced:
    """A step of training as far as `now` [s]; `spans` of the whole step, bytes that each GPU has taken and sent."""

    way: str
    gpus: int
    bytes_moved: float
    now: float
    spans: tuple
    received: np.ndarray
    sent: np.ndarray
    seconds: float  # of the whole
    backward_seconds: float
    busiest_bytes: float  # one way, at the busiest GPU, in the whole step
    most_bytes: float  # the same of the worse of the two ways
    most_seconds: float  # of the slower of the two ways
    exposed_seconds = property(lambda self: self.seconds - self.backward_seconds)  # beside no backward pass
    active = property(lambda self: tuple(span for span in self.spans if span.end == self.now))  # spans that end now


@checked
def reduce(
    way: OneOf(WAYS) = "DDP",
    gpus: Count(2, 64) = 8,
    bytes_moved: Single(Bytes) = 1e9,
    backward_seconds: Single(Seconds) = 0.1,
    bytes_per_s: Single(BytesPerS) = 450e9,
    buckets: Count(1, 64) = 8,
):
    """Yield a Reduced for the start and whenever a piece of work ends. `buckets` count for DDP alone."""
    both = {
        name: tuple(make(gpus, bytes_moved, backward_seconds, bytes_per_s, buckets))
        for name, make in zip(WAYS, (_parallel, _buckets), strict=True)
    }
    most = (gpus - 1) * bytes_moved, max(spans[-1].end for spans in both.values())
    return _run(way, gpus, bytes_moved, backward_seconds, both[way], most)


def _parallel(gpus, size, backward, rate, _):
    yield Span("backward", "backward pass", 0.0, backward)
    now, each = backward, size / rate
    for sender in range(1, gpus):
        yield Span("link", f"gradients of GPU {sender}", now, now + each, sender, 0)
        now += each
    for receiver in range(1, gpus):
        yield Span("link", f"weights to GPU {receiver}", now, now + each, 0, receiver)
        now += each


def _buckets(gpus, size, backward, rate, buckets):
    free, each = 0.0, ring_all_reduce_seconds(size / buckets, gpus, rate)
    for bucket in range(buckets):
        made = backward * (bucket + 1) / buckets
        yield Span("backward", f"bucket {bucket + 1}", backward * bucket / buckets, made)
        start = max(free, made)
        free = start + each
        yield Span("link", f"bucket {bucket + 1}", start, free)


def _run(way, gpus, size, backward, spans, scales):
    ends = sorted({0.0, *(span.end for span in spans)})
    links = [span for span in spans if span.lane == "link"]
    around = 2 * (gpus - 1) / gpus * size / len(links)  # of each bucket, at every GPU

    def moved(now):
        received, sent = np.zeros(gpus), np.zeros(gpus)
        for span in links:
            if span.end <= now and span.sender is None:
                received, sent = received + around, sent + around
            elif span.end <= now:
                received[span.receiver] += size
                sent[span.sender] += size
        return received, sent

    most = max(side.max() for side in moved(ends[-1]))
    for now in ends:
        yield Reduced(way, gpus, size, now, spans, *moved(now), ends[-1], backward, most, *scales)
