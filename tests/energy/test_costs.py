"""Energies: tables, sources, layers, whole chips."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, energy, systolic
from accelerator_lib.energy import chips, instructions, journey, table
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


A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


def test_the_a100_meets_its_tdp_by_hand():
    """2.039 TB/s x 8 x 13.11 pJ = 214 W; 312 TFLOP/s / 2 x 0.72 pJ = 112 W; a fifth on top."""
    found = energy.budget("a100-80gb-sxm")
    assert found.memory_w == pytest.approx(2.039e12 * 8 * 13.11e-12) and found.arithmetic_w == pytest.approx(112.32)
    assert found.watts == pytest.approx(391.4, abs=0.1) and found.verdict == "within the TDP"
    assert found.table["TDP"] == {"TDP": 400} and sum(found.table["estimate"].values()) == pytest.approx(found.watts)


def test_a_measured_card_draws_more_than_its_lines():
    """By hand: 1.372 TB/s x 8 x 13.11 pJ and a fifth; 268 TFLOP/s / 2 x 0.72 pJ and a fifth."""
    stream, parts, _ = data.load("energy")["parts_at_work"]
    busy = data.load("energy")["data_dependence"][0]
    memory = energy.Budget(stream["bytes_per_s"], 13.11, 1, 0.72, 400).watts
    arithmetic = energy.Budget(1, 13.11, busy["flops_per_s"], 0.72, 400).watts
    assert memory == pytest.approx(1.2 * energy.memory_watts(1.372e12, "a100_hbm")) == pytest.approx(172.7, abs=0.1)
    assert arithmetic == pytest.approx(115.9, abs=0.1)
    assert memory < stream["watts"] and arithmetic < busy["watts"] / 3
    watts = list(parts["watts"].values())
    assert watts == sorted(watts) and watts[-1] < parts["tdp_w"] < sum(watts[1:]) - 4 * watts[0]  # not all at once


def test_a_budget_is_charged_by_its_scope_and_by_the_shares_asked_for():
    path, device = energy.budget("h100-sxm5"), energy.budget("h100-sxm5", "device alone")
    assert path.verdict == "above the TDP" and device.verdict == "within the TDP"
    assert device.memory_w == pytest.approx(energy.memory_watts(H100.bytes_per_s, "hbm2_low"))
    assert path.arithmetic_w == device.arithmetic_w
    half = energy.budget("h100-sxm5", reading=0.5, computing=0.25)
    assert half.memory_w == pytest.approx(path.memory_w / 2)
    assert half.arithmetic_w == pytest.approx(path.arithmetic_w / 4)
    assert set(chips.PRICES["whole path"]) == set(chips.PRICES["device alone"])


def test_a_layer_pays_for_its_weights_once_however_many_rows_pass():
    one, many = (
        energy.layer(Gemm(1, 512, 256), "int8", "sram_1mb"),
        energy.layer(Gemm(64, 512, 256), "int8", "sram_1mb"),
    )
    assert one.movement == many.movement == pytest.approx(512 * 256 * 14 / 8 * 1e-12)
    assert many.arithmetic == pytest.approx(64 * one.arithmetic) and one.total == one.arithmetic + one.movement
    assert one.crossing == pytest.approx(many.crossing) == pytest.approx(14 / 8 / 0.10)
    assert (one.larger, many.larger) == ("the fetch", "the arithmetic")


def test_prices_by_hand():
    run = list(journey.travel())
    assert [trip.at for trip in run] == ["HBM", "L2", "L1", "multiplier", "multiplier"]
    assert run[1].paid_pj == pytest.approx(16 * (13.11 - 4.71)) and run[3].paid_pj == pytest.approx(16 * 13.11)
    assert run[-1].multiplied and run[-1].arithmetic_share == pytest.approx(0.72 / (0.72 + 209.76)) == journey.share()
    assert len(list(journey.travel("L1"))) == 3
    memory, arithmetic = energy.memory_watts(A100.bytes_per_s, "hbm2_low"), energy.compute_watts(312e12, "fp16")
    assert memory == pytest.approx(63.71875) and arithmetic == pytest.approx(78.0)
    g = Gemm(1, 4096, 4096)
    maths, moves = energy.gemm_joules(g, "fp16"), energy.access_pj(4096 * 4096 * 2, "hbm2_low") * 1e-12
    assert maths == pytest.approx(8.388608e-06) and moves == pytest.approx(1.048576e-03)
    wide = energy.layer(g, level="hbm2_low")  # its sums are in fp32
    assert wide.arithmetic == pytest.approx(maths * 0.72 / 0.5) and wide.movement == pytest.approx(moves)
    point = energy.dvfs(1.0 / 1.41)
    assert point.power == pytest.approx(0.3567324873779128) and point.speed_per_watt == pytest.approx(1.9881)
    assert energy.access_pj(8, "sram_8kb") == 7.5 and energy.access_pj(1, "sram_8kb") == 7.5 / 8
    assert energy.access_pj(4, "register", 45) == 1.0
    assert energy.access_pj(1, "hbm3e_skhynix") == pytest.approx(8 * 3.44)
    assert np.allclose(energy.access_pj(np.array([8, 16]), "hbm2_low"), [250, 500])
    narrow, wide = energy.mac_pj("fp16"), energy.mac_pj("fp16", accumulator="fp32")
    assert wide - narrow == pytest.approx(energy.operation("add", "fp32").pj - energy.operation("add", "fp16").pj)


def test_instructions_by_hand():
    found = {each.name: each for each in instructions.published()}
    assert found["HFMA"].pj_per_operation / found["HMMA"].pj_per_operation == pytest.approx(14.4, abs=0.05)
    assert found["HFMA"].overhead_share == pytest.approx(0.952, abs=0.001)
    assert found["IMMA"].overhead_share == pytest.approx(0.158, abs=0.001)
    one = instructions.instruction(2, 0.75, 30.0)
    assert one.overhead_share == pytest.approx(30 / 31.5) and one.pj_per_operation == pytest.approx(15.75)
    shares = instructions.instruction(np.array([1.0, 10, 1000]), 1.0, 30.0).overhead_share
    assert np.all(np.diff(shares) < 0) and shares[0] == pytest.approx(30 / 31)


KINDS = ["operation", "device", "whole path"]


def test_rows_of_the_table():
    rungs = table.ladder()
    assert [one.kind for one in rungs.values()] == sorted((one.kind for one in rungs.values()), key=KINDS.index)
    for kind in KINDS[:2]:
        prices = [one.pj for one in rungs.values() if one.kind == kind]
        assert prices == sorted(prices)
    assert max(one.pj for one in rungs.values()) / min(one.pj for one in rungs.values()) > 4e4
    assert rungs["int8 add"].shrink == pytest.approx(0.03 / 0.007) and rungs["ddr"].shrink == 1
    assert rungs["a100_hbm"].shrink is None and rungs["a100_hbm"].pj == pytest.approx(16 * 13.11)
    assert rungs["sram_8kb"].multiplies == pytest.approx(7.5 / 4 / 0.34)
    assert not {"hbm2_io_both_ends", "hbm3_host_phy", "hbm3e_micron_ratio"} & set(table.names())
    for level in table.names():
        one_node = {"register": [45], "hbm2_low": [7], "hbm2_high": [7], "gddr6_low": [7], "gddr6_high": [7]}
        for node in one_node.get(level, table.NODES):
            assert table.access(level, node).pj_per_byte > 0
    row = table.access("sram_8kb")
    assert row.pj_per_bit == row.pj / 64 and row.pj_per_byte == row.pj / 8
    assert table.operation("add", "int8").pj_per_bit is None
    rows = [row for row in data.load("energy")["memory_access"] if "level" in row]
    pairs = [(row["level"], row["node_nm"]) for row in rows]
    assert len(pairs) == len(set(pairs)) == 13
    for row in data.load("energy")["dram_by_generation"]:
        assert type(row["access"]) is bool and (row["value"] or not row["access"])
