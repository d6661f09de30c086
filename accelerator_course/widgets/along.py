"""One function for the point and the curve: called with an array where it takes one, else point by point."""

from contextlib import suppress
from itertools import pairwise

import numpy as np

from accelerator_course.views.results import Across, Along, Axis

MOST = 129  # points of a curve over whole numbers or a menu: positions of the control, so that the dot lies on it
FINE = 257  # of one over a continuous slider: its positions, and others between, so that a cliff looks like one
KEPT = 32  # curves of the last settings


class Evaluator:
    """Results of one function for a view that wants them along the arguments `over`."""

    def __init__(self, function, controls, over):
        names = (over,) if isinstance(over, str) else tuple(over)
        for name in names:
            if name not in controls:
                raise ValueError(f"no control is named {name!r}, which the view shows; there are {', '.join(controls)}")
        self.function, self.axes = function, [_axis(name, controls[name], len(names) == 1) for name in names]
        self.by_array, self.kept = True, {}

    def __call__(self, values):
        """Along or Across for the values of all controls."""
        here = self.function(**values)
        names = [axis.name for axis in self.axes]
        rest = tuple((name, value) for name, value in values.items() if name not in names)
        if rest not in self.kept:
            if len(self.kept) >= KEPT:
                self.kept.pop(next(iter(self.kept)))
            self.kept[rest] = self._curve(values) if len(names) == 1 else self._table(values)
        made = self.kept[rest]
        if len(names) == 1:
            return Along(self.axes[0], made, _named(here), values)
        return Across(*self.axes, made, float(here), values)

    def _curve(self, values):
        (axis,) = self.axes
        found = self._at({**values, axis.name: axis.values}, lambda result: _named(result, len(axis.values)))
        if found is None:
            points = [_named(self.function(**{**values, axis.name: value})) for value in axis.values.tolist()]
            found = {name: np.array([point[name] for point in points]) for name in points[0]}
        return found

    def _table(self, values):
        x, y = self.axes
        grid = np.meshgrid(x.values, y.values)
        shape = grid[0].shape
        whole = {**values, x.name: grid[0], y.name: grid[1]}
        found = self._at(whole, lambda result: np.broadcast_to(np.asarray(result, dtype=float), shape))
        if found is None:
            pairs = [{**values, x.name: a, y.name: b} for b in y.values.tolist() for a in x.values.tolist()]
            found = np.array([float(self.function(**pair)) for pair in pairs]).reshape(shape)
        return found

    def _at(self, values, read):
        with suppress(TypeError, ValueError):
            if self.by_array:
                return read(self.function(**values))
        self.by_array = False  # it decides by an `if`, or counts: asked point by point from now on
        return None


def _axis(name, control, fine):
    """The positions of a control as an Axis, with others between where it is continuous and `fine` asks for them."""
    values = np.array([value for _, value in control.options])
    if not hasattr(control, "range"):
        return Axis(name, control.description, values, printed=tuple(text for text, _ in control.options))
    between = np.geomspace if control.range.logarithmic else np.linspace
    if fine and values.dtype.kind == "f" and len(values) < FINE // 2:
        parts = FINE // len(values) + 1
        values = np.append([between(a, b, parts)[:-1] for a, b in pairwise(values)], values[-1])
    elif len(values) > MOST:  # both ends, and evenly between
        values = values[np.linspace(0, len(values) - 1, MOST).round().astype(int)]
    return Axis(name, control.description, values, control.range.logarithmic, unit=control.range.unit)


def _named(result, length=None):
    """{name: number}, or with a length {name: array}; a lone number has no name, None is a gap."""
    parts = result if isinstance(result, dict) else {"": result}
    if length is None:
        return {name: np.nan if value is None else float(value) for name, value in parts.items()}
    return {name: np.broadcast_to(np.asarray(value, dtype=float), (length,)) for name, value in parts.items()}
