"""HLO: the collectives of a compiled program, read out of its text: what each produces on a device.
%all-reduce.1 = f32[64,1024]{1,0} all-reduce(f32[64,1024]{1,0} %dot), replica_groups=...
Collective("all-reduce", arrays=1, bytes=262144)             several arrays may share one, a bucket
"""

import re
from dataclasses import dataclass
from math import prod

from accelerator_lib.checks.signature import Record, checked

KINDS = ("all-reduce", "all-gather", "reduce-scatter", "collective-permute", "all-to-all")
ELEMENT_BYTES = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "f64": 8, "s64": 8}
LINE = re.compile(rf"= (\(.*?\)|\S+) ({'|'.join(KINDS)})(?:-start)?\(")
SHAPE = re.compile(r"([a-z]+\d+|pred)\[([\d,]*)\]")


@dataclass(frozen=True)
class Collective:  # one operation between devices: its kind, how many arrays share it, and their bytes on one device
    kind: str
    arrays: int
    bytes: int


@checked
def collectives(text: Record(str)):
    """A tuple of Collective, in the order of the text. Raises TypeError, ValueError for an unknown type of element."""
    found = LINE.findall(text)
    return tuple(Collective(kind, len(SHAPE.findall(shapes)), array_bytes(shapes)) for shapes, kind in found)


def array_bytes(shapes):
    """Bytes of all arrays in the text of a type: f32[64,1024]{1,0}, or several in brackets. Raises ValueError."""
    found = SHAPE.findall(shapes)
    for element, _ in found:
        if element not in ELEMENT_BYTES:
            raise ValueError(f"the program holds elements of type {element!r}; known: {', '.join(ELEMENT_BYTES)}")
    return sum(prod(map(int, filter(None, dims.split(",")))) * ELEMENT_BYTES[element] for element, dims in found)
