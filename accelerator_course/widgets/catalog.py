"""The table of chapters, those that exist with a link and the others as planned; and what each chapter holds."""

import json
import re

from IPython.display import Markdown

from accelerator_course import exercises, syllabus
from accelerator_course.quiz import bank
from accelerator_course.start import address
from accelerator_course.start.folders import NOTEBOOKS
from accelerator_lib import data

START = {"name": "00_start_here", "title": "Start here", "core": 10}


def chapters():
    """The chapters as a table: link, title, minutes; those that are not written yet are listed without a link."""
    return Markdown(table(lambda name: address.of(f"{name}.ipynb")))


@data.kept
def panels(name):
    """{id: (cell, heading, cell of the heading)} of a notebook's panels, in order; empty where there is none yet."""
    path, found, heading, section = NOTEBOOKS / f"{name}.ipynb", {}, "", ""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else ()
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            found |= dict.fromkeys(re.findall(r"\bid=\"([a-z0-9-]+)\"", source), (cell["id"], heading, section))
        elif titles := re.findall(r"^#+ (.*)$", source, re.M):
            heading, section = titles[-1], cell["id"]
    return found


def places(topic):
    """{id: (cell, heading, its cell)} of the panels of a chapter, None being START; empty where there is none yet."""
    return panels(_entry(topic)["name"])


def contents(topic):
    """(ids of the panels, ids of the exercises) of a chapter, None being START; empty where it is not written yet."""
    ids = tuple(places(topic))
    return ids, tuple(exercise.id for exercise in exercises.of(topic)) if topic and ids else ()


def exploration(see):
    """{notebook, panel, cell, heading, section, chapter} of `03_roofline#dot`, else of a first panel, or None."""
    name, id, chapter = bank.explored(see)
    there = panels(name)
    id = id if id in there else next(iter(there), None)
    if id is None:
        return None
    where = dict(zip(("cell", "heading", "section"), there[id], strict=True))
    return {"notebook": f"{name}.ipynb", "panel": id, **where, "chapter": chapter}


def heading(topic):
    """(title, minutes of its core) of a chapter, None being START. Raises KeyError."""
    entry = _entry(topic)
    number = f"{entry['label']} · " if topic else ""
    return number + entry["title"].partition(":")[0], entry["core"]


def neighbours(topic):
    """(entry before, entry after) of a chapter, START being before the first; None where there is none."""
    entries = [START, *syllabus.chapters().values()]
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
    rows = ["| chapter | title | minutes | exercise | deeper |", "|---:|:---|---:|---:|---:|"]
    for entry in syllabus.chapters().values():
        name = entry["name"]
        there = (NOTEBOOKS / f"{name}.ipynb").exists()
        title = f"[{entry['title']}]({link(name)})" if there else f"{entry['title']} (planned)"
        minutes = " | ".join(str(entry[part] or "–") for part in ("core", "exercise", "deeper"))
        rows.append(f"| {entry['label']} | {title} | {minutes} |")
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
    return f"chapter {entry['label']}, {title}" if "label" in entry else title


def _entry(topic):
    return syllabus.chapters()[topic] if topic else START


def _there(entry):
    return (NOTEBOOKS / file(entry)).exists()
