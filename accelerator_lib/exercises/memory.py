"""Exercises of chapter 2."""

import random

import numpy as np

from accelerator_lib import memory
from accelerator_lib.exercises import Exercise, Wrong, expect


def direct_mapped(addresses, sets, line_bytes):
    """Hits of a direct-mapped cache: each line has one place, and the newcomer takes it."""
    places, hits = {}, 0
    for address in addresses:
        line = address // line_bytes
        hits += places.get(line % sets) == line
        places[line % sets] = line
    return hits


def padding():
    """A stored row length for 256 x 256 four-byte numbers whose column walk fits the cache."""
    return 272


def pipeline(n, t_copy, t_compute):
    """(overlapped, one after the other): time of n chunks that are copied and then worked on."""
    return t_copy + t_compute + (n - 1) * max(t_copy, t_compute), n * (t_copy + t_compute)


def _check_direct_mapped(function):
    draw = random.Random(21)
    traces = {
        "a walk of 8 KiB, twice": [a for _ in range(2) for a in range(0, 8192, 4)],
        "two addresses 4 KiB apart, in turn": [0, 4096] * 50,
        "2,000 random addresses": [draw.randrange(0, 20_000) for _ in range(2000)],
    }
    for name, trace in traces.items():
        for sets, line_bytes in ((64, 64), (16, 32), (1, 64)):
            want = sum(memory.replay(trace, memory.Cache(sets, 1, line_bytes)))
            expect(function(list(trace), sets, line_bytes), want, f"{name}, {sets} sets of {line_bytes} bytes")
    return "right on three traces. Two addresses that share a place throw each other out for ever."


def _check_padding(function):
    leading = function()
    if not isinstance(leading, (int, np.integer)) or not 256 <= leading <= 4096:
        raise Wrong(f"Return the length of a stored row in elements, 256 to 4096; you returned {leading!r}.")
    cache = memory.Cache(sets=64, ways=8, line_bytes=64)
    misses = 65_536 - sum(memory.replay(memory.walk(256, 256, leading=int(leading), order="col"), cache))
    if misses > 4200:
        raise Wrong(
            f"With rows of {leading} elements the column walk misses {misses:,} times; at most 4,200 are allowed."
        )
    waste = (int(leading) - 256) / 256
    cost = f"{misses:,} misses instead of 65,536, for {waste:.0%} more memory"
    return f"right: {cost}. Neighbours in a column now lie in different sets."


def _check_pipeline(function):
    draw = random.Random(23)
    cases = [(8, 2e-3, 3e-3), (1, 5e-3, 1e-3)]
    cases += [(draw.randint(1, 64), draw.uniform(1e-4, 1e-2), draw.uniform(1e-4, 1e-2)) for _ in range(30)]
    for n, copy, work in cases:
        got, where = function(n, copy, work), f"{n} chunks, copy {copy:.3g} s, work {work:.3g} s"
        if not isinstance(got, (tuple, list)) or len(got) != 2:
            raise Wrong(f"For {where} return a pair: (overlapped, one after the other).")
        expect(got[0], memory.pipelined_seconds(n, copy, work), f"{where}, overlapped")
        expect(got[1], memory.pipelined_seconds(n, copy, work, overlap=False), f"{where}, one after the other")
    return "right: 8 chunks of 2 and 3 ms take 26 ms instead of 40. The first copy and the last step have no company."


EXERCISES = [
    Exercise(
        "02.1",
        "X2.1",
        "Keep one line for each set; count how often it is the one asked for.",
        _check_direct_mapped,
        direct_mapped,
    ),
    Exercise(
        "02.2",
        "X2.2",
        "Return a row length that is not a multiple of the cache's way, so that a column spreads over the sets.",
        _check_padding,
        padding,
    ),
    Exercise(
        "02.3",
        "X2.3",
        "Overlapped: the first copy, the last step, and between them the slower of the two each time.",
        _check_pipeline,
        pipeline,
    ),
]
