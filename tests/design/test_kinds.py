"""Three kinds of machines, told apart by two published numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, roofline
from accelerator_lib.design import kinds
from accelerator_lib.workload import Gemm


def test_what_the_units_and_the_memories_say():
    found = {one.record.id: one for one in kinds.kinds().machines}
    sram = [one for one in found.values() if one.record.kind == "sram"]
    rest = [one for one in found.values() if one.record.kind != "sram"]
    assert max(one.hunger for one in sram) < 10 < 100 < min(one.hunger for one in rest)
    gpus = [one.unit_macs for one in rest if one.record.kind == "gpu"]
    tpus = [one.unit_macs for one in rest if one.record.kind == "tpu"]
    assert max(gpus) * 10 < min(tpus)
    assert max(one.seconds_to_read for one in sram) < 1e-4 < 1e-2 < min(one.seconds_to_read for one in rest)


@pytest.mark.parametrize("id", ["a100-80gb-sxm", "h100-sxm5", "tpu-v4", "mi300x"])
@pytest.mark.parametrize("rows", [1, 64, 4096])
def test_the_share_is_the_roofs(id, rows):
    """Two roads: rows over the ridge, and chapter 3's place of a wide product of so many rows."""
    one = next(one for one in kinds.kinds(rows).machines if one.record.id == id)
    gemm, chip = Gemm(rows, 10**6, 10**6), hardware.chip(id)
    point = roofline.place(gemm, chip, "bf16")
    assert one.share == pytest.approx(point.flops_per_s / chip.peak("bf16"), rel=0.01)


@pytest.mark.parametrize(
    "row",
    [("ipu-gc200", 1472, 1.33e9), ("h100-sxm5", 528, 1.83e9), ("a100-80gb-sxm", 432, 1.41e9), ("tpu-v4", 8, 1.05e9)],
)
def test_units_times_their_size_is_the_peak(row):
    id, units, clock_hz = row
    one = next(one for one in kinds.kinds().machines if one.record.id == id)
    assert units * one.unit_macs * 2 * clock_hz == pytest.approx(one.record.peak("16 bits"), rel=0.01)


@given(st.integers(1, 10**6))
def test_more_rows_feed_no_machine_less(rows):
    few, more = kinds.kinds(rows), kinds.kinds(min(2 * rows, 10**6))
    for a, b in zip(few.machines, more.machines, strict=True):
        assert 0 < a.share <= b.share <= 1 and a.chips == b.chips


def test_bad_input_is_one_clear_line():
    for rows in (0, -1, 1.5, float("nan"), 10**9):
        with pytest.raises((ValueError, TypeError), match="rows"):
            kinds.kinds(rows)
