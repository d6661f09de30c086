"""fold: a line to press, and below it what it unfolds: for what should be there but need not be seen."""

import ipywidgets
import traitlets

from accelerator_lib.widgets.page import STYLE, Live, script


class Line(Live):
    """The line that opens and closes the box it stands in; it asks nothing of the kernel."""

    _esm = script("fold.js")
    _css = STYLE
    words = traitlets.Unicode("").tag(sync=True)


def fold(words, widget):
    """A box that shows `words`, and `widget` once they are pressed."""
    box = ipywidgets.VBox([Line(words=words), widget])
    box.add_class("acc-fold")
    return box
