"""Numbers for people: base units everywhere inside, prefixes only when printed.

si(8.19e11, "B/s") -> "819 GB/s"        number(3276.8) -> "3,277"        percent(0.0034) -> "0.34 %"
sentence("{tokens:token}: {time:s} on {chip}, {share:%} of the peak", tokens=1, time=4e-5, chip=..., share=0.5)
    "1 token: 40 µs on H100 SXM5, 50 % of the peak"

After the colon: % a share, x times, a base unit (s, B, FLOP/s, W ...), duration, a noun to count, a
format of Python.
"""

from math import floor, log10
from string import Formatter

PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E", 21: "Z"}
UNKNOWN = "unknown"
UP = 1 + 2**-52  # half is rounded up, as people do it
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
DIMENSIONS = {  # every unit of the course: what it measures, and how many of the base unit it is
    "time": {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "h": 3600},
    "arithmetic rate": {"FLOP/s": 1, "GFLOP/s": 1e9, "TFLOP/s": 1e12, "PFLOP/s": 1e15},
    "bandwidth": {"B/s": 1, "GB/s": 1e9, "TB/s": 1e12},
    "intensity": {"FLOP/byte": 1},
    "data": {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12},
    "work": {"FLOP": 1, "MFLOP": 1e6, "GFLOP": 1e9, "TFLOP": 1e12, "EFLOP": 1e18, "ZFLOP": 1e21},
    "power": {"mW": 1e-3, "W": 1, "kW": 1e3},
    "energy": {"pJ": 1e-12, "µJ": 1e-6, "mJ": 1e-3, "J": 1, "kWh": 3.6e6},
    "ratio": {"x": 1, "%": 0.01},
    "area": {"mm²": 1},
    "money": {"dollars": 1},
}


def significant(value, digits=3):
    """`value` rounded to so many significant digits; 0 stays 0."""
    return float(f"{value:.{digits - 1}e}")


def si(value, unit="", digits=3):
    """A quantity with its SI prefix: si(4.04e-5, "s") -> "40.4 µs"; None -> "unknown"."""
    if value is None:
        return UNKNOWN
    value = significant(value, digits)
    power = min(21, max(-12, 3 * floor(log10(abs(value)) / 3))) if value else 0
    return f"{_plain(value / 10.0**power, digits)} {PREFIXES[power]}{unit}".rstrip()


def in_seconds(value):
    """A time: in_seconds(4e-5) -> "40 µs"."""
    return si(value, "s")


def binary(value_bytes, digits=3):
    """A capacity in powers of 1024: binary(40 * 2**20) -> "40 MiB"."""
    if value_bytes is None:
        return UNKNOWN
    power = 0
    while abs(value_bytes) >= 1024 and power < 5:
        value_bytes, power = value_bytes / 1024, power + 1
    return f"{_plain(value_bytes, digits)} {('', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi')[power]}B"


def number(value, digits=3):
    """A plain number, digits grouped, no prefix: number(3276.8) -> "3,277"."""
    if value is None:
        return UNKNOWN
    if abs(value) >= 10**digits:
        return f"{value:,.0f}"
    return _plain(significant(value * UP, digits), digits)


def scaled(value, size, digits=3):
    """How many of a size a value is: scaled(3.2e9, 1e6) -> "3,200", where "million" follows."""
    return number(value / size, digits)


def counted(count, noun, plural=None):
    """A count with its noun: counted(1, "token") -> "1 token", counted(4096, "token") -> "4,096 tokens"."""
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def signed(value, text=None):
    """A number, or the words for its size, after a minus of its width: signed(-3) -> "−3"."""
    return f"−{text or -value}" if value < 0 else f"{text or value}"


def power(exponent):
    """A power of two: power(-25) -> "2⁻²⁵"."""
    return "2" + str(exponent).translate(RAISED)


def percent(share, digits=2):
    """A share of one: percent(0.0034) -> "0.34 %", percent(0.997) -> "99.7 %"; never rounded up to 100."""
    if share is None:
        return UNKNOWN
    value = 100 * share * UP
    if 99 < abs(value) < 100:
        return f"{floor(value * 10) / 10:.1f} %"
    return f"{value:,.0f} %" if abs(value) >= 10 else f"{_plain(significant(value, digits), digits)} %"


def duration(seconds):
    """A time as people say it: si below a minute, then minutes, hours, days, years: duration(4e5) -> "4.63 days"."""
    if seconds is None or seconds < 60:
        return si(seconds, "s")
    lengths = ("minute", 60, 90), ("hour", 3600, 72), ("day", 86400, 1000), ("year", 365 * 86400, 1e30)
    for name, length, most in lengths:
        if seconds <= most * length:
            return f"{number(seconds / length)} {name}{'' if seconds == length else 's'}"
    return si(seconds, "s")


def _plain(value, digits):
    """At most `digits` significant digits, no trailing zeros, never an exponent below 1e15."""
    decimals = max(0, digits - 1 - floor(log10(abs(value)))) if value else 0
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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


class _Sentences(Formatter):
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


def sentence(template, /, **values):
    """The template with every {name:unit} filled in; see the module's docstring."""
    return _Sentences().vformat(template, (), values)
