import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import data, hardware, tiling
from accelerator_lib.exercises import tiling as exercises
from accelerator_lib.tiling import fusion, pallas, softmax, square
from accelerator_lib.workload import Gemm

A100 = hardware.chip("a100-80gb-sxm")
sizes, tiles = st.integers(1, 300), st.integers(1, 64)


def test_the_check_block_of_the_curriculum():
    g = square(8192)
    b = tiling.gemm_bytes(g, 128, 128, "bf16")
    assert b == 17_314_086_912 and g.flops / b == pytest.approx(63.50387596899225)
    n = 2**28
    assert tiling.chain_bytes(n, 4, "fp16", fused=False) == 4_294_967_296
    assert tiling.chain_bytes(n, 4, "fp16", fused=True) == 1_073_741_824
    s = tiling.attention_bytes(2048, 128)
    assert (s, tiling.attention_bytes(2048, 128, algorithm="flash")) == (35_651_584, 17_825_792)
    assert s / tiling.attention_bytes(2048, 128, algorithm="flash", kv_cached=True) == 17.0


@given(sizes, sizes, sizes, tiles, tiles)
def test_the_odometer_ends_at_the_formula(m, n, k, tile_m, tile_n):
    gemm = Gemm(m, n, k)
    *_, last = tiling.tiles(gemm, tile_m, tile_n)
    assert last.total == tiling.gemm_bytes(gemm, tile_m, tile_n)
    assert last.number == last.rows * last.cols - 1


@settings(max_examples=20)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 20), st.integers(1, 16), st.integers(1, 16))
def test_a_blocked_product_moves_what_the_formula_says(m, n, k, tile_m, tile_n):
    a, b = np.arange(m * k).reshape(m, k), np.arange(k * n).reshape(k, n) % 7
    result, moved = exercises.blocked_matmul(a, b, tile_m, tile_n)
    assert np.array_equal(result, a @ b) and moved == tiling.gemm_bytes(Gemm(m, n, k), tile_m, tile_n, "int8")


@given(sizes, sizes, sizes, tiles, tiles)
def test_no_tiling_moves_less_than_the_lower_bound(m, n, k, tile_m, tile_n):
    """A tile of sums and one column and row of operands on the chip: the schedule that the tiles stand for."""
    gemm = Gemm(m, n, k)
    tile_m, tile_n = min(tile_m, m), min(tile_n, n)
    words = tile_m * tile_n + tile_m + tile_n
    assert tiling.gemm_bytes(gemm, tile_m, tile_n, "int8") >= tiling.io_lower_bound_words(gemm, words) * (1 - 1e-12)


def test_four_times_the_memory_halves_the_traffic_of_a_large_product():
    g = square(16_384)
    small, large = (tiling.io_lower_bound_words(g, s) for s in (1e5, 4e5))
    assert small / large == pytest.approx(2, rel=0.01)
    assert 1 - tiling.io_lower_bound_words(g, 2e5) / small == pytest.approx(0.29, abs=0.005)


def test_a_tile_of_512_cannot_keep_its_sums():
    need = tiling.budget(512, 512, 64)
    assert need.accumulator_bytes == 4 * 256 * 1024
    assert tiling.max_square_tile(64) == 256 and tiling.max_square_tile(64, accumulator_bytes=2**30) > 256
    assert tiling.max_square_tile(64, sram_bytes=100) == 0


def test_small_blocks_of_rows_are_worse_than_no_flash_at_all():
    standard = tiling.attention_bytes(2048, 128)
    assert standard / tiling.attention_bytes(2048, 128, algorithm="flash", block_rows=16) == pytest.approx(
        0.26, abs=0.005
    )
    for n in (128, 1024, 65_536):
        flash = tiling.attention_bytes(n, 128, algorithm="flash", block_rows=128)
        assert tiling.attention_bytes(n, 128) / flash == 2.0
    assert tiling.attention_bytes(2048, 64) / tiling.attention_bytes(2048, 64, algorithm="flash") == pytest.approx(
        3.9, abs=0.05
    )
    assert tiling.attention_bytes(131_072, 128) / tiling.attention_bytes(
        131_072, 128, algorithm="flash", kv_cached=True
    ) == pytest.approx(1025)


