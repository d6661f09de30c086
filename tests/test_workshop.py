"""workshop: controls in groups, a result that is kept and can be taken away."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from accelerator_course.quiz import progress
from accelerator_course.views.stage import Stage, boxes
from accelerator_course.widgets import workshop

pytestmark = pytest.mark.usefixtures("home")


@dataclass(frozen=True)
class Made:
    size: int
    colour: str

    @property
    def token(self):
        return f"MADE-{self.size}-{self.colour}"


class Sheet:
    def page(self, report):
        return f"<p>{report}</p>"

    def pdf(self, report):
        return b"%PDF " + report.encode()


class Box(Stage):
    size = (100, 100)

    def marks(self, made):
        return [boxes("box", [0], 0, 0, made.size, made.size)]

    def say(self, made):
        return f"{made.size} and {made.colour}"


def build(size=3, colour="red", strong=False):
    if strong and size > 8:
        raise RuntimeError("too strong")
    return Made(size, colour)


def shown(first=(), **more):
    groups = {"Form": ("size",), "Look": ("colour", "strong")}
    groups = {name: tuple(one for one in names if one not in first) for name, names in groups.items()}
    given = {"groups": groups, "first": first, "size": (1, 9), "colour": ["red", "blue"], "strong": True} | more
    return workshop(build, Box(), id="shop", report=lambda made: f"a report of {made.token}", paper=Sheet(), **given)


def kept(names, values):
    progress.record({"kind": "kept", "panel": "shop", "names": names, "values": values})


START = {"size": 3, "colour": "red", "strong": False}


def test_controls_stand_in_groups_and_the_result_is_a_line():
    panel = shown()
    tabs = panel.box.children[0].children[1].children[0]
    assert tabs.titles == ("Form", "Look") and [len(page.children) for page in tabs.children] == [1, 2]
    assert panel.takeaway.token == "MADE-3-red" and panel.picture.sentence == "3 and red"
    panel.controls["size"].value = 7
    assert panel.takeaway.token == "MADE-7-red"
    panel = shown(first=("colour",))  # the brief stands above the groups
    card, tabs, _ = panel.box.children[0].children[1].children
    assert card.children[1:] == (panel.controls["colour"],) and "brief" in card.children[0].value
    assert [len(page.children) for page in tabs.children] == [1, 1]
    with pytest.raises(ValueError, match="groups hold size; the controls are colour, size"):
        shown(groups={"A": ("size",)})


def test_a_design_is_found_again_and_reset_loses_nothing():
    panel = shown()
    panel.controls["size"].value = 7
    panel.controls["colour"].value = "blue"
    panel.controls["strong"].value = True
    again = shown()
    assert again.values == {"size": 7, "colour": "blue", "strong": True}
    assert again.takeaway.token == "MADE-7-blue" and "as you left it" in again.takeaway.note
    again.reset()
    assert again.values == START
    assert shown().values["size"] == 7


def test_many_moves_are_kept_once(monkeypatch):
    waiting = []

    def later(act, seconds=0):
        waiting.append(SimpleNamespace(act=act, gone=False))
        return SimpleNamespace(cancel=lambda one=waiting[-1]: setattr(one, "gone", True))

    monkeypatch.setattr("accelerator_course.widgets.screen.later", later)
    panel = shown()
    for size in range(4, 9):
        panel.controls["size"].value = size
    assert not progress.events("kept") and [one.gone for one in waiting] == [True] * 4 + [False]
    waiting[-1].act()
    assert [event["values"][0] for event in progress.events("kept")] == [8]


ODD = [[99, "red", False], ["x", "green", 1], [float("nan"), None, "yes"], [True, 3, None], [], [2.5]]


@pytest.mark.parametrize("values", ODD)
def test_an_edited_log_brings_only_what_fits(values):
    kept(["size", "colour", "strong"], values)
    assert shown().values == START
    kept(["colour", "gone"], ["blue", 3])
    assert shown().values["colour"] == "blue"


def test_a_kept_design_that_cannot_be_computed_does_not_close_the_panel_for_good():
    kept(["size", "colour", "strong"], [9, "blue", True])
    panel = shown()
    assert panel.values == START and panel.takeaway.token == "MADE-3-red"
    assert "cannot be computed" in panel.takeaway.note


def test_a_report_is_handed_over_in_two_forms_and_where_there_is_no_result_there_is_none():
    panel, files = shown(), []
    panel.takeaway.send = lambda content, buffers: files.append((content, buffers[0]))
    for _, act in panel.takeaway.actions():
        act()
    assert [one["file"] for one, _ in files] == ["shop-report.html", "shop-report.pdf"]
    assert files[0][1] == b"<p>a report of MADE-3-red</p>" and files[1][1].startswith(b"%PDF")
    panel.controls["strong"].value = True
    with pytest.raises(RuntimeError):
        panel.set(size=9)
    for sent in ({"ask": "exe"}, {}, {"ask": "html"}):
        panel.receive(sent)
    assert panel.result is None and len(files) == 2
    panel.set(size=2)
    assert panel.takeaway.token == "MADE-2-red"
