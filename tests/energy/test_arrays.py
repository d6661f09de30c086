import numpy as np
import pytest

from accelerator_lib import energy, systolic
from accelerator_lib.hardware import chip
from accelerator_lib.workload import Gemm

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


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


def test_a_register_file_costs_several_times_what_handing_on_does():
    """By hand at 45 nm: two operands of a byte, a sum of four read and written, 1 pJ for each 32 bits: 2.5 pJ."""
    work = Gemm(64, 64, 64)
    alone, array = energy.apart(work, 32), energy.dataflow(work, 32, "os")
    assert alone["registers"] == pytest.approx(64**3 * 2.5e-12)
    assert array["registers"] == pytest.approx(64**3 * 48 * 0.00625e-12)  # 0.3 pJ: as much as the arithmetic
    assert {part: alone[part] for part in alone if part != "registers"} == {
        part: array[part] for part in array if part != "registers"
    }


@pytest.mark.parametrize("flow", systolic.DATAFLOWS)
def test_the_energy_of_handing_on_is_proportional_to_the_price_of_a_bit(flow):
    one, two = (energy.dataflow(Gemm(5, 9, 70), 8, flow, flip_flop=price) for price in (0.003, 0.006))
    assert two["registers"] == pytest.approx(2 * one["registers"])
    assert energy.dataflow(Gemm(5, 9, 70), 8, flow, flip_flop=energy.flip_flop_pj()) == energy.dataflow(
        Gemm(5, 9, 70), 8, flow
    )
    with pytest.raises(ValueError, match="flip_flop = -1"):
        energy.dataflow(Gemm(5, 9, 70), 8, flow, flip_flop=-1)
