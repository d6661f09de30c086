"""A view on the page: its sentence as a heading, its picture as an <img> with that sentence as text alternative.

One HTML widget is replaced as a whole: nothing flickers, nothing jumps, and it needs no code in the browser.
"""

import base64
import html

import ipywidgets

from accelerator_course.views.render import Renderer


class Picture:
    """Shows results through a view; an error becomes a red note for the reader and is raised as well."""

    speaks = False  # its sentence is read out by the panel's Companion

    def __init__(self, view):
        self.view, self.sentence = view, ""
        self.widget = ipywidgets.HTML()
        self.widget.add_class("acc-picture")
        self._renderer, self._drawn = None, False

    def show(self, result):
        """Draw a result; returns the sentence."""
        self.sentence = self.view.show(result)
        if self._renderer is None or self._renderer.figure is not self.view.figure:
            self._renderer = Renderer(self.view.figure)
        self.widget.value = markup(self.sentence, self._renderer.png(), self.view.figure)
        self._drawn = True
        return self.sentence

    def image(self):
        """The picture as it stands, as an image of PIL; None where there are only words."""
        return self._renderer.image() if self._drawn else None

    def markup(self):
        """HTML for pages without widgets."""
        return self.widget.value

    def explain(self, reason):
        """Say why there is no picture for this setting; returns the sentence."""
        self.sentence, self._drawn = str(reason), False
        self.widget.value = f'<p class="acc-note">{html.escape(self.sentence)}.</p>'
        return self.sentence

    def fail(self, error):
        """Tell the reader what went wrong; the next good result repairs the picture."""
        self.sentence, self._drawn = f"{type(error).__name__}: {error}", False
        self.widget.value = f'<p role="alert" class="acc-error">{html.escape(self.sentence)}</p>'


def markup(sentence, png, figure):
    """The HTML of a picture: works in JupyterLab, in Voila and in a saved page."""
    width = round(figure.get_figwidth() * 100)
    height = round(figure.get_figheight() * 100)
    text = html.escape(sentence, quote=True)
    data = base64.b64encode(png).decode()
    return (
        f'<figure style="margin:0;max-width:var(--room,{width}px);--wide:{width};--high:{height}">'
        f'<figcaption class="acc-finding">{text}</figcaption>'
        f'<img width="{width}" height="{height}" alt="{text}" src="data:image/png;base64,{data}" '
        f'style="max-width:100%;height:auto"></figure>'
    )
