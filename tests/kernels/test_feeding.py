"""Feeding: cycles are those of the closed form and of the register machine, every product is added once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_lib import systolic
from accelerator_lib.kernels import feeding
from accelerator_lib.kernels.language import Fault
from accelerator_lib.workload import Gemm

RUNG = ladder.rung("feed")
BOMB = "t = (1, 1)\n" + "t = (t, t)\n" * 34  # a text of it has 2**35 numbers
AHEAD, OTHER = RUNG.steps[2].text, RUNG.worked.text


def matrices(m, n, k):
    draw = np.random.default_rng(m)
    a, b = draw.integers(1, 9, (m, k)).astype(np.float32), draw.integers(1, 9, (k, n)).astype(np.float32)
    return {"a": a, "b": b, "c": np.zeros((m, n), np.float32), "m": m, "n": n, "k": k}


def fed(source, m, n, k, edge=4, room=64):
    return feeding.run(source, matrices(m, n, k), edge, room)


@settings(max_examples=30)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
def test_a_block_ahead_takes_the_cycles_of_the_closed_form(m, n, k):
    for text, flow in ((AHEAD, "ws"), (OTHER, "is")):
        made = fed(text, m, n, k)
        assert made.cycles == systolic.cycles(Gemm(m, n, k), 4, 4, flow, True).total
        assert np.array_equal(made.arrays["c"], made.arrays["a"] @ made.arrays["b"])


@pytest.mark.parametrize("m, n, k", [(6, 8, 8), (3, 5, 9), (9, 4, 4)])
def test_the_register_machine_takes_as_many_cycles(m, n, k):
    given = matrices(m, n, k)
    *_, last = systolic.steps(given["a"], given["b"], 4, 4, "ws", True)
    made = fed(AHEAD, m, n, k)
    assert made.cycles == last.cycle + 1 and np.array_equal(made.arrays["c"], last.outputs)


def test_cycles_by_hand():
    one = fed("load(b, 0, 0)\nswap()\nrun(0, 6)", 6, 4, 4)
    assert one.cycles == 4 + 6 + 6 and one.waited_cycles == 4 and one.passes[0].begin == 4
    apart = fed(RUNG.steps[1].text, 6, 8, 8)
    assert apart.cycles == 4 * (4 + 6) + 6 and apart.waited_cycles == 16 and not apart.spilled_cycles
    back = fed(RUNG.slow.text, 6, 8, 8)  # 2 blocks of columns, then both again: out, out and back, back again
    assert back.spilled_cycles == 2 * 6 + 2 * 6 and back.cycles == apart.cycles + back.spilled_cycles
    held = fed("load(b, 0, 0)\nswap()\nload(b, 0, 4)\nrun(0, 2)\nrun(2, 6)\nswap()\nrun(0, 6)", 6, 8, 4)
    assert held.cycles == 4 + 6 + 6 + 6 and [len(each.meanwhile) for each in held.passes] == [1, 0, 0]


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.sampled_from("ab"), st.integers(1, 9), st.randoms()
)
def test_any_order_of_blocks_gives_the_product_and_none_beats_the_bound(m, n, k, stays, room, draw):
    high, wide = (m, k) if stays == "a" else (k, n)
    rows = n if stays == "a" else m
    pieces = [(i, j, at, min(at + room, rows))
              for i in range(0, high, 4) for j in range(0, wide, 4) for at in range(0, rows, room)]  # fmt: skip
    draw.shuffle(pieces)
    text = "".join(f"load({stays}, {i}, {j})\nswap()\nrun({at}, {end})\n" for i, j, at, end in pieces)
    made = fed(text, m, n, k, room=room)
    assert np.array_equal(made.arrays["c"], made.arrays["a"] @ made.arrays["b"]) and made.macs == m * n * k
    assert made.cycles >= 4 + m * n * -(-k // 4) / 4 + 2 * 4 - 2
    assert made.cycles == made.waited_cycles + made.spilled_cycles + made.pass_cycles + 2 * 4 - 2


@pytest.mark.parametrize("source, kind, line, words", [
    ("swap()", "unset", 1, "no block waits"),
    ("run(0, 1)", "unset", 1, "no block in the array"),
    ("load(b, 0, 0)\nload(b, 0, 4)", "value", 2, "the block of line 1 still waits"),
    ("load(b, 8, 0)", "bounds", 1, "b has the rows 0 to 7, not 8"),
    ("load(a, 0, -1)", "bounds", 1, "a has the columns 0 to 7"),
    ("load(7, 0, 0)", "value", 1, "load takes a or b"),
    ("load(b, 0)", "language", 1, "load is called as in the text"),
    ("load(b, 0, 0)\nswap()\nrun(0, 7)", "bounds", 3, "rows 0 to 6 can pass"),
    ("load(a, 0, 0)\nswap()\nrun(3, 3)", "bounds", 3, "columns 0 to 8 can pass"),
    ("load(a, 0, 0)\nswap()\nrun(0, 6)", "budget", 3, "their sums have room for 5"),
    ("load(b, 0, 0)\nswap()\nrun(0, 4)\nrun(3, 6)", "value", 4, "a[3, 0] * b[0, 0] is in c[3, 0] already"),
    ("load(b, 0, 0)\nswap()\nload(b, 2, 3)\nrun(0, 3)\nswap()\nrun(0, 3)", "value", 6, "a[0, 2] * b[2, 3] is in c[0, 3] already"),
    (BOMB + "load(a, t, 0)", "bounds", 36, "not a tuple"),
    (BOMB + "load(a, 0, 0)\nswap()\nrun(t, 1)", "bounds", 38, "not a tuple to 1"),
    ("while 1:\n    swap()", "language", 1, "these commands: load, swap, run"),
])  # fmt: skip
def test_what_is_wrong_is_told_at_its_line(source, kind, line, words):
    with pytest.raises(Fault) as found:
        fed(source, 6, 8, 8, room=5)
    assert (found.value.kind, found.value.line) == (kind, line) and words in str(found.value)


def test_what_is_left_out_is_found():
    for change, words in [
        (lambda t: t.replace("range(0, m, EDGE)", "range(EDGE, m, EDGE)"), "c[0, 0]"),
        (lambda t: t.replace("range(0, k, EDGE)", "range(0, k - EDGE, EDGE)"), "expected is"),
    ]:
        verdict = ladder.judge("feed", change(OTHER))
        assert not verdict.right and words in verdict.problem, verdict.problem
