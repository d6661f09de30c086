"""Drawn: sizes are ragged, numbers are never 0, their sums are exact, outputs are untouched."""

import numpy as np
import pytest

from accelerator_course import ladder
from accelerator_lib.kernels import drawn

RUNGS = list(ladder.rungs().values())


@pytest.mark.parametrize("sizes", [drawn.length, drawn.sides, drawn.lines, drawn.product])
def test_sizes_end_within_a_warp(sizes):
    draw = np.random.default_rng(3)
    found = [sizes(draw) for _ in range(200)]
    assert all(size % 32 for each in found for name, size in each.items() if (sizes, name) != (drawn.lines, "rows"))
    assert len({tuple(each.values()) for each in found}) > 50


def test_lengths_are_less_than_a_warp_less_than_a_block_and_more():
    draw = np.random.default_rng(3)
    found = {drawn.length(draw)["n"] for _ in range(200)}
    assert min(found) < 32 and any(32 < n < 256 for n in found) and max(found) > 2048


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.id)
def test_the_same_sizes_hold_the_same_numbers_and_outputs_are_untouched(rung):
    case, again = rung.case(rung.visible[0]), rung.case(rung.visible[0])
    expected = rung.expected(case)
    for name, value in case.arguments.items():
        assert np.array_equal(value, again.arguments[name])
        if name in expected:
            assert np.shape(value) == np.shape(expected[name])
            assert np.isin(value, (drawn.UNTOUCHED, 0)).all() and not np.array_equal(value, expected[name])


def test_sums_of_what_is_drawn_are_exact_in_any_order():
    a = drawn.reals(np.random.default_rng(0), 30_000)
    assert (a != 0).all() and np.abs(a).max() <= 8 and (a * 4 % 1 == 0).all()
    sums = {float(np.add.reduce(np.random.default_rng(seed).permutation(a))) for seed in range(5)}
    assert sums == {float(a.astype(float).sum())}
