"""The table of chapters, those that exist with a link and the others as planned; and what each chapter holds."""

import json
import re
from functools import cache
from pathlib import Path

from IPython.display import Markdown

from accelerator_lib import data, exercises

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
START = {"name": "00_start_here", "title": "Start here", "minutes": 10}


def chapters():
    """The chapters as a table: link, title, minutes; those that are not written yet are listed without a link."""
    return Markdown(table(lambda name: f"{name}.ipynb"))


@cache
def contents(topic):
    """(ids of the panels, ids of the exercises) of a chapter, None being START; empty where it is not written yet."""
    if not _there(_entry(topic)):
        return (), ()
    cells = json.loads((NOTEBOOKS / file(_entry(topic))).read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    asked = exercises.of(topic) if topic else ()
    return tuple(re.findall(r"\bid=\"([a-z0-9-]+)\"", code)), tuple(exercise.id for exercise in asked)


def heading(topic):
    """(title, minutes) of a chapter, None being START. Raises KeyError."""
    entry = _entry(topic)
    number = f"{entry['number']} · " if topic else ""
    return number + entry["title"].partition(":")[0], entry["minutes"]


def neighbours(topic):
    """(entry before, entry after) of a chapter, START being before the first; None where there is none."""
    entries = [START, *data.chapters().values()]
    place = entries.index(_entry(topic))
    return entries[place - 1] if place else None, entries[place + 1] if place + 1 < len(entries) else None


def ways(topic):
    """Where a chapter's bar leads: [{"rel": prev, start or next, "notebook", "words"}], to what exists."""
    before, after = neighbours(topic)
    found = [("prev", before if before != START else None), ("start", START if topic else None), ("next", after)]
    return [{"rel": rel, "notebook": file(to), "words": _words(to)} for rel, to in found if to and _there(to)]


def file(entry):
    """File name of a chapter's notebook."""
    return f"{entry['name']}.ipynb"


def table(link):
    """The chapters as a Markdown table; `link` makes the address of a notebook that exists from its name."""
    rows = ["| chapter | title | minutes |", "|---:|:---|---:|"]
    for entry in data.chapters().values():
        name = entry["name"]
        there = (NOTEBOOKS / f"{name}.ipynb").exists()
        title = f"[{entry['title']}]({link(name)})" if there else f"{entry['title']} (planned)"
        rows.append(f"| {entry['number']} | {title} | {entry['minutes']} |")
    return "\n".join(rows)


def links(topic):
    """The last line of a chapter's notebook: the chapter before and the one after, linked where they exist."""
    before, after = neighbours(topic)
    start = f"[{START['title']}]({file(START)})"
    first = [f"Previous: {start}"] if before == START else [f"Previous: {_link(before)}", start]
    return " · ".join([*first, *([f"Next: {_link(after)}"] if after else [])])


def _link(entry):
    return f"[{_words(entry)}]({file(entry)})" if _there(entry) else f"{_words(entry)} (planned)"


def _words(entry):
    title = entry["title"].partition(":")[0]
    return f"chapter {entry['number']}, {title}" if "number" in entry else title


def _entry(topic):
    return data.chapters()[topic] if topic else START


def _there(entry):
    return (NOTEBOOKS / file(entry)).exists()
