"""How a text says that it is launched, and the sizes and arrays that are drawn for it."""

from pathlib import Path

import numpy as np
import pytest

from accelerator_course import ladder
from accelerator_course.ladder import drawn
from accelerator_course.ladder.launch import NEEDED_ANYWAY, defaults, launch
from accelerator_lib import data, kernels

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
FLAT = {"THREADS": 256, "PER_BLOCK": 256}


def test_a_launch_by_hand():
    assert launch("pass", [1000], FLAT) == (4, 256, NEEDED_ANYWAY)
    assert launch("THREADS = 64\nPER_BLOCK = 2 * THREADS", [1000], FLAT) == (8, 64, NEEDED_ANYWAY)
    assert launch("pass", [5], {"THREADS": 32}) == (5, 32, NEEDED_ANYWAY)  # a block for each
    text = "THREADS_X = 16\nTHREADS_Y = 8\nPER_BLOCK_X = 64\nPER_BLOCK_Y = 32\n"
    assert launch(text, [100, 100], {}) == ((2, 4), (16, 8), NEEDED_ANYWAY)
    assert launch("N = 4\nacc = zeros(N, 4)\ni = zeros(3, int)", [1], FLAT)[2] == NEEDED_ANYWAY + 19
    assert launch("acc = zeros(16, 16)", [1], FLAT)[2] == 255


@pytest.mark.parametrize("text, line, words", TABLE["a_launch_that_cannot_be_is_a_fault_at_its_line"])
def test_a_launch_that_cannot_be_is_a_fault_at_its_line(text, line, words):
    with pytest.raises(kernels.Fault, match=words) as found:
        launch(text, [100], FLAT)
    assert found.value.line == line


def test_a_block_has_at_most_1024_threads():
    with pytest.raises(kernels.Fault, match="64 x 32 = 2,048 threads; 1,024 are allowed") as found:
        launch("THREADS_X = 64\nTHREADS_Y = 32", [1, 1], {})
    assert found.value.line == 2


def test_every_blank_kernel_says_how_it_is_launched():
    for rung in (each for each in ladder.rungs().values() if each.machine == "warp"):
        found = defaults(rung.blank)
        assert any(name.startswith("THREADS") for name in found) and found == rung.started
        for step in rung.steps:
            assert {name for name in found if name.startswith("THREADS")} <= set(defaults(step.text))


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
