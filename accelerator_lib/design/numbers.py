"""Numbers: the few operations that the laws of this chapter need, in four kinds of arithmetic.
    f(x + h i) = f(x) + f'(x) h i          slopes without differences; `smooth`: max(x, 1) for ceil(x), x for floor(x)
Sizes overflow 32-bit integers, so everything is a float.
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
def on_jax():
    """The operations of JAX."""
    import jax.numpy as jnp

    return Numbers(jnp.maximum, jnp.minimum, jnp.where, jnp.sqrt, jnp.exp, jnp.ceil, jnp.floor)


def on_complex(smooth=False):
    """The operations of NumPy on numbers whose imaginary part is a slope; of two equal ones half of each counts."""

    def extreme(larger, a, b):
        first, second = np.real(a), np.real(b)
        return np.where(first == second, (a + b) / 2, np.where((first > second) == larger, a, b))

    def maximum(a, b):
        return extreme(True, a, b)

    rounded = (lambda value: maximum(value, 1.0), lambda value: value)
    ceil, floor = rounded if smooth else (lambda value: np.ceil(np.real(value)), lambda value: np.floor(np.real(value)))
    return on_numpy()._replace(maximum=maximum, minimum=lambda a, b: extreme(False, a, b), ceil=ceil, floor=floor)