def test_prediction_and_publication_of_attention_agree_to_a_factor_of_two():
    for name, algorithm in (("pytorch", "standard"), ("flashattention", "flash")):
        rows = [row for id, row in data.rows("attention").items() if id.startswith(f"fa1_t18_{name}")]
        assert len(rows) >= 5
        for row in rows:
            tokens = row["conditions"]["seq"]
            predicted = tiling.attention_seconds(tokens, 64, 8, 16, "a100-40gb-sxm", algorithm, reached=0.21)
            if tokens >= 1024:
                assert 0.5 < predicted / (row["value"] / 1e3) < 2


@given(st.integers(1, 6), st.floats(1e-7, 1e-5), st.floats(1e-7, 1e-5))
def test_one_buffer_adds_and_two_overlap(stages, copy, maths):
    line = tiling.staged(stages, copy, maths, tiles=30)
    assert line.each == pytest.approx(copy + maths if stages == 1 else max(copy, maths))
    assert tiling.staged(6, copy, maths, 30).seconds == pytest.approx(copy + maths + 29 * max(copy, maths))


@given(st.lists(st.floats(-500, 500), min_size=1, max_size=60), st.integers(1, 70))
def test_the_stream_ends_where_softmax_is(scores, block):
    values = np.random.default_rng(len(scores)).standard_normal((len(scores), 3))
    *_, last = softmax.stream(scores, values, block)
    assert np.allclose(last.output, softmax.reference(np.array(scores), values), atol=1e-12)


def test_scores_and_values_that_do_not_belong_together_are_refused():
    with pytest.raises(ValueError, match=r"belong together; got \(3,\) and \(2, 1\)"):
        list(softmax.stream([1, 2, 3], [[1], [2]]))


@pytest.mark.parametrize(
    "shape, tile", [((64, 64, 96), (16, 32, 32)), ((32, 96, 64), (32, 32, 64)), ((64, 32, 32), (8, 8, 8))]
)
def test_the_pallas_product_is_right_and_its_blocks_move_what_the_formula_says(shape, tile):
    import jax.numpy as jnp

    m, n, k = shape
    draw = np.random.default_rng(1)
    a, b = (jnp.asarray(draw.standard_normal(s), jnp.float32) for s in ((m, k), (k, n)))
    assert np.allclose(pallas.matmul(a, b, *tile), np.asarray(a) @ np.asarray(b), atol=1e-4)
    moved = pallas.traffic(*pallas.matmul_grid(m, n, k, *tile))
    if tile[2] < k:  # with one step along k, a strip of A stays while the columns go by
        assert sum(moved.values()) == tiling.gemm_bytes(Gemm(m, n, k), *tile[:2], "fp32")
    assert moved["inputs"] <= 4 * m * k * (n // tile[1]) and moved["outputs"] == 4 * m * n


@pytest.mark.parametrize("rows, cols", [(16, 16), (64, 32), (128, 128)])
def test_pallas_flash_attention_is_attention(rows, cols):
    import jax
    import jax.numpy as jnp

    draw = np.random.default_rng(2)
    q, k, v = (jnp.asarray(3 * draw.standard_normal((128, 32)), jnp.float32) for _ in range(3))
    want = jax.nn.softmax(q @ k.T / 32**0.5) @ v
    assert np.allclose(pallas.flash(q, k, v, rows, cols), want, atol=1e-4)


def test_tiles_that_do_not_divide_are_refused():
    with pytest.raises(ValueError, match="tile_n = 24 must divide n = 64"):
        pallas.matmul_grid(64, 64, 64, 32, 24, 32)


def test_the_compiler_fuses_a_chain_and_its_bytes_are_those_of_the_model():
    import jax.numpy as jnp

    found = fusion.report(lambda x: jnp.maximum(jnp.tanh(x * 2) + 1, 0), 1024, 1024)
    (kernel,) = found.kernels
    assert {"multiply", "tanh", "add", "maximum"} <= set(kernel.operations)
    assert found.bytes_after == pytest.approx(tiling.chain_bytes(1024 * 1024, 4, "fp32", fused=True), rel=0.01)
    assert found.saved > 3


def test_a_reduction_ends_a_kernel():

    found = fusion.report(lambda x: x - x.mean(), 512, 512)
    assert len(found.kernels) >= 2 and any("reduce" in kernel.operations for kernel in found.kernels)


def test_the_papers_traffic_is_that_of_the_published_table():
    rows = data.rows("attention")
    assert rows["fa1_fig2_stand_hbm"]["value"] / rows["fa1_fig2_flash_hbm"]["value"] == pytest.approx(9.2, abs=0.05)
    assert rows["fa1_fig2_flash_gflops"]["value"] > rows["fa1_fig2_stand_gflops"]["value"]
