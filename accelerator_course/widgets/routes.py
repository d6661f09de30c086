"""routes: the ways through the course as a table, its minutes summed from syllabus/chapters.yaml."""

from itertools import groupby

from IPython.display import Markdown

from accelerator_course import syllabus
from accelerator_course.start import address
from accelerator_course.widgets import catalog
from accelerator_course.widgets.review import FINAL

WORDS = {"whole": "{}", "core": "the core of chapters {}", "checkpoint": "checkpoint {}", "panel": "{}"}


def routes():
    """The routes of 00_start_here: for whom, which way, how long; and where one can stop."""
    lines = ["| route | the way | time |", "|:---|:---|---:|"]
    for route in syllabus.load("chapters")["routes"]:
        lines.append(f"| **{route['name']}**: {route['who']} | {_way(route['way'])} | {_time(minutes(route['way']))} |")
    after, *later = (f"{after} you {what}" for after, what in syllabus.load("chapters")["stops"].items())
    stops = f"You can stop at each checkpoint: after chapter {after}, after {', after '.join(later)}."
    return Markdown("\n".join(lines) + f"\n\n{stops}")


def minutes(way):
    """Minutes of a way: chapters and cores take their own, checkpoints and panels an estimate. Raises KeyError."""
    part, known = syllabus.load("chapters")["part_minutes"], syllabus.chapters()
    own = {"whole": "minutes", "core": "core"}
    return sum(known[topic][own[kind]] if kind in own else part[_kind(kind)] for topic, kind in way)


def _kind(part):
    return part if part in WORDS else "panel"


def _way(way):
    parts = groupby(way, key=lambda step: _kind(step[1]))
    return " → ".join(WORDS[kind].format(", ".join(_step(*step) for step in steps)) for kind, steps in parts)


def _step(topic, part):
    entry = syllabus.chapters()[topic]
    words, file = entry["label"], catalog.file(entry)
    if part == "checkpoint" and entry["number"] == FINAL:
        words += ", the final"
    if not (catalog.NOTEBOOKS / file).exists():
        return words
    if _kind(part) == "panel":
        words += f" *{catalog.panels(entry['name'])[part][1].rpartition('· ')[2]}*"
    return f"[{words}]({address.of(file)})"


def _time(minutes):
    return f"{minutes} min ({round(minutes / 30) / 2:g} h)"
