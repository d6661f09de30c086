import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import memory


def test_average_access_time_adds_penalties():
    assert memory.amat([(4, 0.9), (14, 0.8)], 200) == pytest.approx(4 + 0.1 * (14 + 0.2 * 200))
    assert memory.amat([], 200) == 200


@pytest.mark.parametrize("levels, message", [
    ([(4, 1.5)], "hit_rate"),
    ([(-4, 0.5)], "latency"),
    ([4, 0.5], "levels must be pairs such as"),
    (None, "levels must be pairs such as"),
])  # fmt: skip
def test_what_is_no_level_is_refused(levels, message):
    with pytest.raises((TypeError, ValueError), match=message):
        memory.amat(levels, 200)


@given(st.lists(st.integers(0, 300), min_size=1, max_size=200))
def test_average_access_time_is_the_time_of_the_trace(trace):
    caches = memory.Cache(2, 2, 4), memory.Cache(4, 4, 4)
    *_, last = memory.chain(trace, caches, (4, 14, 200))
    first, second, rest = last.found
    rates = [first / len(trace), second / max(1, second + rest)]
    assert memory.amat([(4, rates[0]), (14, rates[1])], 200) * len(trace) == pytest.approx(last.time)
