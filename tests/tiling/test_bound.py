import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import tiling
from accelerator_lib.tiling import square
from accelerator_lib.workload import Gemm

sizes, tiles = st.integers(1, 300), st.integers(1, 64)


@given(sizes, sizes, sizes, tiles, tiles)
def test_no_tiling_moves_less_than_the_lower_bound(m, n, k, tile_m, tile_n):
    """A tile of sums and one column and row of operands on the chip: the schedule that the tiles stand for."""
    gemm = Gemm(m, n, k)
    tile_m, tile_n = min(tile_m, m), min(tile_n, n)
    words = tile_m * tile_n + tile_m + tile_n
    assert tiling.gemm_bytes(gemm, tile_m, tile_n, "int8") >= tiling.io_lower_bound_words(gemm, words) * (1 - 1e-12)


@pytest.mark.parametrize("tile", [64, 128, 256, 512, 1024])
@pytest.mark.parametrize("size", [700, 1024, 2048, 4096])
def test_the_odometer_of_the_notebook_never_ends_below_its_bound(tile, size):
    """The bound is that of an SM, or of the room that the tile takes where this is more."""
    words = max(tiling.sm_room().words(), tiling.budget(tile, tile, tile_k=1, stages=1).words())
    assert tiling.gemm_bytes(square(size), tile, tile) >= 2 * tiling.io_lower_bound_words(square(size), words)


def test_four_times_the_memory_halves_the_traffic_of_a_large_product():
    g = square(16_384)
    small, large = (tiling.io_lower_bound_words(g, s) for s in (1e5, 4e5))
    assert small / large == pytest.approx(2, rel=0.01)
    assert 1 - tiling.io_lower_bound_words(g, 2e5) / small == pytest.approx(0.29, abs=0.005)


def test_the_bound_by_hand():
    """100^3 products: 2e6 / 10 less 200 with 100 words; 2e6 / 50 less 5,000 with 2,500, still above 30,000 of all."""
    assert tiling.io_lower_bound_words(square(100), 100) == 199_800
    assert tiling.io_lower_bound_words(square(100), 2500) == 35_000
    assert tiling.io_lower_bound_words(square(100), 6400) == 30_000  # 25,000 - 12,800 would be less than the matrices


def test_a_store_for_everything_needs_every_matrix_once():
    assert tiling.io_lower_bound_words(Gemm(2, 3, 4), 1e6) == 8 + 12 + 6
    assert tiling.largest_tile_bytes(Gemm(2, 3, 4), 1e6, "int8") == 8 + 12 + 6


@pytest.mark.parametrize("edge", [64, 128, 256])
def test_the_largest_tile_is_the_tile_whose_edge_is_the_root_of_the_store(edge):
    assert tiling.largest_tile_bytes(square(8192), edge**2) == pytest.approx(
        tiling.gemm_bytes(square(8192), edge, edge)
    )


@given(sizes, sizes, sizes, st.floats(1, 1e6))
def test_the_largest_tile_lies_above_the_bound(m, n, k, words):
    gemm = Gemm(m, n, k)
    assert tiling.largest_tile_bytes(gemm, words, "int8") >= tiling.io_lower_bound_words(gemm, words) * (1 - 1e-12)


def test_of_a_large_product_the_largest_tile_comes_within_a_few_percent_of_the_bound():
    words = np.geomspace(16, 512, 20) * 1024 / 2
    ratio = tiling.largest_tile_bytes(square(8192), words) / (2 * tiling.io_lower_bound_words(square(8192), words))
    assert ratio.min() > 1 and ratio.max() < 1.04
