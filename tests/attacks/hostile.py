"""Hostile arguments: what a learner types by mistake, and what nobody would; each made of the good one it replaces."""

import copy
import dataclasses
import itertools
from math import inf, nan
from numbers import Integral, Real

import numpy as np

NUMBERS = [nan, inf, -inf, -1, 0, 0.5, 2.5, 1e300, 1e-300, 10**400, 10**6, 10**9, 2**31, 2**62]
NUMBERS += [1e18, np.float32("nan"), np.int64(-5), 1j, True, None]
WORDS = ["", "x", "64", "x" * 10**6, "\ud800\n"]
ANYWHERE = {ascii(each)[:40]: lambda each=each: each for each in [*NUMBERS, *WORDS]} | {
    "bytes": lambda: b"x",
    "a list of nothing": lambda: [],
    "a pair of nothing": lambda: ((), ()),
    "a dict of nothing": lambda: {},
    "a dict": lambda: {"x": float("nan")},
    "a set": lambda: {1, 2},
    "a ragged list": lambda: [[1, 2], [3]],
    "a list with NaN": lambda: [1.0, float("nan")],
    "a list of words": lambda: ["a", "b"],
    "a list of None": lambda: [None, None],
    "an array of nothing": lambda: np.array([]),
    "rows of nothing": lambda: np.zeros((2, 0)),
    "an array with NaN": lambda: np.array([1.0, np.nan]),
    "an array of words": lambda: np.array(["a"]),
    "an array of objects": lambda: np.array([None, {}], dtype=object),
    "an array of flags": lambda: np.array([True, False]),
    "four axes": lambda: np.ones((2, 1, 2, 1)),
    "a thousand numbers": lambda: np.arange(1.0, 1001.0),
    "a million numbers": lambda: np.ones(10**6),
    "numbers without an end": lambda: itertools.count(),
    "a range of a billion": lambda: range(10**9),
    "a generator": lambda: (i for i in range(3)),
    "a function": lambda: max,
    "a class": lambda: dict,
    "an object": object,
    "a module": lambda: itertools,
}
NARROW = (np.int8, np.int16, np.int32, np.uint8, np.float16, np.float32)


def is_number(value):
    return isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))


def is_array(value):
    return isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.size > 0


def spoiled(good, draw):
    """(what it is, the value) that stands in place of a good one; about half are made of it."""
    made = _of_number if is_number(good) else _of_array if is_array(good) else _of_other
    found = made(good) if draw.random() < 0.5 else {}
    table = found or ANYWHERE
    label = draw.choice(list(table))
    return label, table[label]() if table is ANYWHERE else table[label](good, draw)


def _of_number(good):
    return {
        "in a list": lambda g, _: [g],
        "twice in a list": lambda g, _: [g, g],
        "two rows": lambda g, _: [[g, g], [g, g]],
        "an array of three": lambda g, _: np.array([g, g, g]),
        "an array of one": lambda g, _: np.array([g]),
        "a ragged list of it": lambda g, _: [[g, g], [g]],
        "an array without axes": lambda g, _: np.array(g),
        "the other sign": lambda g, _: -g,
        "a thousandfold": lambda g, _: g * 1000,
        "a millionfold": lambda g, _: g * 10**6,
        "a bit more": lambda g, _: g * 1.0000001,
        "its letters": lambda g, _: str(g),
        "a float": lambda g, _: float(g),
    }


def _of_array(good):
    return {
        "transposed": lambda g, _: g.T,
        "an element less": lambda g, _: g[:-1],
        "in a list": lambda g, _: [g],
        "as a list": lambda g, _: g.tolist(),
        "with an axis more": lambda g, _: g[None],
        "ragged": lambda g, _: [*g.tolist(), [1, [2]]],
        "objects": lambda g, _: g.astype(object),
        "words": lambda g, _: g.astype(str),
        "complex": lambda g, _: g.astype(complex),
        "one NaN in it": _with_nan,
        "one inf in it": lambda g, draw: _with_nan(g, draw, np.inf),
        "the other sign": lambda g, _: -g.astype(float),
        "flat": lambda g, _: g.ravel(),
        "its first element": lambda g, _: g.flat[0],
        "times 1e200": lambda g, _: g * 1e200,
        "four times in a row": lambda g, _: np.concatenate([g] * 4),
    }


def _with_nan(good, draw, bad=np.nan):
    found = good.astype(float)
    found.flat[draw.randrange(found.size)] = bad
    return found


def _of_other(good):
    """Of a name, a sequence, a table or a record."""
    if isinstance(good, str):
        return {
            "in capitals": lambda g, _: g.swapcase(),
            "with a letter more": lambda g, _: g + "x",
            "in a list": lambda g, _: [g],
            "twice": lambda g, _: np.array([g, g]),
        }
    if isinstance(good, (list, tuple)) and good:
        plain = list if isinstance(good, list) else tuple  # a NamedTuple, too
        return {
            "one less": lambda g, _: g[:-1],
            "one more": lambda g, _: plain([*g, g[-1]]),
            "in a list": lambda g, _: [g],
            "its first": lambda g, _: g[0],
            "one of them spoiled": lambda g, draw: plain(_with_one(list(g), draw)),
            "backwards": lambda g, _: plain(reversed(g)),
            "a generator of it": lambda g, _: (one for one in g),
            "a thousand times": lambda g, _: g * 1000,
        }
    if isinstance(good, dict) and good:
        return {
            "its names": lambda g, _: list(g),
            "one of them spoiled": lambda g, draw: dict(zip(g, _with_one(list(g.values()), draw), strict=True)),
            "one key spoiled": lambda g, draw: dict(zip(_with_one([*g], draw, str), g.values(), strict=True)),
        }
    if dataclasses.is_dataclass(good) and not isinstance(good, type):
        return {"its class": lambda g, _: type(g), "in a list": lambda g, _: [g], "a copy": lambda g, _: copy.copy(g)}
    return {}


def _with_one(items, draw, kind=None):
    place = draw.randrange(len(items))
    items[place] = "x" if kind is str else spoiled(items[place], draw)[1]
    return items


def narrowed(good, draw):
    """(what it is, the narrow value, the same as plain Python or 64 bits), or None where nothing is narrow."""
    kind = draw.choice(NARROW)
    if isinstance(good, (Integral, Real)) and is_number(good):
        plain = good
        if np.issubdtype(kind, np.integer):
            if good != int(good):
                return None
            plain = int(min(good, np.iinfo(kind).max)) if good >= 0 else int(max(good, np.iinfo(kind).min))
        with np.errstate(all="ignore"):
            narrow = kind(plain)
        return (kind.__name__, narrow, narrow.item()) if np.isfinite(narrow) else None
    if is_array(good):
        low, high = (-100, 100) if kind is not np.uint8 else (0, 200)
        with np.errstate(all="ignore"):
            narrow = np.clip(good, low, high).astype(kind)
        wide = np.int64 if np.issubdtype(kind, np.integer) else np.float64
        return f"{kind.__name__} array", narrow, narrow.astype(wide)
    return None
