"""A kernel played step by step: accesses, blocks, up to where it goes wrong, and while one types."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from launched import ran

from accelerator_course import ladder
from accelerator_course.frames.gpu import by_sector
from accelerator_course.ladder import sketch as module
from accelerator_course.ladder.moving import MOST as STEPS
from accelerator_course.ladder.moving import moving
from accelerator_course.ladder.replay import steps
from accelerator_course.ladder.sketch import LATE, MOST, NOTHING, of, sketch
from accelerator_course.ladder.traced import astray, traced
from accelerator_course.views.kernels import Sketched
from accelerator_lib import data, kernels
from accelerator_lib.kernels import frame

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

SOURCE = "s = shared(32, 32)\nx = a[2 * thread]\ns[lane, warp] = x\nbarrier()\nif lane < 5:\n    atomic_add(b, lane, s[0, warp])"


def test_each_access_of_a_block_is_a_step():
    a = np.arange(128, dtype=np.float32)
    made = kernels.run(SOURCE, {"a": a, "b": np.zeros(5)}, blocks=2, threads=64, watched=1)
    found = list(steps(made))
    rows = [(2, "load", "a"), (3, "shared store", "s"), (4, "barrier", ""), (6, "shared load", "s"), (6, "atomic", "b")]
    assert [(s.line, s.kind, s.array) for s in found[::2]] == rows == [(s.line, s.kind, s.array) for s in found[1::2]]
    assert [s.warp for s in found] == [0, 1] * 5
    assert [s.number for s in found] == list(range(1, 11)) and {s.length for s in found} == {10}
    assert [(s.sectors, s.turns) for s in found[::2]] == [(8, 0), (0, 32), (0, 0), (0, 1), (1, 0)]
    assert found[1].index.tolist() == list(range(64, 128, 2)) == found[1].values.tolist()
    assert found[8].mask.tolist() == [True] * 5 + [False] * 27 and found[9].values[:5].tolist() == [64] * 5
    assert found[4].access is None and found[0].text == "x = a[2 * thread]"


def test_an_access_can_be_played_on_the_stages_of_chapter_5():
    made = ran(SOURCE, 1, 64, a=np.zeros(128), b=np.zeros(5))
    load, store = (next(s for s in steps(made) if s.kind == kind) for kind in ("load", "shared store"))
    *_, last = by_sector(load.access)
    assert last.count == 8 == load.sectors
    assert store.access.turns == 32 == store.turns


@pytest.mark.parametrize("kind, turns", [(", int", [1] * 16 + [2] * 16), ("", [*range(1, 33)])])
def test_atomics_in_shared_memory_queue_for_a_bank_and_reals_for_a_word_too(kind, turns):
    text = f"s = shared(64{kind})\ns[lane] = 0\ns[lane + 32] = 0\nbarrier()\natomic_add(s, lane // 16 * 32, 1)"
    _, states = watched(text, 32)
    assert states[-1].turn.tolist() == turns and states[-1].step.turns == max(turns)


def test_a_replay_keeps_only_so_much():
    made = ran("for k in range(3000):\n    x = a[lane]", a=np.zeros(32))
    assert sum(1 for _ in steps(made)) == frame.MOST_KEPT


def test_what_has_not_run_cannot_be_replayed():
    with pytest.raises(TypeError, match="made.*a Run"):
        ladder.replay("x = 1")


def watched(source=SOURCE, threads=64, **arrays):
    made = ran(source, 1, threads, **arrays)
    return made, list(ladder.replay(made))


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
    states = list(ladder.replay(rung.run(rung.worked.text, rung.case(rung.visible[0]))))
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
    queues = [{} for _ in range(32)]  # of each bank: its words, in the order in which lanes ask for them
    assert state.turn.tolist() == [queues[at % 32].setdefault(at, len(queues[at % 32]) + 1) for at in places]
    assert state.bank.tolist() == [at % 32 for at in places] and state.turn.max() == state.step.access.turns


def test_a_barrier_places_nobody():
    _, states = watched("s = shared(32)\ns[lane] = 0\nbarrier()", 32)
    (met,) = (state for state in states if state.step.kind == "barrier")
    assert len(met.words) == len(met.touched) == len(met.turn) == 0 and len(met.lanes) == 32


RUNGS = {id: rung for id, rung in ladder.rungs().items() if rung.machine != "warp"}
TEXTS = [pytest.param(rung, step, id=f"{rung.id}, {step.name}") for rung in RUNGS.values() for step in rung.steps]


@pytest.mark.parametrize("rung, step", TEXTS)
def test_every_step_is_told_and_every_part_lies_within_its_operand(rung, step):
    made = rung.run(step.text, rung.case(rung.visible[1]))
    states = list(ladder.replay(made))
    assert [state.number for state in states] == list(range(1, len(states) + 1)) and len(states) <= STEPS
    for state in states:
        assert state.length == len(states) and made.lines[state.line - 1].strip() and state.said and state.where
        assert all(share is None or 0 <= share <= 1 for *_, share in state.gauges)
        for spot in state.spots:
            for top, bottom, left, right in (spot.at, *(part for part, _ in spot.seen)):
                assert 0 <= top < bottom <= 1 and 0 <= left < right <= 1
            assert spot.at in dict(spot.seen) and (spot.left is None or (spot.result and spot.came))


def came(states, name):
    """[(part, how often it came)] at the end."""
    return next(spot.seen for spot in states[-1].spots if spot.name == name)


def test_blocks_of_pallas_come_as_often_as_their_bytes_say():
    rung = RUNGS["product"]
    made = rung.run(rung.worked.text, rung.scoring)
    states = list(moving(made))
    (call,) = made.calls
    for name in ("a", "b"):
        size = made.arrays[name].nbytes
        told = sum(
            times * (bottom - top) * (right - left) * size for (top, bottom, left, right), times in came(states, name)
        )
        assert told == pytest.approx(call.fetched_bytes[name])
    assert states[-1].gauges[0][1] == f"{made.moved_bytes:,} of {made.moved_bytes:,} bytes"
    shares = [state.gauges[0][2] for state in states]
    assert shares == sorted(shares) and shares[-1] == 1


def test_a_feed_covers_c_once_for_every_block_along_k():
    rung = RUNGS["feed"]
    for step in rung.steps:
        made = rung.run(step.text, rung.scoring)
        states = list(moving(made))
        assert len(states) == len(made.passes)
        covered = np.zeros((94, 81))
        for each in made.passes:
            rows, cols = each.sums
            covered[slice(*rows), slice(*cols)] += 1
        assert (covered == 4).all()
        waits = f"{made.waited_cycles:,} cycles for blocks, {made.spilled_cycles:,} for sums"
        assert states[-1].gauges[1][1] == waits and states[0].said.endswith("16 cycles for the block")
        assert ("meanwhile" in states[0].said) == (step in rung.steps[2:])


def test_a_mapped_network_shows_every_block_of_every_layer():
    rung = RUNGS["network"]
    states = list(moving(rung.run(rung.worked.text, rung.scoring)))
    assert len(states) == 25 + 65 + 33 and states[-1].where == "layer 2, block 33 of 33"
    assert [spot.name for spot in states[0].spots] == ["inputs", "weights", "outputs"]
    assert [times for _, times in came(states[:90], "weights")] == [13] * 5
    assert states[30].said == "inputs, weights come, outputs go back to memory"
    assert states[31].said == "inputs, weights come, outputs stay"


def test_a_long_run_shows_its_first_steps():
    rung = RUNGS["network"]
    made = rung.run("array(32, 32)\nlayer(1, 0, 0, 12, 12, 12)", rung.scoring)
    assert len(list(moving(made))) == STEPS


COPY, MAP, TURN = ladder.rung("copy"), ladder.rung("map"), ladder.rung("transpose")


def gone(rung, text):
    """(the state at which the replay opens, what was run, all states) of a text that is wrong."""
    made, at = astray(rung, text, ladder.judge(rung, text).trials[-1])
    states = list(ladder.replay(made))
    return states[at], made, states


def named(state):
    return [(touch.thread, touch.block, touch.way) for touch in state.step.fault.touches]


def test_a_race_of_lanes_is_shown_at_its_access_with_both_threads():
    state, made, states = gone(COPY, "x = a[thread]\nout[0] = x")
    assert state is states[-1] and state.step.kind == "store" and state.step.line == 2
    assert state.step.fault is made.fault
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


@pytest.mark.parametrize("text, touches, kind", TABLE["who_waits_or_reads_what_is_unset_is_named"])
def test_who_waits_or_reads_what_is_unset_is_named(text, touches, kind):
    state, _, _ = gone(MAP, text)
    assert named(state) == [*map(tuple, touches)] and state.step.kind == kind


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
        *TABLE["blocks_are_shown_up_to_the_step_that_is_stopped"],
        ("softmax", ladder.rung("softmax").worked.text.replace("[...]", "[0:3]", 1), 1),
    ],
)
def test_blocks_are_shown_up_to_the_step_that_is_stopped(id, text, steps):
    made, fault = traced(ladder.rung(id), text, ladder.rung(id).case(ladder.rung(id).visible[0]))
    states = list(ladder.replay(made))
    assert len(states) == steps and states[-1].fault is fault is made.fault and states[-1].line == fault.line
    assert fault.words in states[-1].said


def test_what_cannot_be_read_has_not_run():
    trial = ladder.judge("map", "while i < 1:").trials[-1]
    assert trial.unread and astray(MAP, "while i < 1:", trial)[0] is None


MAP, TURN = ladder.rung("map"), ladder.rung("transpose")


@pytest.mark.parametrize("id", ladder.rungs())
def test_every_kernel_of_the_course_can_be_drawn_and_its_blank_one_says_what_will_be(id):
    rung = ladder.rung(id)
    for step in rung.steps:
        drawn = sketch(rung, step.text, 10)
        assert drawn.rows and not drawn.note and len(drawn.rows) <= MOST
        view = Sketched()
        assert view.marks(drawn) and view.say(drawn) and max(len(layer.name) for layer in view.marks(drawn))
    blank = sketch(rung, rung.blank)
    assert not blank.rows and blank.note == NOTHING and blank.known


def test_rows_are_the_first_access_of_each_line_to_each_array_with_what_it_costs():
    straight, spared = (sketch(TURN, TURN.steps[at].text, 10) for at in (0, -1))
    assert [(each.step.kind, each.step.array) for each in straight.rows] == [("load", "a"), ("store", "out")]
    said = Sketched().say(straight)
    assert said.count("sectors") == 2 and "32 sectors for 128 bytes" in said
    assert [each.step.sectors for each in straight.rows] == [4, 32] and straight.case == "rows = 32, cols = 64"
    assert [each.step.array for each in spared.rows] == ["a", "tile", "tile", "out"]


def test_what_stops_a_text_is_one_line_and_its_access_is_drawn_among_the_others():
    drawn = sketch(MAP, "i = block * 256 + thread\nx = a[i]\nout[i + 1] = x")
    assert [each.step.fault is None for each in drawn.rows] == [True, False] and "out ends at out[255]" in drawn.note
    assert "\n" not in drawn.note and drawn.known and "places of out 225 to 256 of 0 to 255" in Sketched().say(drawn)


@pytest.mark.parametrize(
    "text", ["while i < 1:", "x = (", "x" * 100_000, "((" * 5_000, "\0", "x = " + "-" * 9_000 + "1"]
)
def test_what_cannot_be_read_leaves_an_older_picture_as_it_is(text):
    drawn = sketch(MAP, text)
    assert not drawn.rows and drawn.note and not drawn.known and len(drawn.note) < 400


def test_what_takes_too_long_says_so():
    drawn = sketch(MAP, MAP.worked.text, 0)
    assert drawn.note == LATE and not drawn.known and not drawn.rows


def test_more_accesses_than_there_is_room_for_are_counted_and_one_that_stops_is_among_those_drawn():
    lines = [f"x{k} = a[lane + {k}]" for k in range(8)]
    drawn = sketch(MAP, "\n".join(lines))
    assert len(drawn.rows) == MOST and drawn.more == 8 - MOST
    stopped = sketch(MAP, "\n".join([*lines, "out[n] = 1.0"]))
    assert stopped.rows[-1].step.fault and len(stopped.rows) == MOST


def test_nothing_that_ran_is_nothing_to_draw():
    case = MAP.case(MAP.visible[0])
    assert of(case, None).note == NOTHING == of(case, MAP.run("x = 1", case)).note and module.SECONDS == 0.1
