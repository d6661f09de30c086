"""Checks at the door: what enters a public function is a usable number or name, or one clear line says why not.

Each check returns the value it was given (a Python number or a float64 array), so a model reads
`peak = real("peak", peak, unit="FLOP/s")`. Quantities lie between 1e-30 and 1e30 in base units: no machine is
outside, and so no product or quotient of two of them overflows into infinity or NaN.
"""

import difflib
import re
import reprlib
from math import prod
from numbers import Integral, Real

import numpy as np

SMALLEST, LARGEST = 1e-30, 1e30
NO_NUMBER = (bool, np.bool_, np.timedelta64)  # NumPy counts a span of time among whole numbers
MOST_LISTED = 10**7  # elements of a list that is made an array
MOST_TOGETHER = 10**7  # numbers that small arrays may become when they are taken element by element
LONGEST_LINE = 300  # letters of an error
MOST = 10**12  # elements along one dimension, parameters, chips: counts


class UnknownName(KeyError):
    """A name that is not in a table; prints as a sentence (a bare KeyError prints quotes)."""

    def __str__(self):
        return self.args[0]


class NotAvailable(UnknownName, ValueError):
    """A sensible question that the published data cannot answer: a format the chip lacks, a value not published."""


def real(name, value, low=SMALLEST, high=LARGEST, unit=""):
    """A real number, or an array of them, with low <= value <= high. Raises TypeError or ValueError."""
    if isinstance(value, Real) and not isinstance(value, NO_NUMBER):
        try:
            plain = float(value)
        except OverflowError:
            plain = float("inf")
        if not low <= plain <= high:
            raise ValueError(_outside(name, value, low, high, unit))
        return plain
    if isinstance(value, (np.ndarray, list, tuple)):
        if np.ma.is_masked(value):
            raise TypeError(f"{name} has masked entries; fill them or leave them out")
        array = table(name, value)
        if not array.size:
            raise ValueError(f"{name} is empty; give one number at least")
        if array.dtype.kind not in "iuf":
            raise TypeError(f"{name} must hold real numbers, not {array.dtype} values")
        array = array.astype(float)
        good = (low <= array) & (array <= high)
        if not np.all(good):
            raise ValueError(_outside(name, array[~good].flat[0], low, high, unit))
        return float(array) if array.ndim == 0 else array
    raise TypeError(f"{name} must be a number or an array of numbers, not {described(value)}")


def table(name, value):
    """A list, or lists of lists, as an array, whatever it holds. Raises ValueError for rows of different length."""
    if not isinstance(value, np.ndarray) and hasattr(value, "__len__") and len(value) > MOST_LISTED:
        raise ValueError(f"{name} holds {len(value):,} elements; at most {MOST_LISTED:,}, but in an array")
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be rows of the same length, not {described(value)}") from None


def together(shapes):
    """Nothing, unless arrays of such {name: shape} cannot be taken element by element. Raises ValueError.
    Nor may they become far more numbers than any of them holds, as a long column beside a long row does."""
    try:
        size = prod(np.broadcast_shapes(*shapes.values()))
    except ValueError:
        given = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(f"these arrays must have the same shape, or fit by broadcasting: {given}") from None
    if size > max(map(prod, shapes.values())):
        names = " or ".join(f"{name} {shape}" for name, shape in shapes.items())
        affordable("numbers of arrays taken together", size, MOST_TOGETHER, f"the size of {names}")


def single(name, value):
    """One value, no array or list of them. Raises TypeError."""
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(f"{name} must be one number, not {described(value)}")
    return value


def whole(name, value, low=1, high=MOST, unit=""):
    """A whole number, or an array of them (returned as float64). Raises TypeError or ValueError."""
    if isinstance(value, Integral) and not isinstance(value, NO_NUMBER):
        if not low <= value <= high:
            raise ValueError(_outside(name, value, low, high, unit))
        return int(value)
    checked = real(name, value, low, high, unit)
    broken = np.floor(checked) != checked
    if np.any(broken):
        raise ValueError(f"{name} must be whole, not {np.extract(broken, checked)[0]}")
    return int(checked) if isinstance(checked, float) else checked


def count(name, value, low=1, high=MOST, unit=""):
    """One whole number, no array of them: where a simulation or a list needs a size. Raises TypeError or ValueError."""
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(f"{name} must be one whole number, not {described(value)}")
    return whole(name, value, low, high, unit)


def one_of(name, value, allowed):
    """A name out of `allowed`; a typo is answered with the nearest one. Raises TypeError or UnknownName."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a name such as {next(iter(allowed))!r}, not {described(value)}")
    if value not in allowed:
        shown = value if len(value) <= 60 else value[:60] + "..."
        raise UnknownName(f"{name} {shown!r} is unknown{did_you_mean(value[:60], allowed)}")
    return value


def affordable(what, size, most, lower):
    """The size of a job, unless it would take a notebook more than some seconds or 500 MB. Raises ValueError.
    `what` counts it ("simulated accesses"), `lower` names the argument that makes it smaller."""
    if size > most:
        given = f"{size:,}" if size < 1e15 else f"{float(min(size, 10**300)):.3g}"
        raise ValueError(f"{given} {what} are more than a notebook can wait for (at most {most:,}): lower {lower}")
    return size


def named(name, error):
    """The same error as one line, not longer than a few, that names its argument."""
    line = str(error)
    if not re.search(rf"\b{re.escape(name)}\b", line):
        line = f"{name}: {line}"
    line = " ".join(line.split())
    kinds = (NotAvailable, UnknownName, ValueError, TypeError, KeyError)  # some others cannot be made of a line
    kind = next(kind for kind in kinds if isinstance(error, kind))
    return kind(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ...")


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


def _short(value, written=str):
    if isinstance(value, int) and value.bit_length() > 4000:  # Python itself refuses to write out much more
        return f"{'-' * (value < 0)}10**{value.bit_length() * 3 // 10}"
    try:
        text = " ".join(written(value).split())
    except Exception:  # such a number within a list; a __repr__ of the reader's own
        return "..."
    return text if len(text) <= 24 else text[:20] + "..."


def shown(value):
    """A value as it is written, cut where it is long; never an error of its own."""
    return _short(value, reprlib.repr)


def described(value):
    """What was given, in a few letters: its type and how it begins."""
    return "nothing (None)" if value is None else f"{type(value).__name__[:40]} {shown(value)}"
