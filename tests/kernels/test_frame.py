"""Barriers that some never reach, budgets, masks."""

import tracemalloc

import numpy as np
import pytest
from launched import fault, ran

from accelerator_lib.kernels import frame


@pytest.mark.parametrize(
    ("source", "threads", "said"),
    [
        (
            "if thread < 16:\n    barrier()",
            64,
            "line 2, `barrier()`: 16 of 64 threads of block 0 wait here for ever: the others never",
        ),
        ("if block == 1 and warp == 0:\n    barrier()", 64, "32 of 64 threads of block 1 wait here"),
        ("i = 0\nwhile i < thread:\n    i += 1\n    barrier()", 40, "line 4, `barrier()`: 39 of 40 threads of block 0"),
        ("for i in range(thread, 40):\n    barrier()\nx = 1", 40, "39 of 40 threads"),
        ("if warp == 0:\n    barrier()\nelse:\n    barrier()", 64, "line 2, `barrier()`: 32 of 64 threads of block 0"),
    ],
)
def test_a_barrier_that_some_never_reach_is_a_deadlock(source, threads, said):
    found = fault(source, 2, threads)
    assert found.kind == "deadlock" and said in str(found)


def test_a_barrier_that_a_whole_block_reaches_or_leaves_out_is_none():
    assert fault("if block == 1:\n    barrier()\nfor k in range(block):\n    barrier()", 3, 40) is None


def test_an_endless_loop_ends_at_a_line():
    found = fault("x = 1\nwhile x > 0:\n    x = 1")
    assert (found.kind, found.line) == ("budget", 2)
    assert str(found).endswith("more than 20,000 statements; does a loop never end, or is the launch too large?")
    large = fault("x = 1\nwhile x > 0:\n    x = 1", 64, 1024)
    assert large.kind == "budget" and "more than 500,000 instructions of all warps together" in str(large)


def test_just_as_many_statements_as_are_allowed():
    rounds = (
        frame.MOST_STEPS - 2
    ) // 2  # one statement before, then a test and a statement each round, and the last test
    assert fault(f"i = 0\nfor k in range({rounds - 1}):\n    i += 1") is None
    assert fault(f"i = 0\nfor k in range({rounds + 1}):\n    i += 1").kind == "budget"


def test_a_mask_narrows_to_the_lanes_that_a_condition_holds_for():
    lanes = np.ones((2, 32), bool)
    whole = frame.Mask(lanes, True)
    few = whole.narrow(np.arange(32)[None] < np.array([[3], [0]]))
    assert (few.working, few.count, few.which.tolist(), few.places.tolist(), few.full) == (3, 1, [0], [0, 1, 2], False)
    assert whole.narrow(True) is whole and whole.narrow(np.True_) is whole
    assert whole.narrow(False) is None and few.narrow(lanes) is few and few.narrow(~few.lanes) is None


def test_threads_have_their_names_along_one_axis_and_along_two():
    names = ["lane", "warp", "thread", "block", "block_size", "grid_size", "thread_x", "thread_y", "block_x", "block_y",
             "block_size_x", "block_size_y", "grid_size_x", "grid_size_y"]  # fmt: skip
    text = "i = block * block_size + thread\n" + "".join(f"out[{row}, i] = {name}\n" for row, name in enumerate(names))
    out = ran(text, (3, 2), (20, 3), out=np.zeros((14, 360), int)).arrays["out"]
    for i in range(360):
        block, thread = divmod(i, 60)
        wanted = [
            thread % 32,
            thread // 32,
            thread,
            block,
            60,
            6,
            thread % 20,
            thread // 20,
            block % 3,
            block // 3,
            20,
            3,
            3,
            2,
        ]
        assert out[:, i].tolist() == wanted
    out = ran(text, 2, 40, out=np.zeros((14, 80), int)).arrays["out"]
    assert out[:, 79].tolist() == [7, 1, 39, 1, 40, 2, 39, 0, 1, 0, 40, 1, 2, 1]


def test_a_thread_outside_an_array_is_named_with_what_it_does_there():
    found = fault("i = block * block_size + thread\nout[i] = 1.0", 3, 40, out=np.zeros(100))
    assert (
        str(found) == "line 2, `out[i] = 1.0`: thread 20 of block 2 writes out[100], but out ends at out[99]"
        and found.kind == "bounds"
    )
    found = fault("x = m[thread, 4]", 1, 2, m=np.zeros((3, 4)))
    assert found.words == "thread 0 of block 0 reads m[0, 4], but the columns of m end at 3"
    found = fault("x = m[thread - 1, 0]", 1, 2, m=np.zeros((3, 4)))
    assert found.words == "thread 0 of block 0 reads m[-1, 0], but the rows of m begin at 0"
    found = fault("atomic_add(m, (thread, 0), 1)", 1, 9, m=np.zeros((3, 4)))
    assert found.words == "thread 3 of block 0 adds to m[3, 0], but the rows of m end at 2"
    assert fault("if thread < 2:\n    x = a[thread]", 1, 32, a=np.zeros(2)) is None


CHOSEN = " + ".join(f"(a[0] if lane < {1 + number % 31} else a[1])" for number in range(30))
ONE_WARP = f"if thread < 32 and block == 0:\n    for k in range(ROUNDS):\n        x = {CHOSEN}"


@pytest.mark.parametrize("line", [
    f"x = {CHOSEN}", "x = 1 if " + " and ".join(["block_size"] * 99) + " else 0", "x = 0 if " + "not " * 99 + "lane else 1",
    "z[lane] = 1", "x = z[lane]", "x = thread * lane * warp", "x = shuffle(lane, 1)", "out[lane] = 1.0",
])  # fmt: skip
def test_lanes_that_are_not_at_work_are_walked_over_too(line, monkeypatch):
    """One warp of 256 issues: that is no reason for the other 255 to cost nothing here."""
    monkeypatch.setattr(frame, "MOST_WALKED", 20_000_000, raising=False)
    text = f"z = zeros(32, int)\nif thread < 32 and block == 0:\n    for k in range(100):\n        {line}"
    found = fault(text, 32, 256, a=np.zeros(2), out=np.zeros(32))
    assert (found.kind, found.line) == ("budget", 4) and "walks over all 8,192 lanes" in found.words
    assert fault(text.replace("100", "1"), 32, 256, a=np.zeros(2), out=np.zeros(32)) is None


def test_masks_are_not_kept():
    """A mask has a byte for each lane, 10 rounds of 60 masks each would be 39 MB."""
    tracemalloc.start()
    try:
        ran(ONE_WARP.replace("ROUNDS", "10"), 256, 256, a=np.zeros(2))
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()


def test_the_last_statement_counts_its_instructions_too(monkeypatch):
    monkeypatch.setattr(frame, "MOST_ISSUED", 1_000)
    assert fault("x = lane" + " + lane" * 101, 1, 320).kind == "budget"
    assert fault("x = lane" + " + lane" * 100, 1, 320) is None
