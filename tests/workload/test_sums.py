import numpy as np
import pytest

from accelerator_lib.workload import sums


@pytest.mark.parametrize(
    ("dtype", "value", "want"),
    [("int8", 100, "int32"), ("int32", 2**20, "int64"), ("float16", 1000, "float32"), ("float64", 1, "float64")],
)
def test_sums_are_wider_than_narrow_operands(dtype, value, want):
    a = np.full((2, 2), value, dtype)
    assert sums.accumulator(a, a) == sums.held(a, a) == want and sums.largest_sum(a, a) == max(2 * value**2, value)


def test_sums_that_no_format_holds_are_refused():
    with pytest.raises(ValueError, match="more than int64 holds"):
        sums.held(np.full((2, 2), 2**40), np.full((2, 2), 2**40))
    with pytest.raises(ValueError, match="could reach 8e\\+40, more than float32 holds"):
        sums.held(np.full((2, 2), 1e20, np.float32), np.full((2, 2), 1e20, np.float32), 4)
    with pytest.raises(ValueError, match="a must hold finite numbers, not nan"):
        sums.finite("a", np.array([1.0, np.nan]))
