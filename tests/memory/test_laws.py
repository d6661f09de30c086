"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from laws import law

from accelerator_lib import memory
from accelerator_lib.memory import hostlink


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
