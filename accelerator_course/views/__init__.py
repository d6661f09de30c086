"""Views: results become pictures. Each lists the marks of a result and answers with one sentence.

    view = views.roofline.Roofline()
    view.marks(result), view.say(result)       the picture; its title, caption and text alternative in one

A chapter's views stand in the folder of its name; `Lines`, `Map`, `Shares` and `Bars` draw what any function returns.
A view computes nothing: the law stands in the cell or in a model. Matplotlib draws pages to print, and no panel.
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
