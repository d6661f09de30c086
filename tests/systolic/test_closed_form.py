import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.quiz import bank
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

sizes, edges = st.integers(1, 9), st.integers(1, 5)


def golden():
    lines = (Path(__file__).parent / "golden" / "scalesim.csv").read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@pytest.mark.parametrize(
    "row", golden(), ids=lambda row: f"{row['dataflow']}-{row['array_rows']}x{row['array_cols']}-{row['M']}"
)
def test_cycles_are_those_of_the_recorded_simulator(row):
    """SCALE-Sim prints the index of the last cycle: the duration is one more."""
    gemm = Gemm(int(row["M"]), int(row["N"]), int(row["K"]))
    found = systolic.cycles(gemm, int(row["array_rows"]), int(row["array_cols"]), row["dataflow"])
    assert found.total == int(row["compute_cycles"]) + 1


def test_the_closed_form_of_the_curriculum():
    assert systolic.cycles(Gemm(4, 4, 4), 4, 4, "os").total == 10
    c = systolic.cycles(Gemm(128, 128, 128), 128, 128, "os")
    assert c.total == 382 and c.utilization == pytest.approx(0.33507853403141363)
    c = systolic.cycles(Gemm(512, 128, 128), 128, 128, "ws")
    assert c.total == 894 and c.utilization == pytest.approx(0.5727069351230425)
    assert systolic.cycles(Gemm(8, 128, 128), 128, 128, "ws").utilization == pytest.approx(0.020512820512820513)
    large = Gemm(4096, 4096, 4096)
    assert systolic.cycles(large, 128, 128, "ws").total == 4_585_472
    assert systolic.cycles(large, 128, 128, "ws", overlap=True).total == 4_194_686


def test_a_map_of_shapes_is_computed_at_once():
    m, edge = np.meshgrid([1, 64, 4096], [16, 128, 512])
    table = systolic.cycles(Gemm(m, 4096, 4096), edge, edge, "ws", overlap=True).utilization
    for i in range(3):
        for j in range(3):
            one = systolic.cycles(Gemm(int(m[i, j]), 4096, 4096), int(edge[i, j]), int(edge[i, j]), "ws", overlap=True)
            assert table[i, j] == pytest.approx(one.utilization)
    assert table[1, 1] == pytest.approx(0.499, abs=0.001) and table[1, 0] == pytest.approx(0.008, abs=0.0005)


@pytest.mark.parametrize(
    "row", golden(), ids=lambda row: f"{row['dataflow']}-{row['array_rows']}x{row['array_cols']}-{row['M']}"
)
def test_edge_traffic_is_that_of_the_recorded_simulator(row):
    """Its output-stationary writes hold rows + cols more for each fold: they count the drain's empty slots."""
    sides = (int(row[name]) for name in ("M", "N", "K"))
    rows, cols = int(row["array_rows"]), int(row["array_cols"])
    gemm = Gemm(*sides)
    want = systolic.traffic(gemm, rows, cols, row["dataflow"])
    extra = systolic.cycles(gemm, rows, cols, "os").folds * (rows + cols) if row["dataflow"] == "os" else 0
    assert int(row["sram_ifmap_reads"]) == want.inputs
    assert int(row["sram_filter_reads"]) == want.weights
    reads = int(row["dram_ifmap_reads"]) + int(row["dram_filter_reads"])
    assert (
        reads + gemm.m * gemm.n == want.dram
    )  # the simulator writes partial sums out, too; here they stay on the chip
    assert abs(int(row["sram_ofmap_writes"]) - want.outputs) <= extra


def test_several_arrays_share_the_folds_and_groups_are_more_of_them():
    gemm = Gemm(64, 4096, 4096)
    one, four = (systolic.cycles(gemm, 128, 128, "ws", overlap=True, arrays=n) for n in (1, 4))
    assert four.folds == one.folds and one.total / four.total == pytest.approx(4, rel=0.02)
    channels = systolic.cycles(Gemm(196, 1, 9), 128, 128, "ws", overlap=True, groups=512)
    assert channels.folds == 512 and channels.utilization == pytest.approx(9 / 128**2, rel=0.02)


