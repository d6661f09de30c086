"""Traced: what a kernel did until it went wrong, and the state of its replay that shows it."""

import pytest

from accelerator_course import ladder
from accelerator_course.ladder.traced import astray, traced

COPY, MAP, TURN = ladder.rung("copy"), ladder.rung("map"), ladder.rung("transpose")


def gone(rung, text):
    """(the state at which the replay opens, what was run, all states) of a text that is wrong."""
    trial = ladder.judge(rung, text).trials[-1]
    made, at = astray(rung, text, trial)
    states = list(ladder.watch(made))
    return states[at], made, states


def named(state):
    return [(touch.thread, touch.block, touch.way) for touch in state.step.fault.touches]


def test_a_race_of_lanes_is_shown_at_its_access_with_both_threads():
    state, made, states = gone(COPY, "x = a[thread]\nout[0] = x")
    assert (
        state is states[-1] and state.step.kind == "store" and state.step.line == 2 and state.step.fault is made.fault
    )
    assert named(state) == [(1, 0, "writes"), (0, 0, "writes")] and state.step.values[1] == made.arrays["a"][1]
    assert all(each.step.fault is None for each in states[:-1])


def test_a_race_without_a_barrier_names_the_thread_that_came_before_and_its_line():
    state, _, states = gone(TURN, TURN.worked.text.replace("barrier()", "z = 1"))
    one, other = state.step.fault.touches
    assert (one.way, other.way) == ("reads", "writes") and one.thread != other.thread and one.line > other.line
    earlier = [each.step for each in states if each.step.line == other.line and each.step.warp == other.thread // 32]
    assert any(step.mask[other.thread % 32] for step in earlier if step.kind == "shared store")


def test_a_race_of_blocks_is_shown_in_the_block_that_is_stopped():
    state, made, _ = gone(COPY, COPY.worked.text + "\nif thread == 0:\n    out[0] = a[0]")
    (one, other), block = state.step.fault.touches, made.watched
    assert one.block == block == state.block and other.block != block and one.place == other.place


@pytest.mark.parametrize("by, lane", [("+ n - 5", 5), ("- 3", 0)])
def test_an_index_outside_is_shown_with_all_that_the_warp_asks_for(by, lane):
    state, made, _ = gone(COPY, f"i = thread {by}\nout[i] = 1.0")
    name, length, _ = made.fault.asked
    assert named(state) == [(lane, 0, "writes")] and name == "places of out" and length == made.arrays["out"].size
    first = length - 5 if lane else -3
    assert state.step.index.tolist() == list(range(first, first + 32)) and state.step.access is None
    assert state.step.sectors == state.step.turns == 0


def test_an_index_outside_in_a_later_block_is_shown_there():
    _, made, _ = gone(TURN, TURN.worked.text.replace("if x < cols and y < rows:", "if y < rows:"))
    assert made.watched == made.fault.touches[0].block > 0 and made.fault.asked[0] == "columns of a"


def test_a_barrier_that_not_all_reach_names_one_that_waits_and_one_that_never_comes():
    state, _, _ = gone(MAP, "if thread < 5:\n    barrier()")
    assert named(state) == [(0, 0, "waits at"), (5, 0, "never comes to")] and state.step.kind == "barrier"


def test_an_unset_number_of_shared_memory_is_shown_where_it_is_read():
    state, _, _ = gone(MAP, "x = shared(32)\ny = x[lane]")
    assert named(state) == [(0, 0, "reads")] and state.step.kind == "shared load"


def test_a_wrong_number_is_shown_by_the_access_that_wrote_it_last_in_its_own_block():
    text = MAP.worked.text.replace("2 * a[i] + 1", "a[i] * 2 + 1 + (i == 700)")
    trial = ladder.judge(MAP, text).trials[-1]
    assert trial.place == ("out", (700,))
    state, made, _ = gone(MAP, text)
    assert made.watched == 700 // 256 and named(state) == [(700 % 256, 700 // 256, "writes")]
    assert state.step.index[700 % 32] == 700 and state.step.warp == 700 % 256 // 32


def test_a_number_that_was_never_written_opens_at_the_start_and_is_no_fault():
    state, made, states = gone(COPY, "i = block * 2048 + thread\nout[i] = a[i]")
    assert made.fault is None and state is states[0]


def test_of_a_long_run_the_last_accesses_are_kept_with_the_one_that_stops_it():
    text = "k = 0\nwhile k < 2500:\n    x = a[thread]\n    k += 1\nout[0] = x"
    state, _, states = gone(COPY, text)
    assert state.step.number == len(states) == state.step.length and state.step.fault


@pytest.mark.parametrize(
    "id, text, steps",
    [
        ("feed", "load(b, 0, 0)\nswap()\nrun(0, 16)\nrun(0, 16)", 1),
        ("network", "array(16, 16)\nlayer(0, WEIGHTS, OUTPUTS, 64, 32, 32)\nlayer(9, 0, 0, 1, 1, 1)", 1),
        ("softmax", ladder.rung("softmax").worked.text.replace("[...]", "[0:3]", 1), 1),
    ],
)
def test_blocks_are_shown_up_to_the_step_that_is_stopped(id, text, steps):
    made, fault = traced(ladder.rung(id), text, ladder.rung(id).case(ladder.rung(id).visible[0]))
    states = list(ladder.watch(made))
    assert len(states) == steps and states[-1].fault is fault is made.fault and states[-1].line == fault.line
    assert fault.words in states[-1].said


def test_what_cannot_be_read_has_not_run():
    trial = ladder.judge("map", "while i < 1:").trials[-1]
    assert trial.unread and astray(MAP, "while i < 1:", trial)[0] is None
