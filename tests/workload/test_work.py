import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import workload
from accelerator_lib.workload import Elementwise, Gemm, Work

sizes = st.integers(1, 40)


def test_a_product_by_hand():
    gemm = Gemm(2, 3, 4)
    assert gemm.flops == 2 * 2 * 3 * 4
    assert gemm.bytes_moved("fp32") == 4 * (2 * 4 + 4 * 3 + 2 * 3)
    assert gemm.bytes_moved("bf16", weight_dtype="int4", output_dtype="fp32") == 2 * 8 + 0.5 * 12 + 4 * 6


def test_an_element_wise_step_by_hand():
    """1,000 elements, two reads in bf16 (2 bytes) and three writes in fp32 (4 bytes): 4 + 12 bytes each."""
    step = Elementwise(1000, flops_per_element=8, reads=2, writes=3)
    assert step.bytes_moved("bf16", output_dtype="fp32") == 16_000 and step.bytes_moved("bf16") == 10_000
    assert step.intensity("bf16", output_dtype="fp32") == 0.5


def test_rates_of_the_profiled_step_differ_by_245_and_736():
    assert workload.relative_rate(99.80, 61.0, 0.17, 25.5) == pytest.approx(245.40983606557373)
    assert workload.relative_rate(99.80, 61.0, 0.03, 13.5) == pytest.approx(736.2295081967212)


def test_the_layer_of_the_chapter():
    assert Gemm(512, 11008, 4096).flops == 46_170_898_432


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


def test_a_pooled_lookup_does_a_quarter_flop_per_byte_in_fp32():
    assert Elementwise(10**6, reads=1, writes=0).intensity("fp32") == 0.25
    with pytest.raises(ValueError, match="reads"):
        Elementwise(10, reads=0, writes=0)


def test_only_the_product_of_two_matrices_uses_each_byte_more_often_as_it_grows():
    """The three curves of the chapter: n / 3, towards one, and a quarter for ever."""
    n = np.array([64, 1024, 16384])
    assert Gemm(n, n, n).intensity() == pytest.approx(n / 3)
    assert Gemm(1, n, n).intensity() == pytest.approx(n / (n + 2))  # 2 n^2 FLOP over n^2 + 2 n elements of two bytes
    assert Elementwise(n * n).intensity() == pytest.approx([0.25] * 3)


def test_a_piece_of_work_or_one_clear_line():
    assert isinstance(Gemm(1, 2, 3), Work) and workload.intensity(Gemm(8, 8, 8)) == Gemm(8, 8, 8).intensity("bf16")
    with pytest.raises(TypeError, match="work must be a piece of work such as Gemm"):
        workload.intensity(46)
    with pytest.raises(ValueError, match="m = 0 elements is outside"):
        Gemm(0, 1, 1)
