"""How the FLOP of whole networks divide: by hand, by counting a tiny forward pass, by published sizes, by enumeration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import workload
from accelerator_lib.workload import Conv, Elementwise, Gemm, Work, sums
from accelerator_lib.workload.networks import convolutions
from accelerator_lib.workload.transformer import crossover_tokens
from accelerator_lib.workload.transformer import flops as transformer

sizes = st.integers(1, 40)


def test_work_by_hand():
    gemm = Gemm(2, 3, 4)
    assert gemm.flops == 2 * 2 * 3 * 4
    assert gemm.bytes_moved("fp32") == 4 * (2 * 4 + 4 * 3 + 2 * 3)
    assert gemm.bytes_moved("bf16", weight_dtype="int4", output_dtype="fp32") == 2 * 8 + 0.5 * 12 + 4 * 6
    # 1,000 elements, two reads in bf16 (2 bytes) and three writes in fp32 (4 bytes): 4 + 12 bytes each.
    step = Elementwise(1000, flops_per_element=8, reads=2, writes=3)
    assert step.bytes_moved("bf16", output_dtype="fp32") == 16_000 and step.bytes_moved("bf16") == 10_000
    assert step.intensity("bf16", output_dtype="fp32") == 0.5
    assert workload.relative_rate(99.80, 61.0, 0.17, 25.5) == pytest.approx(245.40983606557373)
    assert workload.relative_rate(99.80, 61.0, 0.03, 13.5) == pytest.approx(736.2295081967212)
    curve = Gemm(np.array([1, 2, 4]), 8, 16)
    assert list(curve.flops) == [Gemm(m, 8, 16).flops for m in (1, 2, 4)]
    assert list(curve.intensity()) == [Gemm(m, 8, 16).intensity() for m in (1, 2, 4)]
    assert Elementwise(10**6, reads=1, writes=0).intensity("fp32") == 0.25
    # The three curves of the chapter: n / 3, towards one, and a quarter for ever.
    n = np.array([64, 1024, 16384])
    assert Gemm(n, n, n).intensity() == pytest.approx(n / 3)
    assert Gemm(1, n, n).intensity() == pytest.approx(n / (n + 2))  # 2 n^2 FLOP over n^2 + 2 n elements of two bytes
    assert Elementwise(n * n).intensity() == pytest.approx([0.25] * 3)
    assert isinstance(Gemm(1, 2, 3), Work) and workload.intensity(Gemm(8, 8, 8)) == Gemm(8, 8, 8).intensity("bf16")


@given(
    st.integers(1, 3),
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([2, 4]),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 2),
    st.sampled_from([1, 2]),
)
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


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4), st.integers(1, 3), st.integers(0, 2))
def test_copies_of_a_pixel_counted_by_cutting_every_patch_out_of_the_image(height, width, kernel, stride, padding):
    if min(height, width) + 2 * padding < kernel:
        return
    conv = Conv(1, height, width, 1, 1, kernel, stride, padding)
    found = np.zeros((height + 2 * padding, width + 2 * padding), int)
    for row in range(conv.out_height):
        for col in range(conv.out_width):
            found[row * stride : row * stride + kernel, col * stride : col * stride + kernel] += 1
    inside = found[padding : padding + height, padding : padding + width]
    assert np.array_equal(conv.pixel_copies(), inside)
    if padding == 0:
        assert conv.im2col_factor == pytest.approx(inside.mean())  # with padding it counts the copies of zeros, too


def test_convolutions_by_hand():
    conv = Conv(batch=1, height=56, width=56, in_channels=64, out_channels=64, kernel=3, padding=1)
    assert conv.gemm == Gemm(3136, 64, 576) and conv.gemm.flops == 231_211_008 and conv.im2col_factor == 9.0
    assert np.all(Conv(1, 8, 12, 3, 3, kernel=4, stride=4).pixel_copies() == 1)
    corner = Conv(1, 8, 8, 3, 3, kernel=3, padding=1).pixel_copies()
    assert corner[0, 0] == 4 and corner[0, 4] == 6 and corner[4, 4] == 9


@pytest.mark.parametrize(
    ("dtype", "value", "want"),
    [("int8", 100, "int32"), ("int32", 2**20, "int64"), ("float16", 1000, "float32"), ("float64", 1, "float64")],
)
def test_sums_are_wider_than_narrow_operands(dtype, value, want):
    a = np.full((2, 2), value, dtype)
    assert sums.accumulator(a, a) == sums.held(a, a) == want and sums.largest_sum(a, a) == max(2 * value**2, value)


def test_blocks_by_hand():
    # 3 tokens, width 2, MLP 4 wide, one layer.
    found = transformer(3, d_model=2, mlp_ratio=2, layers=1)
    assert found.projections == 3 * 32  # four matrices of 2 x 2, two FLOP each
    assert found.mlp == 3 * 48  # three of 2 x 4
    assert found.scores == 72  # 3 x 3 scores of 2 products, and as many for the weighted sum, two FLOP each
    assert found.total == 312 and found.scores_share == pytest.approx(0.230769, abs=1e-6)
    assert transformer(3, 2, 2, layers=5, training=True).total == 312 * 5 * 3  # backward is two more passes
    # 32 x (4 x 4096^2 + 3 x 4096 x 11008) = 6,476,005,376 weights in its matrices; two FLOP each.
    found = transformer(1)
    assert found.projections + found.mlp == 2 * 6_476_005_376
    assert found.scores == 32 * 4 * 4096


@pytest.mark.parametrize(
    "width, hidden, tokens", [(4096, 11008, 24_704), (1024, 4096, 8192), (8192, 28672, 59_392), (2, 4, 10)]
)
def test_the_crossover_is_the_first_length_at_which_scores_cost_as_much(width, hidden, tokens):
    """2 d + 1.5 d_ff, found again by trying the lengths around it."""
    assert crossover_tokens(width, hidden / width) == tokens
    at = {t: transformer(t, width, hidden / width) for t in (tokens - 1, tokens, tokens + 1)}
    assert crossover_tokens() == 24_704
    sign = [np.sign(one.scores - one.projections - one.mlp) for one in at.values()]
    assert sign == [-1, 0, 1]


def test_the_share_of_scores_goes_from_none_to_all_and_arrays_are_each_of_their_elements():
    lengths = np.array([1, 100, 24_704, 10**6, 10**9])
    shares = transformer(lengths).scores_share
    assert list(shares) == [transformer(int(t)).scores_share for t in lengths]
    assert shares[0] < 1e-4 and shares[-1] > 0.9999 and (np.diff(shares) > 0).all()


def resnet_50():
    """(multiply-adds, weights, outputs) of each convolution, built from the rule of its blocks, not from the table.

    Four groups of 3, 4, 6 and 3 blocks of 1 x 1, 3 x 3, 1 x 1; the first block of a group halves the image and widens.
    """
    found = [(112 * 112 * 64 * 147, 64 * 147, 112 * 112 * 64)]  # 7 x 7 x 3 = 147 products for each output
    channels, edge = 64, 56
    for group, (blocks, width) in enumerate(zip((3, 4, 6, 3), (64, 128, 256, 512), strict=True)):
        edge = edge if group == 0 else edge // 2
        for block in range(blocks):
            shapes = [(channels, width, 1), (width, width, 9), (width, 4 * width, 1)]
            shapes += [(channels, 4 * width, 1)] if block == 0 else []  # the shortcut
            found += [(edge * edge * i * o * taps, i * o * taps, edge * edge * o) for i, o, taps in shapes]
            channels = 4 * width
    return found


def weights(conv):
    return conv.groups * conv.gemm.k * conv.gemm.n


def test_networks_have_their_published_sizes():
    resnet, mobile = ([conv for _, conv in convolutions(name)] for name in ("resnet-50", "mobilenet-v1"))
    each = [(conv.flops / 2, weights(conv), conv.gemm.m * conv.out_channels) for conv in resnet]
    assert [sum(one) for one in zip(*each, strict=True)] == [sum(one) for one in zip(*resnet_50(), strict=True)]
    # Weights of the convolutions: all parameters, less those of the classifier and two for each normalised channel.
    assert sum(map(weights, resnet)) == 25_557_032 - (2048 + 1) * 1000 - 2 * 26_560
    assert sum(map(weights, mobile)) == 4_231_976 - (1024 + 1) * 1000 - 2 * 10_944
    assert sum(conv.flops for conv in resnet) / 2 == pytest.approx(3.8e9, rel=0.02)  # He et al., Table 1
    assert sum(conv.flops for conv in mobile) / 2 == pytest.approx(569e6, rel=0.003)  # Howard et al., Table 4
    for (_, small), (_, large) in zip(convolutions("resnet-50"), convolutions("resnet-50", pixels=448), strict=True):
        assert (large.flops, weights(large)) == (4 * small.flops, weights(small))
