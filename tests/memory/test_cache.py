"""Caches: against a naive reference, against cases worked by hand, against their definitions."""

from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.memory import cache, fastcache
from accelerator_lib.memory.addresses import sweep, walk
from accelerator_lib.memory.cache import Cache, Census, census, replay, settled
from accelerator_lib.memory.hierarchy import chain
from accelerator_lib.memory.reuse import capacity_curve, ways_curve

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
def test_the_shares_of_a_census_add_up_to_one(trace, geometry):
    counted = census(trace, geometry)
    assert sum(counted.shares.values()) == pytest.approx(1) and counted.shares["hits"] == counted.hit_rate


@given(traces, geometries)
def test_a_settled_walk_hits_line_by_line_as_its_second_pass(trace, geometry):
    second = naive(trace * 2, geometry)[len(trace) :]
    lines = [address // geometry.line_bytes for address in trace]
    want = [
        np.mean([hit for own, hit in zip(lines, second, strict=True) if own == line]) for line in dict.fromkeys(lines)
    ]
    assert settled(trace, geometry) == pytest.approx(want)


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
    same = census(sweep(32, 64), c, passes=10)
    assert (same.misses, same.compulsory) == (512, 512)
    over = census(sweep(40, 64), c, passes=10)
    assert (over.hits, over.accesses, over.capacity) == (0, 6400, 5760)
    assert over.shares == pytest.approx({"hits": 0, "compulsory": 0.1, "capacity": 0.9, "conflict": 0})
    power = census(sweep(256, 4096), c, passes=10)  # 64 lines, all of them in one set
    assert (power.hits, power.conflict, power.compulsory) == (0, 576, 64)
    assert (settled(sweep(34, 64), c) == 1).sum() == 512 - 32 * 8


def test_no_access_is_neither_hit_nor_miss():
    assert census([], Cache(2, 2)) == Census(0, 0, 0, 0, 0) and census([], Cache(2, 2)).hit_rate == 0
    assert settled([], Cache(2, 2)).size == 0 and sum(census([], Cache(2, 2)).shares.values()) == 0


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


def test_an_ordered_dict_stands_in_for_many_ways():
    assert isinstance(cache._Sets(1, 32).sets[0], OrderedDict) and isinstance(cache._Sets(1, 8).sets[0], dict)


def test_only_sets_that_are_used_are_charged(monkeypatch):
    monkeypatch.setattr(cache, "MOST_USED", 64)
    trace, many = np.arange(65) * 64, Cache(2**30, 1)
    for road in (lambda: census(trace, many), lambda: settled(trace, many), lambda: ways_curve(trace, 2**30, 64, 4)):
        with pytest.raises(ValueError, match="65 sets in use are more .*at most 64.*lower sets or the length"):
            road()
    few = np.tile(np.arange(64) * 64, 2)
    assert census(few, many).hits == 64 == ways_curve(few, 2**30)[0] and settled(few, many).all()
    assert ways_curve(trace, 64).tolist() == [0] * 16


def test_lines_that_a_cache_holds_are_charged(monkeypatch):
    monkeypatch.setattr(cache, "MOST_HELD", 64)
    with pytest.raises(ValueError, match="65 lines held are more .*at most 64"):
        census(np.arange(65) * 64, Cache(1, 128))
    assert census(np.arange(65) * 64, Cache(1, 64)).compulsory == 65
