"""explore: sliders beside a picture; the function's defaults are the starting positions, the view draws its result."""

import inspect
from threading import RLock
from weakref import WeakSet

import ipywidgets

from accelerator_course.quiz import progress
from accelerator_course.widgets import controls as kit
from accelerator_course.widgets import page, tasks, yours
from accelerator_course.widgets.along import Evaluator
from accelerator_course.widgets.screen import Screen
from accelerator_lib.checks.inputs import NotAvailable

LIVE = WeakSet()  # every panel that still exists: what the sweep of the notebooks moves


class Companion(page.Live):
    """The invisible half of every panel: names for controls, quiet arrow keys, a picture that fits the window."""

    _esm = page.script("companion.js")


class Panel:
    """`function(**values)` for the positions of the controls, drawn by `view`; `set` moves them as a reader would."""

    plays = False  # whether a Stage shows a run, or the one state that the function returns
    loading = False  # whether states of the run are still being made
    covered = staticmethod(lambda: False)  # whether a question waits for its answer (veil.py)

    def __init__(self, function, view, /, *, id=None, **controls):
        self.function, self.id = function, id
        defaults = _defaults(function, controls)
        self.controls = {name: kit.control(name, given, defaults[name]) for name, given in controls.items()}
        self.defaults = self.values
        over = getattr(view, "over", None)
        self.evaluate = Evaluator(function, self.controls, over) if over else lambda values: function(**values)
        self.picture = Screen(view, id or "panel", self.plays, self.described)
        self.companion = Companion()
        self.tasks = tasks.below(self)
        reset = ipywidgets.Button(description="Reset", tooltip="Back to the starting values")
        reset.on_click(lambda _: self.reset())
        self.box = self._lay_out(reset)
        self._quiet = self._tried = False
        self._turn = RLock()  # JupyterLab hands messages of widgets to more than one thread of the kernel
        self.follow()
        for widget in self.controls.values():
            widget.observe(self._moved, "value")
        LIVE.add(self)

    # what the controls stand at: {name: value}
    values = property(lambda self: {name: widget.value for name, widget in self.controls.items()})

    def described(self):
        """The positions of the controls in words: "rows: 4 · dataflow: outputs stay"."""
        return " · ".join(kit.described(widget) for widget in self.controls.values())

    def set(self, **values):
        """Move controls, as a prediction does to show its answer. Raises ValueError for names there are not."""
        unknown = set(values) - set(self.controls)
        if unknown:
            raise ValueError(f"no control named {', '.join(sorted(unknown))}; there are {', '.join(self.controls)}")
        with self._turn:
            self._quiet = True
            try:
                for name, value in values.items():
                    self.controls[name].move(value)
            finally:
                self._quiet = False
            self.refresh()

    def follow(self):
        """Bring what takes them to the reader's own model and chip, listed alone where a question waits."""
        takers = [widget for widget in self.controls.values() if getattr(widget, "takes", None)]
        own = yours.own(self) if takers else {}
        with self._turn:
            self._quiet = True
            for widget in takers:
                widget.list_own(own, self.covered())
            self._quiet = False
            self.refresh()

    def reset(self):
        """Back to the starting values."""
        self.set(**self.defaults)

    def refresh(self):
        """Compute and draw."""
        self._draw(lambda: self.evaluate(self.values))

    def _draw(self, compute):
        """Show what `compute` returns. What the data cannot answer is said calmly; an error is shown, and raised."""
        try:
            self.picture.show(compute())
        except NotAvailable as reason:
            self.picture.explain(reason)
        except Exception as error:
            self.picture.fail(error)
            raise

    def _moved(self, _):
        with self._turn:
            if not self._quiet:
                self.refresh()
                self.touched()

    def touched(self):
        """The reader has moved something: keep, once, that this panel was tried, and tick what is reached."""
        if self.id is not None and not self._tried:
            self._tried = True
            progress.record({"kind": "explore", "panel": self.id})
        if self.tasks:
            self.tasks.soon()

    def _lay_out(self, reset):
        """The picture, below it the controls in a row that wraps; style.css and companion.js fit it to the window."""
        for widget in self.controls.values():
            widget.add_class("acc-control")
        row = ipywidgets.Box([*self._arranged(), reset])
        row.add_class("acc-controls")
        below = [*([row] if self.controls else []), *([self.tasks] if self.tasks else [])]
        box = ipywidgets.Box([self.picture.widget, *below, self.companion])
        box.add_class("acc-panel")
        if self.id is not None:
            box.add_class(f"acc-at-{self.id}")  # where links of questions lead (links.js)
        return box

    def _arranged(self):
        return self.controls.values()

    def _repr_mimebundle_(self, **_):
        live, metadata = page.live(self.box, self.companion)
        still = self.picture.markup() + (self.tasks.markup() if self.tasks else "")
        return {**live, "text/html": still, "text/plain": self.picture.sentence}, metadata


def _defaults(function, controls):
    parameters = inspect.signature(function).parameters
    for name in controls:
        if name not in parameters:
            raise ValueError(f"{function.__name__} has no argument {name}; it has {', '.join(parameters)}")
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty:
            raise ValueError(f"argument {name} of {function.__name__} needs a default: the starting position")
    return {name: parameters[name].default for name in controls}
