"""Numbers in sentences: a template with units instead of digits.

    tell("{tokens:token}: {time:s} on {chip}, {share:%} of the peak", tokens=1, time=4e-5, chip=..., share=0.5)
    "1 token: 40 µs on H100 SXM5, 50 % of the peak"

After the colon: % a share, x times, a base unit (s, B, FLOP/s, W ...), duration, a noun to count, a format of Python.
"""

from string import Formatter

from accelerator_lib.units import counted, duration, number, percent, si

BASE = ("duration", "s", "B", "B/s", "FLOP", "FLOP/s", "FLOP/byte", "OP/s", "OP/s/W", "Hz", "W", "J", "Wh", "pJ", "/s")


def quantity(value, unit=""):
    """A value with its unit, as people read it; NaN is no value."""
    if value != value:
        return "no value"
    if unit == "%":
        return percent(value)
    if unit == "x":
        return f"{number(value)}x"
    if unit == "duration":
        return duration(value)
    if unit in ("FLOP/byte", "pJ"):
        return f"{number(value)} {unit}"
    if unit in BASE:
        return si(value, unit)
    return f"{number(value)} {unit}".rstrip()


class _Teller(Formatter):
    def get_value(self, key, args, kwargs):
        if key not in kwargs:
            raise ValueError(f"the sentence asks for {key!r}, but the results and controls are {', '.join(kwargs)}")
        return kwargs[key]

    def format_field(self, value, spec):
        if isinstance(value, (str, type(None))) or hasattr(value, "name"):
            return str(getattr(value, "name", value))
        if spec in ("%", "x", "", *BASE):
            return quantity(value, spec)
        return counted(value, spec) if spec.isalpha() and len(spec) > 1 else format(value, spec)


def tell(template, /, **values):
    """The template with every {name:unit} filled in."""
    return _Teller().vformat(template, (), values)
