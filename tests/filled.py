"""Conclusions with numbers in them: Markdown in the notebook, filled by code that stands in tests/<topic>/filled.yaml.

    python tests/filled.py roofline     write what has changed into this notebook, or into all: make notebooks

filled.yaml maps the id of a Markdown cell to the code of its text, which runs where the cell stands, with all names of the
notebook, of `units` and of its own `imports`; its last line is the text. To change a sentence, change it there. CI fails where a
notebook says something else (test_claims.py). Where the reader's own machine decides what is said, the code stays in the notebook.
"""

import json
import sys
from functools import cache
from pathlib import Path

import nbformat

from accelerator_course import syllabus
from accelerator_lib import data

TESTS = Path(__file__).parent
NOTEBOOKS = TESTS.parent / "notebooks"
IMPORTS = "from IPython.display import Markdown\nfrom accelerator_lib.units import *\n"


def codes(topic):
    """{id of a cell: the code of its text}."""
    return {id: code for id, code in _read(topic).items() if id != "imports"}


def names(topic):
    """What the codes may use beside the names of the notebook: `units`, and what `imports` in filled.yaml imports."""
    found = {}
    exec(IMPORTS + _read(topic).get("imports", ""), found)
    return found


@cache
def _read(topic):
    file = TESTS / topic / "filled.yaml"
    return data.parse(file) or {} if file.exists() else {}


def with_codes(topic, cells):
    """{id: cell} in which what is filled is the code that fills it."""
    filled = codes(topic)
    missing = [id for id in filled if id not in cells]
    if missing:
        raise ValueError(f"{topic}/filled.yaml: the notebook has no cell {', '.join(missing)}")
    return {id: _code(cell, filled[id]) if id in filled else cell for id, cell in cells.items()}


def _code(cell, code):
    return nbformat.v4.new_code_cell(code, id=cell.id, metadata={**cell.metadata, "jupyter": {"source_hidden": True}})


def write(topic):
    """Fill the notebook of a topic with what the library computes now; the ids of the cells that have changed."""
    from played import Played

    path = NOTEBOOKS / f"{syllabus.chapters()[topic]['name']}.ipynb"
    notebook, found, changed = json.loads(path.read_text(encoding="utf-8")), Played(topic).outputs, []
    for cell in notebook["cells"]:
        text = found.get(cell["id"])
        if cell["id"] in codes(topic) and "".join(cell["source"]) != text:
            cell["source"] = text.splitlines(keepends=True)
            changed.append(cell["id"])
    if changed:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return changed


if __name__ == "__main__":
    for topic in sys.argv[1:] or syllabus.chapters():
        print(f"{topic}: {', '.join(write(topic)) or 'nothing has changed'}", flush=True)
