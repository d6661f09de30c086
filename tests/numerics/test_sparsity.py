"""2:4 masks and the density at which skipping zeros one by one pays."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from accelerator_lib import hardware
from accelerator_lib.numerics import sparse_bytes_ratio, sparsity

ROWS = arrays(float, 16, elements=st.floats(1e-3, 9) | st.floats(-9, -1e-3))


def test_bytes_by_counting_bits():
    for bits in (4, 8, 16, 32):
        dense, kept = 4 * bits, 2 * bits + 2 * 2  # two values, two places of two bits
        assert sparse_bytes_ratio(bits) == kept / dense == 0.5 + 1 / bits


@given(ROWS)
def test_the_best_mask_of_four_is_the_best_of_all_six(weights):
    mask = sparsity.best_mask(weights)
    for group, kept in zip(weights.reshape(-1, 4), mask.reshape(-1, 4), strict=True):
        most = max(sum(group[list(pair)] ** 2) for pair in combinations(range(4), 2))
        assert kept.sum() == 2 and (group[kept] ** 2).sum() == pytest.approx(most)


@given(ROWS, st.lists(st.integers(0, 1), min_size=16, max_size=16))
def test_a_mask_fits_where_no_group_keeps_more_than_two(weights, mask):
    found = sparsity.pruned(weights, mask, 16)
    fits = all(sum(mask[at : at + 4]) <= 2 for at in range(0, 16, 4))
    assert found.fits == fits and found.speedup == (2 if fits else 1) and found.bytes_ratio == (0.5625 if fits else 1)
    assert found.snr_db <= sparsity.pruned(weights, [1] * 16).snr_db
    if fits:  # stored and unpacked again
        again = np.zeros((4, 4))
        kept = np.where(found.mask, weights, 0).reshape(4, 4)
        np.put_along_axis(again, found.places, np.take_along_axis(kept, found.places, 1), 1)
        assert np.array_equal(again, kept)


def test_by_hand():
    weights = [4, 1, 2, 3, 1, 1, 1, 1]
    half = sparsity.pruned(weights, [1, 0, 0, 1, 1, 1, 0, 0])
    assert half.fits and half.groups.tolist() == [2, 2] and half.places.tolist() == [[0, 3], [0, 1]]
    assert half.snr_db == pytest.approx(10 * np.log10(34 / (1 + 4 + 2)))
    assert sparsity.pruned(weights, [0] * 8).snr_db == float("-inf")
    assert not sparsity.pruned(weights, [1, 1, 1, 0, 0, 0, 0, 1]).fits  # as many zeros, in the wrong places


def test_where_the_vector_unit_wins():
    h100 = hardware.chip("h100-sxm5")
    at = sparsity.break_even_density(h100)
    assert at == pytest.approx(0.0676, abs=1e-4)
    found = sparsity.relative_times(np.array([at / 2, at, 1.0]), h100)
    skipped = found["vector unit, fp32, zeros skipped"]
    assert skipped[0] < 1 and skipped[1] == pytest.approx(1) and skipped[2] == pytest.approx(1 / at)
    assert found["matrix unit, 2:4"] == pytest.approx([0.5] * 3, rel=0.01)


@pytest.mark.parametrize("mask", [[1, 0, 1], [], [[1, 0, 1, 0]], [1, 0, 2, 0], "1010"])
def test_a_mask_that_is_none_is_refused(mask):
    with pytest.raises(ValueError, match="mask must be a row of 0 and 1"):
        sparsity.pruned([1.0] * 4, mask)
    with pytest.raises(ValueError, match="groups of 4"):
        sparsity.best_mask([1.0, 2.0])
    with pytest.raises(ValueError, match="one length"):
        sparsity.pruned([1.0] * 8, [1, 0, 1, 0])
