import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.exercises import tiling as exercises
from accelerator_lib import data, hardware, roofline, tiling
from accelerator_lib.tiling import Budget, square
from accelerator_lib.workload import Gemm


def test_traffic_by_hand():
    g = square(8192)
    b = tiling.gemm_bytes(g, 128, 128, "bf16")
    assert b == 17_314_086_912 and g.flops / b == pytest.approx(63.50387596899225)
    # Four rows and two columns of tiles of 32: A comes twice, B four times, C is written once.
    assert tiling.gemm_bytes(Gemm(100, 64, 8), 32, 32, "int8") == 2 * 100 * 8 + 4 * 8 * 64 + 100 * 64 == 10_048
    gemm = Gemm(100, 200, 300)
    assert tiling.gemm_bytes(gemm, 100, 200) == tiling.gemm_bytes(gemm, 512, 512) == gemm.bytes_moved()
    edges = np.array([1, 7, 128, 512])
    curve = tiling.gemm_bytes(square(300), edges, edges)
    assert curve.tolist() == [tiling.gemm_bytes(square(300), int(e), int(e)) for e in edges]
    assert tiling.intensity(square(2**20), 128, 128) == pytest.approx(64, rel=1e-3)
    assert tiling.intensity(square(2**20), 64, 256) == pytest.approx(64 * 256 / (64 + 256), rel=1e-3)


@settings(max_examples=20)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 20), st.integers(1, 16), st.integers(1, 16))
def test_a_blocked_product_moves_what_the_formula_says(m, n, k, tile_m, tile_n):
    a, b = np.arange(m * k).reshape(m, k), np.arange(k * n).reshape(k, n) % 7
    result, moved = exercises.blocked_matmul(a, b, tile_m, tile_n)
    assert np.array_equal(result, a @ b) and moved == tiling.gemm_bytes(Gemm(m, n, k), tile_m, tile_n, "int8")


sizes, tiles = st.integers(1, 300), st.integers(1, 64)


@given(sizes, sizes, sizes, tiles, tiles)
def test_no_tiling_moves_less_than_the_lower_bound(m, n, k, tile_m, tile_n):
    """A tile of sums and one column and row of operands on the chip: the schedule that the tiles stand for."""
    gemm = Gemm(m, n, k)
    tile_m, tile_n = min(tile_m, m), min(tile_n, n)
    words = tile_m * tile_n + tile_m + tile_n
    assert tiling.gemm_bytes(gemm, tile_m, tile_n, "int8") >= tiling.io_lower_bound_words(gemm, words) * (1 - 1e-12)


@pytest.mark.parametrize("edge", [64, 128, 256])
def test_the_largest_tile_is_the_tile_whose_edge_is_the_root_of_the_store(edge):
    assert tiling.largest_tile_bytes(square(8192), edge**2) == pytest.approx(
        tiling.gemm_bytes(square(8192), edge, edge)
    )


@given(sizes, sizes, sizes, st.floats(1, 1e6))
def test_the_largest_tile_lies_above_the_bound(m, n, k, words):
    gemm = Gemm(m, n, k)
    assert tiling.largest_tile_bytes(gemm, words, "int8") >= tiling.io_lower_bound_words(gemm, words) * (1 - 1e-12)


def test_bounds_by_hand():
    g = square(16_384)
    small, large = (tiling.io_lower_bound_words(g, s) for s in (1e5, 4e5))
    assert small / large == pytest.approx(2, rel=0.01)
    assert 1 - tiling.io_lower_bound_words(g, 2e5) / small == pytest.approx(0.29, abs=0.005)
    # 100^3 products: 2e6 / 10 less 200 with 100 words; 2e6 / 50 less 5,000 with 2,500, still above 30,000 of all.
    assert tiling.io_lower_bound_words(square(100), 100) == 199_800
    assert tiling.io_lower_bound_words(square(100), 2500) == 35_000
    assert tiling.io_lower_bound_words(square(100), 6400) == 30_000  # 25,000 - 12,800 would be less than the matrices
    assert tiling.io_lower_bound_words(Gemm(2, 3, 4), 1e6) == 8 + 12 + 6
    assert tiling.largest_tile_bytes(Gemm(2, 3, 4), 1e6, "int8") == 8 + 12 + 6
    words = np.geomspace(16, 512, 20) * 1024 / 2
    ratio = tiling.largest_tile_bytes(square(8192), words) / (2 * tiling.io_lower_bound_words(square(8192), words))
    assert ratio.min() > 1 and ratio.max() < 1.04


EDGES = [1, 16, 128, 200, 512]


@pytest.mark.parametrize("tile_m", EDGES)
@pytest.mark.parametrize("tile_n", EDGES)
def test_a_choice_tells_its_traffic_beside_the_bound(tile_m, tile_n):
    product, room, need = square(8192), tiling.sm_room(), tiling.budget(tile_m, tile_n, 64)
    chosen = tiling.Choice(product, tile_m, tile_n, need, room)
    assert chosen.bytes_moved == tiling.gemm_bytes(product, tile_m, tile_n)
    assert chosen.intensity == pytest.approx(product.flops / chosen.bytes_moved)
    assert chosen.edge**2 == pytest.approx(tile_m * tile_n)
    assert chosen.excess > 1 or not chosen.fits


