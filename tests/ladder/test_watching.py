"""A replay with its counts: they are those of the launch where the block is all there is, and each access is placed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from launched import ran

from accelerator_course import ladder
from accelerator_course.frames.gpu import by_turn

SOURCE = "s = shared(32, 32)\nx = a[2 * thread]\ns[lane, warp] = x\nbarrier()\nif lane < 5:\n    atomic_add(b, lane, s[0, warp])"


def watched(source=SOURCE, threads=64, **arrays):
    made = ran(source, 1, threads, **arrays)
    return made, list(ladder.watch(made))


def test_at_the_end_the_counts_are_those_of_the_launch():
    made, states = watched(a=np.zeros(128), b=np.zeros(5))
    last, all_of_it = states[-1], made.counted
    assert (last.brought_bytes, last.asked_bytes) == (all_of_it.global_bytes, all_of_it.asked_bytes)
    assert (last.accesses, last.turns, last.barriers) == (all_of_it.shared_accesses, all_of_it.shared_turns, 2)
    assert last.used == all_of_it.traffic.efficiency and last.free == all_of_it.shared_accesses / all_of_it.shared_turns
    assert [state.step.number for state in states] == list(range(1, 11)) and last.code == tuple(made.lines)


@pytest.mark.parametrize("id", [id for id, rung in ladder.rungs().items() if rung.machine == "warp"])
def test_no_counter_ever_falls_and_none_is_told_before_it_counts(id):
    rung = ladder.rung(id)
    states = list(ladder.watch(rung.run(rung.worked.text, rung.case(rung.visible[0]))))
    for name in ("asked_bytes", "brought_bytes", "accesses", "turns", "barriers"):
        values = [getattr(state, name) for state in states]
        assert values == sorted(values) and values[0] >= 0
    assert all(
        (state.used is None) == (not state.sectors) and (state.free is None) == (not state.turns) for state in states
    )


def test_each_lane_is_placed_in_a_sector():
    _, (state, *_) = watched(a=np.zeros(128), b=np.zeros(5))
    assert state.touched.tolist() == list(range(8)) and state.asked_now == 128
    assert state.sector.tolist() == [lane // 4 for lane in range(32)]
    assert state.within.tolist() == [2 * lane % 8 for lane in range(32)]


@given(st.lists(st.integers(0, 99), min_size=32, max_size=32))
def test_turns_are_those_of_chapter_5(places):
    source = "s = shared(100)\nfor k in range(4):\n    if k * 32 + lane < 100:\n        s[k * 32 + lane] = 1\nbarrier()\nx = s[at[lane]]"
    _, states = watched(source, 32, at=np.array(places))
    state = states[-1]
    *_, turn = by_turn(state.step.access)
    assert state.turn.tolist() == turn.turn.tolist() and state.bank.tolist() == turn.bank.tolist()


def test_lanes_of_an_atomic_have_each_a_turn_and_a_barrier_places_nobody():
    _, states = watched(
        "s = shared(2, int)\nif lane < 2:\n    s[lane] = 0\nbarrier()\natomic_add(s, lane // 16, 1)", 32
    )
    assert states[-1].turn.tolist() == [*range(1, 17)] * 2
    (met,) = (state for state in states if state.step.kind == "barrier")
    assert len(met.words) == len(met.touched) == len(met.turn) == 0 and len(met.lanes) == 32


def test_what_has_not_run_cannot_be_watched():
    with pytest.raises(TypeError, match="made.*a Run"):
        ladder.watch("x = 1")
