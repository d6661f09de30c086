"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import law

from accelerator_lib import memory
from accelerator_lib.memory import hostlink

times = st.floats(1e-6, 1e-2)


def pipelined_seconds(chunks, copy, work, overlap=True):
    """The formula: first copy + last step + (n - 1) x the slower of the two; without overlap all of both."""
    return copy + work + (chunks - 1) * max(copy, work) if overlap else chunks * (copy + work)


@given(st.integers(1, 60), times, times, st.booleans())
def test_the_formula_of_a_pipeline_is_its_timeline_played(chunks, copy, work, overlap):
    played = memory.timeline(chunks, copy, work, buffers=None if overlap else 1).seconds
    assert pipelined_seconds(chunks, copy, work, overlap) == pytest.approx(played)


@given(st.integers(1, 6), st.floats(1e-7, 1e-5), st.floats(1e-7, 1e-5))
def test_one_buffer_adds_and_two_overlap(buffers, copy, maths):
    line = memory.timeline(30, copy, maths, buffers)
    assert line.each == pytest.approx(copy + maths if buffers == 1 else max(copy, maths))
    assert memory.timeline(30, copy, maths, 6).seconds == pytest.approx(copy + maths + 29 * max(copy, maths))


def test_timelines_by_hand():
    assert pipelined_seconds(8, 2e-3, 3e-3) == pytest.approx(26e-3)
    assert pipelined_seconds(8, 2e-3, 3e-3, overlap=False) == pytest.approx(40e-3)
    assert memory.transfer_seconds(26e9, 32e9) == pytest.approx(0.8125)
    assert memory.transfer_seconds(0, 32e9, latency_seconds=1e-5) == 1e-5
    line = memory.timeline(8, 2e-3, 3e-3)
    assert (
        line.seconds == pytest.approx(26e-3)
        and line.slower == "work"
        and memory.timeline(8, 3e-3, 2e-3).slower == "copies"
    )
    line = memory.timeline(20, 2e-3, 3e-3, buffers=2)
    assert (line.work_starts >= line.copy_starts + 2e-3 - 1e-12).all()
    assert (np.diff(line.copy_starts) >= 2e-3 - 1e-12).all() and (np.diff(line.work_starts) >= 3e-3 - 1e-12).all()


def test_average_access_time_adds_penalties():
    assert memory.amat(4, 14, 200, 0.1, 0.2) == pytest.approx(4 + 0.1 * (14 + 0.2 * 200))


@given(st.lists(st.integers(0, 300), min_size=1, max_size=200))
def test_average_access_time_is_the_time_of_the_trace(trace):
    caches = memory.Cache(2, 2, 4), memory.Cache(4, 4, 4)
    *_, last = memory.chain(trace, caches, (4, 14, 200))
    _, second, rest = last.found
    misses = [(second + rest) / len(trace), rest / max(1, second + rest)]
    assert memory.amat(4, 14, 200, *misses) * len(trace) == pytest.approx(last.time)


@pytest.mark.parametrize(("width", "warps"), [(4, 1), (16, 32), (64, 64)])
def test_loads_on_their_way_are_the_tank_of_as_many_warps(width, warps):
    found = law("memory", "tank-function", "tank", "three-loads-function")(108 * 32 * warps, width)
    known = memory.tank(552 / 1.41e9, bytes_per_thread=width, warps=warps)
    assert found["rate"] == pytest.approx(known.share * memory.flow.A100.bytes_per_s)


@pytest.mark.parametrize(("l1", "l2", "far"), [(0.1, 0.5, 200), (0.0, 1.0, 800), (0.5, 0.0, 50)])
def test_an_average_access_is_the_sum_of_its_parts(l1, l2, far):
    now, fewer, faster = (
        sum(one.values()) for one in law("memory", "average-function", "average")(l1, l2, far).values()
    )
    wanted = [memory.amat(4, 14, *one) for one in ((far, l1, l2), (far, l1 / 2, l2), (far / 2, l1, l2))]
    assert [now, fewer, faster] == pytest.approx(wanted)


@pytest.mark.parametrize(("passes", "trips"), [(1, 1), (10, 3), (10_000, 100)])
def test_a_job_on_a_card_or_in_unified_memory(passes, trips):
    """By hand: 10 GB there and back at 31.5 GB/s for each trip, and read at 2.039 or 0.4 TB/s in each pass."""
    place = law("memory", "place-function", "place", "three-loads-function")
    card, unified, link = place(passes, trips).values()
    assert link == pytest.approx(2 * trips * (10 / 31.5 + hostlink.START_SECONDS))
    assert (card - link, unified) == (pytest.approx(passes * 10 / 2039), pytest.approx(passes * 10 / 400))
