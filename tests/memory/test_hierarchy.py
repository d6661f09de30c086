import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.memory.cache import Cache, replay
from accelerator_lib.memory.hierarchy import chain

traces = st.lists(st.integers(0, 2000), min_size=1, max_size=300)


@given(traces)
def test_caches_in_a_row_are_inclusive_and_the_first_sees_the_trace(trace):
    small, large = Cache(2, 2, 16), Cache(4, 2, 32)
    steps = list(chain(trace, (small, large), (1, 10, 100)))
    assert len(steps) == len(trace)
    for step in steps:
        inner = {int(line) * 16 // 32 for line in step.contents[0].ravel() if line >= 0}
        assert inner <= {int(line) for line in step.contents[1].ravel() if line >= 0}
        assert sum(step.found) == step.number + 1 and step.hits == step.number + 1 - step.found[-1]
    alone = list(chain(trace, (small,), (1, 100)))
    assert [step.level == 0 for step in alone] == list(replay(trace, small))


def test_what_leaves_the_large_cache_leaves_the_small_one():
    small, large = Cache(1, 2, 16), Cache(1, 2, 16)
    steps = list(chain([0, 16, 0, 32], (small, large)))
    # line 0 was used last in the small cache, but the large one has not seen that: it throws out line 0
    assert steps[-1].evicted == ((1, 0), (0, 0)) and 0 not in steps[-1].contents[0]


def test_a_chase_pays_every_level_on_its_way_down():
    """The chapter's stepper: 40 lines at random, no line twice before all others: nothing hits in the small cache."""
    order = np.random.default_rng(3).permutation(40) * 64
    *_, last = chain(order, (Cache(4, 2, 64), Cache(8, 4, 64)))
    assert last.found == (0, 0, 40) and last.time == 40 * 218
    again = list(chain([0, 0], (Cache(4, 2, 64),), latencies=(4, 200)))
    assert [step.time for step in again] == [204, 208] and [step.average for step in again] == [204, 104]


def test_a_chain_needs_one_latency_more_than_caches():
    with pytest.raises(ValueError, match="1 caches need 2 latencies, memory's last; got 3"):
        list(chain([0], (Cache(1, 1, 16),)))


@pytest.mark.parametrize("caches, latencies, message", [
    (5, (1, 2), "caches must be a tuple"),
    ((Cache(1, 1),), (1, -2), "latencies"),
    ((Cache(1, 1),), "fast", "latencies"),
])  # fmt: skip
def test_what_is_no_hierarchy_is_refused(caches, latencies, message):
    with pytest.raises((TypeError, ValueError), match=message):
        list(chain([0], caches, latencies))


@pytest.mark.parametrize("sets, ways", [(1, 2**30), (2**30, 1), (64, 128)])
def test_caches_whose_contents_are_too_many_to_tell_are_refused_before_the_first_access(sets, ways):
    with pytest.raises(ValueError, match="lines in all caches are more .*at most 4,096.*lower the sets or ways"):
        chain([0], (Cache(sets, ways),), (4, 200))
    assert next(chain([0], (Cache(64, 64),), (4, 200))).level == 1
