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
    assert found["registers"] == pytest.approx(macs * (2 * 1 + 2 * 4) / 4 * 1e-12)  # a register of 32 bits: 1 pJ
    assert found["DRAM"] == pytest.approx((2 * 4 + 4 * 3 + 2 * 3) * energy.access_pj(1, "ddr", 45) * 1e-12)
    assert found["arithmetic"] == pytest.approx(macs * energy.mac_pj("int8", 45, "int32") * 1e-12)