def test_one_operand_is_handed_on_and_a_sum_taken_for_each_product():
    """By hand: 2 x 3 outputs of dot products of 4 on 2 x 2 PEs, weights stay: two row blocks, two column blocks."""
    found = systolic.accesses(Gemm(2, 3, 4), 2, 2, "ws")
    assert (found.passed, found.summed) == (24, 24)
    assert found.loaded == 2 * 3 * (1 + 2 + 2)  # blocks x columns x (steps of rows 0 and 1, and one more each)
    assert (found.inputs, found.weights) == (2 * 4 * 2, 4 * 3)
    assert found.sums == 2 * 3 * 2 + 2 * 3  # left twice, came back once
    assert found.dram == 8 + 12 + 6


@pytest.mark.parametrize("flow", systolic.DATAFLOWS)
def test_flip_flops_take_what_the_simulation_hands_on(flow):
    """Second road: count the registers that hold something, cycle by cycle, in full folds."""
    m, n, k, edge = 6, 6, 6, 3
    states = list(systolic.steps(np.ones((m, k), int), np.ones((k, n), int), edge, edge, flow))
    found = systolic.accesses(Gemm(m, n, k), edge, edge, flow)
    moving = sum(int(s.across.there.sum()) + (int(s.down.there.sum()) if flow == "os" else 0) for s in states)
    assert (found.passed, found.summed) == (moving, sum(int(s.active.sum()) for s in states))
    assert found.operands == found.passed + found.loaded and (found.loaded == 0) == (flow == "os")


@given(sizes, sizes, sizes, edges, edges)
def test_what_stays_still_passes_its_buffer_once(m, n, k, rows, cols):
    flows = {flow: systolic.accesses(Gemm(m, n, k), rows, cols, flow) for flow in systolic.DATAFLOWS}
    assert (flows["os"].sums, flows["ws"].weights, flows["is"].inputs) == (m * n, k * n, m * k)
    assert len({(found.summed, found.dram) for found in flows.values()}) == 1
    assert all(2 * count <= flows["ws"].loaded <= (rows + 1) * count for count in [k * n])


def test_accesses_take_many_rows_of_inputs_at_once():
    many = systolic.accesses(Gemm(np.array([1, 512]), 64, 64), 16, 16, "is")
    assert many.weights.tolist() == [systolic.accesses(Gemm(m, 64, 64), 16, 16, "is").weights for m in (1, 512)]


@pytest.mark.parametrize("m", [16, 64, 256, 1024])
@pytest.mark.parametrize("size", [1024, 2048, 4096])
def test_the_formula_of_a_hint_is_accepted_as_an_answer(m, size):
    """Folds x the longer of stream and loading leaves out fill and drain: within what the question allows."""
    (item,) = (one for one in bank.load("systolic")["quiz"] if one["id"] == "overlapped-cycles")
    simple = (size // 128) ** 2 * max(m, 128)
    total = systolic.cycles(Gemm(m, size, size), 128, 128, "ws", overlap=True).total
    assert simple == pytest.approx(total, rel=item["rel_tol"])
    apart = systolic.cycles(Gemm(m, size, size), 128, 128, "ws").total
    assert apart != pytest.approx(total, rel=2 * item["rel_tol"])


@pytest.mark.parametrize(("edge", "k"), [(4, 4), (8, 20), (128, 128)])
def test_a_drained_output_stationary_fold_takes_as_long_as_a_weight_stationary_one(edge, k):
    stays = systolic.cycles(Gemm(edge, edge, k), edge, edge, "os", drain=True).total
    assert stays == systolic.fold_cycles(edge, edge, k) + edge
    assert stays == systolic.cycles(Gemm(k, edge, edge), edge, edge, "ws").total
