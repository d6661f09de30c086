import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware
from accelerator_lib.workload import strassen


@given(st.integers(0, 3), st.integers(1, 3))
def test_strassen_multiplies_matrices_with_seven_products_a_level(levels, edge):
    n = edge * 2**levels
    draw = np.random.default_rng(n)
    a, b = draw.integers(-9, 10, (2, n, n))
    result, products = strassen.multiply(a, b, levels)
    assert np.array_equal(result, a @ b) and products == 7**levels


def test_strassen_breaks_even_where_the_formula_says():
    chip = hardware.chip("h100-sxm5")
    n = strassen.crossover(chip)
    assert n == pytest.approx(54 * 2 * chip.peak("bf16") / chip.bytes_per_s)
    assert strassen.times(n).gain == pytest.approx(1) and strassen.times(n / 2).gain < 1 < strassen.times(2 * n).gain
    assert strassen.times(n, 0).gain == 1
    with pytest.raises(ValueError, match="of a size that 2\\^2 divides"):
        strassen.multiply(np.ones((6, 6)), np.ones((6, 6)), 2)


def added(n, levels):
    """Bytes of all additions of the recursion, by running it: the second road to times()."""
    if levels == 0:
        return 0
    half = n // 2
    return 18 * 3 * 2 * half * half + 7 * added(half, levels - 1)


def test_the_bytes_of_strassens_additions_are_those_of_the_recursion():
    chip = hardware.chip("h100-sxm5")
    for levels in range(5):
        seconds = strassen.times(4096, levels, chip).addition_seconds
        assert seconds * chip.bytes_per_s == pytest.approx(added(4096, levels))


def test_levels_that_would_gain_an_eighth_each_lose_at_4096():
    assert strassen.times(4096, 1).gain == pytest.approx(0.54, abs=0.01)
    assert strassen.times(1e7, 1).gain == pytest.approx(8 / 7, rel=0.01)  # additions hardly count any more


def test_only_square_matrices_of_numbers_are_multiplied():
    with pytest.raises(ValueError, match="must be square, not 2 x 3"):
        strassen.multiply(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(TypeError, match="give a square matrix of numbers, not str"):
        strassen.multiply("a", np.ones((2, 2)))


@pytest.mark.parametrize(("dtype", "of_a", "of_b"), [("int8", 100, 2), ("uint8", 200, 3), ("float16", 1000, 100)])
def test_narrow_operands_have_wide_sums(dtype, of_a, of_b):
    a, b = np.full((2, 2), of_a, dtype), np.full((2, 2), of_b, dtype)
    for levels in (0, 1):
        assert strassen.multiply(a, b, levels)[0].tolist() == [[2 * of_a * of_b] * 2] * 2


@pytest.mark.parametrize("levels", [0, 1, 3])
def test_large_integers_stay_exact(levels):
    a, b = np.random.default_rng(1).integers(-(2**29), 2**29, (2, 8, 8))
    assert np.array_equal(strassen.multiply(a, b, levels)[0], a @ b)
    assert strassen.multiply(a, b, levels)[0].dtype == np.int64


def test_what_is_no_number_or_takes_minutes_is_refused():
    for odd in (np.nan, np.inf):
        with pytest.raises(ValueError, match="^a: the matrix must hold finite numbers"):
            strassen.multiply([[odd]], [[1.0]], 0)
    with pytest.raises(ValueError, match="products of large integers are more than a notebook can wait for"):
        strassen.multiply(np.full((2048, 2048), 2**24), np.full((2048, 2048), 2**24), 0)
    with pytest.raises(ValueError, match="more than float64 holds"):
        strassen.multiply([[1e200]], [[1e200]], 0)
    with pytest.raises(ValueError, match="empty"):
        strassen.multiply(np.ones((0, 0)), np.ones((0, 0)), 0)
    assert (strassen.multiply(np.ones((1024, 1024), int), np.ones((1024, 1024), int), 0)[0] == 1024).all()
