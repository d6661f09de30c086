from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import gpu
from accelerator_lib.gpu import access


@given(st.integers(0, 70), st.sampled_from([4, 8, 16]), st.integers(0, 31))
def test_sectors_are_the_distinct_pieces_of_32_bytes(stride, size, offset):
    bytes_read = {offset + lane * stride * size + byte for lane in range(32) for byte in range(size)}
    assert gpu.sectors(stride, size, offset) == len({byte // 32 for byte in bytes_read})
    share = gpu.load_efficiency(stride, size, offset)
    assert share == pytest.approx(len(bytes_read) / (32 * gpu.sectors(stride, size, offset)))


def test_a_row_in_a_row_and_a_column_in_32_places():
    row, column = access.strided(1), access.strided(32)
    assert (len(row.sectors), row.pieces, row.bytes_brought, row.efficiency) == (4, 1, 128, 1)
    assert (len(column.sectors), column.pieces, column.bytes_brought, column.efficiency) == (32, 32, 1024, 0.125)


@given(st.integers(1, 1000))
def test_bank_conflicts_of_strides_are_a_greatest_common_divisor(stride):
    assert gpu.bank_conflict(stride) == gcd(stride, 32)


def test_every_word_asked_for_lies_in_one_bank():
    column = access.strided(32)
    assert column.turns == 32 == column.words[0] and column.words.sum() == 32
    assert (access.strided(33).words == np.ones(32)).all()


def test_equal_words_are_one_read():
    assert gpu.bank_conflict(0) == 1
    assert access.touched(lambda lane: lane // 16 * 32).turns == 2


@pytest.mark.parametrize("name", access.PATTERNS)
def test_every_pattern_of_the_chapter_can_be_touched(name):
    found = access.touched(*access.PATTERNS[name])
    assert found.addresses.shape[0] == 32 and 1 <= len(found.sectors) <= 32
    assert 0 < found.efficiency <= 1


def test_the_sectors_of_every_pattern_by_hand():
    """128 bytes in a row are four sectors if they begin with one, five if not; 32 lanes three floats apart pass all 12."""
    found = {name: len(access.touched(*way).sectors) for name, way in access.PATTERNS.items()}
    squares = {lane * lane % 97 * 4 // 32 for lane in range(32)}
    assert list(found.values()) == [4, 5, 4, 8, 1, 12, 4, 4, 32, 32, 8, 16, len(squares)]


def test_an_index_that_is_none_is_refused():
    with pytest.raises(TypeError, match="index must be a function of the lane"):
        access.touched(3)
    with pytest.raises(ValueError, match="index of lane 1 = -1"):
        access.touched(lambda lane: -lane)


def test_a_tile_of_8_kib_takes_16_loads_of_a_warp_and_wider_ones_than_16_bytes_there_are_not():
    assert access.copy_instructions(8192) == 16 and access.copy_instructions(8193) == 17
    assert access.copy_instructions(8192, 4) == 64
    with pytest.raises(ValueError, match="lane_bytes = 32 is outside the allowed range, 1 to 16"):
        access.copy_instructions(8192, 32)
