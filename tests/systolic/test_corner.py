import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import systolic

sizes = st.integers(1, 9)


def test_the_check_block_of_the_curriculum():
    draw = np.random.default_rng(0)
    a, b = draw.integers(-3, 4, (4, 7)), draw.integers(-3, 4, (7, 4))
    states = list(systolic.simulate(a, b))
    assert np.array_equal(states[-1][2], a @ b) and len(states) == 13 == systolic.fold_cycles(4, 4, 7)
    assert sum(int(active.sum()) for _, active, _ in states) == 4 * 4 * 7


@given(sizes, sizes, sizes, st.integers(0, 1000))
def test_the_array_multiplies_matrices_in_the_time_the_formula_says(rows, cols, k, seed):
    draw = np.random.default_rng(seed)
    a, b = draw.integers(-9, 10, (rows, k)), draw.integers(-9, 10, (k, cols))
    *_, (cycle, _, sums) = systolic.simulate(a, b)
    assert np.array_equal(sums, a @ b)
    assert cycle + 1 == systolic.fold_cycles(rows, cols, k)


def test_an_earlier_state_is_not_changed_by_a_later_one():
    states = list(systolic.simulate(np.ones((2, 3)), np.ones((3, 2))))
    assert states[0][2].sum() == 1


def test_shapes_that_do_not_meet_are_refused():
    with pytest.raises(ValueError, match=r"^a \(2, 3\) and b \(2, 3\) cannot be multiplied"):
        next(systolic.simulate(np.ones((2, 3)), np.ones((2, 3))))
