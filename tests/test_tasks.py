"""What to try on a panel: a line sets it, and ticks exactly when its state is reached, by a press or by hand."""

from types import SimpleNamespace

import pytest
from played import TOPICS

from accelerator_course import settings, syllabus, views
from accelerator_course.quiz import progress
from accelerator_course.widgets import catalog, chapter_bar, explore, log, step, tasks
from accelerator_course.widgets.controls import control
from accelerator_course.widgets.tasks import Task
from accelerator_lib import data

LINES = {id: tasks.of(id) for topic in TOPICS for id in catalog.contents(topic)[0]}
GROW = {"Four": {"n": 4}, "Four, twice": {"n": 4, "twice": True}, "Fancy": {"kind": "fancy"}}
KNOWN = {"grow": [{"says": says, "set": values} for says, values in GROW.items()]}
KNOWN["walk"] = [{"says": "Third", "at": 3}, {"says": "Last", "at": "end"}, {"says": "Play to it", "at": 3}]
BARS = views.Bars("size", "", (1, 100))


def test_every_list_belongs_to_a_panel_of_its_chapter_and_its_lines_are_few_and_short():
    files = sorted((syllabus.FOLDER / "tasks").glob("*.yaml"))
    assert {file.stem for file in files} <= set(TOPICS)
    for file in files:
        assert set(data.parse(file)["panels"]) <= set(catalog.contents(file.stem)[0]), file.name
    for id, lines in LINES.items():
        assert len(lines) <= 4, id
        for says in (line.says for line in lines):
            assert len(says.split()) <= 10 and len(says) <= 60 and says[-1] != ".", f"{id}: {says}"


def grow(n=1, kind="plain", twice=False):
    return {"a": n * (2 if twice else 1)}


@pytest.fixture
def panel(home, monkeypatch):
    """What makes a panel with three lines."""
    monkeypatch.setattr(tasks, "_known", lambda: KNOWN)
    return lambda: explore(grow, BARS, id="grow", n=log(1, 64), kind=["plain", "fancy"], twice=False)


def test_a_press_returns_what_it_does_not_name_and_is_found_again(panel):
    one = panel()
    one.controls["kind"].value = "fancy"
    assert one.tasks.lines == ["Four", "Four, twice", "Fancy"] and one.tasks.done == [False, False, True]
    one.tasks.receive({"press": 1})
    assert one.values == {"n": 4, "kind": "plain", "twice": True} and one.tasks.done == [False, True, True]
    assert panel().tasks.done == [False, True, True]
    kept = [(event["panel"], event["task"]) for event in progress.events("task")]
    assert kept == [("grow", "kind=fancy"), ("grow", "n=4 twice=True")]


def test_a_press_says_what_it_sets_back_without_naming_it_until_the_panel_is_moved(panel):
    one = panel()
    kind = one.controls["kind"]
    kind.value = "fancy"
    one.tasks.receive({"press": 0})
    assert one.tasks.also == "operation: plain" and "acc-set-back" in kind._dom_classes
    one.controls["n"].value = 8
    assert one.tasks.also == "" and "acc-set-back" not in kind._dom_classes
    one.tasks.receive({"press": 0})
    assert one.tasks.also == "", "what it names is no news"


def test_near_is_not_there_and_the_line_that_asks_for_more_is_the_one_that_is_meant(panel):
    one = panel()
    one.controls["twice"].value = True
    grid = [value for _, value in one.controls["n"].options]
    one.controls["n"].value = grid[grid.index(4) + 1]
    assert one.tasks.done == [False, False, False]
    one.set(n=4)
    one.tasks.look(shown=True)
    assert one.tasks.done == [False, False, False], "a guess shows it"
    one.tasks.look()
    assert one.tasks.done == [False, True, False]
    one.controls["twice"].value = False
    assert one.tasks.done == [True, True, False]
    assert not Task("Four", {"n": 4}).within(Task("Then twice", {"n": 4, "twice": True}))


