"""Controls from arguments, each over a grid of finished values with printed labels.

(lo, hi), (lo, hi, step): linear; log(lo, hi): geometric, required where hi > 100 lo; list, dict: menu; bool: switch
"""

from dataclasses import dataclass
from math import isclose, log2
from numbers import Real

import ipywidgets
import numpy as np

from accelerator_course import syllabus
from accelerator_course.widgets import yours
from accelerator_lib.checks.inputs import real
from accelerator_lib.units import number as plain
from accelerator_lib.units import percent, si

POINTS = 64  # roughly, on a logarithmic slider
MOST_POINTS = 400
BASE_UNITS = ("s", "B", "B/s", "FLOP/s", "OP/s", "Hz", "W", "J")  # printed with a prefix


@dataclass(frozen=True)
class Range:
    """The values that a slider offers, before its default is known."""

    low: float
    high: float
    step: float | None = None
    logarithmic: bool = False
    unit: str = ""
    label: str | None = None
    own: str | None = None  # the field of the reader's own model to which it moves (yours.py)

    def __post_init__(self):
        floor = 1e-30 if self.logarithmic else -1e30
        real("low", self.low, low=floor)
        real("high", self.high, low=floor)
        if not self.low < self.high:
            raise ValueError(f"a range goes from low to high, not from {self.low} to {self.high}")
        if not self.logarithmic and self.low > 0 and self.high > 100 * self.low:
            raise ValueError(f"({self.low}, {self.high}) spans more than 100x: use log({self.low}, {self.high})")

    def grid(self, default):
        """Rising values that hold the default; whole numbers where the default is one."""
        if self.logarithmic:
            octaves = log2(self.high / self.low)
            values = np.geomspace(self.low, self.high, round(octaves * max(1, round(POINTS / octaves))) + 1)
            values = [float(f"{value:.3g}") for value in values[1:-1]]
        else:
            step = self.step or (1 if isinstance(default, int) else (self.high - self.low) / 100)
            count = round((self.high - self.low) / step)
            if count > MOST_POINTS:
                raise ValueError(f"{count} slider positions are too many: give a step, or use log(...)")
            values = [float(f"{self.low + i * step:.10g}") for i in range(1, count)]
        if isinstance(default, int):
            values = [round(value) for value in values]
        return sorted({self.low, *(v for v in values if self.low < v < self.high), self.high, default})

    def printed(self, value):
        """The value beside the slider: base units with a prefix (5 µs), shares as percent, counts grouped."""
        if self.unit in BASE_UNITS:
            return si(value, self.unit)
        if self.unit == "%":
            return percent(value)
        return str(value) if self.unit == "year" else plain(value)

    def described(self, label):
        """The text above the slider, with the unit where the value does not carry it."""
        label = self.label or label
        return label if self.unit in ("", "%", "year", *BASE_UNITS) else f"{label} [{self.unit}]"


class Slider(ipywidgets.SelectionSlider):
    """A slider over the grid of a Range; `move` also reaches values between two positions."""

    def __init__(self, range, default, label):
        self.range, self.takes, self.start = range, range.own and "model", default
        options = [(range.printed(value), value) for value in range.grid(default)]
        widest = max(len(text) for text, _ in options)  # the label does not wrap anew with what stands beside it
        layout = {"grid_template_columns": f"minmax(0, 1fr) minmax({widest}ch, max-content)"}
        super().__init__(options=options, value=default, description=range.described(label), layout=layout)

    def list_own(self, own, stay=False):
        """Go to what the reader's own model has; without one, where the course stands."""
        self.move(getattr(own["model"][1], self.range.own) if "model" in own and not stay else self.start)

    def move(self, value):
        """Go to a value; one between two positions becomes a position, one outside goes to the nearer end."""
        value = min(max(value, self.range.low), self.range.high)
        grid = [option for _, option in self.options]
        if value not in grid:
            self.options = [(self.range.printed(option), option) for option in sorted([*grid, value])]
        self.value = value


