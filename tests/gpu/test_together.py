import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.together import together

WARPS = st.lists(st.lists(st.integers(0, 300), min_size=32, max_size=32), min_size=1, max_size=3)


@given(WARPS, st.data())
def test_many_warps_are_counted_as_one_is(warps, data):
    mask = np.array(
        data.draw(st.lists(st.lists(st.booleans(), min_size=32, max_size=32), min_size=len(warps), max_size=len(warps)))
    )
    found = together(np.array(warps), mask)
    for warp, (words, works) in enumerate(zip(warps, mask, strict=True)):
        own = [word for word, at_work in zip(words, works, strict=True) if at_work]
        one = Access(4 * np.array(own, int)[:, None] + np.arange(4))
        assert found.sectors[warp] == len(one.sectors) and found.asked_bytes[warp] == len(np.unique(one.addresses))
        assert found.turns[warp] == one.turns
        assert found.alike[warp] == max(map(own.count, own), default=0)
        assert found.queued[warp] == max(sum(word % 32 == bank for word in own) for bank in range(32))


def test_where_no_lane_works_nothing_is_counted():
    found = together(np.zeros((2, 32), int), np.zeros((2, 32), bool))
    for each in (found.sectors, found.asked_bytes, found.turns, found.alike, found.queued):
        assert each.tolist() == [0, 0]
