import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.memory import programs, replay, reuse
from accelerator_lib.memory.addresses import sweep
from accelerator_lib.memory.cache import Cache

traces = st.lists(st.integers(0, 2000), min_size=1, max_size=300)
geometries = st.builds(lambda s, w, b: Cache(2**s, 2**w, 2**b), st.integers(0, 4), st.integers(0, 4), st.integers(2, 6))


@given(traces, geometries)
def test_more_ways_never_lose_a_hit(trace, geometry):
    """LRU inclusion: with the sets as they are, a larger stack holds what a smaller one holds."""
    curve = reuse.ways_curve(trace, geometry.sets, geometry.line_bytes)
    assert (np.diff(curve) >= 0).all()
    full = reuse.capacity_curve(trace, geometry.line_bytes)
    for lines in (1, 2, 8):
        want = sum(replay(trace, Cache(1, lines, geometry.line_bytes)))
        assert full[min(lines, len(full)) - 1] == want


@given(st.lists(st.integers(0, 30), max_size=200))
def test_reuse_distances_counted_one_by_one(lines):
    want = []
    for i, line in enumerate(lines):
        before = [j for j in range(i) if lines[j] == line]
        want.append(len(set(lines[before[-1] + 1 : i])) if before else -1)
    assert list(reuse.reuse_distances(np.array(lines, dtype=np.int64))) == want


@given(traces, st.integers(0, 3), st.integers(0, 4))
def test_a_profile_knows_the_hit_rate_of_every_size(trace, sets_log, ways_log):
    found = reuse.profile(trace, sets=2**sets_log, line_bytes=16)
    full, own = Cache(1, 2**ways_log, 16), Cache(2**sets_log, 2**ways_log, 16)
    assert found.hit_rate(full.capacity_bytes) == pytest.approx(sum(replay(trace, full)) / len(trace))
    assert found.hit_rate_in_sets(own.capacity_bytes) == pytest.approx(sum(replay(trace, own)) / len(trace))
    assert found.hit_rate(found.enough_bytes) == found.hit_rate(1e9)
    if found.enough_bytes > 16:
        assert found.hit_rate(found.enough_bytes - 16) < found.hit_rate(1e9)


def test_a_cyclic_walk_falls_off_a_cliff_at_its_own_size():
    found = reuse.profile(np.tile(sweep(40, 64), 4))
    assert found.hit_rate([39 * 1024, 40 * 1024, 41 * 1024]) == pytest.approx([0, 0.75, 0.75])
    assert found.enough_bytes == 40 * 1024
    assert found.hit_rate_in_sets([36 * 1024, 40 * 1024]) == pytest.approx([0, 0.75])


def test_half_a_way_is_none_and_what_was_not_counted_is_unknown():
    found = reuse.profile(programs.addresses("matrix product"))
    one_way = 64 * 64
    assert found.hit_rate_in_sets(1.9 * one_way) == found.hit_rate_in_sets(one_way) > 0
    assert np.isnan(found.hit_rate_in_sets([0.5 * one_way, 17 * one_way])).all()
    assert found.hit_rate(1) == found.hit_rate(64) < found.hit_rate(4096) == pytest.approx(0.983, abs=0.001)
    assert found.enough_bytes == pytest.approx(4.44 * 1024, rel=0.001)


def test_a_profile_needs_an_access():
    with pytest.raises(ValueError, match="one access at least"):
        reuse.profile([])
