"""A chapter as a page of its own: for the hall, to read in a browser, on paper.

The templates stand in nbconvert/templates: `hall` and `course` are served live by Voila, `handout` is printed. What a
cell is on such a page (prose, panel, the law, an exercise) is decided once, in course/parts.html.j2.
"""

from accelerator_course.start import folders

HERE = folders.PACKAGE / "pages"


def notebook(name):
    """Path of a chapter's notebook. Raises FileNotFoundError in one line that lists what there is."""
    path = folders.NOTEBOOKS / f"{str(name).removesuffix('.ipynb')}.ipynb"
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in path.parent.glob("*.ipynb")))
        raise FileNotFoundError(f"there is no chapter {name!r}; there are: {known}")
    return path
