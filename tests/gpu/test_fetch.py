from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import by_sector
from accelerator_lib import gpu
from accelerator_lib.gpu import access

strides, sizes, offsets = st.integers(0, 70), st.sampled_from([1, 4, 8, 16, 40]), st.integers(0, 31)


def test_four_sectors_in_a_row_serve_eight_lanes_each():
    run = list(by_sector(access.strided(1)))
    assert [state.sector for state in run] == [None, 0, 1, 2, 3]
    assert [np.flatnonzero(state.serving).tolist() for state in run[1:]] == np.arange(32).reshape(4, 8).tolist()
    assert [state.bytes_brought for state in run] == [state.bytes_asked for state in run] == [0, 32, 64, 96, 128]


def test_the_first_lane_without_its_bytes_says_which_sector_comes_next():
    run = list(by_sector(access.touched(lambda lane: 31 - lane)))
    assert [state.sector for state in run[1:]] == [3, 2, 1, 0]
    for before, after in pairwise(run):
        assert after.serving[np.argmin(before.served)]


@given(strides, sizes, offsets)
def test_what_is_brought_is_what_the_formula_counts(stride, size, offset):
    asked = access.strided(stride, size, offset)
    *_, last = run = list(by_sector(asked))
    assert len(run) == 1 + gpu.sectors(stride, size, offset) and run[0].efficiency is None
    assert last.bytes_brought == asked.bytes_brought and sorted(last.order) == asked.sectors.tolist()
    assert last.efficiency == pytest.approx(gpu.load_efficiency(stride, size, offset))


@given(strides, sizes, offsets)
def test_a_lane_is_served_when_the_last_of_its_sectors_is_there_and_not_before(stride, size, offset):
    asked, there = access.strided(stride, size, offset), set()
    for state in by_sector(asked):
        there |= {state.sector} - {None}
        want = [set((own // 32).tolist()) <= there for own in asked.addresses]
        assert state.served.tolist() == want
        lit = {
            32 * s + b
            for s, row in zip(state.order[: state.count], state.asked, strict=False)
            for b in np.flatnonzero(row)
        }
        assert lit == {a for a in asked.addresses.ravel().tolist() if a // 32 in there}
    assert state.served.all()


def test_only_an_access_is_fetched():
    with pytest.raises(TypeError, match="access must be an Access"):
        next(by_sector([0, 4, 8]))
