"""Moves every control of a running notebook, as a reader would; a callback that fails at any position fails the run.

In the notebook's own kernel, after its last cell: controls go through minimum, default, maximum and values between, panels through
random joint settings, questions through every answer. Errors that ipywidgets swallows are collected on the way. After each move
every panel must say a sentence, without a nan, an inf or a None in it.
"""

import contextlib
import random
import re
import sys
import time

import ipywidgets
import numpy as np
from IPython import get_ipython
from ipywidgets.widgets import widget as registry

from accelerator_course.views.results import Across
from accelerator_course.views.stage import still
from accelerator_course.widgets import screen
from accelerator_course.widgets.along import Evaluator
from accelerator_lib.checks.inputs import NotAvailable

BETWEEN = 3  # positions of a slider beside its ends
FEW = 12  # menus up to this long are tried whole
TOLD = 40  # states of a run whose sentence is read, and whose last marks are made
MEANT = re.compile(r"(?:stands for|the code is) NaN")  # what a code of a number format means
JOINT = 20  # random settings of all controls of a panel together
DEAR = {"train": 5, "tune": 4, "mapping-race": 12}  # panels that train or search each time: joint settings, so many

BROKEN = re.compile(r"(?<![A-Za-z_])(?:nan|NaN|inf|None)(?![A-Za-z_])")  # but not "information", "infinite", "none"


def spoken_badly(sentence):
    """What is wrong with the sentence of a panel, or None."""
    if not sentence.strip():
        return "says nothing"
    found = BROKEN.search(MEANT.sub("", sentence))
    return f"says {found[0]!r} in: {sentence}" if found else None


def living():
    """{id: widget} of all that exist; ipywidgets 7 keeps them elsewhere."""
    return registry._instances if hasattr(registry, "_instances") else registry.Widget.widgets


def spread(count, wanted):
    """At most `wanted` + 2 positions of 0 .. count - 1, both ends included."""
    return sorted({round(i * (count - 1) / (wanted + 1)) for i in range(wanted + 2)})


def positions(widget):
    """(trait, values) that a reader could bring a control to; None where it has none."""
    if getattr(widget, "disabled", False):
        return None
    if isinstance(widget, ipywidgets.widget_selection._Selection):
        count, slides = len(widget.options), isinstance(widget, ipywidgets.SelectionSlider)
        return "index", list(range(count)) if count <= FEW and not slides else spread(
            count, BETWEEN if slides else FEW - 2
        )
    if isinstance(widget, (ipywidgets.IntSlider, ipywidgets.Play)):
        return "value", [widget.min + step for step in spread(widget.max - widget.min + 1, BETWEEN)]
    if isinstance(widget, (ipywidgets.FloatSlider, ipywidgets.BoundedFloatText)):
        return "value", [widget.min + i * (widget.max - widget.min) / 6 for i in range(7)]
    if isinstance(widget, ipywidgets.Checkbox):
        return "value", [True, False]
    if isinstance(widget, screen.Player):
        return "position", spread(max(widget.part.get("total", 1), 1), BETWEEN)
    return None


def off_the_curve(panel):
    """What is wrong where a panel's dot does not lie on its curve: one function, two answers; "" where nothing is."""
    if not isinstance(panel.evaluate, Evaluator):
        return ""
    try:
        shown = panel.evaluate(panel.values)
    except NotAvailable:
        return ""
    if isinstance(shown, Across):
        pairs, axes = [("the map", shown.table, shown.here)], [(a, shown.given[a.name]) for a in (shown.y, shown.x)]
    else:
        pairs, axes = [(name, shown.curves[name], here) for name, here in shown.here.items()], [(shown.axis, shown.at)]
    places = [np.flatnonzero(axis.values == value) for axis, value in axes]
    if not all(map(len, places)):
        return ""  # between two positions
    at = tuple(place[0] for place in places)
    wrong = [name for name, curve, here in pairs if not np.isclose(curve[at], here, rtol=1e-6, atol=0, equal_nan=True)]
    return f"does not lie on its own curve: {', '.join(wrong)}" if wrong else ""


def beside_the_picture(veiled):
    """What is wrong where the mark of a prediction's truth lies on nothing that its picture draws; "" where nothing is."""
    for card in veiled.cards:
        veiled.panel.set(**card.entry["show"]["values"])
        view = veiled.panel.picture.view
        spot = card.marked(view)["truth"]["spot"]
        if spot and not any(meets(spot, drawn) for drawn in ends(view, veiled.panel.picture)):
            return f"marks the truth of {card.entry['id']!r} at {spot}, where its picture draws nothing"
    return ""


def ends(view, picture):
    """(x, y) of what ends somewhere on a picture, as shares from its top left: dots, and corners of bars."""
    for kind, mark in still.rows(view.marks(picture.states[-1])):
        (wide, high), (x, y) = view.size, (float(mark["x"]), float(mark["y"]))
        yield x / wide, y / high
        if kind == "box":
            yield (x + float(mark["w"])) / wide, (y + float(mark["h"])) / high


