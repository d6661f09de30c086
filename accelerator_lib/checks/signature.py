"""Checks in the signature: an annotation says what an argument may be, the body is the equation.

    @checked
    def ridge_point(peak: FlopsPerS, bandwidth: BytesPerS):
        return peak / bandwidth

    ridge_point(0, 2e12)     ValueError: peak = 0 FLOP/s is outside the allowed range, 1e-30 to 1e+30 FLOP/s

A kind knows its range and its unit; `inputs.py` writes the error lines. A record is checked field by field: @dataclass
stands above @checked. Where the default is None, None is allowed. Defaults are trusted, and where a kind makes
something of a value (a chip of its id), made too. A question's key may call whatever is checked.
"""

import functools
import inspect
from dataclasses import dataclass, field
from math import inf
from numbers import Real

import numpy as np

from accelerator_lib.checks import inputs


@dataclass(frozen=True)
class Kind:
    """What an argument may be. Called with its name and value: the value as the body gets it, or one clear line."""

    low: float | None = None
    high: float | None = None
    unit: str = ""

    def __repr__(self):
        span = [f"{end:g}" for end in (self.low, self.high) if end not in (None, inputs.SMALLEST, inputs.LARGEST)]
        unit = f" [{self.unit}]" if self.unit else ""
        return f"{type(self).__name__.lower()}{unit}" + (f" {' to '.join(span)}" if span else "")


@dataclass(frozen=True, repr=False)
class Number(Kind):
    """A real number or an array of them, of a shape that fits the others' unless it is `loose`."""

    low: float = inputs.SMALLEST
    high: float = inputs.LARGEST
    loose: bool = field(default=False, kw_only=True)

    def __call__(self, name, value):
        if type(value) is float and self.low <= value <= self.high:  # the usual case, in a tenth of the time
            return value
        return inputs.real(name, value, self.low, self.high, self.unit)


@dataclass(frozen=True, repr=False)
class Whole(Kind):
    """A whole number or an array of them."""

    low: float = 1
    high: float = inputs.MOST

    def __call__(self, name, value):
        if type(value) is int and self.low <= value <= self.high:
            return value
        return inputs.whole(name, value, self.low, self.high, self.unit)


class Count(Whole):
    """One whole number, no array of them."""

    def __call__(self, name, value):
        return inputs.count(name, value, self.low, self.high, self.unit)


class Single(Kind):
    """One value of another kind, no array of them: Single(Bytes)."""

    def __init__(self, kind):
        for name, value in (("kind", kind), ("low", kind.low), ("high", kind.high), ("unit", kind.unit)):
            object.__setattr__(self, name, value)

    def __call__(self, name, value):
        return self.kind(name, inputs.single(name, value))

    def __repr__(self):
        return f"one {self.kind!r}"


class Flag(Kind):
    """True or False, nothing that only looks like it."""

    def __call__(self, name, value):
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} must be True or False, not {inputs.described(value)}")
        return bool(value)


class OneOf(Kind):
    """A name out of a table; a typo is answered with the nearest one."""

    def __init__(self, allowed):
        object.__setattr__(self, "allowed", allowed)

    def __call__(self, name, value):
        if type(value) is str and value in self.allowed:
            return value
        return inputs.one_of(name, value, self.allowed)

    def __repr__(self):
        return f"one of {', '.join(map(str, self.allowed))}"


class NumberOf(Kind):
    """One of a few whole numbers, `what` says of what: NumberOf((45, 7), "nm")."""

    def __init__(self, allowed, what):
        object.__setattr__(self, "allowed", allowed)
        object.__setattr__(self, "what", what)

    def __call__(self, name, value):
        if not isinstance(value, Real) or isinstance(value, bool) or value not in self.allowed:
            raise ValueError(f"{name} = {inputs.shown(value)} is not {self!r}")
        return int(value)

    def __repr__(self):
        return f"one of {', '.join(map(str, self.allowed))} {self.what}"


class Given(Kind):
    """What a function of one argument makes of the value: a chip from its id, a product, a trace."""

    def __init__(self, what, make):
        object.__setattr__(self, "what", what)
        object.__setattr__(self, "make", make)

    def __call__(self, name, value):
        try:
            return self.make(value)
        except (ValueError, TypeError, KeyError) as error:
            raise inputs.named(name, error) from None
        except (AttributeError, OverflowError, RecursionError):
            raise TypeError(f"{name} must be {self.what}, not {inputs.described(value)}") from None

    def __repr__(self):
        return self.what


