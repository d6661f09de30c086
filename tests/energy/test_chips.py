import pytest

from accelerator_lib import energy, hardware
from accelerator_lib.energy import chips, table
from accelerator_lib.hardware import chip

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


def test_every_chip_is_estimated_or_says_what_is_missing():
    found, missing = chips.estimates()
    assert set(found) | set(missing) == set(hardware.chips())
    assert len(found) >= 30 and all(missing.values())
    assert [id for id, one in found.items() if one.share > 1] == ["b100", "b200", "b300"]
    assert found["groq-lpu"].level == "sram_1mb"  # a machine of SRAM is not charged for HBM


def test_an_estimate_is_told_as_shares_of_the_tdp():
    one = chips.Sanity(A100, memory_w=100, compute_w=60, level="hbm2_low", dtype="fp16")
    assert (one.memory_share, one.compute_share, one.share) == (0.25, 0.15, 0.4)  # of 400 W


def test_a_league_compares_one_format_dense():
    table = chips.per_watt("fp16")
    assert list(table.values()) == sorted(table.values(), reverse=True)
    assert table[H100] == pytest.approx(989.4e12 / 700)
    assert all(one.tdp_w for one in table)


def test_the_parts_of_a_budget_by_hand():
    parts = chips.parts(2e12, 250.0, 3e14, 0.5, overhead=0.2)
    assert parts == {"arithmetic": pytest.approx(75), "memory": pytest.approx(62.5), "overhead": pytest.approx(27.5)}


def test_a_budget_of_the_tables_energies_is_the_estimate_of_the_chip():
    """Two roads: pJ for 64 bits and for one multiply-add, or the level and the format."""
    one = chips.sanity("a100-80gb-sxm")
    parts = chips.parts(
        A100.bytes_per_s, table.access(one.level).pj_per_byte * 8, A100.peak("fp16"), energy.mac_pj("fp16", 7, "fp32")
    )
    assert one.memory_w == pytest.approx(parts["memory"]) and one.compute_w == pytest.approx(parts["arithmetic"])


def test_a_chip_has_its_place_in_the_league_or_none():
    found = chips.league("fp16", "h100-sxm5")
    assert list(found.table)[found.place - 1] is H100 and found.own == found.table[H100]
    assert found.sparse == pytest.approx(1978.9e12 / 700)
    absent = chips.league("fp4", "v100-sxm2-32gb")
    assert absent.own is None and absent.place is None and absent.sparse is None
