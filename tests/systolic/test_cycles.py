"""Cycles of an array: formulas, simulations and frames agree."""

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.frames.systolic import cycle_by_cycle, side_by_side
from accelerator_lib import systolic
from accelerator_lib.systolic.registers import Registers, Wires, feed
from accelerator_lib.workload import Gemm

sizes, edges = st.integers(1, 9), st.integers(1, 5)
SHAPE = sizes, sizes, sizes, edges, edges  # m, n, k, rows, columns


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


def test_several_arrays_share_the_folds():
    gemm = Gemm(64, 4096, 4096)
    one, four = (systolic.cycles(gemm, 128, 128, "ws", overlap=True, arrays=n) for n in (1, 4))
    assert four.folds == one.folds and one.total / four.total == pytest.approx(4, rel=0.02)


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


@given(*SHAPE)
def test_what_stays_still_passes_its_buffer_once(m, n, k, rows, cols):
    flows = {flow: systolic.accesses(Gemm(m, n, k), rows, cols, flow) for flow in systolic.DATAFLOWS}
    assert (flows["os"].sums, flows["ws"].weights, flows["is"].inputs) == (m * n, k * n, m * k)
    assert len({(found.summed, found.dram) for found in flows.values()}) == 1
    assert all(2 * count <= flows["ws"].loaded <= (rows + 1) * count for count in [k * n])


def test_accesses_take_many_rows_of_inputs_at_once():
    many = systolic.accesses(Gemm(np.array([1, 512]), 64, 64), 16, 16, "is")
    assert many.weights.tolist() == [systolic.accesses(Gemm(m, 64, 64), 16, 16, "is").weights for m in (1, 512)]


@pytest.mark.parametrize(("edge", "k"), [(4, 4), (8, 20), (128, 128)])
def test_a_drained_output_stationary_fold_takes_as_long_as_a_weight_stationary_one(edge, k):
    stays = systolic.cycles(Gemm(edge, edge, k), edge, edge, "os", drain=True).total
    assert stays == systolic.fold_cycles(edge, edge, k) + edge
    assert stays == systolic.cycles(Gemm(k, edge, edge), edge, edge, "ws").total


@given(sizes, sizes, sizes, st.integers(0, 1000))
def test_the_array_multiplies_matrices_in_the_time_the_formula_says(rows, cols, k, seed):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(-9, 10, (rows, k)), draw.integers(-9, 10, (k, cols))
    states = list(systolic.simulate(a, b))
    assert np.array_equal(states[-1][2], a @ b) and sum(int(active.sum()) for _, active, _ in states) == rows * cols * k
    assert len(states) == states[-1][0] + 1 == systolic.fold_cycles(rows, cols, k)


def test_an_earlier_state_is_not_changed_by_a_later_one():
    states = list(systolic.simulate(np.ones((2, 3)), np.ones((3, 2))))
    assert states[0][2].sum() == 1


def test_registers_by_hand():
    # By hand: 1 enters at the left of the first row, then 2; row 1 gets nothing.
    wires = Registers(2, 3, int)
    wires.move(1, np.array([1, 0]), np.array([True, False]))
    wires.move(1, np.array([2, 0]), np.array([True, False]))
    assert wires.seen().filled(-1).tolist() == [[2, 1, -1], [-1, -1, -1]]
    wires.move(0)
    assert wires.seen().filled(-1).tolist() == [[-1, -1, -1], [2, 1, -1]]
    wires = Registers(1, 2, int)
    wires.move(1, 7, True)
    seen = wires.seen()
    wires.move(1, 8, True)
    assert seen.filled().tolist() == [[7, 0]] and wires.seen().filled().tolist() == [[8, 7]]
    one, other = Registers(1, 2, int), Registers(1, 2, int)
    other.move(1, 5, True, 3)
    other.move(1, 6, True, 4)
    one.take(other, np.array([[False, True]]))
    assert one.seen().filled(-1).tolist() == [[-1, 5]] and one.wave.tolist() == [[-1, 3]]
    # Two folds of 2 steps, one every 3 cycles: steps 0 1 - 0 1 -, then nothing.
    fold, step, live = feed(np.arange(-1, 7), stream=2, pitch=3, folds=2)
    assert live.tolist() == [False, True, True, False, True, True, False, False]
    assert fold[live].tolist() == [0, 0, 1, 1] and step[live].tolist() == [0, 1, 0, 1]
    edge = Wires(np.array([[1, 2], [3, 4]]), np.array([[True, False], [True, True]]))[:, 0]
    assert edge.value.tolist() == [1, 3] and edge.there.all() and edge.dtype == edge.value.dtype


