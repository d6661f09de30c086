"""What a learner types, and what is shown: a number with a unit; values in base units, plural nouns count things."""

import re
from math import floor, log10

from accelerator_lib.units import DIMENSIONS, number

NEIGHBOUR = {"time": "bandwidth", "arithmetic rate": "bandwidth", "bandwidth": "arithmetic rate", "data": "bandwidth"}
NEIGHBOUR |= {"intensity": "bandwidth", "work": "arithmetic rate", "power": "energy", "energy": "power"}
SMALLEST, LARGEST = 1e-30, 1e30  # wider than any answer; what is beyond is a slip of the keyboard


def dimension(unit):
    """The dimension of a unit. Raises ValueError."""
    for name, units in DIMENSIONS.items():
        if unit in units:
            return name
    if re.fullmatch("[a-z]{3,40}s", unit):
        return "count"
    allowed = ", ".join(u for units in DIMENSIONS.values() for u in units)
    raise ValueError(f"unit {unit[:60]!r} is unknown; allowed: {allowed}")


def scale(unit):
    """One of this unit in its dimension's base unit."""
    return 1 if dimension(unit) == "count" else DIMENSIONS[dimension(unit)][unit]


def natural(value, unit):
    """(number, unit) of a value in base units: in its own unit from 1 to 10,000, else in one that leaves 1 to 1,000."""
    own = value / scale(unit)
    if dimension(unit) in ("ratio", "count") or 1 <= abs(own) < 10_000:
        return own, unit
    sizes = [(abs(value) / scale(u), u) for u in DIMENSIONS[dimension(unit)]]
    best = next((u for size, u in sizes if 1 <= size < 1000), None) or min(sizes, key=lambda pair: abs(pair[0] - 30))[1]
    return value / scale(best), best


def told(value, unit, rel_tol):
    """A value in base units as text in this unit, with so many digits that its rounding is within a tolerance."""
    digits = max(3, 1 - floor(log10(rel_tol))) if rel_tol else 15
    own = value / scale(unit)
    text = number(own, digits) if not own or 1e-6 <= abs(own) < 1e15 else f"{own:.{digits}g}"  # 1e-30, not 29 zeros
    return f"{text} {unit}".removesuffix(" ones")


def menu(unit):
    """Units to choose from: the right dimension's and those of one neighbour, so that choosing is part of knowing."""
    own = dimension(unit)
    if unit == "ones":  # a pure number
        return [unit]
    first = [unit] if own == "ratio" else []  # a share or a multiple: no unit to be known
    return [*dict.fromkeys([*first, *DIMENSIONS.get(own, [unit])]), *DIMENSIONS[NEIGHBOUR.get(own, "time")]]


def read(text):
    """The number a person typed: 140, 1.4e-4, 1,024. Raises ValueError with one line."""
    plain = text.strip().replace(" ", "")
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", plain):
        plain = plain.replace(",", "")
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", plain):
        raise ValueError(f"“{text.strip()[:30]}” is not a number; write for example 140, 1.4e-4 or 1,024")
    value = float(plain)
    if value and not SMALLEST <= abs(value) <= LARGEST:
        raise ValueError(f"“{text.strip()[:30]}” is out of range; write 0 or a number from {SMALLEST:g} to {LARGEST:g}")
    return value


def with_decimal_comma(text):
    """The number if a single comma in it is a decimal one, 283,375 being 283.375; None where it cannot be."""
    plain = text.strip().replace(" ", "")
    return float(plain.replace(",", ".")) if re.fullmatch(r"[+-]?\d{1,3},\d{3}", plain) else None
