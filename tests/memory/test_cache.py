"""Caches: against a naive reference, against each other, against cases worked by hand."""

from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import memory
from accelerator_lib.memory import cache, fastcache, programs
from accelerator_lib.memory.cache import Cache, census, replay, walk
from accelerator_lib.memory.reuse import capacity_curve, reuse_distances, ways_curve
from accelerator_lib.memory.traced import Traced, chain

traces = st.lists(st.integers(0, 2000), min_size=1, max_size=300)
geometries = st.builds(lambda s, w, b: Cache(2**s, 2**w, 2**b), st.integers(0, 4), st.integers(0, 4), st.integers(2, 6))


def naive(trace, geometry):
    """Search, remove, append: nothing clever."""
    sets, found = [[] for _ in range(geometry.sets)], []
    for address in trace:
        line = address // geometry.line_bytes
        own = sets[line % geometry.sets]
        found.append(line in own)
        if line in own:
            own.remove(line)
        own.append(line)
        if len(own) > geometry.ways:
            own.pop(0)
    return found


@given(traces, geometries)
def test_every_road_gives_the_same_hits(trace, geometry):
    want = naive(trace, geometry)
    assert list(replay(trace, geometry)) == want
    counted = census(trace, geometry)
    assert counted.hits == sum(want) and counted.accesses == len(trace)
    assert counted.hits + counted.compulsory + counted.capacity + counted.conflict == len(trace)
    assert ways_curve(trace, geometry.sets, geometry.line_bytes)[geometry.ways - 1] == sum(want)
    assert fastcache.hits(trace, geometry, use_jax=False) == sum(want)


@settings(max_examples=25, deadline=None)  # a new shape compiles
@given(traces, st.sampled_from([Cache(4, 2, 16), Cache(8, 4, 32), Cache(64, 8, 64)]))
def test_the_compiled_loop_counts_the_same(trace, geometry):
    assert fastcache.hits(trace, geometry) == sum(naive(trace, geometry))


@given(traces, geometries, st.integers(1, 6))
def test_passes_are_counted_as_if_they_were_all_walked(trace, geometry, passes):
    assert census(trace, geometry, passes) == census(trace * passes, geometry)


@given(traces, geometries)
def test_three_kinds_of_misses_are_what_their_definitions_say(trace, geometry):
    counted = census(trace, geometry)
    full = naive(trace, Cache(1, geometry.lines, geometry.line_bytes))
    own, seen, kinds = naive(trace, geometry), set(), [0, 0, 0]
    for address, hit, would in zip(trace, own, full, strict=True):
        line = address // geometry.line_bytes
        if not hit:
            kinds[0 if line not in seen else 2 if would else 1] += 1
        seen.add(line)
    assert (counted.compulsory, counted.capacity, counted.conflict) == tuple(kinds)


@given(traces, geometries)
def test_more_ways_never_lose_a_hit(trace, geometry):
    """LRU inclusion: with the sets as they are, a larger stack holds what a smaller one holds."""
    curve = ways_curve(trace, geometry.sets, geometry.line_bytes)
    assert (np.diff(curve) >= 0).all()
    full = capacity_curve(trace, geometry.line_bytes)
    for lines in (1, 2, 8):
        want = sum(naive(trace, Cache(1, lines, geometry.line_bytes)))
        assert full[min(lines, len(full)) - 1] == want


@given(st.lists(st.integers(0, 30), max_size=200))
def test_reuse_distances_counted_one_by_one(lines):
    want = []
    for i, line in enumerate(lines):
        before = [j for j in range(i) if lines[j] == line]
        want.append(len(set(lines[before[-1] + 1 : i])) if before else -1)
    assert list(reuse_distances(np.array(lines, dtype=np.int64))) == want


