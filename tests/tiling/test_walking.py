import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import tiling
from accelerator_lib.tiling import square, walking
from accelerator_lib.workload import Gemm

sizes, tiles = st.integers(1, 300), st.integers(1, 64)


@given(sizes, sizes, sizes, tiles, tiles, tiles)
def test_the_odometer_grows_from_zero_to_the_formula(m, n, k, tile_m, tile_n, tile_k):
    gemm = Gemm(m, n, k)
    first, *_, last = tiling.walk(gemm, tile_m, tile_n, tile_k)
    assert first.bytes_moved == 0 and first.coming == (0, 0, min(tile_k, k))
    assert last.bytes_moved == last.total_bytes == tiling.gemm_bytes(gemm, tile_m, tile_n)
    assert last.number == last.tiles and last.coming is None


@settings(max_examples=30)
@given(*[st.integers(1, 60)] * 3, *[st.integers(1, 20)] * 3)
def test_strips_add_up_to_the_product(m, n, k, tile_m, tile_n, tile_k):
    """Every moment's strips, multiplied, are what was still missing of its tile."""
    draw = np.random.default_rng(m * n + k)
    a, b, c = draw.integers(0, 9, (m, k)), draw.integers(0, 9, (k, n)), np.zeros((m, n), int)
    before = 0
    for now in tiling.walk(Gemm(m, n, k), tile_m, tile_n, tile_k):
        assert now.bytes_moved >= before
        before = now.bytes_moved
        if now.arrived:
            top, left, high, wide = now.box(now.number)
            along = slice(now.depth - now.arrived, now.depth)
            c[top : top + high, left : left + wide] += a[top : top + high, along] @ b[along, left : left + wide]
    assert np.array_equal(c, a @ b)


def test_a_walk_by_hand():
    """Two tiles down, two across, k = 8 in strips of 4: 32 x 4 elements of A come first, C is written when it is done."""
    run = list(tiling.walk(Gemm(64, 64, 8), 32, 32, 4, "int8"))
    assert [(now.number, now.depth) for now in run] == [(0, 0), (0, 4), (0, 8), (1, 4), (1, 8), (2, 8), (3, 8), (4, 0)]
    assert (run[1].input_bytes, run[1].weight_bytes, run[1].output_bytes) == (128, 128, 0)
    assert (run[3].input_bytes, run[3].output_bytes) == (384, 1024)  # the first tile has gone home
    assert run[-1].bytes_moved == 2 * 64 * 8 + 2 * 8 * 64 + 64 * 64 == 6_144


def test_only_the_first_tiles_are_walked_strip_by_strip():
    run = list(tiling.walk(square(2048), 128, 128, 64))
    assert len(run) == 1 + walking.SLOWLY * 2048 // 64 + (256 - walking.SLOWLY) + 1


def test_tiles_at_the_edge_have_what_is_left():
    first = next(tiling.walk(Gemm(100, 70, 8), 32, 48, 8))
    assert first.grid == (4, 2) and first.box(7) == (96, 48, 4, 22)


def test_a_reading_compares_with_the_bound_of_the_whole():
    need, room = tiling.budget(32, 32, 4), tiling.sm_room()
    *_, before, last = (
        tiling.Reading(now, 1000, need, room) for now in tiling.walk(Gemm(100, 64, 8), 32, 32, 4, "int8")
    )
    assert last.moved == last.ends == (1600, 2048, 6400, 10048) and last.excess == 10.048
    assert before.moved[2] == 6400 - 4 * 32  # the last tile, four rows, is not written yet


def test_a_strip_and_a_tile_hold_something():
    with pytest.raises(ValueError, match="tile_k = 0 is outside the allowed range"):
        tiling.walk(square(8), 2, 2, 0)
