"""Numbers: the few operations that the laws of this chapter need, in three kinds of arithmetic.

    PLAIN           Python's own numbers: one design, quickly
    on_numpy()      arrays of designs
    on_jax()        the same, compiled; smooth=True puts max(x, 1) where the others round up

Sizes overflow 32-bit integers, so everything is a float. Rounding up makes a staircase, which has no slope.
"""

import math
from functools import cache
from typing import Any, NamedTuple


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


PLAIN = Numbers(
    max, min, lambda condition, yes, no: yes if condition else no, math.sqrt, math.exp, math.ceil, math.floor
)


@cache
def on_numpy():
    """The operations of NumPy."""
    import numpy as np

    return Numbers(np.maximum, np.minimum, np.where, np.sqrt, np.exp, np.ceil, np.floor)


@cache
def on_jax(smooth=False):
    """The operations of JAX; `smooth`: ceil(x) becomes max(x, 1), and floor(x) x, so that gradients say something."""
    import jax.numpy as jnp

    ceil = (lambda value: jnp.maximum(value, 1.0)) if smooth else jnp.ceil
    floor = (lambda value: value) if smooth else jnp.floor
    return Numbers(jnp.maximum, jnp.minimum, jnp.where, jnp.sqrt, jnp.exp, ceil, floor)