FORMATS = st.sampled_from([np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32])


@pytest.mark.parametrize("dataflow", systolic.DATAFLOWS)
@settings(max_examples=40)
@given(FORMATS, FORMATS, *SHAPE, st.integers(0, 1000))
def test_sums_of_narrow_integers_do_not_overflow(dataflow, left, right, m, n, k, rows, cols, seed):
    """Only the extremes of both formats: -128 and 127, 0 and 255 ..."""
    draw = np.random.default_rng(seed)
    a, b = (draw.choice([np.iinfo(d).min, np.iinfo(d).max], size) for d, size in ((left, (m, k)), (right, (k, n))))
    if k * max(abs(int(v)) for v in a.flat) * max(abs(int(v)) for v in b.flat) >= 2**63:
        return  # the next test
    want, a, b = a.astype(np.int64) @ b.astype(np.int64), a.astype(left), b.astype(right)
    for drain in {False, dataflow == "os"}:
        *_, last = systolic.steps(a, b, rows, cols, dataflow, drain=drain)
        assert np.array_equal(last.outputs, want)
    *_, (_, _, sums) = systolic.simulate(a, b)
    assert np.array_equal(sums, want)


def test_forty_thousand_is_forty_thousand_in_the_format_that_an_array_adds_in():
    a = np.full((1, 4), 100, np.int8)
    *_, (_, _, sums) = systolic.simulate(a, a.T)
    assert sums.tolist() == [[40_000]] and sums.dtype == np.int32
    *_, last = systolic.steps(a, a.T, 2, 2, "ws")
    assert last.outputs.dtype == last.down.dtype == np.int32
    assert last.across.dtype == last.held.dtype == last.chain.dtype == np.int8  # operands stay as small as they came


@pytest.mark.parametrize(
    ("left", "right", "value", "sums"),
    [
        (np.int8, np.uint8, 127, np.int32),
        (np.int16, np.int16, 30_000, np.int64),
        (np.uint32, np.int8, 100, np.int32),
        (np.int64, np.int8, 1, np.int64),
        (np.float16, np.float16, 200, np.float32),
        (np.float16, np.int8, 100, np.float32),
        (np.float32, np.int16, 1, np.float32),
        (np.float64, np.float16, 1, np.float64),
    ],
)
def test_sums_are_as_wide_as_they_must_be_and_floats_at_least_float32(left, right, value, sums):
    a, b = np.full((2, 3), value, left), np.full((3, 2), value, right)
    for dataflow in systolic.DATAFLOWS:
        *_, last = systolic.steps(a, b, 2, 2, dataflow)
        for outputs in (last.outputs, [*systolic.simulate(a, b)][-1][2]):
            assert outputs.dtype == sums and np.all(outputs == 3 * value**2)  # 120,000 is beyond float16


FLOWS = [("os", False), ("os", True), ("ws", False), ("is", False)]  # dataflow, drain


@pytest.mark.parametrize(("dataflow", "drain"), FLOWS)
@given(*SHAPE, st.booleans(), st.integers(0, 1000))
def test_registers_and_closed_form_and_numpy_agree(dataflow, drain, m, n, k, rows, cols, overlap, seed):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(-9, 10, (m, k)), draw.integers(-9, 10, (k, n))
    states = list(systolic.steps(a, b, rows, cols, dataflow, overlap, drain))
    want = systolic.cycles(Gemm(m, n, k), rows, cols, dataflow, overlap, drain)
    assert np.array_equal(states[-1].outputs, a @ b)
    assert len(states) == want.total and [state.cycle for state in states] == list(range(want.total))
    assert sum(int(state.active.sum()) for state in states) == m * n * k
    assert {state.fold for state in states} == set(range(want.folds))
    assert np.mean([state.utilization for state in states]) == pytest.approx(want.utilization)


@pytest.mark.parametrize(("dataflow", "drain"), FLOWS)
@given(*SHAPE)
def test_what_passes_the_edges_is_what_traffic_counts(dataflow, drain, m, n, k, rows, cols):
    a, b = np.ones((m, k), int), np.ones((k, n), int)
    states = list(systolic.steps(a, b, rows, cols, dataflow, drain=drain))
    left, top, bottom = (
        sum(int(getattr(state, edge).there.sum()) for state in states)
        for edge in ("enters_left", "enters_top", "leaves_bottom")
    )
    right = sum(int(state.across[:, -1].there.sum()) for state in states)
    assert right == left  # what has come in goes out on the other side
    want = systolic.traffic(Gemm(m, n, k), rows, cols, dataflow)
    inputs, weights = (top, left) if dataflow == "is" else (left, top)
    assert (inputs, weights) == (want.inputs, want.weights)
    if dataflow != "os" or drain:
        assert bottom == want.outputs == want.partials + m * n
    else:
        assert want.outputs == m * n and want.partials == 0


