"""Functions: what a Pallas kernel may call of jnp, jax and pl, in NumPy, with 32 bits as JAX has them.

Numbers that are the same in every step are Python's; what depends on the step is NumPy's, of no axes. A shape, an
axis and the size of a slice are of the first kind, as in Pallas itself. What cannot be is a Wrong, whose line is added
outside.
"""

from math import prod

import numpy as np

from accelerator_lib.kernels.refs import Slice

MOST_VALUES = 2**20  # of one array on the chip
FORMATS = {"jnp.float32": np.float32, "jnp.int32": np.int32, "jnp.bool_": np.bool_}
NARROW = {"f": np.float32, "i": np.int32, "u": np.int32, "b": np.bool_}


class Wrong(ValueError):
    """What is wrong with a call or an operation, in words."""


def plain(value):
    """A result in 32 bits."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    if value.dtype.kind not in NARROW:
        raise Wrong("only numbers are computed with")
    return value.astype(NARROW[value.dtype.kind], copy=False)


def number(value):
    """An array or a number."""
    if isinstance(value, (int, float, np.ndarray, np.generic)):
        return value
    held = hasattr(value, "known")
    raise Wrong("a ref holds a block: read it with [...]" if held else "a number or an array is needed")


def whole(value, what="this"):
    """A whole number that is the same in every step."""
    if type(value) is not int:
        raise Wrong(f"{what} must be a whole number that is the same in every step")
    return value


def sides(shape):
    """A shape, affordable."""
    shape = shape if isinstance(shape, tuple) else (shape,)
    if any(whole(side, "a side of a shape") < 0 for side in shape) or len(shape) > 4:
        raise Wrong("a shape has at most four sides, none below 0")
    if prod(shape) > MOST_VALUES:
        raise Wrong(f"an array on the chip has at most {MOST_VALUES:,} numbers here, not {prod(shape):,}")
    return shape


def shape_of(value):
    """A shape as pl.BlockSpec and jax.ShapeDtypeStruct take it. Raises Wrong."""
    made = sides(value if isinstance(value, tuple) else (value,))
    if not made or not all(whole(side) for side in made):
        raise Wrong("a shape has sides of 1 and more")
    return made


def fits(*values):
    """The shape of what comes of arrays element by element."""
    shapes = [np.shape(number(value)) for value in values]
    try:
        return sides(np.broadcast_shapes(*shapes))
    except Wrong:
        raise
    except ValueError:
        raise Wrong(f"the shapes {' and '.join(map(str, shapes))} do not fit together") from None


def number_format(dtype):
    if dtype not in tuple(FORMATS.values()):
        raise Wrong(f"a dtype here is {', '.join(FORMATS)}")
    return dtype


def each(function):
    """A function of numbers as one of arrays, element by element."""

    def run(*values):
        fits(*values)
        return function(*values)

    return run


def along(function):
    """A function along one axis, or over all numbers."""

    def run(x, axis=None, keepdims=False):
        x = np.asarray(number(x))
        if axis is not None and not -x.ndim <= whole(axis, "axis") < x.ndim:
            raise Wrong(f"there is no axis {axis} in an array of shape {x.shape}")
        return function(x, axis=axis, keepdims=bool(keepdims))

    return run


def dot(a, b, preferred_element_type=None):
    """The product of two matrices, or of a matrix and a vector."""
    a, b = np.asarray(number(a)), np.asarray(number(b))
    if not 1 <= a.ndim <= 2 or not 1 <= b.ndim <= 2 or a.shape[-1] != b.shape[0]:
        raise Wrong(f"{a.shape} and {b.shape} cannot be multiplied: need [m, k] and [k, n]")
    sides((*a.shape[:-1], *b.shape[1:]))
    made = a @ b
    return made if preferred_element_type is None else made.astype(number_format(preferred_element_type))


def full(shape, value, dtype=None):
    made = np.full(sides(shape), number(value))
    return plain(made) if dtype is None else made.astype(number_format(dtype))


def iota(dtype, shape, dimension):
    shape = sides(shape)
    if not 0 <= whole(dimension, "the axis") < len(shape):
        raise Wrong(f"there is no axis {dimension} in the shape {shape}")
    line = [1] * len(shape)
    line[dimension] = -1
    return np.broadcast_to(np.arange(shape[dimension]).reshape(line), shape).astype(number_format(dtype))


def like(value):
    def run(x):
        x = x.values if hasattr(x, "known") else np.asarray(number(x))
        return np.full_like(plain(x), value)

    return run


def astype(x, dtype):
    return np.asarray(number(x)).astype(number_format(dtype))


def ds(start, size):
    if not isinstance(start, (int, np.integer)) or isinstance(start, bool):
        raise Wrong("pl.ds(start, size) begins at a whole number")
    return Slice(start, whole(size, "the size of pl.ds"))


def cdiv(a, b):
    if b == 0 or not isinstance(a, (int, np.integer)) or not isinstance(b, (int, np.integer)):
        raise Wrong("pl.cdiv divides whole numbers, and not by zero")
    return -(-a // b)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


EACH = "exp exp2 log sqrt tanh abs maximum minimum isnan logical_and logical_or logical_not"
CALLS = {f"jnp.{name}": each(getattr(np, name)) for name in EACH.split()}
CALLS |= {f"jnp.{name}": along(getattr(np, name)) for name in ("sum", "max", "min")}
CALLS |= {"jnp.dot": dot, "jnp.matmul": dot, "jnp.full": full, "jnp.zeros_like": like(0), "jnp.ones_like": like(1)}
CALLS |= {"pl.ds": ds, "pl.cdiv": cdiv, "jax.lax.broadcasted_iota": iota, "jax.nn.sigmoid": each(_sigmoid)}
CALLS |= {
    "jnp.where": each(lambda mask, yes, no: np.where(mask, yes, no)),
    "jnp.transpose": lambda x: np.asarray(number(x)).T,
    "jnp.zeros": lambda shape, dtype=np.float32: full(shape, 0, dtype),
    "jnp.ones": lambda shape, dtype=np.float32: full(shape, 1, dtype),
    "jnp.full_like": lambda x, value: np.full_like(like(0)(x), number(value)),
    "jnp.float32": lambda x: astype(x, np.float32)[()],
    "jnp.int32": lambda x: astype(x, np.int32)[()],
    "jax.nn.relu": each(lambda x: np.maximum(x, 0)),
    "jax.nn.silu": each(lambda x: x * _sigmoid(x)),
    "jax.lax.rsqrt": each(lambda x: 1 / np.sqrt(x)),
}
METHODS = {"sum": along(np.sum), "max": along(np.max), "min": along(np.min), "astype": astype}
