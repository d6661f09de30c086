"""What is written elsewhere and held against the models: functions in the cells of a notebook, expressions in a table."""

import json
from importlib import import_module
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


def valued(module, expression, **more):
    """What an expression in the names of a module comes to."""
    return eval(expression, vars(import_module(module)) | more)
