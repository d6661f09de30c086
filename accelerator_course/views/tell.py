"""Numbers in sentences: a template with units instead of digits.

    tell("{tokens:token}: {time:s} on {chip}, {share:%} of the peak", tokens=1, time=4e-5, chip=..., share=0.5)
    "1 token: 40 µs on H100 SXM5, 50 % of the peak"

After the colon: % a share, x times, a base unit (s, B, FLOP/s, W ...), duration, a noun to count, a format of Python.
"""

from string import Formatter

from accelerator_lib.units import counted, duration, number, percent, si

WRITTEN = {
    "": number,
    "%": percent,
    "x": lambda value: f"{number(value)}x",
    "duration": duration,
    "FLOP/byte": lambda value: f"{number(value)} FLOP/byte",  # a ratio takes no prefix,
    "pJ": lambda value: f"{number(value)} pJ",  # nor does what has one
}


def _is_noun(unit):
    return len(unit) > 1 and unit.isalpha() and unit.islower()


def quantity(value, unit=""):
    """A value with its unit, as people read it; NaN is no value."""
    if value != value:
        return "no value"
    if unit in WRITTEN:
        return WRITTEN[unit](value)
    return f"{number(value)} {unit}" if _is_noun(unit) else si(value, unit)


class _Teller(Formatter):
    def get_value(self, key, args, kwargs):
        if key not in kwargs:
            raise ValueError(f"the sentence asks for {key!r}, but the results and controls are {', '.join(kwargs)}")
        return kwargs[key]

    def format_field(self, value, spec):
        if isinstance(value, (str, type(None))) or hasattr(value, "name"):
            return str(getattr(value, "name", value))
        if spec and spec[0] in ",.<>^+-=_0123456789":
            return format(value, spec)
        return counted(value, spec) if _is_noun(spec) and spec not in WRITTEN else quantity(value, spec)


def tell(template, /, **values):
    """The template with every {name:unit} filled in."""
    return _Teller().vformat(template, (), values)