@given(*SHAPE, st.integers(0, 100))
def test_a_pe_only_hears_its_neighbours(m, n, k, rows, cols, seed):
    """What a PE multiplies is what its neighbour had one cycle before, or what entered at the edge."""
    draw = np.random.default_rng(seed)
    states = list(systolic.steps(draw.integers(1, 99, (m, k)), draw.integers(1, 99, (k, n)), rows, cols, overlap=True))
    for before, after in pairwise(states):
        assert np.array_equal(after.across[:, 1:].filled(), before.across[:, :-1].filled())
        assert np.array_equal(after.down[1:].filled(), before.down[:-1].filled())
        assert np.array_equal(after.across[:, 0].filled(), after.enters_left.filled())


SMALL = (*[st.integers(1, 7)] * 3, *[st.integers(1, 4)] * 2)


def ones(m, n, k):
    return np.ones((m, k), int), np.ones((k, n), int)


@given(*SMALL, st.sampled_from(list(systolic.DATAFLOWS)), st.booleans())
def test_a_run_is_as_long_and_as_busy_as_the_closed_form_says(m, n, k, rows, cols, dataflow, overlap):
    run = list(cycle_by_cycle(*ones(m, n, k), rows, cols, dataflow, overlap))
    want = systolic.cycles(Gemm(m, n, k), rows, cols, dataflow, overlap)
    assert {watched.length for watched in run} == {len(run)} == {want.total}
    assert run[-1].busy.mean() == pytest.approx(want.utilization)
    assert np.all(run[-1].complete == 2)
    moved = systolic.traffic(Gemm(m, n, k), rows, cols, dataflow)
    assert run[-1].read == moved.inputs + moved.weights and run[-1].most == max(run[-1].read, m * n * k)


@given(*SMALL, st.sampled_from(list(systolic.DATAFLOWS)))
def test_what_is_complete_is_what_the_outputs_of_each_cycle_show(m, n, k, rows, cols, dataflow):
    """Second road: with ones, a result is complete when k has come out."""
    for watched in cycle_by_cycle(*ones(m, n, k), rows, cols, dataflow):
        outputs = watched.now.outputs
        assert np.array_equal(watched.complete, (outputs > 0).astype(int) + (outputs == k))


def test_results_by_hand():
    # By hand: dot products of 3; PE (r, c) makes its last one in cycle r + c + 2.
    run = list(cycle_by_cycle(*ones(2, 2, 3), 2, 2))
    assert [run[at].complete.tolist() for at in (1, 3, 4)] == [[[0, 0], [0, 0]], [[2, 2], [2, 0]], [[2, 2], [2, 2]]]
    assert run[-1].busy.tolist() == [0.25, 0.75, 1, 0.75, 0.25]
    assert [watched.phase for watched in run] == ["up", "up", "full", "down", "down"]
    run = list(cycle_by_cycle(*ones(1, 1, 4), 2, 1, "ws"))
    told = [int(watched.complete[0, 0]) for watched in run]
    assert told == sorted(told) and set(told) == {0, 1, 2} and told[-1] == 2 and told[-2] == 1
    run = list(cycle_by_cycle(np.zeros((2, 2), int), np.ones((2, 2), int), 2, 2))
    assert [watched.complete.sum() for watched in run] == [0, 2, 6, 8]


def test_runs_beside_each_other_and_what_comes_next():
    run = list(cycle_by_cycle(*ones(3, 3, 4), 3, 3))
    for at, watched in enumerate(run):
        assert [later.cycle for later in watched.ahead] == list(range(at + 1, min(at + 5, len(run))))
    first = next(cycle_by_cycle(*ones(1024, 1024, 4096), 1024, 1024))
    assert first.now.active.sum() == 1 and first.length == 1024 + 1024 + 4096 - 2
    pairs = list(side_by_side(*(cycle_by_cycle(*ones(2, 2, 2), 2, 2, flow) for flow in ("os", "ws"))))
    left, right = ([one.now.cycle for one in side] for side in zip(*pairs, strict=True))
    assert left == [0, 1, 2, 3, 3, 3] and right == [0, 1, 2, 3, 4, 5]
