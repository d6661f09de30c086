"""Devices: real JAX programs on eight simulated devices, in a Python of their own (worker.py).
JAX counts its devices once, when it is first used; so nothing changes here. A function may use what it is given and
what it imports itself.
"""

from types import FunctionType

from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.checks.signature import Count, Given, Switch, checked
from accelerator_lib.network import worker
from accelerator_lib.recorded import NotRecorded, here, or_recorded

DEVICES, AXIS = 8, "chips"


def _function(given):
    if not isinstance(given, FunctionType):
        raise TypeError(f"need a function, not {type(given).__name__}")
    if given.__closure__:
        used = ", ".join(given.__code__.co_freevars)
        raise ValueError(f"{given.__name__} uses {used} of its surroundings; pass them")
    return given


def _table(given):
    if not isinstance(given, dict) or not given:
        raise TypeError(f"need a table such as {{'x': (64, 1024)}}, not {type(given).__name__} {given!r:.40}")
    return given


AFunction, Table, Many = Given("a function", _function), Given("a table", _table), Count(1, 64)


@checked
def run(function: AFunction, *arguments, devices: Many = DEVICES):
    """What `function(*arguments)` returns on that many simulated devices, in a Python of its own.
    Arguments are plain (numbers, texts, NumPy arrays, tuples, dicts) or functions; so is the result, of arrays NumPy's.
    Raises RuntimeError with the last line of what went wrong there."""
    if not here():
        raise NotRecorded
    return worker.ask(function, arguments, devices)


@checked
def compiled(function: AFunction, shapes: Table, splits: Table, gradient: Switch = False, devices: Many = DEVICES):
    """{name of a split: text of the compiled program} of one function of fp32 arrays, compiled for all splits.
    `shapes`: {argument: shape}. `splits`: {name: {argument: (None, "chips"), ...}}: which axis of an array is cut into
    equal parts; arguments not named are whole on every device. "result" says so for what comes back. With `gradient`
    the program gives the gradients of the sum of the result's squares, each cut as its argument is."""
    for name, split in splits.items():
        for argument in split.keys() - shapes.keys() - {"result"}:
            raise UnknownName(f"split {name!r} names {argument!r}; the arguments are {', '.join(shapes)}")
    return _compiled(function, shapes, splits, gradient, devices)


@or_recorded
def _compiled(function, shapes, splits, gradient, devices):
    return run(_texts, function, shapes, splits, gradient, AXIS, devices=devices)


def _texts(function, shapes, splits, gradient, axis):
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    mesh, found = Mesh(np.array(jax.devices()), (axis,)), {}
    if gradient:
        forward, places = function, tuple(range(len(shapes)))
        function = jax.grad(lambda *arrays: (forward(*arrays) ** 2).sum(), places)
    for name, split in splits.items():
        cut = {key: NamedSharding(mesh, PartitionSpec(*split.get(key, ()))) for key in (*shapes, "result")}
        given = [jax.ShapeDtypeStruct(shape, "float32", sharding=cut[key]) for key, shape in shapes.items()]
        back = tuple(cut[key] for key in shapes) if gradient else cut["result"]
        found[name] = jax.jit(function, out_shardings=back).lower(*given).compile().as_text()
    return found
