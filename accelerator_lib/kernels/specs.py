"""Specs: what a text names beside numbers: functions, arrays in memory, blocks, shapes, what it left."""

from collections import ChainMap
from dataclasses import dataclass, field

import numpy as np

from accelerator_lib.kernels.functions import shape_of
from accelerator_lib.kernels.language import Fault, lines_of
from accelerator_lib.kernels.notation import refused

UNTOUCHED = -77.0  # what an output holds before a kernel writes it


@dataclass(frozen=True, eq=False)
class Left:
    """A text that has run, and the arrays that it left, by name."""

    source: str
    arrays: dict
    fault: Fault | None = field(default=None, kw_only=True)  # what stopped it

    lines = property(lambda self: tuple(lines_of(self.source)))


@dataclass(frozen=True, eq=False, repr=False)
class Function:
    """A def or a lambda of the text, with the names around it."""

    name: str
    params: tuple
    body: object
    names: ChainMap
    line: int


@dataclass(frozen=True, eq=False)
class Operand:
    """An array in the memory of the chip: only blocks of it reach a kernel."""

    name: str
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Spec:
    """pl.BlockSpec: the shape of a block, and which block a step of the grid needs; None stands for the whole array."""

    shape: tuple | None
    index: Function | None
    line: int


@dataclass(frozen=True, eq=False)
class Shaped:
    """jax.ShapeDtypeStruct or pltpu.VMEM: a shape and a format."""

    shape: tuple
    dtype: type
    kind: str


@dataclass(frozen=True, eq=False, repr=False)
class Call:
    """pl.pallas_call, which waits for its arrays."""

    kernel: Function
    options: dict
    line: int


def told(value):
    """What a learner's value is, in a few letters: a number as it stands, of anything else only the kind, unseen."""
    if isinstance(value, (bool, int, float, np.generic)):
        return f"{value}"
    words = {tuple: "a tuple", np.ndarray: "an array of numbers", Function: "a function of the text"}
    words |= {Spec: "a pl.BlockSpec", Operand: "an array in memory", Shaped: "a shape", type(None): "nothing"}
    words[Call] = "a pl.pallas_call(...) that is not called yet"
    return words.get(type(value), "something else")


def specified(node, block_shape=None, index_map=None):
    """Spec of the arguments of pl.BlockSpec. Raises Fault."""
    if index_map is not None and not isinstance(index_map, Function):
        raise refused(node, "pl.BlockSpec takes the shape of a block and a function of the step")
    return Spec(None if block_shape is None else shape_of(block_shape), index_map, node.lineno)
