"""Checks at the door: what enters a public function is a usable number or name, or one clear line says why not.

Each check returns the value it was given (a Python number or a float64 array), so a model reads
`peak = real("peak", peak, unit="FLOP/s")`. Quantities lie between 1e-30 and 1e30 in base units: no machine is
outside, and so no product or quotient of two of them overflows into infinity or NaN.
"""

import difflib
from numbers import Integral, Real

import numpy as np

SMALLEST, LARGEST = 1e-30, 1e30
MOST = 10**12  # elements along one dimension, parameters, chips: counts


class UnknownName(KeyError):
    """A name that is not in a table; prints as a sentence (a bare KeyError prints quotes)."""

    def __str__(self):
        return self.args[0]


class NotAvailable(UnknownName, ValueError):
    """A sensible question that the published data cannot answer: a format the chip lacks, a value not published."""


def real(name, value, low=SMALLEST, high=LARGEST, unit=""):
    """A real number, or an array of them, with low <= value <= high. Raises TypeError or ValueError."""
    if isinstance(value, Real) and not isinstance(value, (bool, np.bool_)):
        try:
            plain = float(value)
        except OverflowError:
            plain = float("inf")
        if not low <= plain <= high:
            raise ValueError(_outside(name, value, low, high, unit))
        return plain
    if isinstance(value, (np.ndarray, list, tuple)):
        array = np.asarray(value)
        if not array.size:
            raise ValueError(f"{name} is empty; give one number at least")
        if array.dtype.kind not in "iuf":
            raise TypeError(f"{name} must hold real numbers, not {array.dtype} values")
        array = array.astype(float)
        good = (low <= array) & (array <= high)
        if not np.all(good):
            raise ValueError(_outside(name, array[~good].flat[0], low, high, unit))
        return float(array) if array.ndim == 0 else array
    raise TypeError(f"{name} must be a number or an array of numbers, not {_describe(value)}")


def single(name, value):
    """One value, no array or list of them. Raises TypeError."""
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(f"{name} must be one number, not {_describe(value)}")
    return value


def whole(name, value, low=1, high=MOST, unit=""):
    """A whole number, or an array of them (returned as float64). Raises TypeError or ValueError."""
    if isinstance(value, Integral) and not isinstance(value, (bool, np.bool_)):
        if not low <= value <= high:
            raise ValueError(_outside(name, value, low, high, unit))
        return int(value)
    checked = real(name, value, low, high, unit)
    if np.any(np.floor(checked) != checked):
        raise ValueError(f"{name} must be whole, not {_first_broken(checked)}")
    return int(checked) if isinstance(checked, float) else checked


def count(name, value, low=1, high=MOST, unit=""):
    """One whole number, no array of them: where a simulation or a list needs a size. Raises TypeError or ValueError."""
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(f"{name} must be one whole number, not {_describe(value)}")
    return whole(name, value, low, high, unit)


def flag(name, value):
    """True or False, nothing that only looks like it. Raises TypeError."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {_describe(value)}")
    return bool(value)


def one_of(name, value, allowed):
    """A name out of `allowed`; a typo is answered with the nearest one. Raises TypeError or UnknownName."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a name such as {next(iter(allowed))!r}, not {_describe(value)}")
    if value not in allowed:
        raise UnknownName(f"{name} {value!r} is unknown{did_you_mean(value, allowed)}")
    return value


def affordable(what, size, most, lower):
    """The size of a job, unless it would take a notebook more than some seconds or 500 MB. Raises ValueError.

    `what` counts it ("simulated accesses"), `lower` names the argument that makes it smaller.
    """
    if size > most:
        given = f"{size:,}" if size < 1e15 else f"{float(size):.3g}"
        raise ValueError(f"{given} {what} are more than a notebook can wait for (at most {most:,}): lower {lower}")
    return size


def did_you_mean(given, allowed):
    """The tail of an error line: the nearest names, or the allowed ones where they are few."""
    nearest = difflib.get_close_matches(given.lower(), {name.lower(): name for name in allowed}, n=3, cutoff=0.5)
    names = [name for name in allowed if name.lower() in nearest]
    if names:
        return f"; did you mean {' or '.join(map(repr, names))}?"
    return f"; allowed: {', '.join(allowed)}" if len(allowed) <= 16 else f"; {len(allowed)} names are known"


def _outside(name, value, low, high, unit):
    unit = f" {unit}" if unit else ""
    if value != value:
        return f"{name} is not a number (NaN); allowed: {low:g} to {high:g}{unit}"
    return f"{name} = {_short(value)}{unit} is outside the allowed range, {low:g} to {high:g}{unit}"


def _first_broken(checked):
    return next(v for v in np.atleast_1d(checked).flat if v != np.floor(v))


def _short(value):
    text = str(value)
    return text if len(text) <= 24 else text[:20] + "..."


def _describe(value):
    return "nothing (None)" if value is None else f"{type(value).__name__} {_short(repr(value))}"
