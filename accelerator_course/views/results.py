"""What a panel hands to a view that shows more than one point: the function's results along one or two arguments."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Axis:
    """One argument of the explored function: its values in order, and how its control prints them."""

    name: str
    label: str
    values: np.ndarray
    log: bool = False
    printed: tuple = ()  # the words of a menu; empty for a slider
    unit: str = ""


@dataclass(frozen=True, eq=False)
class Along:
    """{name: value} at the controls, {name: array} along an axis, and all arguments by name."""

    axis: Axis
    curves: dict
    here: dict
    given: dict

    at = property(lambda self: self.given[self.axis.name])  # where the control of the axis stands


@dataclass(frozen=True, eq=False)
class Across:
    """A number at the controls, [y, x] of it over two axes, and all arguments by name."""

    x: Axis
    y: Axis
    table: np.ndarray
    here: float
    given: dict

    def share(self, value):
        """Share of the table that has this value."""
        return float(np.mean(self.table == value))
