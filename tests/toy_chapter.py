"""A small chapter for tests in a browser, as toy_chapter.yaml has it; notebooks made of such cells."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from accelerator_course.start import copies
from accelerator_lib import data

NAME = "toy.ipynb"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, copies.MARK: "a test"}


def notebook(cells, **metadata):
    """A notebook of cells that have `text`, `code` or code that is `hidden`; TESTS in it is the folder of the tests."""
    made = []
    for cell in cells:
        kind = next(kind for kind in ("text", "code", "hidden") if kind in cell)
        source = cell[kind].rstrip("\n").replace("TESTS", repr(str(Path(__file__).parent)))
        own = {"jupyter": {"source_hidden": True}} if kind == "hidden" else {}
        own |= {"tags": cell["tags"]} if "tags" in cell else {}
        own |= {"slideshow": {"slide_type": cell["slide"]}} if "slide" in cell else {}
        id = {"id": cell["id"]} if "id" in cell else {}
        made.append((new_markdown_cell if kind == "text" else new_code_cell)(source, metadata=own, **id))
    return new_notebook(cells=made, metadata=metadata)


def write(folder):
    """The chapter as a notebook in a folder; its path."""
    path = Path(folder) / NAME
    nbformat.write(notebook(data.parse(Path(__file__).with_suffix(".yaml")), **KERNEL), path)
    copies.trust(path)
    return path
