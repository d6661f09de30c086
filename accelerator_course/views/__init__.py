"""Views: results become pictures. Each is built once, changes its artists in place, and answers with one sentence.

    view = views.roofline.Roofline()
    sentence = view.show(result)       the picture is view.figure; the sentence is its text alternative

A chapter's views stand in the folder of its name; `Lines`, `Map`, `Shares` and `Bars` draw what any function returns.
Only this package knows matplotlib; a view computes nothing: the law stands in the cell or in a model.
"""

from importlib import import_module

GENERAL = {"Bars": "charts", "Certificate": "certificate", "Lines": "charts", "Map": "maps", "Shares": "charts"}


def __getattr__(name):
    """A chapter's views when they are first asked for: nothing has to be listed here."""
    try:
        if name in GENERAL:
            return getattr(import_module(f"accelerator_course.views.{GENERAL[name]}"), name)
        return import_module(f"accelerator_course.views.{name}")
    except ModuleNotFoundError as error:
        raise AttributeError(f"there are no views of {name!r}") from error
