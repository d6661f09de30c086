"""Launch: what a text sets counts, what it does not set is as in the blank kernel, what cannot be is one line."""

import pytest

from accelerator_course import ladder
from accelerator_lib import kernels
from accelerator_lib.kernels.launch import NEEDED_ANYWAY, defaults, launch

FLAT = {"THREADS": 256, "PER_BLOCK": 256}


def test_blocks_cover_the_last_number():
    assert launch("pass", [1000], FLAT) == (4, 256, NEEDED_ANYWAY)
    assert launch("THREADS = 64\nPER_BLOCK = 2 * THREADS", [1000], FLAT) == (8, 64, NEEDED_ANYWAY)
    assert launch("pass", [5], {"THREADS": 32}) == (5, 32, NEEDED_ANYWAY)  # a block for each


def test_two_sides_have_a_pair_of_each():
    text = "THREADS_X = 16\nTHREADS_Y = 8\nPER_BLOCK_X = 64\nPER_BLOCK_Y = 32\n"
    assert launch(text, [100, 100], {}) == ((2, 4), (16, 8), NEEDED_ANYWAY)


def test_arrays_of_a_thread_need_registers():
    assert launch("N = 4\nacc = zeros(N, 4)\ni = zeros(3, int)", [1], FLAT)[2] == NEEDED_ANYWAY + 19
    assert launch("acc = zeros(16, 16)", [1], FLAT)[2] == 255


@pytest.mark.parametrize("text, line, words", [
    ("x = 1\nTHREADS = 2000", 2, "THREADS is a whole number from 1 to 1,024, not 2,000"),
    ("THREADS = 0", 1, "not 0"),
    ("THREADS = 32.0", 1, "not 32.0"),
    ("PER_BLOCK = -1", 1, "PER_BLOCK is a whole number"),
    ("THREADS = (", 1, "this is not Python"),
])  # fmt: skip
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
