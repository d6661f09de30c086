"""Numbers: the few operations that the laws of this chapter need, in four kinds of arithmetic.

    PLAIN           Python's own numbers: one design, quickly
    on_numpy()      arrays of designs
    on_jax()        the same, compiled; smooth=True puts max(x, 1) for ceil(x), x for floor(x)
    on_dual()       a value and its slopes to several knobs, carried through a law step by step

Sizes overflow 32-bit integers, so everything is a float. Rounding up makes a staircase, which has no slope.

    (a + a'e) (b + b'e) = ab + (a'b + ab')e         e e = 0: the chain rule, as arithmetic

That is automatic differentiation, forwards. Where a law takes the larger of two, the slope is that of the larger; where
it rounds up, the slope is 0. jax.grad does the same backwards (elasticities.py has both).
"""

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np


class Numbers(NamedTuple):
    """Operations on scalars or arrays; `keep` is the identity, or a barrier that a compiler does not fuse across."""

    maximum: Any
    minimum: Any
    where: Any
    sqrt: Any
    exp: Any
    ceil: Any
    floor: Any
    keep: Any = lambda value: value


PLAIN = Numbers(max, min, lambda choose, yes, no: yes if choose else no, math.sqrt, math.exp, math.ceil, math.floor)


@cache
def on_numpy():
    """The operations of NumPy."""
    return Numbers(np.maximum, np.minimum, np.where, np.sqrt, np.exp, np.ceil, np.floor)


@cache
def on_jax(smooth=False):
    """The operations of JAX; `smooth`: ceil(x) becomes max(x, 1), and floor(x) x, so that gradients say something."""
    import jax.numpy as jnp

    ceil = (lambda value: jnp.maximum(value, 1.0)) if smooth else jnp.ceil
    floor = (lambda value: value) if smooth else jnp.floor
    return Numbers(jnp.maximum, jnp.minimum, jnp.where, jnp.sqrt, jnp.exp, ceil, floor)


class Dual:
    """A value of any shape, and slopes of shape (knobs, *value)."""

    __array_ufunc__ = None  # an array on the left hands over to __radd__ and the like

    def __init__(self, value, slopes):
        self.value, self.slopes = value, slopes

    ndim = property(lambda self: np.ndim(self.value))

    def sum(self, axis):
        """Summed along the first axis of the value."""
        return Dual(self.value.sum(axis), self.slopes.sum(axis + 1))

    def __add__(self, other):
        return _made(self, other, _value(self) + _value(other), 1.0, 1.0)

    def __sub__(self, other):
        return _made(self, other, _value(self) - _value(other), 1.0, -1.0)

    def __rsub__(self, other):
        return _made(self, other, _value(other) - _value(self), -1.0, 1.0)

    def __neg__(self):
        return Dual(-self.value, -self.slopes)

    def __mul__(self, other):
        return _made(self, other, _value(self) * _value(other), _value(other), _value(self))

    def __truediv__(self, other):
        under = _value(other)
        return _made(self, other, self.value / under, 1 / under, -self.value / under**2)

    def __rtruediv__(self, other):
        return _made(self, None, _value(other) / self.value, -_value(other) / self.value**2, 0.0)

    def __pow__(self, power):
        return _made(self, None, self.value**power, power * self.value ** (power - 1), 0.0)

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other):
        return self.value < _value(other)

    def __le__(self, other):
        return self.value <= _value(other)

    def __gt__(self, other):
        return self.value > _value(other)

    def __ge__(self, other):
        return self.value >= _value(other)


def _value(given):
    return given.value if isinstance(given, Dual) else given


def _slopes(given, value, by=1.0):
    """Slopes of a number that may have none, in the shape of a result."""
    if not isinstance(given, Dual):
        return 0.0
    own = given.slopes
    own = own.reshape(own.shape[:1] + (1,) * (np.ndim(value) - given.ndim) + own.shape[1:])
    return own * by


def _made(one, other, value, by_one, by_other):
    return Dual(value, _slopes(one, value, by_one) + _slopes(other, value, by_other))


def _chosen(condition, yes, no):
    """Where a condition holds the one, else the other, slopes and all."""
    value = np.where(condition, _value(yes), _value(no))
    if not isinstance(yes, Dual) and not isinstance(no, Dual):
        return value
    return Dual(value, np.where(condition, _slopes(yes, value), _slopes(no, value)))


def _extreme(larger):
    """The larger or the smaller of two; where they are equal, half of each slope, as JAX has it."""

    def apply(a, b):
        first, second = _value(a), _value(b)
        value = np.maximum(first, second) if larger else np.minimum(first, second)
        if not isinstance(a, Dual) and not isinstance(b, Dual):
            return value
        share = np.where(first == second, 0.5, (first > second) == larger)
        return _made(a, b, value, share, 1 - share)

    return apply


def on_dual(smooth=False):
    """The operations of dual numbers."""
    maximum = _extreme(larger=True)

    def ceil(given):
        return maximum(given, 1.0) if smooth else np.ceil(_value(given))

    def floor(given):
        return given if smooth else np.floor(_value(given))

    def through(function, slope):
        def apply(given):
            if not isinstance(given, Dual):
                return function(given)
            value = function(given.value)
            return _made(given, None, value, slope(given.value, value), 0.0)

        return apply

    sqrt, exp = through(np.sqrt, lambda x, y: 0.5 / y), through(np.exp, lambda x, y: y)
    return Numbers(maximum, _extreme(larger=False), _chosen, sqrt, exp, ceil, floor)


def variables(values):
    """One Dual for each value: its slope to itself is 1, to the others 0."""
    return [Dual(float(value), slopes) for value, slopes in zip(values, np.eye(len(values)), strict=True)]
