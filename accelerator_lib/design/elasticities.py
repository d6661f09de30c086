"""Elasticities: percent of score for one percent of a knob, at one design.

    elasticity = d ln(score) / d ln(knob)          by automatic differentiation through the laws (numbers.py, or JAX)

Whole folds, whole chips: the laws round up, and a function that rounds up is a staircase. Its slope is 0 on every step,
and says nothing of the next one. So `smooth` puts max(x, 1) where the laws have ceil(x), and `stepped` compares two
designs 10 % below and above.
"""

from functools import cache
from math import log
from types import MappingProxyType

import numpy as np

from accelerator_lib.checks.signature import Number, Single, Switch, checked
from accelerator_lib.design.grid import judge, results
from accelerator_lib.design.machine import ADesign, Machine, machines
from accelerator_lib.design.merit import AMix
from accelerator_lib.design.merit import mix as mixed
from accelerator_lib.design.numbers import Dual, on_dual, on_jax, on_numpy, variables

NAMES = ("edge", "arrays", "SRAM", "stacks", "clock", "link")
KNOBS = MappingProxyType(dict(zip(Machine._fields, NAMES, strict=False)))
STEP = 0.1


@checked
def elasticities(design: ADesign, smooth: Switch = True, mix: AMix = None):
    """{knob: percent of score for one percent of it}, by the gradient at this design.
    Without stacks that knob is 0 percent of nothing: its elasticity is 0. Memory is that of the stacks, even of a
    published chip that brings its own."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a job that cannot run: its score is 0, and so is all slope
        merit = _score(variables(_knobs(design)), mixed(mix), _kind(design), on_dual(smooth))
    found = np.zeros(len(KNOBS))
    if isinstance(merit, Dual) and merit.value > 0:
        found = merit.slopes / merit.value * _knobs(design)
    return dict(zip(KNOBS, map(float, np.where(np.isfinite(found), found, 0.0)), strict=True))


@checked
def stepped(design: ADesign, mix: AMix = None, step: Single(Number(low=1e-3, high=0.9)) = STEP):
    """{knob: the same between two designs, one so much below, one so much above}, as built: whole folds and chips."""
    knobs, weights, found = _knobs(design), mixed(mix), {}
    for place, name in enumerate(KNOBS):
        scores = []
        for factor in (1 - step, 1 + step):
            moved = knobs.copy()
            moved[place] *= factor
            scores.append(float(_score(moved, weights, _kind(design), on_numpy())))
        gained = log(scores[1] / scores[0]) if min(scores) > 0 else 0.0
        found[name] = gained / log((1 + step) / (1 - step))
    return found


def _knobs(design):
    return np.array([float(getattr(design, name)) for name in KNOBS])


def _kind(design):
    """What is no knob: (node, bytes of a number, of one in the caches)."""
    machine = design.machine()
    return design.node, machine.element_bytes, machine.cache_bytes


def _score(knobs, weights, kind, on, array=np.asarray):
    """Score of one design given by its knobs, up to a factor that its format sets."""
    node, element, cached = kind
    machine = machines(*knobs, node=node)._replace(element_bytes=element, cache_bytes=cached)
    return judge(machine, results(machine, tuple(weights), on, 0, array), weights, 1e9, on).score


@checked
def by_jax(design: ADesign, smooth: Switch = True, mix: AMix = None):
    """The same through jax.grad, in 32 bits: the second road. It compiles for some seconds, once for a mix."""
    slope = _gradient(tuple(mixed(mix).items()), _kind(design))(_knobs(design).astype(np.float32), smooth)
    return dict(zip(KNOBS, map(float, np.where(np.isfinite(slope), slope, 0.0)), strict=True))


@cache
def _gradient(weights, kind):
    """The gradient of ln(score) times the knobs, compiled once for a mix, a node and a format, smooth or not."""
    import jax
    import jax.numpy as jnp

    built, even, weights = on_jax(), on_jax(smooth=True), dict(weights)

    def merit(knobs, smooth):
        either = {
            name: lambda value, name=name: jnp.where(smooth, getattr(even, name)(value), getattr(built, name)(value))
            for name in ("ceil", "floor")
        }
        column = lambda values: jnp.asarray(values, jnp.float32)  # noqa: E731
        return jnp.log(_score(knobs, weights, kind, built._replace(**either), column))

    slope = jax.jit(lambda knobs, smooth: jax.grad(merit)(knobs, smooth) * knobs)
    return lambda knobs, smooth: np.asarray(slope(knobs, smooth), float)