class Moved:
    """`move` takes a choice itself, its id or its label; of a switch a truth."""

    def move(self, value):
        self.value = position(self, value)


class Menu(Moved, ipywidgets.Dropdown):
    """A drop-down; `takes` says whether it lists the reader's own model or chip (yours.py)."""

    takes = base = start = None

    def list_own(self, own, stay=False):
        """List what the reader chose, {"model": (name, value)}, and stand at it; without it, where the course does."""
        listed = (*self.base, *([own[self.takes]] if self.takes in own else []))
        if tuple(self.options) != listed:
            self.options = listed
            self.value = self.start if stay or listed == self.base else listed[-1][1]


class Switch(Moved, ipywidgets.Checkbox):
    """On or off."""


@dataclass(frozen=True)
class Toggle:
    """A switch with a label of its own."""

    label: str


def position(widget, value):
    """The position of a control that a value, a label or an id names. Raises ValueError where there is none."""
    if isinstance(widget, Switch):
        return bool(value)
    found = [option for _, option in widget.options if same(option, value)]
    found += [option for text, option in widget.options if value in (text, getattr(option, "id", None))]
    if found:
        return found[0]
    raise ValueError(f"{value!r} is not a choice of {widget.description}")


def same(one, other):
    """Whether two positions of a control are one; numbers to what a float keeps."""
    if isinstance(one, Real) and isinstance(other, Real):
        return isclose(one, other, rel_tol=1e-9)
    return one is other or one == other


def described(widget):
    """A control and its position in words, as the reader sees them."""
    if isinstance(widget, Switch):
        return f"{widget.description}: {'yes' if widget.value else 'no'}"
    return f"{widget.description}: {next(text for text, value in widget.options if value == widget.value)}"


def switch(label):
    """A switch: widgets.switch("weights stay in cache"); a plain True or False is enough without a label."""
    return Toggle(label)


def log(low, high, unit="", label=None, own=None):
    """A geometric slider from low to high: widgets.log(1, 16384, unit="tokens")."""
    return Range(low, high, logarithmic=True, unit=unit, label=label, own=own)


def linear(low, high, step=None, unit="", label=None):
    """A linear slider with a unit or label of its own; a plain (low, high) or (low, high, step) is enough without."""
    return Range(low, high, step, unit=unit, label=label)


def control(name, given, default):
    """The ipywidget of one argument. Raises TypeError or ValueError in one line."""
    label = syllabus.load("controls").get(name, name.replace("_", " "))
    if isinstance(given, (bool, Toggle)):
        label = given.label if isinstance(given, Toggle) else label
        return Switch(value=bool(default), description=label, indent=False)
    if isinstance(given, tuple) and len(given) in (2, 3) and all(isinstance(v, Real) for v in given):
        given = Range(*given)
    if isinstance(given, Range):
        if not isinstance(default, Real) or not given.low <= default <= given.high:
            raise ValueError(f"default {name}={default!r} lies outside its slider, {given.low} to {given.high}")
        return Slider(given, default, label)
    takes, given = (given.takes, given.menu) if isinstance(given, yours.Menu) else (None, given)
    options = _menu(given, name)
    chosen = next((value for _, key, value in options if default in (key, value)), None)
    if chosen is None:
        raise ValueError(f"default {name}={default!r} is not one of {[key for _, key, _ in options][:8]}")
    menu = Menu(options=[(text, value) for text, _, value in options], value=chosen, description=label)
    menu.takes, menu.base, menu.start = takes, tuple(menu.options), chosen
    return menu


def _menu(given, name):
    if isinstance(given, (dict, list)) and given:
        pairs = given.items() if isinstance(given, dict) else zip(given, given, strict=True)
        return [(getattr(value, "name", str(key)), key, value) for key, value in pairs]
    raise TypeError(f"control {name} must be (low, high), log(low, high), a list, a dict or a bool, not {given!r}")
