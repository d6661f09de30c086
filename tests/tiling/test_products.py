import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.exercises import tiling as exercises
from accelerator_lib import tiling
from accelerator_lib.tiling import square
from accelerator_lib.workload import Gemm


def test_the_check_block_of_the_curriculum():
    g = square(8192)
    b = tiling.gemm_bytes(g, 128, 128, "bf16")
    assert b == 17_314_086_912 and g.flops / b == pytest.approx(63.50387596899225)


def test_a_product_worked_by_hand():
    """Four rows and two columns of tiles of 32: A comes twice, B four times, C is written once."""
    assert tiling.gemm_bytes(Gemm(100, 64, 8), 32, 32, "int8") == 2 * 100 * 8 + 4 * 8 * 64 + 100 * 64 == 10_048


def test_a_tile_as_large_as_the_product_moves_every_matrix_once():
    gemm = Gemm(100, 200, 300)
    assert tiling.gemm_bytes(gemm, 100, 200) == tiling.gemm_bytes(gemm, 512, 512) == gemm.bytes_moved()


def test_a_curve_over_the_edge_is_its_points():
    edges = np.array([1, 7, 128, 512])
    curve = tiling.gemm_bytes(square(300), edges, edges)
    assert curve.tolist() == [tiling.gemm_bytes(square(300), int(e), int(e)) for e in edges]


def test_the_intensity_of_a_large_product_is_that_of_its_tile():
    assert tiling.intensity(square(2**20), 128, 128) == pytest.approx(64, rel=1e-3)
    assert tiling.intensity(square(2**20), 64, 256) == pytest.approx(64 * 256 / (64 + 256), rel=1e-3)


@settings(max_examples=20)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 20), st.integers(1, 16), st.integers(1, 16))
def test_a_blocked_product_moves_what_the_formula_says(m, n, k, tile_m, tile_n):
    a, b = np.arange(m * k).reshape(m, k), np.arange(k * n).reshape(k, n) % 7
    result, moved = exercises.blocked_matmul(a, b, tile_m, tile_n)
    assert np.array_equal(result, a @ b) and moved == tiling.gemm_bytes(Gemm(m, n, k), tile_m, tile_n, "int8")


def test_what_is_no_product_and_what_is_no_tile_is_refused_in_one_line():
    with pytest.raises(TypeError, match="gemm must be a product"):
        tiling.gemm_bytes((8, 8, 8), 2, 2)
    with pytest.raises(ValueError, match="tile_m = 0 is outside the allowed range"):
        tiling.gemm_bytes(square(8), 0, 2)
