"""Grids: a kernel walked over a grid, and which block of which array comes and goes on the way.

A block comes when its index changes from one step to the next, and leaves, if it is an output, when its index changes.
Only what lies within the array is moved. On the chip each block stands twice: one is used while the next comes.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.refs import NOWHERE, Ref, cut
from accelerator_lib.kernels.specs import Function, Operand, Shaped, Spec

MOST_STEPS, MOST_AXES, MOST_REFS, BUFFERS = 50_000, 4, 16, 2
NUMBER_BYTES = 4
A_STEP = 6  # nodes of a text that take as long, and as much memory, as one operand of one step


@dataclass(frozen=True, eq=False)
class Step:
    """One step of a grid: the blocks that came before it and those that left after it, {operand: index}."""

    place: tuple
    fetched: dict
    written: dict
    moved_bytes: int
    macs: int
    here: dict  # operand -> index of the block that is used


@dataclass(frozen=True, eq=False)
class Walked:
    """One pallas_call: its blocks, what moved for each operand [byte], what of it no step looked at, its steps."""

    grid: tuple
    line: int
    blocks: dict  # operand -> (shape of a block, line of its spec)
    shapes: dict  # operand -> shape of the array
    fetched_bytes: dict
    written_bytes: dict
    unread_bytes: dict
    footprint_bytes: int
    steps: tuple
    inputs: tuple  # names
    outputs: dict  # name -> array


class Slot:
    """An operand on its way: the block that is on the chip, its index, what it has moved."""

    def __init__(self, name, array, spec, output):
        self.name, self.array, self.output = name, array, output
        self.shape = spec.shape or array.shape
        self.spec, self.index, self.ref, self.there, self.here = spec, None, None, None, None
        self.moved, self.unread, self.seen = 0, 0, set()

    def need(self, index):
        """Have this block on the chip; whether it had to come. Raises Fault where the array has no such block."""
        if index == self.index:
            return False
        many = tuple(-(-length // side) for length, side in zip(self.array.shape, self.shape, strict=True))
        if any(not 0 <= at < most for at, most in zip(index, many, strict=True)):
            first, last = (0,) * len(many), tuple(most - 1 for most in many)
            said = f"a step needs block {index} of {self.name}, but the blocks of {self.name} are {first} to {last}"
            raise Fault("bounds", self.spec.line, said)
        self.leave()
        self.index = index
        block, self.there, self.here = cut(self.array, self.shape, index)
        if self.output:
            block[...] = NOWHERE[block.dtype.kind]
            self.ref = Ref(self.name, block, np.zeros(self.shape, bool), index in self.seen)
            self.seen.add(index)
        else:
            self.ref = Ref(self.name, block)
            self.moved += self.covers
        return True

    covers = property(lambda self: NUMBER_BYTES * prod(each.stop - each.start for each in self.here))

    def leave(self):
        """Let the block go; an output is written back."""
        if self.ref is None:
            return
        if not self.output:
            self.unread += 0 if self.ref.touched else self.covers
            return
        known, values = self.ref.known[self.here], self.ref.values[self.here]
        if values.dtype.kind == "f" and np.isnan(values[known]).any():
            cause = "it comes from what lies past the edge of an array, or from infinity less infinity"
            raise Fault("value", self.ref.line, f"not-a-number goes to {self.name}: {cause}")
        self.array[self.there] = np.where(known, values, self.array[self.there])
        self.moved += self.covers


def walk(reader, call, operands, names, room_bytes, empty):
    """Walked of a call on Operands; `names` are those of its outputs, `empty` is what an output holds before."""
    grid, slots, scratch = _prepared(call, operands, names, empty)
    need = BUFFERS * NUMBER_BYTES * sum(prod(slot.shape) for slot in slots)
    need += NUMBER_BYTES * sum(ref.values.size for ref in scratch)
    if need > room_bytes:
        said = f"twice its blocks and its scratch are {need:,} bytes; the chip has room for {room_bytes:,}"
        raise Fault("budget", call.line, said)
    steps, reader.grid = [], grid
    try:
        _walk(reader, call, grid, slots, scratch, steps)
    except Fault as fault:
        fault.made = _walked(call, grid, slots, need, steps)
        raise
    for slot in slots:
        slot.leave()
    reader.place, reader.grid = None, ()
    return _walked(call, grid, slots, need, steps)


def _walk(reader, call, grid, slots, scratch, steps):
    """Have the kernel run for each place of a grid; `steps` grows, also by one in which a Fault is raised."""
    for place in product(*map(range, grid)):
        reader.spend(call, 0, A_STEP * len(slots))
        reader.place, before, macs = place, sum(slot.moved for slot in slots), reader.macs
        wanted = [(slot, _index(reader, slot, place)) for slot in slots]
        left = {slot.name: slot.index for slot, index in wanted if slot.output and slot.index not in (None, index)}
        came = [slot for slot, index in wanted if slot.need(index)]
        reader.spend(call, sum(prod(slot.shape) for slot in came))
        fetched = {slot.name: slot.index for slot in came if not slot.output}
        moved = sum(slot.moved for slot in slots) - before
        here = {slot.name: index for slot, index in wanted}
        try:
            reader.enter(call.kernel, [*(slot.ref for slot in slots), *scratch], None)
        finally:
            steps.append(Step(place, fetched, left, moved, reader.macs - macs, here))


def _walked(call, grid, slots, need, steps):
    moved, unread, outs = Counter(), Counter(), [slot for slot in slots if slot.output]
    for slot in slots:
        if not slot.output:
            moved[slot.name] += slot.moved
            unread[slot.name] += slot.unread
    blocks = {slot.name: (slot.shape, slot.spec.line) for slot in slots}
    written, made = {slot.name: slot.moved for slot in outs}, {slot.name: slot.array for slot in outs}
    shapes = {slot.name: slot.array.shape for slot in slots}
    return Walked(grid, call.line, blocks, shapes, moved, written, unread, need, tuple(steps), tuple(moved), made)


def _index(reader, slot, place):
    if slot.spec.index is None:
        return (0,) * slot.array.ndim
    found = reader.enter(slot.spec.index, [np.int32(axis) for axis in place], None)
    found = found if isinstance(found, tuple) else (found,)
    if len(found) != slot.array.ndim or any(not isinstance(at, (int, np.integer)) for at in found):
        raise Fault("value", slot.spec.line, f"the index of a block of {slot.name} is {slot.array.ndim} whole numbers")
    return tuple(map(int, found))


def _prepared(call, operands, names, empty):
    """(grid, Slots, Refs of the scratch) of a call. Raises Fault."""
    options, line = dict(call.options), call.line
    grid = _several(options.pop("grid", ()))
    if not all(type(side) is int and side > 0 for side in grid) or len(grid) > MOST_AXES:
        raise Fault("value", line, f"a grid has at most {MOST_AXES} whole numbers above 0")
    if prod(grid) > MOST_STEPS:
        raise Fault("budget", line, f"{prod(grid):,} steps; this machine walks {MOST_STEPS:,}: take larger blocks")
    shapes, scratch = _several(options.pop("out_shape", ())), _several(options.pop("scratch_shapes", ()))
    specs_in, specs_out = options.pop("in_specs", None), options.pop("out_specs", None)
    if options:
        raise Fault("language", line, f"pl.pallas_call takes no {next(iter(options))[:40]} here")
    if not shapes or not all(isinstance(each, Shaped) for each in (*shapes, *scratch)):
        raise Fault("language", line, "out_shape is a jax.ShapeDtypeStruct(shape, dtype), scratch_shapes pltpu.VMEM")
    if not all(isinstance(each, Operand) for each in operands) or len(shapes) != len(names):
        raise Fault("language", line, "pl.pallas_call(...) is called with arrays, and gives as many as out_shape says")
    if len(operands) + len(names) + len(scratch) > MOST_REFS:
        raise Fault("language", line, f"a kernel has at most {MOST_REFS} refs")
    whole = Spec(None, None, line)
    specs_in = (whole,) * len(operands) if specs_in is None else _several(specs_in)
    specs_out = (whole,) * len(names) if specs_out is None else _several(specs_out)
    if len(specs_in) != len(operands) or len(specs_out) != len(names):
        said = f"{len(operands)} arrays and {len(specs_in)} in_specs, {len(names)} outputs"
        raise Fault("language", line, f"{said} and {len(specs_out)} out_specs")
    made = [np.full(each.shape, empty, each.dtype) for each in shapes]
    slots = [Slot(each.name, each.values, spec, False) for each, spec in zip(operands, specs_in, strict=True)]
    slots += [Slot(name, array, spec, True) for name, array, spec in zip(names, made, specs_out, strict=True)]
    for slot in slots:
        if not isinstance(slot.spec, Spec) or len(slot.shape) != slot.array.ndim:
            said = f"the block of {slot.name} needs a pl.BlockSpec with {slot.array.ndim} sides, as the array has"
            raise Fault("value", getattr(slot.spec, "line", line), said)
    if not isinstance(call.kernel, Function):
        raise Fault("language", line, "the first argument of pl.pallas_call is a function of the text")
    empty = [np.full(each.shape, NOWHERE[np.dtype(each.dtype).kind], each.dtype) for each in scratch]
    return grid, slots, [Ref("scratch", each, np.zeros(each.shape, bool)) for each in empty]


def _several(value):
    return value if isinstance(value, tuple) else (value,)
