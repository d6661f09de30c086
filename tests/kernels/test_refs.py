"""Refs: parts of a block, what was never written, what lies past the edge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.refs import Ref, Slice, cut


def block(known=None):
    return Ref("a", np.arange(12, dtype=np.float32).reshape(3, 4), known)


def test_parts_are_those_of_numpy():
    ref, values = block(), np.arange(12).reshape(3, 4)
    assert ref.read(..., 1).tolist() == values.tolist() and ref.touched
    assert ref.read((1, 2), 1) == 6 and ref.read((slice(None), 0), 1).tolist() == [0, 4, 8]
    assert ref.read((Slice(np.int32(1), 2), slice(1, 3)), 1).tolist() == [[5, 6], [9, 10]]


@pytest.mark.parametrize("key, words", [
    ((3, 0), r"reads \[3, 0\] of the block of a, but its rows end at 2"), ((-1, 0), "its rows begin at 0"),
    ((0, slice(None, 5)), r"reads \[0, 0:5\] of the block of a, but its columns end at 3"), ((0,), "has 2 axes, not 1"), ((True, 0), "reached by"),
    ((Slice(2, 2), 0), r"reads \[2:4, 0\] of the block of a, but its rows end at 2"), ((slice(0, 3, 2), 0), "reached by"), ((None, 0), "reached by"),
    ((slice(np.int32(0), 2), 0), "pl.ds"), ((0.5, 0), "reached by"), ((slice(2, 1), 0), r"ends before it begins: \[2:1, 0\]"),
])  # fmt: skip
def test_what_a_block_does_not_have_is_one_line(key, words):
    with pytest.raises(Fault, match=words):
        block().read(key, 1)


def test_an_output_holds_nothing_until_it_is_written():
    ref = block(np.zeros((3, 4), bool))
    with pytest.raises(Fault, match="a is read before this step wrote there") as fault:
        ref.read(..., 7)
    assert fault.value.kind == "unset" and fault.value.line == 7
    ref.write((0, slice(None)), np.float32(5), 8)
    assert ref.read((0, slice(None)), 9).tolist() == [5] * 4 and ref.line == 8
    with pytest.raises(Fault, match="unset|before"):
        ref.read(..., 9)
    with pytest.raises(Fault, match=r"has \(3, 4\) there, the value is \(4,\)"):
        ref.write(..., np.zeros(4, np.float32), 1)
    with pytest.raises(Fault, match="only to be read"):
        block().write(..., 1, 1)


def test_reals_do_not_go_where_whole_numbers_are():
    with pytest.raises(Fault, match="whole numbers"):
        Ref("a", np.zeros(3, np.int32), np.zeros(3, bool)).write(..., np.float32(1), 1)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.integers(1, 5))
def test_blocks_put_together_are_the_array(rows, cols, high, wide):
    array, whole = np.arange(rows * cols, dtype=np.float32).reshape(rows, cols), np.zeros((rows, cols))
    for i in range(-(-rows // high)):
        for j in range(-(-cols // wide)):
            made, there, here = cut(array, (high, wide), (i, j))
            whole[there] += made[here]
            assert made.shape == (high, wide) and np.isnan(made).sum() == made.size - made[here].size
    assert np.array_equal(whole, array)
