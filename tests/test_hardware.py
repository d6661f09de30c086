import re

import pytest
from refused import refused

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.hardware import Chip

H100 = hardware.chip("h100-sxm5")


def test_all_accelerators_of_the_table_load_with_an_identity():
    chips = hardware.chips()
    assert len(chips) == 53
    for id, chip in chips.items():
        assert chip.id == id and chip.name and chip.vendor and 2010 < chip.year < 2030 and chip.origin


def test_the_values_of_the_h100_are_those_of_its_datasheet_in_base_units():
    assert (H100.peak("bf16"), H100.bytes_per_s, H100.capacity_bytes) == (989.4e12, 3.35e12, 80e9)
    assert (H100.units, H100.unit, H100.clock_hz, H100.tdp_w, H100.die_mm2) == (132, "SM", 1.83e9, 700, 814)
    assert H100.link_bytes_per_s == 450e9  # 900 GB/s are both directions


@pytest.mark.parametrize("name", hardware.FORMAT_BYTES)
def test_a_format_takes_as_many_bits_as_its_name_says(name):
    assert 8 * hardware.format_bytes(name) == int(re.sub(r"\D", "", name))  # tf32 has 19, and takes the place of 32


def test_a_link_counts_one_way():
    """Published one way or both ways together; whoever adds the ways up again gets what is published."""
    published = {record["id"]: record.get("interconnect") or {} for record in data.load("accelerators")["devices"]}
    for id, link in published.items():
        rate, ways = hardware.chip(id).link_bytes_per_s, {"per_direction": 1, "bidirectional_total": 2}
        if link.get("direction") in ways and link["bandwidth_gb_s"]:
            assert rate * ways[link["direction"]] == pytest.approx(link["bandwidth_gb_s"] * 1e9)
        else:
            assert rate is None
    assert {link.get("direction") for link in published.values()} >= {"per_direction", "bidirectional_total"}


def test_a_peak_comes_from_the_matrix_unit_and_says_when_it_does_not_and_sparse_rates_have_their_own_name():
    assert (H100.peak("bf16"), H100.peak_unit("bf16")) == (989.4e12, "matrix")
    assert (H100.peak("fp32"), H100.peak_unit("fp32")) == (66.9e12, "vector")
    assert H100.peak("fp16", unit="vector") == 133.8e12 < H100.peak("fp16")
    assert H100.sparse_peak("bf16") == 1978.9e12 == pytest.approx(2 * H100.peak("bf16"), rel=1e-3)
    edge = hardware.chip("edge-tpu")
    assert edge.bytes_per_s is None
    refused(NotAvailable, "bytes_per_s of Google Coral Edge TPU is unknown", edge.need, "bytes_per_s")
    refused(NotAvailable, "no published sparse", hardware.chip("tpu-v4").sparse_peak, "bf16")
    said = "Google TPU v1 has no bf16 peak on any unit; it has matrix: int8; vector: none"
    refused(NotAvailable, said, hardware.chip("tpu-v1").peak, "bf16")
    refused(NotAvailable, "no fp8 peak on vector unit", H100.peak, "fp8", unit="vector")


def test_a_typo_gets_a_suggestion_and_a_full_name_is_enough():
    refused(UnknownName, "did you mean 'h100-sxm5' or 'h100-pcie'", hardware.chip, "h100")
    assert hardware.chip("NVIDIA H100 SXM5 80GB") is H100 is hardware.chip(H100) is hardware.chip(" H100-SXM5 ")
    refused(TypeError, "chip must be an id", hardware.chip, 100)
    assert H100.source("memory").startswith("datasheet: H100")
    refused(UnknownName, "did you mean 'memory'", H100.source, "memry")
    names = [chip.short_name for chip in hardware.chips().values()]
    assert len(set(names)) == len(names) and not {"AMD", "Intel", "NVIDIA", "Google"} & set(names)
    assert hardware.chip("alveo-u280").short_name == "Alveo U280" and "A100 80GB SXM4" in names


def test_a_chip_cannot_be_changed_a_table_is_a_copy_and_of_a_format_only_chips_that_can_be_placed():
    with pytest.raises(AttributeError):
        H100.bytes_per_s = 1
    with pytest.raises(TypeError):
        H100.matrix["bf16"] = 1
    hardware.chips().clear()
    usable = hardware.chips("bf16")
    assert len(hardware.chips()) == 53 > len(usable) >= 30 and "tpu-v1" not in usable
    assert all(chip.peak("bf16") and chip.bytes_per_s for chip in usable.values())


def test_a_chip_of_ones_own_is_checked_like_any_other():
    mine = Chip("mine", "my chip", matrix={"bf16": 1e15}, bytes_per_s=1e12)
    assert mine.peak("bf16") == 1e15
    refused(ValueError, "bytes_per_s", Chip, "mine", "my chip", bytes_per_s=float("nan"))
    refused(UnknownName, "did you mean 'bf16'", Chip, "mine", "my chip", matrix={"bf-16": 1e15})


def test_peaks_are_units_times_work_per_clock_times_clock():
    assert hardware.peak_from_units(108, 4 * 512, 1.41e9) == pytest.approx(311.86944e12)
    assert hardware.peak_from_units(8, 2 * 128 * 128, 1.05e9) == pytest.approx(275.2512e12)
    assert hardware.peak_from_units(80, 8 * 128, 1.53e9) == pytest.approx(125.3376e12)