def meets(spot, point, near=0.004):
    """Whether a mark touches a point: a line across does on the one axis, a ring on both."""
    left, right, top, bottom = spot
    x, y = point
    return left - near <= x <= right + near and top - near <= y <= bottom + near


class Sweep:
    """Runs actions and remembers which failed."""

    def __init__(self, limit):
        self.limit, self.done, self.failures, self.where = limit, 0, [], ""
        self.panels, self.heard = (), {}

    def record(self, exc_tuple=None, *_, **__):
        """Stands in for IPython's showtraceback: where swallowed errors end up."""
        kind, error, _ = exc_tuple or sys.exc_info()
        self.failures.append(f"{self.where}: {kind.__name__}: {error}")

    def act(self, where, action):
        self.where, self.done = where, self.done + 1
        if self.done > self.limit:
            raise AssertionError(f"this notebook offers more than {self.limit} positions; raise the limit of the sweep")
        try:
            action()
        except Exception:
            self.record()
        self.listen()

    def listen(self):
        """Read what has changed in the sentences of all panels, and in the states of their runs."""
        for panel in self.panels:
            sentence, states, wrong = panel.picture.sentence, panel.picture.states, None
            if self.heard.get(panel) != sentence:
                self.heard[panel] = sentence
                wrong = spoken_badly(sentence) or off_the_curve(panel)
            if self.heard.get(panel.picture) is not states and not wrong:
                self.heard[panel.picture], view = states, panel.picture.view
                told = [states[i] for i in spread(len(states), TOLD)]
                wrong = next(filter(None, (spoken_badly(view.say(state)) for state in told)), None)
                list(view.marks(told[-1]))
            if wrong:
                self.failures.append(f"{self.where}: {panel.function.__name__} {wrong}")

    def widget(self, widget):
        name = f"{type(widget).__name__}({getattr(widget, 'description', '')!r})"
        if isinstance(widget, ipywidgets.Button) and not widget.disabled:
            self.act(f"{name}.click", widget.click)
        for action, run in getattr(widget, "actions", list)():
            self.act(f"{name}: {action}", run)
        trait, values = positions(widget) or ("", [])
        for value in [*values, *([getattr(widget, trait)] if trait else [])]:  # set_state is the way the browser takes
            self.act(f"{name}.{trait}={value!r}", lambda value=value: widget.set_state({trait: value}))

    def panel(self, panel, draw):
        """Random joint settings, then back to the start."""
        for _ in range(DEAR.get(panel.id, JOINT) if panel.controls else 0):
            values = {name: _any(control, draw) for name, control in panel.controls.items()}
            self.act(f"{panel.function.__name__}({values})", lambda values=values: panel.set(**values))
        self.act(f"{panel.function.__name__}: reset", panel.reset)


def _any(control, draw):
    if isinstance(control, ipywidgets.Checkbox):
        return draw.random() < 0.5
    return draw.choice(control.options)[1]


def _kept(shown, state):
    """Screen.add, with marks of the 2nd, 4th, 8th ... state of a run only: a film is as long as all of them."""
    shown.states.append(state)
    if len(shown.states).bit_count() == 1:
        shown._reel.add(state)


@contextlib.contextmanager
def unseen():
    """Nobody looks: nothing is sent, runs are made whole before the next move."""
    send, ipywidgets.Widget._send = ipywidgets.Widget._send, lambda *_, **__: None  # thousands would overflow a queue
    later, screen.later = screen.later, lambda act, seconds=0: None
    add, screen.Screen.add = screen.Screen.add, _kept
    try:
        yield
    finally:
        ipywidgets.Widget._send, screen.later, screen.Screen.add = send, later, add


def _everything(run, seed):
    module = sys.modules.get("accelerator_course.widgets.panel")
    run.where, run.panels = "at the start", list(module.LIVE) if module else []
    run.listen()
    dear = {id(one) for panel in run.panels if panel.id in DEAR for one in panel.controls.values()}
    for widget in list(living().values()):
        if id(widget) not in dear:
            run.widget(widget)
    for panel in run.panels:
        run.panel(panel, random.Random(seed))
    veil = sys.modules.get("accelerator_course.widgets.veil")
    run.failures += filter(None, map(beside_the_picture, veil.LIVE if veil else ()))


def sweep(limit=4000, seed=1):
    """Move everything that is alive in this kernel; raises AssertionError with one line a failure."""
    shell, start, run = get_ipython(), time.perf_counter(), Sweep(limit)
    original, shell.showtraceback = shell.showtraceback, run.record
    try:
        with unseen():
            _everything(run, seed)
    finally:
        shell.showtraceback = original
    print(f"swept {run.done} positions in {time.perf_counter() - start:.1f} s")
    if run.failures:
        raise AssertionError("a control failed:\n  " + "\n  ".join(dict.fromkeys(run.failures)))
