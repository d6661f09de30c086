"""What to try on a panel: a line sets it, and ticks exactly when its state is reached, by a press or by hand."""

from types import SimpleNamespace

import pytest
from claims import chapter
from played import NOTEBOOKS

from accelerator_course import syllabus, views
from accelerator_course.quiz import progress
from accelerator_course.widgets import catalog, chapter_bar, explore, log, step, tasks
from accelerator_course.widgets.controls import control
from accelerator_course.widgets.tasks import Task
from accelerator_course.widgets.workshop import Workshop
from accelerator_lib import data, settings

TOPICS = [topic for topic, entry in syllabus.chapters().items() if (NOTEBOOKS / f"{entry['name']}.ipynb").exists()]
LINES = {
    id: tasks.of(id)
    for topic in TOPICS
    for id in catalog.contents(topic)[0]
}  # fmt: skip


@pytest.fixture(params=TOPICS, scope="module")
def read(request):
    return chapter(request.param)


def test_every_list_belongs_to_a_panel_of_its_chapter():
    files = sorted((syllabus.FOLDER / "tasks").glob("*.yaml"))
    assert {file.stem for file in files} <= set(TOPICS)
    for file in files:
        assert set(data.parse(file)["panels"]) <= set(catalog.contents(file.stem)[0]), file.name


def test_lines_are_few_and_short():
    for id, lines in LINES.items():
        assert len(lines) <= 4, id
        for line in lines:
            assert len(line.says.split()) <= 10 and len(line.says) <= 60 and line.says[-1] != ".", f"{id}: {line.says}"


def test_every_panel_with_an_instruction_has_lines(read):
    asked = {c["panel"] for cell, claims in read.claims.items() if cell != "invariants" for c in claims if "panel" in c}
    told = {id for id, one in read.panels.items() if (one.controls or one.plays) and not isinstance(one, Workshop)}
    assert not [id for id in asked & told if not LINES[id]]


def _states(read, id):
    return [(read.reached(id, **line.set)[1], line.at) for line in LINES[id]]


def test_no_two_lines_are_one_and_only_the_first_may_be_where_the_panel_begins(read):
    for id, one in read.panels.items():
        states = _states(read, id)
        assert all(states.count(state) == 1 for state in states), id
        assert (one.defaults, None) not in states[1:], id


def test_each_line_is_ticked_by_its_press_and_by_the_same_moves(read, home):
    for id, one in read.panels.items():
        if not LINES[id] or isinstance(one, Workshop):
            continue
        shown = one.tasks
        assert shown is not None, f"{id} does not offer what its lines ask for"
        for place in range(len(LINES[id])):
            shown.done = [False] * len(LINES[id])
            shown.press(place)
            assert [at for at, done in enumerate(shown.done) if done] == [place], f"{id}: {LINES[id][place].says}"
            there, at = one.values, getattr(one, "position", 0)
            one.reset()
            shown.done = [False] * len(LINES[id])
            one._quiet = True  # the hand arrives when the last control stands there
            for name, value in there.items():
                one.controls[name].value = value
            one._quiet = False
            one.refresh()
            if one.plays:
                one.finish().position = at
            one.touched()
            assert shown.done[place], f"{id}: {LINES[id][place].says}"
        one.reset()


def grow(n=1, kind="plain", twice=False):
    return {"a": n * (2 if twice else 1)}


@pytest.fixture
def panel(home, monkeypatch):
    """A panel with three lines."""
    lines = [
        {"says": "Four", "set": {"n": 4}},
        {"says": "Four, twice", "set": {"n": 4, "twice": True}},
        {"says": "Fancy", "set": {"kind": "fancy"}},
    ]
    monkeypatch.setattr(
        tasks, "_known", lambda: {"grow": lines, "walk": [{"says": "Third", "at": 3}, {"says": "Last", "at": "end"}]}
    )
    return lambda: explore(
        grow, views.Bars("size", "", (1, 100)), id="grow", n=log(1, 64), kind=["plain", "fancy"], twice=False
    )


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
    one.controls["kind"].value = "fancy"
    one.tasks.receive({"press": 0})
    assert one.tasks.also == "operation: plain" and "acc-set-back" in one.controls["kind"]._dom_classes
    one.controls["n"].value = 8
    assert one.tasks.also == "" and "acc-set-back" not in one.controls["kind"]._dom_classes
    one.tasks.receive({"press": 0})
    assert one.tasks.also == "", "what it names is no news"


