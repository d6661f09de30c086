import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import memory
from accelerator_lib.memory import scratchpad


@given(st.integers(1, 3), st.integers(0, 4), st.integers(2, 6))
def test_a_scratchpad_and_a_cache_are_what_their_simulation_does(ways_log, sets_log, passes):
    cache = memory.Cache(2**sets_log, 2**ways_log, 64)
    for lines in (cache.lines, 2 * cache.lines, 4 * cache.lines):
        trace = [line * 64 for _ in range(passes) for line in range(lines)]
        lru, pad = scratchpad.hit_rates(lines * 64, cache.capacity_bytes, passes)
        assert sum(memory.replay(trace, cache)) / len(trace) == pytest.approx(lru)
        kept = set(range(cache.lines))  # copied in once, never thrown out
        hits = sum(line in kept for _ in range(passes - 1) for line in range(lines))
        assert hits / len(trace) == pytest.approx(pad)


def test_40_of_32_kib_by_hand():
    cached, kept = scratchpad.hit_rates(40 * 1024, 32 * 1024, passes=10)
    assert cached == 0 and kept == pytest.approx(0.9 * 0.8)
    assert scratchpad.hit_rates(32 * 1024, 32 * 1024, passes=10) == (pytest.approx(0.9), pytest.approx(0.9))


def test_a_curve_is_its_points():
    sizes = np.array([4, 32, 33, 1024.0])
    cached, kept = scratchpad.hit_rates(sizes, 32, 5)
    points = [scratchpad.hit_rates(size, 32, 5) for size in sizes]
    assert np.transpose([cached, kept]) == pytest.approx(np.array(points))


def test_one_pass_hits_nothing():
    assert scratchpad.hit_rates(10, 20, 1) == (0, 0)
