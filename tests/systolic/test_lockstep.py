import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

sizes, edges = st.integers(1, 9), st.integers(1, 5)


@pytest.mark.parametrize("dataflow", systolic.DATAFLOWS)
@given(sizes, sizes, sizes, edges, edges, st.integers(0, 100), st.sampled_from([np.int64, np.int32, np.float64]))
def test_all_folds_in_lockstep_make_the_same_product_in_the_same_time(dataflow, m, n, k, rows, cols, seed, dtype):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(-9, 10, (m, k)).astype(dtype), draw.integers(-9, 10, (k, n)).astype(dtype)
    run, want = systolic.run(a, b, rows, cols, dataflow), systolic.cycles(Gemm(m, n, k), rows, cols, dataflow)
    assert np.array_equal(run.outputs, a @ b) and run.outputs.dtype == dtype
    assert (run.folds, run.cycles) == (want.folds, want.total)
    assert run.utilization == pytest.approx(want.utilization)
    states = list(systolic.steps(a, b, rows, cols, dataflow))
    assert run.busy.sum() == sum(state.active.sum() for state in states)


def test_large_numbers_stay_exact_where_half_the_bytes_would_not_do():
    a = np.full((3, 4), 2**30)
    assert np.array_equal(systolic.run(a, a.T, 2, 2).outputs, np.full((3, 3), 2**62))


FORMATS = st.sampled_from([np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32])


@pytest.mark.parametrize("dataflow", systolic.DATAFLOWS)
@settings(max_examples=40)
@given(FORMATS, FORMATS, sizes, sizes, sizes, edges, edges, st.integers(0, 1000))
def test_sums_of_narrow_integers_do_not_overflow(dataflow, left, right, m, n, k, rows, cols, seed):
    """Only the extremes of both formats: -128 and 127, 0 and 255 ..."""
    draw = np.random.default_rng(seed)
    a, b = (draw.choice([np.iinfo(d).min, np.iinfo(d).max], size) for d, size in ((left, (m, k)), (right, (k, n))))
    if k * max(abs(int(v)) for v in a.flat) * max(abs(int(v)) for v in b.flat) >= 2**63:
        return  # the next test
    want, a, b = a.astype(np.int64) @ b.astype(np.int64), a.astype(left), b.astype(right)
    assert np.array_equal(systolic.run(a, b, rows, cols, dataflow).outputs, want)
    for drain in {False, dataflow == "os"}:
        *_, last = systolic.steps(a, b, rows, cols, dataflow, drain=drain)
        assert np.array_equal(last.outputs, want)
    *_, (_, _, sums) = systolic.simulate(a, b)
    assert np.array_equal(sums, want)


def test_forty_thousand_is_forty_thousand_in_the_format_that_an_array_adds_in():
    a = np.full((1, 4), 100, np.int8)
    for outputs in (systolic.run(a, a.T, 1, 1).outputs, list(systolic.simulate(a, a.T))[-1][2]):
        assert outputs.tolist() == [[40_000]] and outputs.dtype == np.int32
    *_, last = systolic.steps(a, a.T, 2, 2, "ws")
    assert last.outputs.dtype == last.down.dtype == np.int32
    assert last.across.dtype == last.held.dtype == last.chain.dtype == np.int8  # operands stay as small as they came


@pytest.mark.parametrize(("left", "right", "value", "sums"), [
    (np.int8, np.uint8, 127, np.int32), (np.int16, np.int16, 30_000, np.int64), (np.uint32, np.int8, 100, np.int32),
    (np.int64, np.int8, 1, np.int64), (np.float16, np.float16, 200, np.float32), (np.float16, np.int8, 100, np.float32),
    (np.float32, np.int16, 1, np.float32), (np.float64, np.float16, 1, np.float64),
])  # fmt: skip
def test_sums_are_as_wide_as_they_must_be_and_floats_at_least_float32(left, right, value, sums):
    a, b = np.full((2, 3), value, left), np.full((3, 2), value, right)
    for dataflow in systolic.DATAFLOWS:
        *_, last = systolic.steps(a, b, 2, 2, dataflow)
        for outputs in (last.outputs, systolic.run(a, b, 2, 2, dataflow).outputs, [*systolic.simulate(a, b)][-1][2]):
            assert outputs.dtype == sums and np.all(outputs == 3 * value**2)  # 120,000 is beyond float16


@pytest.mark.parametrize("largest", [2**40, -(2**62), np.uint64(2**63)])
def test_sums_too_large_for_any_integer_are_refused_in_one_line(largest):
    a = np.full((2, 2), largest)
    for simulated in (systolic.simulate(a, a), systolic.steps(a, a, 2, 2)):
        with pytest.raises(ValueError, match="more than int64 holds; use float64"):
            next(simulated)
    with pytest.raises(ValueError, match="more than int64 holds"):
        systolic.run(a, a, 2, 2)


@pytest.mark.parametrize("function", [systolic.steps, systolic.run])
def test_matrices_that_cannot_be_multiplied_are_refused_in_one_line(function):
    with pytest.raises(ValueError, match=r"^a \(2, 3\) and b \(2, 3\) cannot be multiplied"):
        function(np.ones((2, 3)), np.ones((2, 3)), 2, 2)
    with pytest.raises(TypeError, match="a and b must hold numbers"):
        function(np.array([["a"]]), np.array([["b"]]), 2, 2)
    with pytest.raises(KeyError, match="did you mean 'ws'"):
        function(np.ones((2, 2)), np.ones((2, 2)), 2, 2, "wws")
