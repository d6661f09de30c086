"""step: what the kernel does for the player."""

import asyncio
import time
from threading import Thread

import numpy as np
import pytest
from refused import refused

from accelerator_course import views
from accelerator_course.frames.systolic import cycle_by_cycle
from accelerator_course.quiz import progress
from accelerator_course.views.stage import Stage, boxes
from accelerator_course.widgets import explore, screen, step, stepper
from accelerator_lib import systolic
from accelerator_lib.checks.inputs import NotAvailable


def simulate(k=3):
    return cycle_by_cycle(np.ones((2, k), int), np.ones((k, 2), int), 2, 2)


class Count(Stage):
    """A number: the least a stage can show."""

    noun = "count"

    def marks(self, n):
        return [boxes("n", [0], n % 100, 0, 10, 10, text=str(n))]

    def say(self, n):
        return f"This is {n}."


def sent(panel):
    """(states in the last part that went to the page, states of the run as far as known)."""
    part = panel.picture.widget.part
    return len(part["head"]["states"]), part["total"]


def filmed(**more):
    return step(simulate, views.systolic.Wavefront(), k=(1, 6), **more)


def test_all_states_are_on_the_page_and_position_says_which_is_shown():
    panel, length = filmed(), systolic.fold_cycles(2, 2, 3)
    assert panel.position == 0 and len(panel.states) == length and sent(panel) == (length, length)
    panel.position = 1  # as the player reports it
    assert panel.picture.sentence.startswith("Cycle 2 of 5")
    panel.controls["k"].value = 1  # the player went on meanwhile, and has not told yet: it is sent where to begin
    assert panel.position == panel.picture.widget.part["position"] == 0
    assert len(panel.states) == systolic.fold_cycles(2, 2, 1)


def test_the_first_state_goes_out_before_the_rest_is_made():
    made = []

    def slowly(n=3):
        for i in range(n):
            made.append(i)
            yield i

    async def play():
        panel = step(slowly, Count(), n=(1, 9))
        assert made == [0] and sent(panel) == (1, 0)
        await asyncio.sleep(0.05)
        assert made == [0, 1, 2] and sent(panel) == (3, 3)

    asyncio.run(play())


def test_a_run_that_is_no_longer_wanted_is_not_made(monkeypatch):
    monkeypatch.setattr(stepper, "SLICE", 0)
    made = []

    def run(n=5):
        for i in range(500):
            made.append((n, i))
            yield i

    async def play():
        panel = step(run, Count(), n=(1, 9))
        while len(made) < 5:
            await asyncio.sleep(0)
        panel.controls["n"].value = 6
        seen = len([n for n, _ in made if n == 5])
        assert 1 <= seen < 500
        panel.finish()
        assert len([n for n, _ in made if n == 5]) == seen and sent(panel) == (500, 500)

    asyncio.run(play())


def test_controls_may_be_moved_from_two_threads_as_jupyterlab_does(monkeypatch):
    monkeypatch.setattr(stepper, "SLICE", 0)

    def run(n=5):
        for i in range(100):
            time.sleep(1e-4)
            yield i % n

    panel, failed = step(run, Count(), n=(1, 99)), []

    async def move(values):
        asyncio.get_running_loop().set_exception_handler(lambda _, what: failed.append(what))
        for n in values:
            panel.set(n=n)
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.2)

    movers = [Thread(target=asyncio.run, args=[move(values)]) for values in (range(2, 40), range(60, 98))]
    for act in (Thread.start, Thread.join):
        for mover in movers:
            act(mover)
    assert not failed and len(panel.states) == 100 and sent(panel) == (100, 100)


def test_what_is_displayed_or_asked_for_is_whole():
    async def play():
        panel = filmed()
        assert sent(panel)[1] == 0
        bundle, _ = panel._repr_mimebundle_()
        assert "Cycle 3 of 5" in bundle["text/html"] and "<svg" in bundle["text/html"], "the middle of the run"
        assert sent(panel) == (5, 5)
        return panel

    panel = asyncio.run(play())
    panel.controls["k"].value = 6
    assert len(panel.states) == 8


