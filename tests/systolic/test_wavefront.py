from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import systolic
from accelerator_lib.systolic import wavefront
from accelerator_lib.workload import Gemm

sizes = st.integers(1, 9)
FLOWS = [("os", False), ("os", True), ("ws", False), ("is", False)]  # dataflow, drain
edges = st.integers(1, 5)


@pytest.mark.parametrize(("dataflow", "drain"), FLOWS)
@given(sizes, sizes, sizes, edges, edges, st.booleans(), st.integers(0, 1000))
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
@given(sizes, sizes, sizes, edges, edges)
def test_what_passes_the_edges_is_what_traffic_counts(dataflow, drain, m, n, k, rows, cols):
    a, b = np.ones((m, k), int), np.ones((k, n), int)
    states = list(systolic.steps(a, b, rows, cols, dataflow, drain=drain))
    left, top, bottom = (
        sum(int(getattr(state, edge).there.sum()) for state in states)
        for edge in ("enters_left", "enters_top", "leaves_bottom")
    )
    right = sum(int(state.leaves_right.there.sum()) for state in states)
    assert right == left  # what has come in goes out on the other side
    want = systolic.traffic(Gemm(m, n, k), rows, cols, dataflow)
    inputs, weights = (top, left) if dataflow == "is" else (left, top)
    assert (inputs, weights) == (want.inputs, want.weights)
    if dataflow != "os" or drain:
        assert bottom == want.outputs == want.partials + m * n
    else:
        assert want.outputs == m * n and want.partials == 0


@given(sizes, sizes, sizes, edges, edges, st.integers(0, 100))
def test_a_pe_only_hears_its_neighbours(m, n, k, rows, cols, seed):
    """What a PE multiplies is what its neighbour had one cycle before, or what entered at the edge."""
    draw = np.random.default_rng(seed)
    states = list(systolic.steps(draw.integers(1, 99, (m, k)), draw.integers(1, 99, (k, n)), rows, cols, overlap=True))
    for before, after in pairwise(states):
        assert np.array_equal(after.across[:, 1:].filled(), before.across[:, :-1].filled())
        assert np.array_equal(after.down[1:].filled(), before.down[:-1].filled())
        assert np.array_equal(after.across[:, 0].filled(), after.enters_left.filled())


@pytest.mark.parametrize("a, b, sums", [
    ("int8", "int8", "int32"), ("int16", "int8", "int32"), ("int64", "int8", "int64"), ("float16", "float16", "float32"),
    ("float16", "int8", "float32"), ("float32", "int8", "float32"), ("float32", "float32", "float32"),
    ("int8", "float64", "float64"), ("float32", "float64", "float64"),
])  # fmt: skip
def test_sums_are_as_wide_as_the_wider_operand_asks_for(a, b, sums):
    one, other = np.full((2, 3), 2).astype(a), np.full((3, 2), 3).astype(b)
    assert wavefront.accumulator(one, other) == sums
    *_, last = systolic.steps(one, other, 2, 2)
    assert last.outputs.tolist() == [[18, 18], [18, 18]]