class Record(Kind):
    """What a function or a class of ours has made: Record(Placed). `such` says more closely what is wanted."""

    def __init__(self, made, such=""):
        object.__setattr__(self, "made", made)
        object.__setattr__(self, "such", such or f"a {made.__name__}")

    def __call__(self, name, value):
        if not isinstance(value, self.made):
            raise TypeError(f"{name} must be {self.such}, not {inputs.described(value)}")
        return value

    def __repr__(self):
        return self.such


Positive, NonNegative, Share = Number(), Number(low=0), Number(low=0, high=1)
Switch = Flag()
Seconds, Bytes, Hertz, Watts = (Number(unit=unit) for unit in ("s", "B", "Hz", "W"))
BytesPerS, FlopsPerS = (Number(unit=unit) for unit in ("B/s", "FLOP/s"))


def checked(target):
    """Check what enters a function, or a frozen record, by its annotations. `kinds` of the result lists them."""
    if isinstance(target, type):
        return _checked_record(target)
    parameters = inspect.signature(target).parameters.values()
    kinds = {p.name: p.annotation for p in parameters if isinstance(p.annotation, Kind)}
    if not kinds:
        target.kinds = kinds
        return target
    defaults = {p.name: p.default for p in parameters}
    checks = {name: _or_none(kind) if defaults[name] is None else kind for name, kind in kinds.items()}
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    in_order = [(name, checks.get(name)) for name in names]
    starred = next((p.name for p in parameters if p.kind == p.VAR_POSITIONAL), None)  # a kind there is one of each
    fitting = [name for name in _fitting(kinds) if name != starred]
    made = [  # defaults that a kind turns into something else, such as the id of a chip
        (names.index(name) if name in names else inf, name, defaults[name])
        for name, kind in kinds.items()
        if isinstance(kind, Given) and defaults[name] not in (None, inspect.Parameter.empty)
    ]
    alone = in_order[0] if len(names) == 1 and in_order[0][1] and not made else None  # most calls: format_bytes("bf16")

    @functools.wraps(target)
    def call(*args, **more):
        if alone and len(args) == 1 and not more:
            return target(alone[1](alone[0], args[0]))
        if args and (starred or len(args) <= len(in_order)):  # too many: the function itself says so
            every = [*in_order, *[(starred, checks.get(starred))] * (len(args) - len(in_order))]
            pairs = zip(every, args, strict=False)
            args = [value if check is None else check(name, value) for (name, check), value in pairs]
        for name, value in more.items():
            if name in checks:
                more[name] = checks[name](name, value)
        for place, name, default in made:
            if place >= len(args) and name not in more:
                more[name] = kinds[name](name, default)
        if len(fitting) > 1:
            given = [*zip(names, args, strict=False), *more.items()]
            shapes = {name: value.shape for name, value in given if isinstance(value, np.ndarray) and name in fitting}
            if len(shapes) > 1:
                inputs.together(shapes)
        return target(*args, **more)

    call.kinds = kinds
    return call


def _fitting(kinds):
    """Arguments whose arrays are taken element by element, and so must fit together."""
    return [n for n, kind in kinds.items() if isinstance(kind, (Number, Whole)) and not getattr(kind, "loose", False)]


def _or_none(kind):
    """A kind where None is the default, and so allowed."""
    return lambda name, value: None if value is None else kind(name, value)


def _checked_record(record):
    """For @dataclass, whose __init__ then ends with the checks, and after them with those of the record itself."""
    kinds = {name: kind for name, kind in inspect.get_annotations(record).items() if isinstance(kind, Kind)}
    checks = {name: _or_none(kind) if getattr(record, name, ...) is None else kind for name, kind in kinds.items()}
    fitting = _fitting(kinds)
    rest = getattr(record, "__post_init__", lambda self: None)

    def check(self):
        for name, kind in checks.items():
            object.__setattr__(self, name, kind(name, getattr(self, name)))
        shapes = {name: getattr(self, name).shape for name in fitting if isinstance(getattr(self, name), np.ndarray)}
        if len(shapes) > 1:
            inputs.together(shapes)
        rest(self)

    record.__post_init__, record.kinds = check, kinds
    return record
