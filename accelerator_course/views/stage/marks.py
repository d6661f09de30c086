"""Marks: what a picture is made of, in columns, so that four thousand are as easy as four.

    boxes("pe", key=range(4), x=[0, 40, 80, 120], y=0, w=36, h=36, role=pick(("muted tint", "compute"), busy),
          text=sums, who=["PE 0", ...], says=["3 × 4 = 12", ...])

A column is one value for all marks of the layer or one for each. Places and sizes are in pixels of the view's `size`,
x to the right, y down. `role` is a colour and how it is used (palette.py): "memory", "compute tint", "ink bold end".
`who` names the thing that a mark belongs to, `says` what it does in this state: the pointer reads both, and whoever
pins the thing reads its story.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np

KINDS = ("box", "text", "line", "arrow", "path")
PLACES = ("x", "y", "w", "h", "x2", "y2", "size")
WORDS = ("role", "text", "who", "says")


@dataclass(frozen=True, eq=False)
class Layer:
    """Marks of one kind; `columns` by name, each of length 1 or that of `key`."""

    name: str
    kind: str
    columns: dict

    def __len__(self):
        return len(self.columns["key"])


@dataclass(frozen=True, eq=False)
class Picked:
    """A column of words from a few: choices[index]."""

    choices: tuple
    index: np.ndarray

    def __len__(self):
        return len(self.index)

    def __iter__(self):
        return (self.choices[i] for i in self.index)


def pick(choices, index):
    """choices[i] for every i of an array, flattened; for large layers, where lists of words would be slow."""
    index = np.asarray(index).ravel().astype(np.uint8)
    if len(index) and index.max() >= len(choices):
        raise ValueError(f"there are {len(choices)} choices; got index {index.max()}")
    return Picked(tuple(choices), index)


def boxes(name, key, x, y, w=1, h=1, role="muted tint", text="", size=13, who="", says=""):
    """Rectangles from their upper left corner; `text` stands in the middle."""
    return _layer("box", locals())


def texts(name, key, x, y, text, role="ink", size=13, who="", says=""):
    """Words around (x, y); with "start" or "end" in the role they begin or end there."""
    return _layer("text", locals())


def lines(name, key, x, y, x2, y2, role="muted", size=2, who="", says=""):
    """Straight lines; `size` is their width."""
    return _layer("line", locals())


def arrows(name, key, x, y, x2, y2, role="ink", size=2, who="", says=""):
    """Lines with a head at (x2, y2)."""
    return _layer("arrow", locals())


def paths(name, key, text, x=0, y=0, role="ink", size=2, who="", says=""):
    """Any line, `text` in the words of SVG ("M0 0L10 5H20"), from (x, y); filled where the role is solid or tint."""
    return _layer("path", locals())


def _layer(kind, given):
    """A Layer with every column checked: as long as the keys or one for all, finite, no key twice."""
    name = given.pop("name")
    columns = {column: _column(column, value) for column, value in given.items()}
    keys = columns["key"]
    if len(set(keys.tolist() if isinstance(keys, np.ndarray) else keys)) < len(keys):
        raise ValueError(f"layer {name!r}: a key names one mark; there are two with the same")
    for column, values in columns.items():
        if len(values) not in (1, len(keys)):
            raise ValueError(f"layer {name!r}: {len(keys)} keys, but {column} has {len(values)} values")
        if column in PLACES and not (isfinite(values[0]) if len(values) == 1 else np.isfinite(values).all()):
            raise ValueError(f"layer {name!r}: {column} must be finite numbers")
    return Layer(name, kind, columns)


def _column(column, value):
    """Numbers as a float32 array, whole keys as int32, words as a tuple or as Picked."""
    if column in PLACES:
        return np.array(value, np.float32, copy=None, ndmin=1).ravel()
    if isinstance(value, Picked) or (isinstance(value, tuple) and column != "key"):
        return value  # the same object as in the state before: the reel need not look at it again
    if isinstance(value, str):
        return (value,)
    if column == "key":
        keys = np.atleast_1d(np.asarray(value)).ravel()
        return keys.astype(np.int32) if keys.dtype.kind in "iu" or not len(keys) else tuple(map(str, keys))
    return tuple(map(str, value))