def test_ten_accesses_by_hand():
    """Two sets of two ways, lines of 16 bytes: lines 0 and 2 share set 0 with line 4, line 1 lies alone in set 1."""
    lines = [0, 2, 0, 4, 2, 0, 1, 1, 4, 0]
    #        m  m  h  m  m  m  m  h  m  h      4 evicts 2; 2 evicts 0; 0 evicts 4; 4 evicts 2; 0 is still there
    assert list(replay([16 * line for line in lines], Cache(2, 2, 16))) == [bool(int(c)) for c in "0010000101"]


def test_the_matrix_walks_of_the_curriculum():
    c = Cache(sets=64, ways=8, line_bytes=64)
    assert c.capacity_bytes == 32 * 1024
    assert sum(replay(walk(256, 256), c)) == 61_440
    assert sum(replay(walk(256, 256, order="col"), c)) == 0
    assert sum(replay(walk(256, 256, leading=272, order="col"), c)) == 61_440
    assert sum(replay((a for _ in range(10) for a in range(0, 40 * 1024, 64)), c)) == 0


def test_the_extremes_of_the_trace_panel():
    c = Cache(64, 8, 64)
    same = census(np.arange(0, 32 * 1024, 64), c, passes=10)
    assert (same.misses, same.compulsory) == (512, 512)
    over = census(np.arange(0, 40 * 1024, 64), c, passes=10)
    assert (over.hits, over.accesses, over.capacity) == (0, 6400, 5760)
    power = census(np.arange(0, 256 * 1024, 4096), c, passes=10)  # 64 lines, all of them in one set
    assert (power.hits, power.conflict, power.compulsory) == (0, 576, 64)
    assert (cache.settled(np.arange(0, 34 * 1024, 64), c) == 1).sum() == 512 - 32 * 8


