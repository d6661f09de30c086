"""Exercises of chapter 2."""

import random

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, number, numbers
from accelerator_course.exercises.slips import memory as slips
from accelerator_lib import memory


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
            yield number(function, (list(trace), sets, line_bytes), want, f"{name}, {sets} sets of {line_bytes} bytes")
    return "right on three traces. Two addresses that share a place throw each other out for ever."


def _check_padding(function):

    def judge(leading):
        if not isinstance(leading, (int, np.integer)) or not 256 <= leading <= 4096:
            raise Wrong(f"Return the length of a stored row in elements, 256 to 4096; you returned {leading!r}.")
        if _misses(leading) > 4200:
            raise Wrong(
                f"With rows of {leading} elements the column walk misses {_misses(leading):,} times; at most 4,200 are "
                "allowed."
            )

    def tried(leading):
        sound = isinstance(leading, (int, np.integer)) and 256 <= leading <= 4096
        return f"rows of {leading}: {_misses(leading):,} misses" if sound else f"{leading!r}"[:60]

    given = "256 x 256 numbers, column by column"
    found = case(given, "at most 4,200 misses", function, judge, tried)
    yield found
    if not found.right:
        return ""
    waste = (int(found.value) - 256) / 256
    cost = f"{_misses(found.value):,} misses instead of 65,536, for {waste:.0%} more memory"
    return f"right: {cost}. The lines of a column now spread over far more than four sets."


def _misses(leading):
    """Misses of a walk down the columns, in a 32 KiB cache, with rows of so many elements."""
    cache = memory.Cache(sets=64, ways=8, line_bytes=64)
    return 65_536 - sum(memory.replay(memory.walk(256, 256, leading=int(leading), order="col"), cache))


def _check_pipeline(function):
    draw = random.Random(23)
    cases = [(8, 2e-3, 3e-3), (1, 5e-3, 1e-3)]
    cases += [(draw.randint(1, 64), draw.uniform(1e-4, 1e-2), draw.uniform(1e-4, 1e-2)) for _ in range(30)]
    for n, copy, work in cases:
        where = f"{n} chunks, copy {copy:.3g} s, work {work:.3g} s"
        wants = {"overlapped": memory.pipelined_seconds(n, copy, work)}
        wants["one after the other"] = memory.pipelined_seconds(n, copy, work, overlap=False)
        yield numbers(function, (n, copy, work), wants, where, "a pair: (overlapped, one after the other)")
    return "right: 8 chunks of 2 and 3 ms take 26 ms instead of 40. The first copy and the last step have no company."


EXERCISES = [
    Exercise(
        "02.1",
        "X2.1",
        "the number of hits of a list of addresses in a direct-mapped cache that is empty at first.",
        "Keep for each set the line that lies there; count how often it is the one asked for.",
        _check_direct_mapped,
        direct_mapped,
        (slips.addresses_for_lines, slips.fully_associative, slips.misses_counted),
    ),
    Exercise(
        "02.2",
        "X2.2",
        "a length of the stored rows, in elements, with which a walk down the columns misses at most 4,200 times.",
        "The sets of a column are one row apart. Choose a length that leads from row to row through all the sets.",
        _check_padding,
        padding,
        (slips.unchanged, slips.twice_as_long),
    ),
    Exercise(
        "02.3",
        "X2.3",
        "two times for n chunks that are copied and then worked on: (overlapped, one after the other).",
        "Draw three chunks as bars. What has no company at the beginning and at the end, and what hides between?",
        _check_pipeline,
        pipeline,
        (slips.each_chunk_takes_the_slower, slips.ends_counted_twice, slips.the_wrong_way_round),
    ),
]
