"""fold: a line to press, and below it what it unfolds: a widget, or (slow_one) a sentence, open on paper."""

import ipywidgets
import traitlets
from IPython.display import Markdown

from accelerator_course import ladder, settings
from accelerator_course.widgets.page import Live, script

SLOW = "A slow one, and what its counters say"
QUIET = 'data-lm-suppress-shortcuts="true"'  # its keys are its own in JupyterLab, too


class Line(Live):
    """The line that opens and closes the box it stands in; it asks nothing of the kernel."""

    _esm = script("fold.js")
    words = traitlets.Unicode("").tag(sync=True)


def fold(words, widget):
    """A box that shows `words`, and `widget` once they are pressed."""
    box = ipywidgets.VBox([Line(words=words), widget])
    box.add_class("acc-fold")
    return box


def slow_one(rung, text):
    """The typical slow kernel of a rung by its name, and what its counters say: folded, as it gives the fault away."""
    opened = " open" if settings.printed() else ""
    line = f"<summary {QUIET}>{SLOW}</summary>"
    told = f"*{ladder.rung(rung).slow.name}*: {text}"
    return Markdown(f'<details class="acc-aside"{opened}>{line}\n\n{told}\n\n</details>')
