"""Copies: the learner's copies of the notebooks, so that running and saving never touches the course itself.

A copy that nobody has typed in is replaced by a new version; beside one with own lines the new version is put.
"""

import hashlib
import json
import shutil
from itertools import count
from pathlib import Path

from accelerator_course.start.folders import MINE, NOTEBOOKS

MARK = "made_from"  # in the metadata of a copy: digest of the original's text


def lay_out(folder=MINE):
    """Make what is missing, renew what is untouched; returns one line for each new version put beside a copy."""
    folder = Path(folder)
    shutil.copytree(NOTEBOOKS / "images", folder / "images", dirs_exist_ok=True)
    for page in NOTEBOOKS.glob("*.md"):  # to read, not to work on: always the newest
        shutil.copyfile(page, folder / page.name)
    return [line for original in sorted(NOTEBOOKS.glob("*.ipynb")) if (line := _renew(original, folder))]


def _renew(original, folder):
    text = original.read_text(encoding="utf-8")
    wanted = digest(json.loads(text))
    for number in count(1):
        copy = folder / (original.name if number == 1 else f"{original.stem}-{number}.ipynb")
        made_from, now = _state(copy)
        if made_from == wanted:
            if now == wanted:
                trust(copy)
            return ""
        if made_from == now:  # not there, or nothing typed in it
            copy.write_text(_as_saved(text, wanted), encoding="utf-8")
            trust(copy)
            new = f"{folder.name}/{copy.name}"
            return "" if number == 1 else f"{original.stem} has a new version: {new}. Yours stays as it was."


def digest(notebook):
    """A mark of what was typed into the cells, whatever their outputs."""
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:16]


def _state(copy):
    """(the mark of the original that a copy was made from, the mark of its text now); equal where it is not there."""
    if not copy.exists():
        return "", ""
    try:
        notebook = json.loads(copy.read_text(encoding="utf-8"))
        return notebook["metadata"].get(MARK, "unknown"), digest(notebook)
    except (ValueError, KeyError, TypeError, AttributeError):  # damaged, or no notebook: the learner's all the same
        return "unknown", "damaged"


def _as_saved(text, mark):
    """The copy as JupyterLab saves it once a kernel has answered: so that opening it changes nothing."""
    from ipykernel.ipkernel import IPythonKernel

    notebook = json.loads(text)
    notebook["metadata"] |= {"language_info": IPythonKernel.language_info, MARK: mark}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def trust(copy):
    """Sign a copy as `jupyter trust` does: it is the course's own text, and its button may run it without asking."""
    from jupyter_core.paths import jupyter_data_dir
    from nbformat import read
    from nbformat.sign import NotebookNotary

    Path(jupyter_data_dir()).mkdir(mode=0o700, parents=True, exist_ok=True)  # an older nbformat expects it
    NotebookNotary().sign(read(copy, as_version=4))
