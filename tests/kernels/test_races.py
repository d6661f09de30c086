"""Races, against every pair of accesses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import fault

from accelerator_course.quiz import bank
from accelerator_lib.kernels import races

PLACES = ["thread", "(thread + 1) % 8", "thread // 2", "3", "7 - thread", "(thread * 3) % 8", "block", "0"]
FORMS = {"reads": "x = s[{0}]", "writes": "s[{0}] = x", "adds to": "atomic_add(s, {0}, 1)"}
STEP = st.one_of(st.just("barrier()"), st.tuples(st.sampled_from(list(FORMS)), st.sampled_from(PLACES)))


def meet(steps, blocks, shared):
    """Whether any two accesses make a race: all pairs, one by one."""
    seen, passed = [], 0
    for step in steps:
        if step == "barrier()":
            passed += 1
            continue
        way, place = step
        for block in range(blocks):
            for thread in range(8):
                at = eval(place, {"thread": thread, "block": block})
                seen.append((block if shared else 0, at, block, thread, passed, way))
    for number, (space, at, block, thread, interval, way) in enumerate(seen):
        for other in seen[:number]:
            if other[:2] != (space, at) or other[2:4] == (block, thread):
                continue
            ordered = other[2] == block and other[4] != interval
            harmless = way == other[5] and way != "writes"
            if not ordered and not harmless:
                return True
    return False


@settings(max_examples=120)
@given(st.lists(STEP, min_size=1, max_size=6), st.integers(1, 2), st.booleans())
def test_a_race_is_found_exactly_where_two_accesses_meet(steps, blocks, shared):
    lines = [step if step == "barrier()" else FORMS[step[0]].format(step[1]) for step in steps]
    head = ["s = shared(8, int)", "s[thread] = 0", "barrier()"] if shared else []
    found = fault("\n".join([*head, "x = 1", *lines]), blocks, 8, **({} if shared else {"s": np.zeros(8, int)}))
    assert (found is not None) == meet(steps, blocks, shared)
    assert found is None or found.kind == "race"


CASES = [
    (
        "s = shared(64)\ns[thread] = 1.0\nx = s[63 - thread]",
        "line 3, `x = s[63 - thread]`: thread 0 of block 0 reads s[63] of block 0, written by thread 63 of block 0 in line 2, "
        "and there is no barrier between: a race",
    ),
    (
        "x = a[5]\nif thread == 3:\n    a[5] = x",
        "line 3, `a[5] = x`: thread 3 of block 0 writes a[5], read by several threads in line 1, and there is no barrier between: a race",
    ),
    (
        "a[thread // 2] = 1.0",
        "line 1, `a[thread // 2] = 1.0`: a[0] is written by thread 0 of block 0 and thread 1 of block 0 at once: a race",
    ),
    (
        "b[1, 2] = 1.0",
        "line 1, `b[1, 2] = 1.0`: b[1, 2] is written by thread 0 of block 0 and thread 1 of block 0 at once: a race",
    ),
    (
        "if thread == 0:\n    a[7] = 1.0\nbarrier()\nif thread == 1:\n    atomic_add(a, 7, 1.0)\nx = a[7]",
        "line 6, `x = a[7]`: thread 0 of block 0 reads a[7], added to by thread 1 of block 0 in line 5, and there is no barrier between: a race",
    ),
]


@pytest.mark.parametrize(("source", "said"), CASES)
def test_the_line_says_who_met_whom(source, said):
    found = fault(source, 1, 64, a=np.zeros(64), b=np.zeros((3, 4)))
    assert str(found) == said and found.kind == "race"


def test_between_blocks_a_barrier_is_of_no_use():
    source = "if block == 0 and thread == 5:\n    a[9] = 1.0\nbarrier()\nif block == 1:\n    x = a[9]"
    said = "thread 0 of block 1 reads a[9], written by thread 5 of block 0 in line 2, and no barrier reaches from block to block"
    assert said in str(fault(source, 2, 32, a=np.zeros(32)))
    assert fault(source.replace("block == 1", "block == 0"), 2, 32, a=np.zeros(32)) is None


def test_many_blocks_that_read_meet_one_that_writes():
    source = "x = a[3]\nif block == 2 and thread == 0:\n    a[3] = x"
    assert "read by several threads in line 1, and no barrier reaches" in str(fault(source, 3, 32, a=np.zeros(32)))


def test_a_thread_may_come_back_and_after_a_barrier_so_may_others():
    assert fault("a[thread] = 1.0\na[thread] += 2.0\nx = a[thread]", 2, 32, a=np.zeros(32)).kind == "race"
    assert fault("a[thread] = 1.0\na[thread] += 2.0\nbarrier()\nx = a[31 - thread]", 1, 32, a=np.zeros(32)) is None
    assert fault("s = shared(32)\ns[thread] = 1.0\ns[thread] += 2.0\nbarrier()\nx = s[31 - thread]", 3, 32) is None


def test_the_question_about_a_missing_barrier_has_a_race_in_its_last_statement_and_what_it_says_mends_it():
    (item,) = [item for item in bank.items("kernels") if item["id"] == "missing-barrier"]
    filled, last = "s = shared(32)\ns[thread] = a[thread]\nbarrier()\n", "s[thread] + s[(thread + 1) % 32]"
    assert f"s[thread] = {last}" in item["ask"] and "shows" not in item
    definition = "wo threads at one place, at least one writing, not both atomically, and no barrier between"
    assert definition in item["why"] and definition in races.__doc__
    found = fault(f"{filled}s[thread] = {last}", 1, 32, a=np.zeros(32))
    assert found.kind == "race" and found.line == 4
    assert fault(f"{filled}x = {last}\nbarrier()\ns[thread] = x", 1, 32, a=np.zeros(32)) is None
