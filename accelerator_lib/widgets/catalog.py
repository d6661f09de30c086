"""The table of chapters, those that exist with a link and the others as planned; and what each chapter holds."""

import json
import re
from functools import cache
from pathlib import Path

from IPython.display import Markdown

from accelerator_lib import data, exercises
from accelerator_lib.quiz import bank

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def chapters():
    """The chapters as a table: link, title, minutes; those that are not written yet are listed without a link."""
    return Markdown(table(lambda name: f"{name}.ipynb"))


@cache
def panels(name):
    """{id: (cell, heading)} of the panels of a notebook, in order; empty where it is not written yet."""
    path, found, heading = NOTEBOOKS / f"{name}.ipynb", {}, ""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else ()
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            found |= dict.fromkeys(re.findall(r"\bid=\"([a-z0-9-]+)\"", source), (cell["id"], heading))
        else:
            heading = (re.findall(r"^#+ (.*)$", source, re.M) or [heading])[-1]
    return found


def contents(topic):
    """(ids of the panels, ids of the exercises) of a chapter; empty where it is not written yet."""
    ids = tuple(panels(data.chapters()[topic]["name"]))
    return ids, tuple(exercise.id for exercise in exercises.of(topic)) if ids else ()


def exploration(see):
    """Where `03_roofline#dot` leads: {notebook, panel, cell, heading, chapter} of that panel, else of the first one.

    None where there is none."""
    name, id, chapter = bank.explored(see)
    there = panels(name)
    id = id if id in there else next(iter(there), None)
    if id is None:
        return None
    cell, heading = there[id]
    return {"notebook": f"{name}.ipynb", "panel": id, "cell": cell, "heading": heading, "chapter": chapter}


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
    chapters = list(data.chapters().values())
    place = [entry["topic"] for entry in chapters].index(topic)
    start = "[Start here](00_start_here.ipynb)"
    before = [f"Previous: {_link(chapters[place - 1])}", start] if place else [f"Previous: {start}"]
    after = [f"Next: {_link(chapters[place + 1])}"] if place + 1 < len(chapters) else []
    return " · ".join([*before, *after])


def _link(entry):
    name = f"chapter {entry['number']}, {entry['title'].partition(':')[0]}"
    there = (NOTEBOOKS / f"{entry['name']}.ipynb").exists()
    return f"[{name}]({entry['name']}.ipynb)" if there else f"{name} (planned)"
