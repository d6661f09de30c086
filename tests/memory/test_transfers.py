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


@given(st.integers(1, 60), times, times, st.booleans())
def test_the_formula_of_a_pipeline_is_its_timeline_played(chunks, copy, work, overlap):
    played = memory.timeline(chunks, copy, work, buffers=None if overlap else 1).seconds
    assert memory.pipelined_seconds(chunks, copy, work, overlap) == pytest.approx(played)


@given(st.integers(1, 6), st.floats(1e-7, 1e-5), st.floats(1e-7, 1e-5))
def test_one_buffer_adds_and_two_overlap(buffers, copy, maths):
    line = memory.timeline(30, copy, maths, buffers)
    assert line.each == pytest.approx(copy + maths if buffers == 1 else max(copy, maths))
    assert memory.timeline(30, copy, maths, 6).seconds == pytest.approx(copy + maths + 29 * max(copy, maths))


def test_eight_chunks_take_26_or_40_milliseconds_and_a_model_crosses_pcie_in_08_seconds():
    assert memory.pipelined_seconds(8, 2e-3, 3e-3) == pytest.approx(26e-3)
    assert memory.pipelined_seconds(8, 2e-3, 3e-3, overlap=False) == pytest.approx(40e-3)
    assert memory.transfer_seconds(26e9, 32e9) == pytest.approx(0.8125)
    assert memory.transfer_seconds(0, 32e9, latency_seconds=1e-5) == 1e-5


def test_a_timeline_knows_what_it_saves_and_what_holds_it_up():
    line = memory.timeline(8, 2e-3, 3e-3)
    assert line.one_by_one_seconds == pytest.approx(40e-3) and line.seconds == pytest.approx(26e-3)
    assert line.overlaps and line.slower == "work" and memory.timeline(8, 3e-3, 2e-3).slower == "copies"
    for alone in (memory.timeline(1, 2e-3, 3e-3), memory.timeline(8, 2e-3, 3e-3, buffers=1), memory.timeline(8, 1, 0)):
        assert not alone.overlaps and alone.seconds == pytest.approx(alone.one_by_one_seconds)


def test_a_chunk_is_copied_before_it_is_worked_on_and_nothing_does_two_things_at_once():
    line = memory.timeline(20, 2e-3, 3e-3, buffers=2)
    assert (line.work_starts >= line.copy_starts + 2e-3 - 1e-12).all()
    assert (np.diff(line.copy_starts) >= 2e-3 - 1e-12).all() and (np.diff(line.work_starts) >= 3e-3 - 1e-12).all()


