"""Refs: what a Pallas kernel reaches of its operands, a block of an array on the chip.

A block of an output or scratch holds nothing until it is written.
Past the edge of an array a block holds nan, as Pallas interpreted by JAX has it: a kernel must not use what is there.
"""

from math import prod

import numpy as np

from accelerator_lib.gpu.language import leaves, listed
from accelerator_lib.kernels.language import Fault

NOWHERE = {"f": np.nan, "i": np.iinfo(np.int32).min, "b": False}  # what lies past the edge, by kind of number


class Slice:
    """pl.ds(start, size): so many places from a start that may depend on the step."""

    def __init__(self, start, size):
        self.start, self.size = int(start), size


class Ref:
    """A block of one operand; `known` says which places hold something (None: an input, all of them)."""

    def __init__(self, name, values, known=None, again=False):
        self.name, self.values, self.known, self.again = name, values, known, again
        self.touched, self.line = False, 1  # whether anything was read; where it was written last

    def read(self, key, line):
        """The values at a key. Raises Fault where nothing was written yet."""
        at, self.touched = self.at(key, line, "reads"), True
        if self.known is not None and not self.known[at].all():
            back = "this block left the chip and comes back empty: let its index stay until the block is done"
            raise Fault("unset", line, back if self.again else f"{self.name} is read before this step wrote there")
        return self.values[at].copy() if isinstance(self.values[at], np.ndarray) else self.values[at]

    def write(self, key, value, line):
        """Store a value of a shape that fits; how many places it fills. Raises Fault."""
        if self.known is None:
            raise Fault("language", line, f"{self.name} is an input: it is only to be read")
        at, self.line = self.at(key, line, "writes"), line
        room = self.values[at].shape
        if np.shape(value) not in ((), room):
            raise Fault("value", line, f"{self.name} has {room} there, the value is {np.shape(value)}")
        if np.asarray(value).dtype.kind == "f" and self.values.dtype.kind == "i":
            raise Fault("value", line, f"{self.name} holds whole numbers: .astype(jnp.int32) makes them")
        self.values[at], self.known[at] = value, True
        return prod(room)

    def at(self, key, line, way):
        """A key as NumPy takes it: whole numbers, slices, pl.ds and ..., within the block."""
        key = key if isinstance(key, tuple) else (key,)
        if key == (Ellipsis,):
            return (slice(None),) * self.values.ndim
        shape, axes = self.values.shape, self.values.ndim
        if len(key) != axes:
            raise Fault("bounds", line, f"{self.name} has {axes} axes, not {len(key)}; ... stands for all of them")
        at = tuple(self._along(part, side, line) for part, side in zip(key, shape, strict=True))
        spans = [(part.start, part.stop) if isinstance(part, slice) else (part, part + 1) for part in at]
        if any(last < first for first, last in spans):
            raise Fault("bounds", line, f"a part of {self.name} ends before it begins: [{listed(at)}]")
        if any(first < 0 or last > side for (first, last), side in zip(spans, shape, strict=True)):
            axis, ends, place = leaves(at, shape)
            side = {1: "places", 2: ("rows", "columns")[axis % 2]}.get(len(shape), f"places on axis {axis}")
            said = f"this step {way} [{listed(at)}] of the block of {self.name}, but its {side} {ends} at {place}"
            raise Fault("bounds", line, said)
        return at

    def _along(self, part, side, line):
        if isinstance(part, (int, np.integer)) and not isinstance(part, (bool, np.bool_)):
            return int(part)
        if isinstance(part, Slice):
            first, last = part.start, part.start + part.size
        elif isinstance(part, slice) and part.step is None:
            first, last = 0 if part.start is None else part.start, side if part.stop is None else part.stop
        else:
            raise Fault("language", line, f"{self.name} is reached by ..., :, whole numbers and pl.ds(start, size)")
        if type(first) is not int or type(last) is not int:
            raise Fault("language", line, "a slice that depends on the step is pl.ds(start, size)")
        return slice(first, last)


def cut(array, shape, index):
    """(a block, the part of the array that it covers, the part of the block that this fills)."""
    parts = zip(index, shape, array.shape, strict=True)
    there = tuple(slice(place * side, min((place + 1) * side, length)) for place, side, length in parts)
    here = tuple(slice(0, span.stop - span.start) for span in there)
    block = np.full(shape, NOWHERE[array.dtype.kind], array.dtype)
    block[here] = array[there]
    return block, there, here
