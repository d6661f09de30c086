"""Sectors and turns, against the counts of chapter 5 and against sets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import fault, ran

from accelerator_course import ladder
from accelerator_lib import kernels
from accelerator_lib.gpu.access import Access

PLACES = st.lists(st.integers(0, 199), min_size=64, max_size=64)
LANES = st.lists(st.booleans(), min_size=64, max_size=64)


def by_hand(places, works):
    """(sectors, distinct bytes, turns, queued, alike) of two warps, by sets and lists."""
    found = np.zeros(5, int)
    for warp in (0, 1):
        own = [p for p, w in zip(places[warp::2], works[warp::2], strict=True) if w]
        if own:
            banks = [[w for w in set(own) if w % 32 == bank] for bank in range(32)]
            queue = [[w for w in own if w % 32 == bank] for bank in range(32)]
            found += [
                len({p // 8 for p in own}),
                4 * len(set(own)),
                max(map(len, banks)),
                max(map(len, queue)),
                max(map(own.count, own)),
            ]
    return found.tolist()


@settings(max_examples=50)
@given(PLACES, LANES)
def test_loads_stores_and_atomics_are_counted_lane_by_lane(places, works):
    order = [places[2 * lane + warp] for warp in (0, 1) for lane in range(32)]
    on = [works[2 * lane + warp] for warp in (0, 1) for lane in range(32)]
    source = """s = shared(200, int)
for k in range(4):
    if thread + 64 * k < 200:
        s[thread + 64 * k] = 0
p = t[thread]
barrier()
if w[thread]:
    x = a[p]
    x = s[p]
    atomic_add(b, p, 1)
barrier()
if w[thread]:
    atomic_add(s, p, 1)"""
    given = {"t": np.array(order), "w": np.array(on), "a": np.zeros(200), "b": np.zeros(200, int)}
    made = ran(source, 1, 64, **given)
    sectors, asked, turns, queued, alike = by_hand(places, works)
    counted, nothing = made.counted, kernels.counted.Traffic()
    load, atomic = counted.loads.get("a", nothing), counted.stores.get("b", nothing)
    assert (load.sectors, load.asked_bytes) == (atomic.sectors, atomic.asked_bytes) == (sectors, asked)
    assert (counted.lines[9].shared_turns if any(works) else 0) == turns
    assert (counted.lines[13].atomic_turns if any(works) else 0) == queued
    assert (counted.lines[10].atomic_turns if any(works) else 0) == alike
    for step in ladder.replay(made):
        if step.line in (8, 9) and step.array:
            access = Access(
                4 * np.array(order)[32 * step.warp : 32 * step.warp + 32][step.mask][:, None] + np.arange(4)
            )
            assert (step.sectors, step.turns) == ((len(access.sectors), 0) if step.line == 8 else (0, access.turns))


@pytest.mark.parametrize(("stride", "sectors", "excess"), [(1, 4, 1), (2, 8, 2), (8, 32, 8), (0, 1, 8)])
def test_a_strided_load_brings_what_chapter_5_says(stride, sectors, excess):
    made = ran("x = a[thread * stride]", 1, 32, a=np.zeros(256), stride=stride)
    assert (made.counted.loads["a"].sectors, made.counted.loads["a"].excess) == (sectors, excess)


def test_arrays_begin_at_multiples_of_256_bytes_so_that_a_sector_belongs_to_one():
    made = ran("x = a[lane % 3]\ny = b[lane]", a=np.zeros(3), b=np.zeros(32))
    assert made.words == {"a": 0, "b": 64} and made.counted.loads["b"].sectors == 4


def test_a_sector_crosses_from_dram_once_each_way():
    made = ran("for k in range(3):\n    a[thread] += 1.0", 1, 64, a=np.zeros(64))
    assert made.counted.global_bytes == 6 * 256 and made.counted.dram_bytes == 2 * 256
    shared = ran("x = a[lane + 4 * warp]", 1, 64, a=np.zeros(64))
    assert shared.counted.dram_bytes == 36 * 4 + 16 and shared.issued.new.tolist() == [0, 4, 0, 1]


def test_shared_memory_holds_nothing_until_it_is_set():
    found = fault("s = shared(64)\nif thread > 3:\n    s[thread] = 1.0\nbarrier()\nx = s[thread]", 2, 64)
    assert str(found) == "line 5, `x = s[thread]`: thread 0 of block 0 reads s[0] of block 0, which no thread has set"
    assert found.kind == "unset"
    found = fault(
        "s = shared(4, 4)\nif block == 0:\n    s[thread // 4, thread % 4] = 1.0\nbarrier()\natomic_add(s, (1, 2), 1.0)",
        2,
        16,
    )
    assert "thread 0 of block 1 adds to s[1, 2] of block 1, which is not set" in str(found) and found.kind == "unset"


def test_atomics_add_up_and_may_not_grow_beyond_32_bits():
    made = ran("old = atomic_add(a, lane % 2, 0.5)\nout[lane] = old", a=np.ones(2), out=np.zeros(32))
    assert made.arrays["a"].tolist() == [9, 9] and made.arrays["out"].tolist() == [
        1 + 0.5 * (lane // 2) for lane in range(32)
    ]
    found = fault("x = 1\natomic_add(a, 0, big)", a=np.zeros(1, int), big=2**30)
    assert (found.kind, found.line) == ("value", 2)


@pytest.mark.parametrize(("width", "turns"), [(32, 32), (33, 1), (34, 2), (36, 4)])
def test_a_column_of_a_tile_meets_in_its_banks(width, turns):
    made = ran(f"s = shared(32, {width})\ns[lane, 3] = 1.0")
    assert (made.counted.shared_turns, made.counted.conflicts, made.counted.shared_accesses) == (turns, turns - 1, 1)


def test_a_second_shared_array_begins_where_the_first_ends():
    made = ran("p = shared(5)\nq = shared(40)\nq[lane] = 1.0\nif lane < 5:\n    p[lane] = 2.0")
    assert made.words == {"p": 0, "q": 5}