def test_a_long_run_is_sent_window_by_window(monkeypatch):
    monkeypatch.setattr(screen, "STATES", 50)
    monkeypatch.setattr(screen, "BEFORE", 10)
    panel = step(lambda n=300: range(n), Count())
    assert sent(panel) == (50, 300) and panel.picture.widget.part["head"]["start"] == 0
    number = panel.picture.widget.part["number"]
    panel.picture.asked({"need": 120})
    part = panel.picture.widget.part
    assert (part["head"]["start"], sent(panel), part["number"]) == (110, (50, 300), number)
    assert part["head"]["states"][10]["say"] == "This is 120."
    for nonsense in (-1, 300, 10**9):
        panel.picture.asked({"need": nonsense})
    assert panel.picture.widget.part is part


@pytest.mark.parametrize(("kind", "start"), [("gif", b"GIF89a"), ("html", b"<!doctype html>"), ("svg", b"<svg")])
def test_a_run_can_be_taken_along_and_the_panel_stays_where_it_was(kind, start, monkeypatch):
    panel, files = filmed(id="filmed"), []
    panel.position = 2
    monkeypatch.setattr(panel.picture.widget, "send", lambda content, buffers: files.append((content, buffers)))
    panel.picture.asked({"save": kind, "position": 2})
    panel.picture.asked({"save": "exe"})
    ((content, (made,)),) = files
    assert content["file"] == f"filmed.{kind}" and made.startswith(start) and panel.position == 2
    assert (kind == "html") == (b"<h1>A systolic array, cycle by cycle</h1><p>K, inputs: 3</p>" in made)


def endless(n=1):
    while True:
        yield n


def test_a_simulation_without_states_or_without_end_is_refused_and_an_explored_stage_shows_one_state():
    refused(ValueError, "yielded no state", step, lambda n=1: iter(()), Count())
    refused(ValueError, "more than 10,000 states", step, endless, Count())
    panel = explore(lambda n=3: n, Count(), n=(1, 9))
    assert panel.picture.sentence == "This is 3." and sent(panel) == (1, 1)
    panel.controls["n"].value = 5
    assert panel.picture.sentence == "This is 5." and "This is 5." in panel._repr_mimebundle_()[0]["text/html"]


def test_an_error_in_the_middle_of_a_run_is_shown_and_the_next_run_repairs_it():
    def brittle(n=3):
        if n > 8:
            raise NotAvailable("no table beyond 8")  # what the data cannot answer is said calmly
        for i in range(n):
            if i == 4:
                raise ZeroDivisionError("nothing left")
            yield i

    panel = step(brittle, Count(), n=(1, 9))
    with pytest.raises(ZeroDivisionError):
        panel.controls["n"].value = 6
    assert panel.picture.widget.note == {"text": "ZeroDivisionError: nothing left", "wrong": True}
    panel.controls["n"].value = 9
    assert panel.picture.widget.note == {"text": "no table beyond 8."} and panel.picture.sentence == "no table beyond 8"
    panel.controls["n"].value = 2
    assert panel.picture.widget.note == {} and sent(panel) == (2, 2)


def test_moving_through_a_run_counts_as_trying_it_once_and_what_it_came_to_by_itself_does_not(home):
    panel = filmed(id="preview")
    end = len(panel.states) - 1
    panel.picture.widget.set_state({"opened": end, "position": end})  # as the page plays it after a guess
    assert progress.events("explore") == [] and panel.picture.untouched
    panel.picture.widget.set_state({"opened": -1})  # played to the same end by hand
    panel.position = 2
    panel.position = 3
    assert [event["panel"] for event in progress.events("explore")] == ["preview"]
    panel.picture.widget.set_state({"opened": end, "position": end})
    panel.controls["k"].value = 5
    assert panel.picture.widget.opened == -1, "another run has come to nothing by itself"
