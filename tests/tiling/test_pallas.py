import numpy as np
import pytest

from accelerator_lib import tiling
from accelerator_lib.tiling import pallas
from accelerator_lib.workload import Gemm


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


def test_with_one_step_along_k_a_strip_of_a_is_brought_once():
    moved = pallas.traffic(*pallas.matmul_grid(128, 96, 192, 32, 48, 192))
    assert moved == {"inputs": 4 * 128 * 192, "weights": 4 * 192 * 96 * 4, "outputs": 4 * 128 * 96}


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
    with pytest.raises(ValueError, match="block_rows = 24 must divide the 64 tokens"):
        pallas.flash(*[np.zeros((64, 8), np.float32)] * 3, block_rows=24)


def test_shapes_that_cannot_be_multiplied_are_refused():
    with pytest.raises(ValueError, match=r"need \[m, k\] and \[k, n\]"):
        pallas.matmul(np.zeros((32, 64)), np.zeros((32, 64)))


def test_queries_keys_and_values_have_one_shape():
    with pytest.raises(ValueError, match=r"q, k and v are \[tokens, d\] alike"):
        pallas.flash(np.zeros((32, 8)), np.zeros((64, 8)), np.zeros((64, 8)))
    with pytest.raises(ValueError, match=r"alike; got \(32,\), \(32,\) and \(32,\)"):
        pallas.flash(*[np.zeros(32)] * 3)
