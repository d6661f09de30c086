"""The routes that 00_start_here names: what they take, what they need, where they lead."""

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
    short, long, expert = ROUTES.values()
    assert list(ROUTES) == ["An afternoon", "A semester", "The expert's shortcut"]
    part, whole = FACTS["part_minutes"], sum(entry["minutes"] for entry in KNOWN.values() if entry["number"] <= 14)
    assert minutes(long) == whole + len(CHECKPOINTS) * part["checkpoint"]
    assert minutes(short) == sum(KNOWN[topic]["core"] for topic, _ in short) <= 4.5 * 60
    cores = [KNOWN[topic]["core"] for topic, kind in expert if kind == "core"]
    steps = len(expert) - len(cores) - 1
    assert minutes(expert) == part["checkpoint"] + steps * part["panel"] + sum(cores) <= 4 * 60


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
    whole = [topic for topic in KNOWN if KNOWN[topic]["number"] <= 14]
    assert [topic for topic, part in way if part == "whole"] == whole
    for place, topic in ((place, topic) for place, (topic, part) in enumerate(way) if part == "checkpoint"):
        assert way[place - 1] == [topic, "whole"] and KNOWN[topic]["number"] in CHECKPOINTS
        assert way[place + 1 :] == [] or KNOWN[way[place + 1][0]]["number"] > KNOWN[topic]["number"]


def test_the_panels_of_a_lecture_and_of_a_route_exist_and_one_stops_at_a_checkpoint():
    assert list(FACTS["lectures"]) == WRITTEN
    for topic, shown in FACTS["lectures"].items():
        text = (NOTEBOOKS / f"{KNOWN[topic]['name']}.ipynb").read_text(encoding="utf-8")
        benches = {f"kernel-{name}" for name in re.findall(r'kernel\(\\"(\w+)\\"\)', text)}
        assert len(shown) >= 3 and set(shown) <= {*panels(KNOWN[topic]["name"]), *benches}, topic
    for topic, part in (step for way in ROUTES.values() for step in way):
        assert part in WORDS or part in panels(KNOWN[topic]["name"]) or topic not in WRITTEN, (topic, part)
    assert list(map(str, FACTS["stops"])) == [KNOWN[t]["label"] for t, at in ROUTES["A semester"] if at == "checkpoint"]
    readme = " ".join((NOTEBOOKS.parent / "README.md").read_text(encoding="utf-8").split())
    stops = [f"{after} you {what}" for after, what in FACTS["stops"].items()]
    assert all(stop in readme and stop in TABLE for stop in stops)


@pytest.mark.parametrize("topic", WRITTEN)
def test_a_chapter_says_what_it_needs_and_how_long_its_core_takes(topic):
    """In its first cell, which layout.py writes: test_project.py."""
    said = re.match(r"(\d+) minutes, (\d+) more .*?assumes (.*?) · ", layout.minutes(topic))
    assert int(said[1]) == counted(KNOWN[topic]["name"])[0].minutes and int(said[2]) == KNOWN[topic]["exercise"]
    assert tuple(re.findall(r"\d+b?", said[3])) == KNOWN[topic]["needs"]
