import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import energy, systolic
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
