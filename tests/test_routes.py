"""The routes that 00_start_here names: what they take, what they need, where they lead."""

import json
import re

import layout
import pytest
from minutes import counted

from accelerator_course import syllabus
from accelerator_course.widgets import routes
from accelerator_course.widgets.catalog import NOTEBOOKS, panels
from accelerator_course.widgets.review import CHECKPOINTS
from accelerator_course.widgets.routes import WORDS, minutes

KNOWN, FACTS = syllabus.chapters(), syllabus.load("chapters")
ROUTES = {route["name"]: route["way"] for route in FACTS["routes"]}
TABLE = routes().data
WRITTEN = [topic for topic, entry in KNOWN.items() if (NOTEBOOKS / f"{entry['name']}.ipynb").exists()]


def test_there_are_three_and_a_minute_of_theirs_is_a_minute_of_the_chapters():
    assert list(ROUTES) == ["An afternoon", "A semester", "The expert's shortcut"]
    whole = sum(entry["minutes"] for entry in KNOWN.values() if entry["number"] <= 14)
    part = FACTS["part_minutes"]
    assert minutes(ROUTES["A semester"]) == whole + len(CHECKPOINTS) * part["checkpoint"]
    assert (
        minutes(ROUTES["An afternoon"]) == sum(KNOWN[topic]["core"] for topic, _ in ROUTES["An afternoon"]) <= 4.5 * 60
    )
    way = ROUTES["The expert's shortcut"]
    whole = [KNOWN[topic]["core"] for topic, kind in way if kind == "core"]
    steps = len(way) - len(whole) - 1
    assert minutes(way) == part["checkpoint"] + steps * part["panel"] + sum(whole) <= 4 * 60


@pytest.mark.parametrize("name", ROUTES)
def test_the_table_says_how_long_a_route_takes_and_links_what_there_is(name):
    row = next(line for line in TABLE.splitlines() if name in line)
    assert f"| {minutes(ROUTES[name])} min (" in row
    links = re.findall(r"\]\((\w+\.ipynb)\)", row)
    assert links == [f"{KNOWN[topic]['name']}.ipynb" for topic, _ in ROUTES[name] if topic in WRITTEN]
    assert all((NOTEBOOKS / link).exists() for link in links)


@pytest.mark.parametrize("name", ROUTES)
def test_no_route_meets_a_chapter_before_what_it_needs(name):
    """A checkpoint at the beginning asks for the chapters before it: who takes that way knows them."""
    met = set()
    for topic, part in ROUTES[name]:
        if part == "checkpoint" and not met:
            met = {entry["label"] for entry in KNOWN.values() if entry["number"] <= KNOWN[topic]["number"]}
        needs = set(KNOWN[topic]["needs"]) if part in ("whole", "core") else set()
        known = met if name != "The expert's shortcut" else {entry["label"] for entry in KNOWN.values()}
        assert needs <= known, f"{topic} after {sorted(met)}"
        met.add(KNOWN[topic]["label"])


def test_the_semester_is_the_whole_course_in_order_with_every_checkpoint_at_its_place():
    way = ROUTES["A semester"]
    assert [topic for topic, part in way if part == "whole"] == [
        topic for topic in KNOWN if KNOWN[topic]["number"] <= 14
    ]
    for place, (topic, part) in enumerate(way):
        if part == "checkpoint":
            assert way[place - 1] == [topic, "whole"] and KNOWN[topic]["number"] in CHECKPOINTS
            assert way[place + 1 :] == [] or KNOWN[way[place + 1][0]]["number"] > KNOWN[topic]["number"]


def test_the_panels_of_a_lecture_exist():
    assert list(FACTS["lectures"]) == WRITTEN
    for topic, shown in FACTS["lectures"].items():
        text = (NOTEBOOKS / f"{KNOWN[topic]['name']}.ipynb").read_text(encoding="utf-8")
        benches = {f"kernel-{name}" for name in re.findall(r'kernel\(\\"(\w+)\\"\)', text)}
        assert len(shown) >= 3 and set(shown) <= {*panels(KNOWN[topic]["name"]), *benches}, topic


def test_the_panels_of_a_route_exist():
    for way in ROUTES.values():
        for topic, part in way:
            assert part in WORDS or part in panels(KNOWN[topic]["name"]) or topic not in WRITTEN, (topic, part)


def test_one_stops_at_a_checkpoint():
    assert list(FACTS["stops"]) == list(CHECKPOINTS)
    readme = (NOTEBOOKS.parent / "README.md").read_text(encoding="utf-8")
    for after, what in FACTS["stops"].items():
        assert f"{after} you {what}" in " ".join(readme.split()) and f"{after} you {what}" in TABLE


@pytest.mark.parametrize("topic", WRITTEN)
def test_a_chapter_says_what_it_needs_and_how_long_its_core_takes(topic):
    cells = json.loads((NOTEBOOKS / f"{KNOWN[topic]['name']}.ipynb").read_text(encoding="utf-8"))["cells"]
    core, _ = counted(KNOWN[topic]["name"])
    said = re.match(r"# .*\n\n(\d+) minutes, (\d+) more .*?assumes (.*?) · ", "".join(cells[0]["source"]))
    assert int(said[1]) == core.minutes and int(said[2]) == KNOWN[topic]["exercise"]
    assert tuple(re.findall(r"\d+b?", said[3])) == KNOWN[topic]["needs"]
    assert layout.minutes(topic) in "".join(cells[0]["source"])
