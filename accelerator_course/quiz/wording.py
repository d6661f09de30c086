"""Wording: drawn numbers put into a question's text."""

import re

from accelerator_lib import hardware
from accelerator_lib.units import number, si


def fill(text, printed):
    """Put printed parameters into {braces}. Raises ValueError for a name that is not drawn."""

    def put(match):
        if match[1] not in printed:
            drawn = ", ".join(printed) or "none"
            raise ValueError(f"{{{match[1][:60]}}} in the text is not a parameter; drawn are: {drawn}")
        return printed[match[1]]

    return re.sub(r"\{(\w+)\}", put, text)


def printed(value, spec):
    """A drawn value as the text says it: a chip by its name, a number with its unit."""
    if isinstance(value, str):
        return hardware.chip(value).name if value in hardware.chips() else value
    unit = spec.get("unit", "")
    return si(value, unit) if unit in ("s", "FLOP/s", "B/s", "B", "FLOP", "Hz") else f"{_counted(value)} {unit}".strip()


def _counted(value):
    for name, size in (("trillion", 1e12), ("billion", 1e9)):
        if value >= size:
            return f"{number(value / size)} {name}"
    return number(value)
