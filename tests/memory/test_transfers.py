"""Laws that stand in a cell and in a tested model: both say the same."""

import inspect

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
    assert line.one_by_one_seconds == pytest.approx(40e-3) and line.seconds == pytest.approx(26e-3)
    assert line.overlaps and line.slower == "work" and memory.timeline(8, 3e-3, 2e-3).slower == "copies"
    for alone in (memory.timeline(1, 2e-3, 3e-3), memory.timeline(8, 2e-3, 3e-3, buffers=1), memory.timeline(8, 1, 0)):
        assert not alone.overlaps and alone.seconds == pytest.approx(alone.one_by_one_seconds)
    line = memory.timeline(20, 2e-3, 3e-3, buffers=2)
    assert (line.work_starts >= line.copy_starts + 2e-3 - 1e-12).all()
    assert (np.diff(line.copy_starts) >= 2e-3 - 1e-12).all() and (np.diff(line.work_starts) >= 3e-3 - 1e-12).all()


LINKS = hostlink.LINKS


def test_plans_by_hand():
    assert LINKS["PCIe 4.0 x16"] == pytest.approx(16 * 16e9 * 128 / 130 / 8, rel=0.005)
    assert LINKS["coherent (NVLink-C2C)"] / LINKS["PCIe 5.0 x16"] == pytest.approx(7.1, abs=0.05)
    assert inspect.signature(hostlink.plan).parameters["link_bytes_per_s"].default in LINKS.values()
    plan = hostlink.plan(26e9, LINKS["PCIe 4.0 x16"], chunks=1, compute_seconds=0)
    assert plan.seconds == pytest.approx(26 / 31.5 + hostlink.START_SECONDS)
    pinned, pageable = (hostlink.plan(8e9, 32e9, 8, p, 3e-3) for p in (True, False))
    assert pageable.seconds == pytest.approx(pipelined_seconds(8, pageable.copy_seconds, 3e-3, overlap=False))
    assert pageable.seconds > 2 * pinned.seconds
    few, many = (hostlink.plan(1e6, chunks=chunks, compute_seconds=0).seconds for chunks in (1, 1000))
    assert many - few == pytest.approx(999 * hostlink.START_SECONDS)
    # By hand: 8 GB at 16 GB/s over the link, and once through the staging buffer; each chunk adds one start.
    one, eight = (hostlink.plan(8e9, 16e9, chunks, pinned=False, compute_seconds=0).seconds for chunks in (1, 8))
    assert one == pytest.approx(0.5 + 8e9 / hostlink.STAGING_BYTES_PER_S + hostlink.START_SECONDS)
    assert eight - one == pytest.approx(7 * hostlink.START_SECONDS)


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
    place = law("memory", "place-function", "place", "three-loads-function", "host-function")
    card, unified, link = place(passes, trips).values()
    assert link == pytest.approx(2 * trips * (10 / 31.5 + hostlink.START_SECONDS))
    assert (card - link, unified) == (pytest.approx(passes * 10 / 2039), pytest.approx(passes * 10 / 400))


@pytest.mark.parametrize(("chunks", "work"), [(1, 0.825), (8, 0.4), (64, 2.0)])
def test_copies_in_chunks_beside_all_the_work(chunks, work):
    """The work is that on all of the data, so cutting it up adds none."""
    found = law("memory", "host-function", "host")(26e9, chunks, True, work)
    copy = memory.transfer_seconds(26e9 / chunks, hostlink.PCIE_4, hostlink.START_SECONDS)
    assert found.seconds == pytest.approx(pipelined_seconds(chunks, copy, work / chunks))
    assert found.one_by_one_seconds == pytest.approx(chunks * copy + work)