def test_what_is_to_be_found_on_a_fine_slider_may_be_a_step_off():
    slider = control("n", log(1, 1024), 4)
    grid = [value for _, value in slider.options]
    for says, off, met in (("Find it", 1, True), ("Find it", 2, False), ("Go there", 1, False)):
        slider.value = grid[grid.index(4) + off]
        assert Task(says, {"n": 4})._met(slider, 4) is met
        assert Task(says, {"n": 4}, near=2)._met(slider, 4)
    line = Task("Go there", {"m": 4}, 7)  # what is recorded outlives another wording
    assert line.name == Task("Or there", {"m": 4}, 7).name == "m=4 at=7"


def test_what_a_control_only_passes_is_not_looked_at(panel, monkeypatch):
    one, waiting = panel(), []
    monkeypatch.setattr(tasks, "later", lambda act, seconds: waiting.append(act) or SimpleNamespace(cancel=waiting.pop))
    one.controls["n"].value = 4
    one.controls["n"].value = 8
    assert len(waiting) == 1 and one.tasks.done == [False, False, False]
    one.controls["n"].value = 4
    waiting[0]()
    assert one.tasks.done == [True, False, False]


def test_what_is_set_to_show_an_answer_ticks_nothing_nor_do_strange_words_from_a_page(panel):
    one = panel()
    one.set(n=4)
    one.reset()
    for content in ({}, {"press": 9}, {"press": "x"}, {"press": -1}, {"press": None}, {"press": [1]}):
        one.tasks.receive(content)
    assert one.tasks.done == [False, False, False] and one.values == one.defaults and not progress.events("task")


def walk(length=5):
    yield from range(length)


def test_a_run_ticks_where_it_has_come_to(panel):
    one = step(walk, Toy(), id="walk", length=(2, 9))
    for position, done in ((1, [0, 0, 0]), (3, [0, 0, 1]), (2, [1, 0, 1])):  # gone past, and back
        one.position = position
        assert one.tasks.done == done
    one.tasks.press(1)
    assert one.position == 4 and all(one.tasks.done)


class Toy(views.stage.Stage):
    """Draws nothing."""

    size, noun = (100, 100), "step"

    def marks(self, state):
        return []

    def say(self, state):
        return f"Step {state}."


@pytest.mark.parametrize("name", [settings.HALL, settings.PRINT, "ACCELERATOR_COURSE_OPEN"])
def test_in_a_hall_in_print_and_in_tests_nothing_waits(panel, monkeypatch, name):
    assert not panel().tasks.told
    monkeypatch.setenv(name, "1")
    assert panel().tasks.told
    assert explore(grow, BARS, id="grow", n=(1, 3)).tasks is explore(grow, BARS, n=(1, 3)).tasks is None  # not offered


def test_a_hall_begins_with_nothing_done_and_keeps_nothing(panel, monkeypatch):
    panel().tasks.press(0)
    panel().tasks.receive({"tell": True})
    assert panel().tasks.told and panel().tasks.done == [True, False, False]  # what was asked for stays open
    monkeypatch.setenv(settings.HALL, "1")
    one = panel()
    assert one.tasks.done == [False, False, False]
    one.tasks.press(2)
    assert one.tasks.done == [False, False, True] and len(progress.events("task")) == 2


def test_the_bar_counts_lines_and_fills_the_panel(home):
    bar = chapter_bar("roofline")
    assert bar.tasks == [0, sum(len(LINES[id]) for id in bar.ids)] and not any(bar.done)
    for line in LINES["dot"]:
        progress.record({"kind": "task", "panel": "dot", "task": line.name})
    progress.record({"kind": "task", "panel": "dot", "task": "of another year"})
    assert bar.tasks[0] == len(LINES["dot"]) and bar.done[bar.ids.index("dot")] and sum(bar.done) == 1
    assert chapter_bar("roofline").tasks == bar.tasks
