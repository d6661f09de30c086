"""A small book to test: two short chapters with everything that a chapter may hold, built once for a module of tests."""

import contextlib
import importlib.util
from pathlib import Path

import nbformat
import pytest
from toy_chapter import notebook

from accelerator_course.pages.book import building
from accelerator_course.start import folders
from accelerator_lib import data

NEEDS = "sphinx", "furo", "myst_parser"
MISSING = [name for name in NEEDS if importlib.util.find_spec(name) is None]
NEEDED = pytest.mark.skipif(
    bool(MISSING), reason=f"no {', '.join(MISSING)}: pip install -r binder/site-requirements.txt"
)


def chapters():
    """{name: notebook} of the small book."""
    return {name: notebook(cells) for name, cells in data.parse(Path(__file__).with_suffix(".yaml")).items()}


@contextlib.contextmanager
def notebooks(folder):
    """The small book's notebooks stand where those of the course do."""
    folder.mkdir()
    for name in ("images", "TEACHING.md"):
        (folder / name).symlink_to(folders.NOTEBOOKS / name)
    for name, chapter in chapters().items():
        nbformat.write(chapter, folder / f"{name}.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folders, "NOTEBOOKS", folder)
        yield


def build(folder):
    """The folder of the small book, built below `folder`."""
    with notebooks(Path(folder) / "notebooks"):
        return building.build(Path(folder) / "site", tuple(chapters()))
