import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.exercises import workload as exercises
from accelerator_course.frames.workload import im2col
from accelerator_lib.workload import Conv

shapes = st.tuples(*[st.integers(1, 8)] * 2, st.integers(1, 2), st.integers(1, 5), st.integers(1, 3), st.integers(0, 2))


def drawn(height, width, channels, kernel):
    draw = np.random.default_rng(height + 10 * width)
    return draw.integers(-9, 10, (channels, height, width)), draw.integers(-3, 4, (channels, kernel, kernel))


@given(shapes)
def test_the_rows_are_those_of_im2col_and_their_product_is_the_convolution(shape):
    height, width, channels, kernel, stride, padding = shape
    if min(height, width) + 2 * padding < kernel:
        return
    image, filter = drawn(height, width, channels, kernel)
    *_, last = im2col(image, filter, stride, padding)
    assert np.array_equal(last.rows, exercises.as_products(image[None], kernel, 1, stride, padding, 1)[0][0])
    padded = np.pad(image, ((0, 0), (padding, padding), (padding, padding)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(1, 2))[:, ::stride, ::stride]
    direct = np.einsum("cyxij,cij->yx", windows, filter)
    assert np.array_equal(last.outputs, direct.ravel())


@given(shapes)
def test_copies_are_counted_as_the_window_slides_and_end_at_the_closed_form(shape):
    height, width, channels, kernel, stride, padding = shape
    if min(height, width) + 2 * padding < kernel:
        return
    conv = Conv(1, height, width, channels, 1, kernel, stride, padding)
    run = list(im2col(*drawn(height, width, channels, kernel), stride, padding))
    assert len(run) == conv.gemm.m + 1 and run[0].copies.sum() == 0 and run[0].factor == 0
    for state in run[:-1]:
        row, col = state.window
        part = state.image[:, max(row, 0) : max(row + kernel, 0), max(col, 0) : max(col + kernel, 0)]
        assert np.isin(part, state.rows[state.number]).all() and len(state.outputs) == state.number
    assert np.array_equal(run[-1].copies, conv.pixel_copies()) and run[-1].most == conv.pixel_copies().max()
    assert run[-1].factor == pytest.approx(conv.im2col_factor) and run[-1].done and run[-1].window is None


def test_four_patches_by_hand():
    """Nine pixels under a window of two by two; the middle one is copied by every patch."""
    run = list(im2col(np.arange(9).reshape(1, 3, 3), np.array([[[1, 0], [0, 1]]])))
    assert run[-1].rows.tolist() == [[0, 1, 3, 4], [1, 2, 4, 5], [3, 4, 6, 7], [4, 5, 7, 8]]
    assert run[-1].outputs.tolist() == [4, 6, 10, 12] and run[-1].factor == pytest.approx(16 / 9)
    assert run[2].window == (1, 0) and run[2].copies.tolist() == [[1, 2, 1], [1, 2, 1], [0, 0, 0]]
    assert run[-1].copies.tolist() == [[1, 2, 1], [2, 4, 2], [1, 2, 1]]


def test_states_do_not_change_when_the_run_goes_on():
    run = im2col(np.ones((1, 4, 4)), np.ones((1, 2, 2)))
    first = next(run)
    list(run)
    assert first.copies.sum() == 0


@pytest.mark.parametrize(
    ("dtype", "pixel", "weight"), [("int8", 100, 2), ("bool", 1, 1), ("uint8", 200, 3), ("float16", 9000, 8)]
)
def test_narrow_pixels_have_wide_sums(dtype, pixel, weight):
    *_, last = im2col(np.full((1, 4, 4), pixel, dtype), np.full((1, 3, 3), weight, dtype))
    assert last.outputs.tolist() == [9 * pixel * weight] * 4
