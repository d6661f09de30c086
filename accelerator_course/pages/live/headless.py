"""Headless: as much of ipywidgets, anywidget and IPython as the course's widgets use. A widget is its traits.

What a widget is, and what of it changed, is noted in its room (room.py), which hands it to the page once a turn.
"""

import os
import sys
import types
from contextlib import contextmanager

import traitlets

from accelerator_course.pages.live.room import Room
from accelerator_lib import settings


class Widget(traitlets.HasTraits):
    """Traits that the page sees, classes that it wears, and whom it calls."""

    _kind = "Box"  # how the page draws it (live.js)

    def __init__(self, **given):
        self._room, self._wears, self._heard, self._pressed = Room.open, [], [], []
        self.model_id = self._room.enter(self)
        super().__init__(**{name: value for name, value in given.items() if self.has_trait(name)})
        self.observe(lambda change: self._room.note(self, change["name"]))

    def add_class(self, name):
        if name not in self._wears:
            self._wears.append(name)
            self._room.note(self, "_wears")
        return self

    def remove_class(self, name):
        if name in self._wears:
            self._wears.remove(name)
            self._room.note(self, "_wears")
        return self

    def on_msg(self, act):
        self._heard.append(act)

    def on_click(self, act):
        self._pressed.append(act)

    def send(self, content, buffers=()):
        self._room.say(self, content, buffers)

    @contextmanager
    def hold_sync(self):  # a turn is handed over as a whole anyway
        yield

    def _told(self, names=None):
        """{trait: value} for the page: all of them, or those that changed."""
        wanted = [*self.trait_names(sync=True), "_wears"] if names is None else names
        return {name: getattr(self, name) for name in wanted if name == "_wears" or self.trait_metadata(name, "sync")}

    def _taken(self, state):
        """What the reader did: {trait: value}."""
        for name, value in state.items():
            setattr(self, name, value)

    def _called(self, content):
        for act in self._pressed if content == "click" else self._heard:
            act(self) if content == "click" else act(self, content, [])

    def _repr_mimebundle_(self, **_):
        return {}, {}


class Box(Widget):
    children = traitlets.Any(()).tag(sync=True)

    def __init__(self, children=(), **given):
        super().__init__(children=tuple(children), **given)


class Tab(Box):
    _kind = "Tab"
    titles = traitlets.List([]).tag(sync=True)

    def set_title(self, place, title):
        self.titles = [*self.titles[:place], title]


class Named(Widget):
    description = traitlets.Unicode("").tag(sync=True)


class HTML(Widget):
    _kind = "HTML"
    value = traitlets.Unicode("").tag(sync=True)

    def __init__(self, value="", **given):
        super().__init__(value=value, **given)


class Label(HTML):
    _kind = "Label"


class Button(Named):
    _kind = "Button"
    tooltip = traitlets.Unicode("").tag(sync=True)


class FloatProgress(Named):
    _kind = "Progress"
    value, max = traitlets.Float(0).tag(sync=True), traitlets.Float(1).tag(sync=True)


class Checkbox(Named):
    _kind = "Checkbox"
    value = traitlets.Bool(False).tag(sync=True)


class Dropdown(Named):
    """Options with labels; the page knows the labels and a position, never a value."""

    _kind = "Dropdown"
    options, value = traitlets.Any(()), traitlets.Any()

    def __init__(self, options=(), value=None, **given):
        super().__init__(**given)
        self.options, self.value = options, value

    @traitlets.validate("options")
    def _pairs(self, proposal):
        return tuple(one if isinstance(one, tuple) else (str(one), one) for one in proposal["value"])

    def _told(self, names=None):
        changed = {"options", "value"} if names is None else {"options", "value"} & set(names)
        told = super()._told(names if names is None else [name for name in names if name not in changed])
        if "options" in changed:
            told["labels"] = [text for text, _ in self.options]
        if changed:
            values = [value for _, value in self.options]
            own = [i for i, value in enumerate(values) if value is self.value]
            told["index"] = own[0] if own else values.index(self.value)
        return told

    def _taken(self, state):
        self.value = self.options[state["index"]][1]


class SelectionSlider(Dropdown):
    _kind = "Slider"


class AnyWidget(Widget):
    """One with a script of its own: live/widgets/<its name>.js."""

    _kind, _esm, _css = "Any", "", ""


class Text:
    """IPython's Markdown and HTML."""

    def __init__(self, data=""):
        self.data = data


class Markdown(Text):
    def _repr_markdown_(self):
        return self.data


class Page(Text):
    def _repr_html_(self):
        return self.data


def install():
    """Stand in for the three packages, before anything of the course is imported that asks for them."""
    os.environ[settings.LIVE] = "1"
    drawn = {one.__name__: one for one in (Widget, Box, Tab, HTML, Label, Button, FloatProgress, Checkbox, Dropdown)}
    drawn |= {"VBox": Box, "HBox": Box, "SelectionSlider": SelectionSlider, "DOMWidget": Widget, "Layout": dict}
    _module("ipywidgets", __version__="8.1.8", **drawn)
    _module("anywidget", AnyWidget=AnyWidget)
    shown = _module("IPython.display", Markdown=Markdown, HTML=Page, display=lambda *what, **_: Room.open.show(*what))
    _module("IPython", get_ipython=lambda: None, display=shown)


def _module(name, **content):
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__.update(content)
    return made