@pytest.mark.parametrize("arguments, message", [
    ((3, 8, 64), "sets must be a power of two; got 3"),
    ((64, 0, 64), "ways"),
    ((64, 8, 48), "line_bytes must be a power of two"),
    ((64, 8, np.array([32, 64])), "power of two"),
])  # fmt: skip
def test_a_cache_of_odd_sizes_is_refused(arguments, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Cache(*arguments)


@pytest.mark.parametrize("wrong", ["a", 1.5, float("nan"), None, -3])
def test_what_is_no_address_is_refused_wherever_it_enters(wrong):
    own = Cache(2, 2, 16)
    roads = (
        lambda: list(replay([0, wrong], own)), lambda: census([0, wrong], own), lambda: ways_curve([0, wrong], 2),
        lambda: capacity_curve([wrong]), lambda: fastcache.hits([wrong], own), lambda: list(chain([wrong], [own], (1, 9))),
    )  # fmt: skip
    for road in roads:
        with pytest.raises((TypeError, ValueError), match="address"):
            road()


def test_what_is_no_cache_is_refused():
    for road in (
        lambda: list(replay([0], 5)),
        lambda: census([0], (64, 8, 64)),
        lambda: list(chain([0], [None], (1, 2))),
    ):
        with pytest.raises(TypeError, match="must be a Cache such as"):
            road()
    for road in (lambda: ways_curve([0], 3), lambda: capacity_curve([0], 48)):
        with pytest.raises(ValueError, match="power of two"):
            road()


def test_bad_walks_and_traces_are_refused_in_one_line():
    with pytest.raises(ValueError, match="leading"):
        walk(4, 8, leading=7)
    with pytest.raises(KeyError, match="did you mean 'col'"):
        walk(4, 8, order="cols")
    with pytest.raises(ValueError, match="at most"):
        walk(2**16, 2**16)
    with pytest.raises(ValueError, match="addresses are 0 or more; got -4"):
        census([-4], Cache(1, 1, 4))


def test_a_traced_loop_notes_what_it_reads():
    x = Traced(np.arange(12.0).reshape(3, 4))
    assert x[1, 2] == 6 and x[-1, 0] == 8
    x[0, 1] = 5
    assert x.trace == [48, 64, 8] and x.array[0, 1] == 5
    y = Traced(np.zeros(4, dtype=np.float32), start=x.end, trace=x.trace)
    assert y[3] == 0 and x.trace[-1] == 96 + 12
    for place, error in (
        (slice(None), TypeError),
        ((0, 1), TypeError),
        (4, IndexError),
        (True, TypeError),
        (1.0, TypeError),
    ):
        with pytest.raises(error):
            y[place]


def test_swapping_two_loops_takes_the_hit_rate_from_nothing_to_seven_eighths():
    for outer_rows, want in ((False, 0), (True, 64 * 64 * 7 / 8)):
        x = Traced(np.ones((64, 64)))
        for i in range(64):
            for j in range(64):
                _ = x[i, j] if outer_rows else x[j, i]
        assert sum(replay(x.trace, Cache(sets=1, ways=16, line_bytes=64))) == want


@pytest.mark.parametrize("tile", [None, 4])
def test_the_pattern_of_a_product_is_the_trace_of_its_loops(tile):
    n, edge = 8, tile or 8
    a = Traced(np.ones((n, n), dtype=np.float32))
    b = Traced(np.ones((n, n), dtype=np.float32), a.end, a.trace)
    c = Traced(np.zeros((n, n), dtype=np.float32), b.end, a.trace)
    blocks = range(0, n, edge)
    for io in blocks:
        for jo in blocks:
            for ko in blocks:
                for i in range(io, io + edge):
                    for j in range(jo, jo + edge):
                        for k in range(ko, ko + edge):
                            product = a[i, k] * b[k, j]
                            c[i, j] = c[i, j] + product
    assert a.trace == programs.product(n, tile).tolist() and np.array_equal(c.array, a.array @ b.array)


def test_every_pattern_has_a_name_and_a_trace():
    for name in programs.PROGRAMS:
        trace = programs.addresses(name)
        assert 1000 < len(trace) < 200_000 and trace.min() >= 0
    with pytest.raises(ValueError, match="must divide"):
        programs.product(8, tile=3)


@given(traces)
def test_caches_in_a_row_are_inclusive_and_the_first_sees_the_trace(trace):
    small, large = Cache(2, 2, 16), Cache(4, 2, 32)
    steps = list(chain(trace, (small, large), (1, 10, 100)))
    assert len(steps) == len(trace)
    for step in steps:
        inner = {int(line) * 16 // 32 for line in step.contents[0].ravel() if line >= 0}
        assert inner <= {int(line) for line in step.contents[1].ravel() if line >= 0}
        assert sum(step.found) == step.number + 1
    alone = list(chain(trace, (small,), (1, 100)))
    assert [step.level == 0 for step in alone] == naive(trace, small)


def test_what_leaves_the_large_cache_leaves_the_small_one():
    small, large = Cache(1, 2, 16), Cache(1, 2, 16)
    steps = list(chain([0, 16, 0, 32], (small, large)))
    # line 0 was used last in the small cache, but the large one has not seen that: it throws out line 0
    assert steps[-1].evicted == ((1, 0), (0, 0)) and 0 not in steps[-1].contents[0]


def test_a_chain_needs_one_latency_more_than_caches():
    with pytest.raises(ValueError, match="1 caches need 2 latencies, memory's last; got 3"):
        list(chain([0], (Cache(1, 1, 16),)))


def test_millions_of_accesses_agree_with_the_plain_simulation():
    draw = np.random.default_rng(5)
    trace = draw.integers(0, 2**18, 200_000)
    geometry = Cache(64, 8, 64)
    assert fastcache.hits(trace, geometry) == census(trace, geometry).hits == memory.census(trace, geometry).hits


def test_an_ordered_dict_stands_in_for_many_ways():
    assert isinstance(cache._Sets(1, 32).sets[0], OrderedDict) and isinstance(cache._Sets(1, 8).sets[0], dict)
