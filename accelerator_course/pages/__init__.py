"""A chapter as a page of its own: for the hall, to read in a browser, on paper.

The templates stand in nbconvert/templates: `hall` and `course` are served live by Voila, `handout` is printed. What a
cell is on such a page (prose, panel, the law, an exercise) is decided once, in course/parts.html.j2.
"""

from accelerator_course.start import folders

HERE = folders.PACKAGE / "pages"


def notebook(name):
    """Path of a chapter's notebook. Raises FileNotFoundError in one line that lists what there is."""
    known = {path.stem: path for path in sorted(folders.NOTEBOOKS.glob("*.ipynb"))}
    if (stem := str(name).removesuffix(".ipynb")) not in known:
        raise FileNotFoundError(f"there is no chapter {name!r}; there are: {', '.join(known)}")
    return known[stem]
