"""Compiled: the laws of the grid through JAX, in 32-bit floats, for many more designs a second.

    values(axes)         value of every design of open axes, 0 where it is not legal
    listed(designs)      the same for a list of designs, with vmap

One function is compiled for all axes of equal lengths. Sums over products stand behind barriers, so that the compiler
does not repeat them for every clock and link. Floats only: sizes overflow 32-bit integers. Beside 64 bits (grid.py)
values are off by less than CLOSE, and the best design is the same; one right at a limit may fall on its other side.
"""

from functools import cache

import numpy as np

from accelerator_lib.design.grid import AXES, judge, machines_of, opened, results, whole_arrays
from accelerator_lib.design.merit import MIX
from accelerator_lib.design.numbers import on_jax

CLOSE = 1e-5  # relative
WATTS, NODE = 700.0, 5


def operations():
    """Numbers of JAX, with barriers that the compiler does not fuse across."""
    import jax

    return on_jax()._replace(keep=jax.lax.optimization_barrier)


def body(weights, watts, node, on=None):
    """A function of axes (arrays of JAX that broadcast) -> (legal, value), ready to be compiled or mapped."""
    import jax.numpy as jnp

    on = on or operations()

    def run(*axes):
        machine = machines_of(axes, node, on)
        column = lambda values: jnp.asarray(values, jnp.float32)  # noqa: E731
        found = results(machine, tuple(weights), on, np.ndim(axes[0]), column)
        judged = judge(machine, found, weights, watts, on)
        legal = judged.legal & whole_arrays(axes)
        return legal, jnp.where(legal, judged.value, 0.0)

    return run


def opened_floats(clocks=AXES["clock_hz"], steps=AXES["steps"]):
    """The open axes of the grid in 32 bits, with other clocks [Hz] or steps along the axis of arrays."""
    return [axis.astype(np.float32) for axis in opened({**AXES, "steps": steps, "clock_hz": clocks}.values())]


def values(axes, weights=MIX, watts=WATTS, node=NODE):
    """(legal, value) of every design of open axes."""
    return _whole(tuple(weights.items()), watts, node)(*axes)


def listed(columns, weights=MIX, watts=WATTS, node=NODE):
    """(legal, value) of a list of designs: columns of edges, steps, MB, stacks, clocks, links, all of one length."""
    return _mapped(tuple(weights.items()), watts, node)(*(np.asarray(column, np.float32) for column in columns))


@cache
def _whole(weights, watts, node):
    import jax

    return jax.jit(body(dict(weights), watts, node))


@cache
def _mapped(weights, watts, node):
    import jax

    return jax.jit(jax.vmap(body(dict(weights), watts, node, on_jax())))
