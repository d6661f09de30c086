"""The functions that stand in the cells of a notebook, for tests that hold them against the models."""

import json
from pathlib import Path

from accelerator_course import syllabus

FOLDER = Path(__file__).parents[1] / "notebooks"


def law(topic, cell, name, *before):
    """The function `name` of one cell of a chapter, as a reader defines it who has run the imports and cells `before`."""
    path = FOLDER / f"{syllabus.chapters()[topic]['name']}.ipynb"
    sources = {c["id"]: "".join(c["source"]) for c in json.loads(path.read_text(encoding="utf-8"))["cells"]}
    names = {}
    for id in ("imports", *before, cell):
        exec(sources[id], names)
    return names[name]
