import inspect

import pytest

from accelerator_lib import data, memory
from accelerator_lib.memory import hostlink

LINKS = hostlink.LINKS


def test_links_are_those_of_the_data_and_so_are_the_defaults():
    assert LINKS["PCIe 4.0 x16"] == pytest.approx(16 * 16e9 * 128 / 130 / 8, rel=0.005)
    assert LINKS["coherent (NVLink-C2C)"] / LINKS["PCIe 5.0 x16"] == pytest.approx(7.1, abs=0.05)
    for function in (hostlink.plan, hostlink.place_job, hostlink.load):
        assert inspect.signature(function).parameters["link_bytes_per_s"].default in LINKS.values()


def test_every_link_was_measured_slower_than_it_is_sold():
    measured = {row["workload"].partition(", ")[2]: row["value"] * 1e9 for row in data.rows("link_bandwidth").values()}
    assert len(measured) >= len(LINKS)
    for name, rate in measured.items():
        sold = next(rate for link, rate in LINKS.items() if name in link)
        assert 0.3 * sold < rate < sold


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
