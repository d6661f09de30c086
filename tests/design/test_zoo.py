"""86 records of 75 parts, on equal terms and as printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.design import zoo

RECORDS = zoo.records()
MACHINES = data.load("machines")


def test_two_collections_hold_75_parts_in_86_records():
    assert len(RECORDS) == 86 == len(hardware.chips()) + len(MACHINES["devices"])
    assert len({row.part for row in RECORDS.values()}) == 75 and len(zoo.twins()) == 11


def test_every_machine_names_its_sources_and_a_basis():
    for entry in MACHINES["devices"]:
        assert entry["sources"] and set(entry["sources"]) <= set(MACHINES["sources"])
        assert entry["basis"] in {"mixed", "recalled"} and (entry["read"] or entry["basis"] == "recalled")
        assert entry["class"] in zoo.KINDS and entry.get("twin", "a100-80gb-sxm") in hardware.chips()
        assert set(entry["dense"]) <= set(hardware.FORMAT_BYTES)
    used = {name for entry in MACHINES["devices"] for name in entry["sources"]}
    assert used == set(MACHINES["sources"])


def test_numbers_of_machines_are_positive_or_null():
    for entry in MACHINES["devices"]:
        for value in (*entry["dense"].values(), entry["die_area_mm2"], entry["sram"]["capacity_mb"]):
            assert value is None or (type(value) in (int, float) and value > 0)
        watts = entry["tdp_w"]
        assert watts is None or (watts[0] <= watts[1] if isinstance(watts, list) else watts > 0)
        assert entry["memory"]["capacity_gb"] is None or entry["memory"]["capacity_gb"] >= 0


def test_of_53_in_the_catalogue_39_have_a_16_bit_peak_and_29_a_power_as_well():
    first = [row for row in RECORDS.values() if row.table == "accelerators"]
    peaks = [row for row in first if zoo.figure(row)]
    both = {row.id: zoo.figure(row, per="W") for row in first if zoo.figure(row, per="W")}
    assert (len(first), len(peaks), len(both)) == (53, 39, 29)
    best, least = max(both, key=both.get), min(both, key=both.get)
    assert (best, least) == ("b100", "tpu-v2")
    assert both[best] == pytest.approx(2.5e12) and both[least] == pytest.approx(0.164e12, rel=2e-3)


@pytest.mark.parametrize("id", list(hardware.chips()))
def test_a_figure_of_the_catalogue_is_the_chips_own_peak(id):
    """Another road: hardware.Chip, which knows nothing of records."""
    chip = hardware.chip(id)
    peaks = [chip.matrix[dtype] for dtype in ("bf16", "fp16") if dtype in chip.matrix]
    assert zoo.figure(id) == (max(peaks) if peaks else None)
    for per, by in (("W", chip.tdp_w), ("mm²", chip.die_mm2)):
        assert zoo.figure(id, "16 bits", per) == (max(peaks) / by if peaks and by else None)


@given(st.sampled_from(sorted(RECORDS)), st.sampled_from(sorted(zoo.FORMATS)), st.sampled_from(zoo.PER))
def test_what_is_printed_is_never_less_than_what_is_equal(id, dtype, per):
    equal, printed = (zoo.figure(id, dtype, per, terms) for terms in (True, False))
    assert equal is None or (printed is not None and printed >= equal * (1 - 1e-12))


def test_unknown_is_blank_and_never_zero():
    for per in zoo.PER:
        for dtype in zoo.FORMATS:
            sight = zoo.look(dtype=dtype, per=per)
            assert len(sight.known) + len(sight.blank) == len(sight.rows) == 86
            assert all(value is None or value > 0 for _, value in sight.rows)
    assert zoo.figure("tpu-v5e", per="W") is None and zoo.figure("ane-m1") is None  # no power; no format stated


def test_a_kind_has_its_own_records_and_the_best_come_first():
    for kind in zoo.KINDS:
        sight = zoo.look(kind, "INT8", "W")
        assert {row.kind for row, _ in (*sight.known, *sight.blank)} == {kind}
        values = [value for _, value in sight.known]
        assert values == sorted(values, reverse=True)


def test_equal_terms_divide_by_the_highest_power_and_print_by_the_lowest():
    nano = "orin-nano-8gb-2"
    assert RECORDS[nano].watts == (7, 15)
    assert zoo.figure(nano, "INT8", "W") == pytest.approx(20.5e12 / 15)
    assert zoo.figure(nano, "INT8", "W", False) == pytest.approx(40e12 / 7)
    assert RECORDS["wormhole-n300"].die_mm2 == 2 * 670  # two chips


def test_a_price_is_an_offer_with_its_date():
    offered = {id: row.offer for id, row in RECORDS.items() if row.offer}
    assert set(offered) == set(zoo.PRICED)
    for usd, who, when in offered.values():
        assert usd > 0 and who and when[:4] in ("2025", "2026")


def test_where_twins_differ_both_are_shown():
    differ = {a.id: (a.peak("INT8"), b.peak("INT8")) for a, b in zoo.twins() if a.peak("INT8") != b.peak("INT8")}
    assert differ == {
        "orin-nano-8gb": (pytest.approx(20e12), pytest.approx(20.5e12)),
        "ethos-u55": (pytest.approx(0.5e12), pytest.approx(0.512e12)),
    }
    assert zoo.figure("wse-2") is None and zoo.figure("wse-2-2") == pytest.approx(7.5e15)


def test_bad_input_is_one_clear_line():
    with pytest.raises(UnknownName, match="did you mean"):
        zoo.figure("h100-smx5")
    with pytest.raises(UnknownName, match="per"):
        zoo.look(per="kg")
    with pytest.raises((TypeError, ValueError), match="equal"):
        zoo.look(equal="yes")
