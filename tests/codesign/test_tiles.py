from itertools import product

import pytest

from accelerator_lib import codesign, gpu
from accelerator_lib.codesign import tiles


def test_324_of_384_settings_fit_counted_again():
    fits = 0
    for m, n, k, stages, warps in product((32, 64, 128, 256), (32, 64, 128, 256), (16, 32, 64), (2, 3, 4, 5), (4, 8)):
        fits += stages * (m + n) * k * 2 <= 163 * 1024 and m * n / (32 * warps) <= 128
    assert len(codesign.legal_tiles()) == fits == 324 and codesign.tile_counts() == (384, 324)


def test_the_room_of_a_block_is_that_of_the_published_limits():
    assert gpu.limits("sm80")["shared_kib_per_block"] * 1024 == tiles.SHARED


def test_more_room_never_lets_fewer_fit_and_less_lets_none():
    counts = [len(codesign.legal_tiles(shared_bytes=kib * 1024)) for kib in (1, 32, 64, 163, 227, 10**6)]
    assert counts == sorted(counts) and counts[0] == 0
    assert (
        len(codesign.legal_tiles(dtype_bytes=4))
        < len(codesign.legal_tiles())
        < len(codesign.legal_tiles(dtype_bytes=1))
    )


def test_a_limit_is_reached_exactly():
    one = codesign.legal_tiles(128, 128, 32, 2, 4, shared_bytes=2 * 256 * 32 * 2)
    assert one == [(128, 128, 32, 2, 4)]
    assert not codesign.legal_tiles(128, 128, 32, 2, 4, shared_bytes=2 * 256 * 32 * 2 - 1)
    assert not codesign.legal_tiles(128, 128, 32, 2, 4, accumulator_registers=127)


@pytest.mark.parametrize("bad", [(0,), (64.0,), [], (8192,), range(100)])
def test_choices_that_are_none_are_answered(bad):
    with pytest.raises(ValueError, match="whole numbers"):
        codesign.legal_tiles(tile_m=bad)


def test_the_ends_of_what_may_be_chosen():
    assert codesign.legal_tiles(1, 4096, 1, 1, 8, dtype_bytes=1) == [(1, 4096, 1, 1, 8)]
    for wrong in (0, 4097):
        with pytest.raises(ValueError, match="whole numbers from 1 to 4096"):
            codesign.legal_tiles(tile_n=wrong)


def test_the_default_lists_are_those_of_the_counts():
    assert tiles.tile_counts(1e9)[0] == 4 * 4 * 3 * 4 * 2


def test_more_settings_than_can_be_tried_are_refused():
    many = tuple(range(1, 65))
    with pytest.raises(ValueError, match="1,073,741,824 settings are too many"):
        codesign.legal_tiles(many, many, many, many, many)
