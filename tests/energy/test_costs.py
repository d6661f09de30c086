"""Energies: tables, sources, layers, whole chips."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, energy, hardware, systolic
from accelerator_lib.energy import chips, instructions, sources, table
from accelerator_lib.hardware import chip
from accelerator_lib.workload import Gemm

sizes = st.integers(1, 600)


@pytest.mark.parametrize("flow", systolic.DATAFLOWS)
def test_the_energy_of_a_dataflow_follows_the_simulated_edges(flow):
    """Second road: count what crosses the edges in the register-level simulation, and pay for each crossing."""
    m, n, k, edge = 6, 5, 7, 3
    states = list(systolic.steps(np.ones((m, k), int), np.ones((k, n), int), edge, edge, flow, drain=flow == "os"))
    count = {
        side: sum(int(getattr(s, side).there.sum()) for s in states)
        for side in ("enters_left", "enters_top", "leaves_bottom")
    }
    found = energy.dataflow(Gemm(m, n, k), edge, flow)
    a, b = ("enters_top", "enters_left") if flow == "is" else ("enters_left", "enters_top")
    byte = energy.access_pj(1, "sram_32kb", 45) * 1e-12
    assert found["inputs"] == pytest.approx(count[a] * byte) and found["weights"] == pytest.approx(count[b] * byte)
    back = count["leaves_bottom"] - m * n  # partial sums that a later fold reads again
    assert found["sums"] == pytest.approx((count["leaves_bottom"] + back) * 4 * byte)


@pytest.mark.parametrize("flow", systolic.DATAFLOWS)
def test_the_parts_of_a_dataflow_by_hand(flow):
    found, macs = energy.dataflow(Gemm(2, 3, 4), 8, flow), 2 * 3 * 4
    loaded = {"os": 0, "ws": 3 * (1 + 2 + 3 + 4 + 4), "is": 2 * (1 + 2 + 3 + 4 + 4)}[flow]
    bits = 8 * (macs * (2 if flow == "os" else 1) + loaded) + 32 * macs
    assert found["registers"] == pytest.approx(bits * 2 * 0.1 / 32 * 1e-12)  # a bit: twice what adding one costs
    assert found["DRAM"] == pytest.approx((2 * 4 + 4 * 3 + 2 * 3) * energy.access_pj(1, "ddr", 45) * 1e-12)
    assert found["arithmetic"] == pytest.approx(macs * energy.mac_pj("int8", 45, "int32") * 1e-12)


def test_units_without_neighbours_read_both_operands_for_every_multiply_accumulate():
    """By hand at 45 nm: two bytes of 20 pJ / 8 each, against a 32nd of that in an array of 32; the rest is the same."""
    work, macs = Gemm(64, 64, 64), 64**3
    alone, array = energy.dataflow(work, 1, "os"), energy.dataflow(work, 32, "os")
    assert alone["inputs"] + alone["weights"] == pytest.approx(macs * 5e-12)
    assert array["inputs"] + array["weights"] == pytest.approx(macs * 5e-12 / 32)
    assert array["registers"] == pytest.approx(macs * 48 * 0.00625e-12)  # 0.3 pJ: as much as the arithmetic
    for part in ("arithmetic", "registers", "sums", "DRAM"):
        assert alone[part] == pytest.approx(array[part])


@given(sizes, sizes, sizes, st.integers(1, 200))
def test_neighbours_save_reads_of_the_buffers_and_nothing_else(m, n, k, edge):
    alone, array = (energy.dataflow(Gemm(m, n, k), e, "os") for e in (1, edge))
    saved = {part: alone[part] / array[part] for part in alone}
    assert saved["inputs"] == pytest.approx(n / math.ceil(n / edge))  # as many as share what is read
    assert saved["weights"] == pytest.approx(m / math.ceil(m / edge))
    assert all(saved[part] == pytest.approx(1) for part in ("arithmetic", "registers", "sums", "DRAM"))


@pytest.mark.parametrize("flow", systolic.DATAFLOWS)
def test_the_energy_of_handing_on_is_proportional_to_the_price_of_a_bit(flow):
    one, two = (energy.dataflow(Gemm(5, 9, 70), 8, flow, flip_flop=price) for price in (0.003, 0.006))
    assert two["registers"] == pytest.approx(2 * one["registers"])
    assert energy.dataflow(Gemm(5, 9, 70), 8, flow, flip_flop=energy.flip_flop_pj()) == energy.dataflow(
        Gemm(5, 9, 70), 8, flow
    )
    with pytest.raises(ValueError, match="flip_flop = -1"):
        energy.dataflow(Gemm(5, 9, 70), 8, flow, flip_flop=-1)


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
    found = chips.ranking("fp16", "h100-sxm5")
    assert list(found.table)[found.place - 1] is H100 and found.own == found.table[H100]
    assert found.sparse == pytest.approx(1978.9e12 / 700)
    absent = chips.ranking("fp4", "v100-sxm2-32gb")
    assert absent.own is None and absent.place is None and absent.sparse is None


def test_the_check_block_of_the_curriculum():
    memory, arithmetic = energy.memory_watts(A100.bytes_per_s, "hbm2_low"), energy.compute_watts(312e12, "fp16")
    assert memory == pytest.approx(63.71875) and arithmetic == pytest.approx(78.0)
    g = Gemm(1, 4096, 4096)
    maths, moves = energy.gemm_joules(g, "fp16"), energy.access_pj(4096 * 4096 * 2, "hbm2_low") * 1e-12
    assert maths == pytest.approx(8.388608e-06) and moves == pytest.approx(1.048576e-03)
    assert energy.layer(g).arithmetic_share == pytest.approx(maths / (maths + moves))
    point = energy.dvfs(1.0 / 1.41)
    assert point.power == pytest.approx(0.3567324873779128) and point.speed_per_watt == pytest.approx(1.9881)


def test_an_access_is_charged_by_the_byte_whatever_its_width_in_the_table():
    assert energy.access_pj(8, "sram_8kb") == 7.5 and energy.access_pj(1, "sram_8kb") == 7.5 / 8
    assert energy.access_pj(4, "register", 45) == 1.0
    assert energy.access_pj(1, "hbm3e_skhynix") == pytest.approx(8 * 3.44)
    assert np.allclose(energy.access_pj(np.array([8, 16]), "hbm2_low"), [250, 500])


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (
            lambda: energy.mac_pj("bf16", 45),
            "no mult in 'bf16' at 45 nm is published; there are fp16, fp32, int32, int8",
        ),
        (lambda: energy.mac_pj("fp16", 5), "node = 5 is not tabulated; allowed: 45 or 7 nm"),
        (lambda: energy.access_pj(1, "register"), "register at 7 nm is not published; it is at 45 nm"),
        (lambda: energy.access_pj(1, "hbm2"), "did you mean"),
        (lambda: energy.access_pj(-1, "ddr"), "bytes_moved = -1 B is outside"),
        (lambda: energy.gemm_joules(3, "fp16"), "gemm must be a product"),
        (lambda: energy.capped_clock(100, energy.Power(100, 300)), "no clock is slow enough"),
        (lambda: energy.battery_hours(10, 0), "device_watts = 0"),
        (lambda: chips.sanity("tpu-v4"), "tdp_w of Google TPU v4 is unknown"),
    ],
)
def test_what_cannot_be_answered_is_said_in_one_line(call, line):
    with pytest.raises((ValueError, KeyError, TypeError), match=line):
        call()


def test_a_layer_pays_for_its_weights_once_however_many_rows_pass():
    one, many = (
        energy.layer(Gemm(1, 512, 256), "int8", "sram_1mb"),
        energy.layer(Gemm(64, 512, 256), "int8", "sram_1mb"),
    )
    assert one.movement == many.movement == pytest.approx(512 * 256 * 14 / 8 * 1e-12)
    assert many.arithmetic == pytest.approx(64 * one.arithmetic) and one.total == one.arithmetic + one.movement


def test_a_wider_sum_costs_the_wider_addition():
    narrow, wide = energy.mac_pj("fp16"), energy.mac_pj("fp16", accumulator="fp32")
    assert wide - narrow == pytest.approx(energy.operation("add", "fp32").pj - energy.operation("add", "fp16").pj)


def test_a_thousand_operations_share_one_fetch():
    found = {each.name: each for each in instructions.published()}
    assert found["HFMA"].pj_per_operation / found["HMMA"].pj_per_operation == pytest.approx(14.4, abs=0.05)
    assert found["HFMA"].overhead_share == pytest.approx(0.952, abs=0.001)
    assert found["IMMA"].overhead_share == pytest.approx(0.158, abs=0.001)


def test_an_instruction_of_two_operations_by_hand():
    one = instructions.instruction(2, 0.75, 30.0)
    assert one.overhead_share == pytest.approx(30 / 31.5) and one.pj_per_operation == pytest.approx(15.75)


def test_the_more_operations_the_smaller_the_share_for_arrays_too():
    shares = instructions.instruction(np.array([1.0, 10, 1000]), 1.0, 30.0).overhead_share
    assert np.all(np.diff(shares) < 0) and shares[0] == pytest.approx(30 / 31)


@pytest.mark.parametrize(
    ("selection", "mean", "rows"),
    [("with the DDR row", 2.62, 12), ("without it", 2.86, 11), ("without DDR and 1 MB SRAM", 2.61, 10)],
)
def test_three_ways_to_average_the_ratios(selection, mean, rows):
    found = sources.ratios(sources.SELECTIONS[selection])
    assert found.mean == pytest.approx(mean, abs=0.005) and len(found.each) == rows


def test_the_mean_of_ratios_is_the_geometric_one():
    assert sources.Shrink({"a": 2, "b": 8}).mean == pytest.approx(4)


@pytest.mark.parametrize("group", sources.GROUPS)
def test_where_sources_disagree_all_are_shown_with_their_names(group):
    found = sources.published(group)
    values = [row.pj_per_bit for row in found.rows]
    assert values == sorted(values) and found.spread == max(values) / min(values) >= 1
    assert all(row.source and row.basis for row in found.rows)


def test_three_values_for_gddr6_and_how_far_they_lie_apart():
    found = sources.published("GDDR6")
    assert len(found.rows) == 3 and sources.published("across a network").spread == 1
    first, last = found.rows[0], found.rows[-1]
    assert found.spread == pytest.approx(last.pj / last.bits / (first.pj / first.bits)) and found.spread > 1.1


def test_the_ladder_spans_five_decades_and_every_row_has_its_source():
    rows = table.rows(7)
    assert max(r.pj for r in rows) / min(r.pj for r in rows) > 1e5
    sources = data.load("energy")["sources"]
    for node in table.NODES:
        for row in table.rows(node):
            assert row.source in sources and row.basis and row.pj > 0
    assert table.access("ddr", 45).pj == table.access("ddr", 7).pj


def test_a_link_or_a_vendors_claim_is_no_memory_level():
    assert not {"hbm2_io_both_ends", "hbm3_host_phy", "hbm3e_micron_ratio"} & set(table.names())
    for level in table.names():
        one_node = {"register": [45], "hbm2_low": [7], "hbm2_high": [7], "gddr6_low": [7], "gddr6_high": [7]}
        for node in one_node.get(level, table.NODES):
            assert table.access(level, node).pj_per_byte > 0


def test_the_rungs_of_the_ladder_rise_and_stand_beside_the_other_node():
    rungs = table.compared(7)
    cheapest = [min(pj for pj in (rung.pj, rung.other_pj) if pj) for rung in rungs.values()]
    assert cheapest == sorted(cheapest)
    assert {name for name, rung in rungs.items() if rung.pj} == {row.name for row in table.rows(7)}
    assert rungs["int8 add"].shrink == table.operation("add", "int8", 45).pj / table.operation("add", "int8", 7).pj
    assert rungs["ddr"].shrink == 1 and rungs["register"].shrink is None


def test_a_rung_knows_the_other_node():
    assert {rung.other_node for rung in table.compared(7).values()} == {45}
    assert {rung.other_node for rung in table.compared(45).values()} == {7}


def test_a_row_has_a_price_for_each_bit_and_each_byte_unless_it_is_an_operation():
    row = table.access("sram_8kb")
    assert row.pj_per_bit == row.pj / 64 and row.pj_per_byte == row.pj / 8
    assert table.operation("add", "int8").pj_per_bit is None


def test_an_access_for_each_byte_is_an_eighth_of_one_of_64_bits_on_both_nodes():
    whole, byte = table.compared(45), table.compared(45, per_byte=True)
    assert (
        byte["sram_1mb"].pj == whole["sram_1mb"].pj / 8 and byte["sram_1mb"].other_pj == whole["sram_1mb"].other_pj / 8
    )
    assert byte["hbm2_low"].pj is None and byte["hbm2_low"].unit == "pJ per byte"  # published at 7 nm alone
    assert byte["int8 add"].pj == whole["int8 add"].pj and byte["int8 add"].unit == "pJ"
    assert byte["sram_1mb"].shrink == pytest.approx(whole["sram_1mb"].shrink)


def test_energies_name_the_level_they_are_asked_for_by():
    rows = [row for row in data.load("energy")["memory_access"] if "level" in row]
    pairs = [(row["level"], row["node_nm"]) for row in rows]
    assert len(pairs) == len(set(pairs)) == 13
    for row in data.load("energy")["dram_by_generation"]:
        assert type(row["access"]) is bool and (row["value"] or not row["access"])
