"""Accesses of a warp: sectors, banks, turns; one access at a time and many together."""

from itertools import pairwise
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import by_sector
from accelerator_lib import gpu
from accelerator_lib.gpu import access
from accelerator_lib.gpu.access import Access
from accelerator_lib.gpu.together import together


@given(st.integers(0, 70), st.sampled_from([4, 8, 16]), st.integers(0, 31))
def test_sectors_are_the_distinct_pieces_of_32_bytes(stride, size, offset):
    bytes_read = {offset + lane * stride * size + byte for lane in range(32) for byte in range(size)}
    assert gpu.sectors(stride, size, offset) == len({byte // 32 for byte in bytes_read})
    share = gpu.load_efficiency(stride, size, offset)
    assert share == pytest.approx(len(bytes_read) / (32 * gpu.sectors(stride, size, offset)))


@given(st.integers(1, 1000))
def test_bank_conflicts_of_strides_are_a_greatest_common_divisor(stride):
    assert gpu.bank_conflict(stride) == gcd(stride, 32)


strides, sizes, offsets = st.integers(0, 70), st.sampled_from([1, 4, 8, 16, 40]), st.integers(0, 31)


def test_banks_by_hand():
    row, column = access.strided(1), access.strided(32)
    assert (len(row.sectors), row.bytes_brought, row.efficiency) == (4, 128, 1)
    assert (len(column.sectors), column.bytes_brought, column.efficiency) == (32, 1024, 0.125)
    column = access.strided(32)
    assert column.turns == 32 == column.words[0] and column.words.sum() == 32
    assert (access.strided(33).words == np.ones(32)).all()
    assert access.strided(0).turns == 1
    assert access.touched(lambda lane: lane // 16 * 32).turns == 2


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
        rows = zip(state.order[: state.count], state.asked, strict=False)
        lit = {32 * s + b for s, row in rows for b in np.flatnonzero(row)}
        assert lit == {a for a in asked.addresses.ravel().tolist() if a // 32 in there}
    assert state.served.all()


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
        assert found.lines[warp] == len({word // 32 for word in own})
        assert found.queued[warp] == max(sum(word % 32 == bank for word in own) for bank in range(32))


def test_sectors_by_hand():
    run = list(by_sector(access.strided(1)))
    assert [state.sector for state in run] == [None, 0, 1, 2, 3]
    assert [np.flatnonzero(state.serving).tolist() for state in run[1:]] == np.arange(32).reshape(4, 8).tolist()
    assert [state.bytes_brought for state in run] == [state.bytes_asked for state in run] == [0, 32, 64, 96, 128]
    run = list(by_sector(access.touched(lambda lane: 31 - lane)))
    assert [state.sector for state in run[1:]] == [3, 2, 1, 0]
    for before, after in pairwise(run):
        assert after.serving[np.argmin(before.served)]
    found = together(np.zeros((2, 32), int), np.zeros((2, 32), bool))
    for each in (found.sectors, found.asked_bytes, found.turns, found.alike, found.lines, found.queued):
        assert each.tolist() == [0, 0]
