"""What widgets bring to the page: their script behind the shared helpers, their style sheet, their live view.

ipywidgets 7 (hosted notebooks) displays by a method that knows no print, 8 by a bundle: here both by a bundle, in which
HTML and text stand for pages on which no widgets run.
"""

from importlib.util import find_spec
from pathlib import Path

import anywidget
import traitlets

from accelerator_course.start import address

HERE = Path(__file__).parent
COURSE = "../pages/nbconvert/templates/course/"
SHARED = (COURSE + "patience.js", COURSE + "twice.js", "late.js", "dom.js", "alive.js", "links.js", "files.js")
STYLE = HERE / "style.css"
VIEW = "application/vnd.jupyter.widget-view+json"


class Live(anywidget.AnyWidget):
    """A widget of the course."""

    _ipython_display_ = None  # of ipywidgets 7: the bundle is asked for instead
    _css = STYLE


class Leading(Live):
    """One that leads to other notebooks (links.js)."""

    away = traitlets.Unicode("").tag(sync=True)  # the address before their names, where they do not lie beside this one

    @traitlets.default("away")
    def _away(self):
        return address.away()


def live(box, part):
    """(data, metadata) of the live view of a box; `part` is a Live in it, and knows where this page draws such ones."""
    _, metadata = part._repr_mimebundle_() or ({}, {})
    return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": box.model_id}}, metadata


def files(**makers):
    """Of {kind of file: package that makes it, or None} the kinds that can be made here: a browser has none to draw."""
    return [kind for kind, package in makers.items() if package is None or find_spec(package)]


def script(*names):
    """The JavaScript module of a widget: what all share, helpers, then its own file."""
    return plain(*SHARED, *names)


def style(*names):
    """The style sheet that all widgets share, then those of this one."""
    return plain(STYLE.name, *names)


def plain(*names):
    """Files beside this one, one after the other."""
    return "".join((HERE / file).read_text(encoding="utf-8") for file in names)