def test_near_is_not_there_and_the_line_that_asks_for_more_is_the_one_that_is_meant(panel):
    one = panel()
    one.controls["twice"].value = True
    grid = [value for _, value in one.controls["n"].options]
    one.controls["n"].value = grid[grid.index(4) + 1]
    assert one.tasks.done == [False, False, False]
    one.controls["n"].value = 4
    assert one.tasks.done == [False, True, False]
    one.controls["twice"].value = False
    assert one.tasks.done == [True, True, False]


def test_what_is_to_be_found_on_a_fine_slider_may_be_a_step_off():
    slider = control("n", log(1, 1024), 4)
    grid = [value for _, value in slider.options]
    for says, off, met in (("Find it", 1, True), ("Find it", 2, False), ("Go there", 1, False)):
        slider.value = grid[grid.index(4) + off]
        assert Task(says, {"n": 4})._met(slider, 4) is met
        assert Task(says, {"n": 4}, near=2)._met(slider, 4)


def test_what_a_control_only_passes_is_not_looked_at(panel, monkeypatch):
    one, waiting = panel(), []
    monkeypatch.setattr(tasks, "later", lambda act, seconds: waiting.append(act) or SimpleNamespace(cancel=waiting.pop))
    one.controls["n"].value = 4
    one.controls["n"].value = 8
    assert len(waiting) == 1 and one.tasks.done == [False, False, False]
    one.controls["n"].value = 4
    waiting[0]()
    assert one.tasks.done == [True, False, False]


def test_what_is_set_to_show_an_answer_ticks_nothing(panel):
    one = panel()
    one.set(n=4)
    one.reset()
    assert one.tasks.done == [False, False, False] and not progress.events("task")


def test_a_run_ticks_where_it_has_come_to(panel):
    def walk(length=5):
        yield from range(length)

    one = step(walk, Toy(), id="walk", length=(2, 9))
    one.position = 1
    assert one.tasks.done == [False, False]
    one.position = 3
    assert one.tasks.done == [False, False]  # gone past
    one.position = 2
    assert one.tasks.done == [True, False]
    one.tasks.press(1)
    assert one.position == 4 and one.tasks.done == [True, True]


class Toy(views.stage.Stage):
    """Draws nothing."""

    size = (100, 100)
    noun = "step"

    def marks(self, state):
        return []

    def say(self, state):
        return f"Step {state}."


def test_a_panel_that_no_longer_offers_what_its_lines_ask_for_has_none(panel):
    assert explore(grow, views.Bars("size", "", (1, 100)), id="grow", n=(1, 3)).tasks is None
    assert explore(grow, views.Bars("size", "", (1, 100)), n=(1, 3)).tasks is None


@pytest.mark.parametrize("name", [settings.HALL, settings.PRINT, "ACCELERATOR_COURSE_OPEN"])
def test_in_a_hall_in_print_and_in_tests_nothing_waits(panel, monkeypatch, name):
    assert not panel().tasks.told
    monkeypatch.setenv(name, "1")
    assert panel().tasks.told


def test_a_hall_begins_with_nothing_done_and_keeps_nothing(panel, monkeypatch):
    panel().tasks.press(0)
    monkeypatch.setenv(settings.HALL, "1")
    one = panel()
    assert one.tasks.done == [False, False, False]
    one.tasks.press(2)
    assert one.tasks.done == [False, False, True] and len(progress.events("task")) == 1


def test_what_was_asked_for_stays_open(panel):
    one = panel()
    one.tasks.receive({"tell": True})
    assert one.tasks.told and panel().tasks.told and panel().tasks.done == [False, False, False]


def test_strange_words_from_a_page_do_nothing(panel):
    one = panel()
    for content in ({}, {"press": 9}, {"press": "x"}, {"press": -1}, {"press": None}, {"press": [1]}):
        one.tasks.receive(content)
    assert one.tasks.done == [False, False, False] and one.values == one.defaults


def test_the_bar_counts_lines_and_fills_the_panel(home):
    bar = chapter_bar("roofline")
    assert bar.tasks == [0, sum(len(LINES[id]) for id in bar.ids)] and not any(bar.done)
    for line in LINES["dot"]:
        progress.record({"kind": "task", "panel": "dot", "task": line.name})
    progress.record({"kind": "task", "panel": "dot", "task": "of another year"})
    assert bar.tasks[0] == len(LINES["dot"]) and bar.done[bar.ids.index("dot")] and sum(bar.done) == 1
    assert chapter_bar("roofline").tasks == bar.tasks


def test_what_is_recorded_outlives_another_wording():
    line = Task("Go there", {"m": 4}, 7)
    assert line.name == Task("Or there", {"m": 4}, 7).name == "m=4 at=7"
