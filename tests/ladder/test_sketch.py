"""Sketch: what a text does on its smallest case, soon enough for somebody who types."""

import pytest

from accelerator_course import ladder
from accelerator_course.ladder import sketch as module
from accelerator_course.ladder.sketch import LATE, MOST, NOTHING, of, sketch
from accelerator_course.views.kernels import Sketched

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
