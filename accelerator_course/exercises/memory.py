"""Exercises of chapter 2."""

import random
from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, number, shown
from accelerator_lib import memory
from accelerator_lib.units import counted


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


def classify(trace, sets, ways, line_bytes):
    """One word for each access: hit, first use, capacity or conflict."""
    own, full, seen, kinds = [Places(ways) for _ in range(sets)], Places(sets * ways), set(), []
    for address in trace:
        line = address // line_bytes
        hit, would = own[line % sets].use(line), full.use(line)
        kinds.append("hit" if hit else "first use" if line not in seen else "conflict" if would else "capacity")
        seen.add(line)
    return kinds


class Places:
    """So many places for lines; the line unused for longest leaves."""

    def __init__(self, count):
        self.count, self.lines = count, []

    def use(self, line):
        """Whether the line was there; afterwards it is."""
        hit = line in self.lines
        self.lines = [*(other for other in self.lines if other != line), line][-self.count :]
        return hit


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
    return "right on three traces. Two addresses that share a place throw each other out every time."


def _check_padding(function):
    def sound(leading):
        return isinstance(leading, (int, np.integer)) and 256 <= leading <= 4096

    def judge(leading):
        if not sound(leading):
            raise Wrong(f"Return the length of a stored row in elements, 256 to 4096; you returned {leading!r}.")
        if _misses(leading) > 4200:
            told = f"the column walk misses {_misses(leading):,} times; at most 4,200 are allowed"
            raise Wrong(f"With rows of {leading} elements {told}.")

    def tried(leading):
        return f"rows of {leading}: {_misses(leading):,} misses" if sound(leading) else f"{leading!r}"[:60]

    found = case("256 x 256 numbers, column by column", "at most 4,200 misses", function, judge, tried)
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


KINDS = ("hit", "first use", "capacity", "conflict")


def _check_classify(function):
    for name, *given in _traces():
        call = partial(function, list(given[0]), *given[1:])
        yield case(name, f"{len(given[0])} words", call, partial(_judge, name, *given), _tally)
    return "right on every trace: a conflict is a miss that a cache with one set of the same size would not have."


def _judge(name, trace, sets, ways, line_bytes, got):
    if not isinstance(got, (list, tuple)) or len(got) != len(trace):
        raise Wrong(f"For {name} return a list with one word for each of {len(trace)} accesses.")
    wanted = _kinds(trace, memory.Cache(sets, ways, line_bytes))
    for at, (mine, right) in enumerate(zip(got, wanted, strict=True)):
        if mine != right:
            told = f"access {at + 1}, address {trace[at]:,}: you say {mine!r}, right is {right!r}"
            shape = f"{counted(sets, 'set')} of {counted(ways, 'way')}, lines of {line_bytes} bytes"
            raise Wrong(f"For {name}, {shape}, {told}.")


def _tally(kinds):
    if not isinstance(kinds, (list, tuple)):
        return shown(kinds)
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in KINDS)


def _traces():
    """(name, addresses, sets, ways, bytes of a line): some whose kinds can be told by hand, then random ones."""
    yield "five lines of one set, three times", [at * 256 for at in range(5)] * 3, 4, 4, 64
    yield "a walk around a cache that is one line too small", list(range(0, 9 * 64, 64)) * 3, 1, 8, 64
    yield "eight lines of one set among many others", [0, 64, 128, 192, 320, 1024, 2048, 0, 1024, 2048, 0], 4, 2, 64
    draw = random.Random(24)
    for number_ in range(8):
        sets, ways, line_bytes = 2 ** draw.randint(0, 3), 2 ** draw.randint(0, 2), 2 ** draw.randint(4, 6)
        one = sets * line_bytes
        trace = [draw.randrange(3 * ways * one) if draw.random() < 0.4 else draw.randrange(4) * one for _ in range(80)]
        yield f"random trace {number_ + 1}", trace, sets, ways, line_bytes


def _kinds(trace, cache):
    """By definition, from two replays: the cache itself, and one set with as many places."""
    own = memory.replay(trace, cache)
    full = memory.replay(trace, memory.Cache(1, cache.lines, cache.line_bytes))
    seen, kinds = set(), []
    for address, hit, would in zip(trace, own, full, strict=True):
        line = address // cache.line_bytes
        kinds.append(KINDS[0 if hit else 1 if line not in seen else 3 if would else 2])
        seen.add(line)
    return kinds


EXERCISES = [
    Exercise("02.1", _check_direct_mapped, direct_mapped),
    Exercise("02.2", _check_padding, padding),
    Exercise("02.4", _check_classify, classify),
]