def test_choices_by_hand():
    chosen = tiling.Choice(square(8192), 128, 128, tiling.budget(128, 128, 64), tiling.sm_room())
    assert chosen.fits and chosen.excess == pytest.approx(3.04, abs=0.005)
    assert chosen.least_bytes == pytest.approx(2 * tiling.io_lower_bound_words(square(8192), 148_992))
    chosen = tiling.Choice(square(8192), 128, 64, Budget(3 * 2**15, 2**15), Budget(2**17, 2**18))
    assert chosen.shares == {"operands": 0.75, "sums": 0.125}
    large = tiling.Choice(square(8192), 512, 512, tiling.budget(512, 512, 64), tiling.sm_room())
    assert large.shares["sums"] == 4 and not large.fits
    assert large.least_bytes == pytest.approx(2 * tiling.io_lower_bound_words(square(8192), 148_992))
    assert large.shares["operands"] == pytest.approx(2 * 1024 * 64 * 2 / (163 * 1024))


def test_budgets_by_hand():
    need = tiling.budget(512, 512, 64)
    assert need.accumulator_bytes == 4 * 256 * 1024
    fitting = [edge for edge in range(16, 513, 16) if tiling.budget(edge, edge, 64).fits(tiling.sm_room())]
    assert fitting[-1] == 240
    assert tiling.budget(128, 128, 64, "bf16", stages=2).operand_bytes == 2 * (128 + 128) * 64 * 2
    assert tiling.budget(128, 64, 32, "int8", stages=1) == Budget((128 + 64) * 32, 4 * 128 * 64)
    assert tiling.sm_room("sm80") == Budget(163 * 1024, 256 * 1024)
    assert tiling.sm_room("sm90").operand_bytes == 227 * 1024
    room = tiling.sm_room()
    assert room.words() == 163 * 512 + 256 * 256 and room.words("int8") == 163 * 1024 + 256 * 256
    assert tiling.budget(96, 32, tile_k=1, stages=1).words() == 96 + 32 + 96 * 32
    need = tiling.budget(128, 128, 64)
    assert need.fits(Budget(need.operand_bytes, need.accumulator_bytes + 4))
    assert not need.fits(need) and need.takes_every_register(need)
    assert not need.fits(Budget(need.operand_bytes - 1, 2**20)) and not need.fits(Budget(2**20, 4 * 128 * 128 - 1))
    # 256 x 192: sums take 192 of 256 KiB; strips 56 KiB a stage, of 163.
    two, three = (tiling.filled(256, 192, 64, stages=stages) for stages in (2, 3))
    assert (two.first, two.fuller, two.other) == ("registers", 0.75, pytest.approx(112 / 163))
    assert (three.first, three.fuller, three.other) == ("shared memory", pytest.approx(168 / 163), 0.75)


def test_waves_and_chains_by_hand():
    # 64 x 64 tiles of 128 in 8,192^3: a row of 108 reads A once and B 64 times; 9 x 12 read A 6 times and B 8 times.
    g, matrix = square(8192), 2 * 8192**2
    assert tiling.wave_bytes(g, 128, 128, 1) == (1 + 64 + 1) * matrix
    assert tiling.wave_bytes(g, 128, 128, 9) == (6 + 8 + 1) * matrix
    assert tiling.wave_bytes(g, 128, 128, 1, at_once=1) == tiling.gemm_bytes(g, 128, 128)
    assert tiling.wave_bytes(g, 128, 128, 200) == (64 + 1 + 1) * matrix  # one column at least
    assert tiling.chain_bytes(100, 4, "fp16") == 800 * 2 and tiling.chain_bytes(100, 4, "fp16", fused=True) == 200 * 2
    assert tiling.chain_bytes(100, 3, "int8", extra=1) == 700 and tiling.chain_bytes(100, 3, "int8", True, 1) == 300


A100 = hardware.chip("a100-80gb-sxm")


def published():
    rows = [row for row in data.rows("gemm").values() if row["source"] == "azure_a100"]
    shapes = Gemm(*(np.array([row["conditions"][axis] for row in rows]) for axis in "MNK"))
    return shapes, np.array([row["value"] * 1e12 for row in rows])


def test_large_published_products_pass_what_tiles_of_128_allow():
    """With no cache behind them such tiles stay under 130 TFLOP/s."""
    shapes, speeds = published()
    intensity = tiling.intensity(shapes, 128, 128, "fp16")
    tiled = roofline.attainable(intensity, A100.peak("fp16"), A100.bytes_per_s)
    assert tiled.max() < 131e12 and speeds.max() > 1.8 * tiled.max()
    assert (speeds > 1.01 * tiled).sum() == 5 and len(speeds) == 6
