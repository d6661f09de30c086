import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.memory import census, fastcache, replay
from accelerator_lib.memory.cache import Cache

traces = st.lists(st.integers(0, 2000), min_size=1, max_size=300)


@settings(max_examples=25, deadline=None)  # a new shape compiles
@given(traces, st.sampled_from([Cache(4, 2, 16), Cache(8, 4, 32), Cache(64, 8, 64)]))
def test_the_compiled_loop_counts_the_same(trace, geometry):
    assert fastcache.hits(trace, geometry) == sum(replay(trace, geometry))


@given(traces, st.sampled_from([Cache(1, 1, 16), Cache(4, 2, 16), Cache(2, 16, 32)]))
def test_numpy_counts_the_same(trace, geometry):
    assert fastcache.hits(trace, geometry, use_jax=False) == sum(replay(trace, geometry))


def test_millions_of_accesses_agree_with_the_plain_simulation():
    draw = np.random.default_rng(5)
    trace = draw.integers(0, 2**18, 200_000)
    geometry = Cache(64, 8, 64)
    assert fastcache.hits(trace, geometry) == census(trace, geometry).hits


def test_no_access_hits_nothing_and_a_half_true_switch_is_refused():
    assert fastcache.hits([], Cache(2, 2)) == 0
    with pytest.raises(TypeError, match="use_jax must be True or False"):
        fastcache.hits([0], Cache(2, 2), use_jax=1)


@pytest.mark.parametrize("geometry", [Cache(2**23, 16), Cache(2**23, 1), Cache(1, 2**23)])
def test_a_cache_whose_every_line_is_copied_in_each_step_has_a_limit(geometry):
    for use_jax in (True, False):
        with pytest.raises(ValueError, match="lines of a cache are more .*at most 4,194,304.*lower sets or ways"):
            fastcache.hits(np.arange(16) * 64, geometry, use_jax)
