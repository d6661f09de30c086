import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import workload
from accelerator_lib.workload import Conv, Elementwise, Gemm, networks, transformer

sizes = st.integers(1, 40)


def test_a_product_by_hand():
    gemm = Gemm(2, 3, 4)
    assert gemm.flops == 2 * 2 * 3 * 4
    assert gemm.bytes_moved("fp32") == 4 * (2 * 4 + 4 * 3 + 2 * 3)
    assert gemm.bytes_moved("bf16", weight_dtype="int4", output_dtype="fp32") == 2 * 8 + 0.5 * 12 + 4 * 6


def test_the_check_block_of_the_curriculum():
    assert Gemm(512, 11008, 4096).flops == 46_170_898_432
    conv = Conv(batch=1, height=56, width=56, in_channels=64, out_channels=64, kernel=3, padding=1)
    assert conv.gemm == Gemm(3136, 64, 576) and conv.gemm.flops == 231_211_008 and conv.im2col_factor == 9.0
    assert workload.relative_rate(99.80, 61.0, 0.17, 25.5) == pytest.approx(245.40983606557373)
    assert workload.relative_rate(99.80, 61.0, 0.03, 13.5) == pytest.approx(736.2295081967212)


def test_a_square_fp16_product_has_intensity_n_over_three():
    assert Gemm(3000, 3000, 3000).intensity("fp16") == pytest.approx(1000)


@given(sizes, sizes, sizes)
def test_counting_a_product_loop_by_loop_gives_the_formula(m, n, k):
    flops = sum(2 for _ in range(m) for _ in range(n) for _ in range(k))
    assert Gemm(m, n, k).flops == flops


def test_an_array_of_sizes_is_many_products_at_once():
    curve = Gemm(np.array([1, 2, 4]), 8, 16)
    assert list(curve.flops) == [Gemm(m, 8, 16).flops for m in (1, 2, 4)]
    assert list(curve.intensity()) == [Gemm(m, 8, 16).intensity() for m in (1, 2, 4)]


@given(
    st.integers(1, 3), st.integers(1, 9), st.integers(1, 9), st.sampled_from([1, 2, 4]), st.sampled_from([2, 4]),
    st.integers(1, 4), st.integers(1, 3), st.integers(0, 2), st.sampled_from([1, 2]),
)  # fmt: skip
def test_a_convolution_counted_by_visiting_every_product(
    batch, height, width, cin, cout, kernel, stride, padding, groups
):
    if groups > cin or min(height, width) + 2 * padding < kernel:
        return
    conv = Conv(batch, height, width, cin, cout, kernel, stride, padding, groups)
    rows = range(0, height + 2 * padding - kernel + 1, stride)
    cols = range(0, width + 2 * padding - kernel + 1, stride)
    products = batch * cout * len(rows) * len(cols) * kernel**2 * (cin // groups)
    assert conv.flops == 2 * products
    assert conv.bytes_moved("int8") == (
        batch * cin * height * width + cout * kernel**2 * (cin // groups) + batch * cout * len(rows) * len(cols)
    )


def test_a_kernel_that_does_not_fit_and_groups_that_do_not_divide_are_refused():
    with pytest.raises(ValueError, match="kernel = 9 does not fit into 4 x 4 pixels with padding = 1"):
        Conv(1, 4, 4, 8, 8, 9, padding=1)
    with pytest.raises(ValueError, match="groups = 3 must divide"):
        Conv(1, 4, 4, 8, 8, 3, groups=3)


def test_a_pooled_lookup_does_a_quarter_flop_per_byte_in_fp32():
    assert Elementwise(10**6, reads=1, writes=0).intensity("fp32") == 0.25
    with pytest.raises(ValueError, match="reads"):
        Elementwise(10, reads=0, writes=0)


def test_resnet_50_has_the_multiply_adds_it_is_known_for():
    total = sum(conv.flops for _, conv in networks.convolutions("resnet-50")) / 2
    assert total == pytest.approx(3.8e9, rel=0.02)  # the paper prints 3.8 x 10^9 multiply-adds
    total = sum(conv.flops for _, conv in networks.convolutions("mobilenet-v1")) / 2
    assert total == pytest.approx(569e6, rel=0.01)  # the paper prints 569 million mult-adds


def test_a_transformer_layer_holds_the_weights_it_should():
    layer = transformer.layer(1)
    weights = sum(work.n * work.k for work in layer.values() if isinstance(work, Gemm))
    assert weights == 4 * 4096**2 + 3 * 4096 * 11008
    assert workload.train_flops(7e9, 1e12) == 6 * 7e21


def test_unpadded_work_equals_what_xla_counts():
    import jax
    import jax.numpy as jnp

    a, b = jnp.ones((64, 96)), jnp.ones((96, 32))
    cost = jax.jit(lambda a, b: a @ b).lower(a, b).cost_analysis()
    assert cost["flops"] == Gemm(64, 32, 96).flops
    assert cost["bytes accessed"] == Gemm(64, 32, 96).bytes_moved("fp32")
