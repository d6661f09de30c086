"""Pallas, interpreted: a text in Pallas' own notation, walked over its grids in NumPy; nothing of it is executed.

The text has the arrays and sizes by name, and jnp, jax, pl and pltpu; it ends when its last pallas_call has. With JAX
the same text runs as it stands: onjax. Left out: the shapes that a real chip demands of blocks, what a kernel makes
on the way (its blocks and its scratch count), the start of a copy.
"""

import ast
from collections import ChainMap
from dataclasses import dataclass

import numpy as np

from accelerator_lib.kernels.bodies import Bodies
from accelerator_lib.kernels.grids import walk
from accelerator_lib.kernels.language import Fault, read, said
from accelerator_lib.kernels.specs import UNTOUCHED, Left, Operand, told

MOST_CALLS, MOST_LEFT = 64, 2**22


@dataclass(frozen=True, eq=False)
class Tiled(Left):
    """A text that has run: what it left, and each pallas_call of it."""

    calls: tuple  # of Walked
    room_bytes: int

    @property
    def moved_bytes(self):
        """Bytes between the memory and the chip, both ways, a block whenever its index changed."""
        return sum(sum((*call.fetched_bytes.values(), *call.written_bytes.values())) for call in self.calls)

    macs = property(lambda self: sum(step.macs for call in self.calls for step in call.steps))
    steps = property(lambda self: sum(len(call.steps) for call in self.calls))
    footprint_bytes = property(lambda self: max((call.footprint_bytes for call in self.calls), default=0))


def run(source, arguments, outputs, room_bytes):
    """Tiled of a text on arrays and numbers by name. Raises Fault, with its line, for what is wrong with it."""
    with said(source):
        return _run(source, read(source), arguments, outputs, room_bytes)


def _run(source, body, arguments, outputs, room_bytes):
    given, calls = {}, []
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            value = Operand(name, value.astype(np.float32 if value.dtype.kind == "f" else np.int32))
        given[name] = value

    def call(asked, operands, line):
        if len(calls) >= MOST_CALLS:
            raise Fault("budget", line, f"a text makes at most {MOST_CALLS} calls of Pallas")
        names = naming.get(line) or ["a result"]
        shapes = asked.options.get("out_shape", ())
        many = len(shapes) if isinstance(shapes, tuple) else 1
        names = names if len(names) == many else [f"{names[0]} {number}" for number in range(many)]
        if any(not isinstance(each, Operand) for each in operands):
            raise Fault("language", line, "pl.pallas_call(...) is called with arrays in memory")
        try:
            calls.append(walk(reader, asked, operands, names, room_bytes, UNTOUCHED))
        except Fault as fault:
            walked = [*calls, fault.made] if fault.made else calls
            fault.made = Tiled(source, {}, tuple(walked), room_bytes, fault=fault)
            raise
        if sum(array.size for each in calls for array in each.outputs.values()) > MOST_LEFT:
            raise Fault("budget", line, f"all results together have at most {MOST_LEFT:,} numbers here")
        made = tuple(Operand(name, array) for name, array in calls[-1].outputs.items())
        return made if isinstance(shapes, tuple) else made[0]

    naming = _named(body)
    reader = Bodies(call)
    names = ChainMap({}, given)
    with np.errstate(all="ignore"):
        reader.run(body, names)
    return Tiled(source, _left(names, arguments, outputs), tuple(calls), room_bytes)


def _named(body):
    """{line of a call: names of what it gives} of the statements at the top of a text."""
    found = {}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            parts = getattr(node.targets[0], "elts", node.targets[:1])
            if all(isinstance(part, ast.Name) for part in parts):
                found[node.value.lineno] = [part.id for part in parts]
    return found


def _left(names, arguments, outputs):
    """{name: array} of what was asked for; where the text has no such name, nobody has written there."""
    found = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    for name, shape in outputs.items():
        value = names.get(name, None)
        if value is None:
            found[name] = np.full(shape, UNTOUCHED, np.float32)
            continue
        if not isinstance(value, Operand):
            raise ValueError(f"{name} must be what a pl.pallas_call gives, not {told(value)}")
        if value.values.shape != tuple(shape):
            raise ValueError(f"{name} has the shape {value.values.shape}, asked for is {tuple(shape)}")
        found[name] = value.values
    return found