@pytest.mark.parametrize("arguments, message", [
    ((0, 1e-3, 1e-3), "chunks"),
    ((20_000, 1e-3, 1e-3), "chunks"),
    ((4, -1e-3, 1e-3), "copy_seconds"),
    ((4, 1e-3, float("nan")), "compute_seconds"),
    ((4, 1e-3, 1e-3, True), "buffers"),
])  # fmt: skip
def test_an_impossible_timeline_is_refused(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        memory.timeline(*arguments)


LINKS = hostlink.LINKS


def test_links_are_those_of_the_data_and_so_are_the_defaults():
    assert LINKS["PCIe 4.0 x16"] == pytest.approx(16 * 16e9 * 128 / 130 / 8, rel=0.005)
    assert LINKS["coherent (NVLink-C2C)"] / LINKS["PCIe 5.0 x16"] == pytest.approx(7.1, abs=0.05)
    for function in (hostlink.plan, hostlink.place_job, hostlink.load):
        assert inspect.signature(function).parameters["link_bytes_per_s"].default in LINKS.values()


def test_26_gigabytes_cross_pcie_4_in_08_seconds():
    plan = hostlink.plan(26e9, LINKS["PCIe 4.0 x16"], chunks=1, compute_seconds=0)
    assert plan.seconds == pytest.approx(26 / 31.5 + hostlink.START_SECONDS)


def test_pageable_memory_is_slower_and_cannot_overlap():
    pinned, pageable = (hostlink.plan(8e9, 32e9, 8, p, 3e-3) for p in (True, False))
    assert pageable.seconds == pytest.approx(memory.pipelined_seconds(8, pageable.copy_seconds, 3e-3, overlap=False))
    assert pageable.seconds > 2 * pinned.seconds


def test_too_many_chunks_wait_for_their_starts():
    few, many = (hostlink.plan(1e6, chunks=chunks, compute_seconds=0).seconds for chunks in (1, 1000))
    assert many - few == pytest.approx(999 * hostlink.START_SECONDS)


def test_each_byte_is_staged_once_however_the_data_are_cut():
    """By hand: 8 GB at 16 GB/s over the link, and once through the staging buffer; each chunk adds one start."""
    one, eight = (hostlink.plan(8e9, 16e9, chunks, pinned=False, compute_seconds=0).seconds for chunks in (1, 8))
    assert one == pytest.approx(0.5 + 8e9 / hostlink.STAGING_BYTES_PER_S + hostlink.START_SECONDS)
    assert eight - one == pytest.approx(7 * hostlink.START_SECONDS)


def test_unified_memory_wins_few_passes_and_loses_many():
    few, many = (hostlink.place_job(passes=p) for p in (1, 1000))
    assert few.unified_seconds < few.card_seconds and many.unified_seconds > many.card_seconds
    assert hostlink.place_job(round_trips=10).moving_seconds == pytest.approx(10 * hostlink.place_job().moving_seconds)


def test_a_job_by_hand():
    job = hostlink.place_job(10e9, 10, 1, link_bytes_per_s=20e9, unified_bytes_per_s=0.5e12, device_bytes_per_s=2e12)
    assert job.moving_seconds == pytest.approx(2 * (0.5 + hostlink.START_SECONDS))
    assert (job.reading_seconds, job.unified_seconds) == pytest.approx((0.05, 0.2))
    assert job.card_seconds == job.moving_seconds + job.reading_seconds


def test_decompression_helps_until_its_engine_is_the_limit():
    assert hostlink.load(ratio=2).gain == hostlink.load().gain == pytest.approx(2) and hostlink.load(ratio=1).gain == 1
    assert hostlink.load(ratio=50, engine_bytes_per_s=100e9).gain == pytest.approx(100 / 63)


def test_an_impossible_plan_is_refused():
    with pytest.raises(ValueError, match="link_bytes_per_s = 0"):
        hostlink.plan(link_bytes_per_s=0)
    with pytest.raises(TypeError, match="pinned must be True or False"):
        hostlink.plan(pinned="yes")
    with pytest.raises(ValueError, match="ratio"):
        hostlink.load(ratio=0.5)


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


@pytest.mark.parametrize(("width", "warps"), [(4, 1), (16, 32), (64, 64)])
def test_a_tank(width, warps):
    found = law("memory", "tank-function", "tank")(width=width, warps=warps)
    known = memory.tank(392e-9, bytes_per_thread=width, warps=warps)
    assert found.needed_bytes == pytest.approx(known.needed_bytes) and found.share == pytest.approx(known.share)
    assert found.warps_needed == known.warps_needed


@pytest.mark.parametrize(("passes", "trips"), [(1, 1), (10, 3), (10_000, 100)])
def test_a_job_on_a_card_or_in_unified_memory(passes, trips):
    card, unified, link = law("memory", "place-function", "place", "tank-function", "host-function")(
        passes, trips
    ).values()
    known = hostlink.place_job(10e9, passes, trips)
    assert (card, unified) == (pytest.approx(known.card_seconds), pytest.approx(known.unified_seconds))
    assert link == pytest.approx(known.moving_seconds)


@pytest.mark.parametrize(("ratio", "engine"), [(1.0, 20e9), (2.0, 400e9), (4.0, 1000e9)])
def test_loading_compressed(ratio, engine):
    found = law("memory", "load-function", "loading", "host-function")(26e9, ratio, engine)
    known = hostlink.load(26e9, ratio=ratio, engine_bytes_per_s=engine)
    assert list(found.values()) == pytest.approx([known.plain_seconds, known.compressed_seconds])


@pytest.mark.parametrize(("chunks", "work"), [(1, 0.825), (8, 0.4), (64, 2.0)])
def test_copies_in_chunks_beside_all_the_work(chunks, work):
    """The work is that on all of the data, so cutting it up adds none."""
    found = law("memory", "host-function", "host")(26e9, chunks, True, work)
    copy = memory.transfer_seconds(26e9 / chunks, hostlink.PCIE_4, hostlink.START_SECONDS)
    assert found.seconds == pytest.approx(memory.pipelined_seconds(chunks, copy, work / chunks))
    assert found.one_by_one_seconds == pytest.approx(chunks * copy + work)


def test_a_million_lines_one_by_one_and_at_once():
    audit, flow = law("memory", "audit-function", "audit"), memory.flow
    (first, alone), (same, together) = audit().values(), audit(at_once=True).values()
    latencies = memory.levels.published("a100-80gb-sxm", "dram", "latency").values
    assert first == same == max(each.value for each in latencies) and alone == pytest.approx(1e6 * first)
    assert together - first == pytest.approx(999_999 * 64 / flow.A100.bytes_per_s)
