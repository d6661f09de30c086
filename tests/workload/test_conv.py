import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.workload import Conv, Gemm


def test_a_convolution_by_hand():
    conv = Conv(batch=1, height=56, width=56, in_channels=64, out_channels=64, kernel=3, padding=1)
    assert conv.gemm == Gemm(3136, 64, 576) and conv.gemm.flops == 231_211_008 and conv.im2col_factor == 9.0


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


def test_patches_that_do_not_overlap_copy_each_pixel_once():
    assert np.all(Conv(1, 8, 12, 3, 3, kernel=4, stride=4).pixel_copies() == 1)
    corner = Conv(1, 8, 8, 3, 3, kernel=3, padding=1).pixel_copies()
    assert corner[0, 0] == 4 and corner[0, 4] == 6 and corner[4, 4] == 9


def test_more_pixels_than_a_product_has_rows_are_refused_by_the_name_of_the_batch():
    with pytest.raises(ValueError, match="^batch = 1000000000 makes 1.25e.13 pixels of output; allowed are 1e.12"):
        Conv(batch=10**9, height=224, width=224, in_channels=3, out_channels=64, kernel=7, stride=2, padding=3)
