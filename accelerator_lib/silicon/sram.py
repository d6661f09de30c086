"""SRAM: how many bytes fit on a die, and how many dies a model then needs.

    bytes = area / cell x array efficiency / 8

A cell is six transistors; decoders, amplifiers and spare rows take the rest of the array. Facts: data/silicon.yaml.
Ignored: what the die needs beside memory, and the wires to it.
"""

from dataclasses import dataclass
from math import ceil, prod

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, OneOf, Share, Single, checked
from accelerator_lib.silicon.ports import ANodeName, nodes
from accelerator_lib.silicon.wafer import FIELD_MM

HELD = {  # what is to be held: (model, bytes of a weight)
    "Llama 2 7B, 4 bits": ("llama-2-7b", 0.5),
    "Llama 2 7B, 16 bits": ("llama-2-7b", 2),
    "Llama 2 70B, 4 bits": ("llama-2-70b", 0.5),
    "Llama 2 70B, 16 bits": ("llama-2-70b", 2),
}
HALF_MM = data.load("silicon")["geometry"]["half_field_mm"]["value"]
DIES = {"one field": (FIELD_MM, 0), "half a field": (HALF_MM, 0), "memory on top": (FIELD_MM, 1)}  # how many are on top
OneShare, Cells, Die = Single(Share), Single(Number(low=0.01, high=1)), OneOf(tuple(DIES))


@checked
def sram_bytes(area_mm2: Number(0, 1e6, "mm2"), bitcell_um2: Number(1e-4, 10, "um2"), efficiency: Share = 0.7):
    """Bytes of memory on an area; scalars or arrays."""
    return area_mm2 * 1e6 / bitcell_um2 * efficiency / 8


@dataclass(frozen=True)
class Ceiling:
    """Memory on a die as large as can be printed, and how many such dies each thing of HELD takes."""

    node: str
    share: float  # of the die that is memory
    efficiency: float
    capacity_bytes: float
    need_bytes: dict  # {what: bytes}
    die: str

    @property
    def times(self):
        """{what: how many times what one die holds}; None where it holds nothing."""
        each = self.capacity_bytes
        return {what: need / each if each else None for what, need in self.need_bytes.items()}

    size_mm = property(lambda self: DIES[self.die][0])  # (width, height)
    area_mm2 = property(lambda self: prod(self.size_mm))
    on_top = property(lambda self: DIES[self.die][1])  # dies of nothing but memory
    # {what: dies that hold it}; None where they hold nothing
    dies = property(lambda self: {what: times and ceil(times) for what, times in self.times.items()})

    @property
    def last_fill(self):
        """{what: share of the last of its dies that it fills}."""
        return {what: times and times - self.dies[what] + 1 for what, times in self.times.items()}


@data.kept
def held():
    """{what: bytes of its weights}."""
    from accelerator_lib.workload import models  # only where it is asked for: it takes a while to load

    return {what: models.model(id).params * size for what, (id, size) in HELD.items()}


@checked
def ceiling(share: OneShare = 1.0, node: ANodeName = "N5", efficiency: Cells = 0.7, die: Die = "one field"):
    """Ceiling of a die, a share of which is memory; a die that lies on top is nothing else."""
    size, more = DIES[die]
    capacity = sram_bytes((share + more) * prod(size), nodes()[node].bitcell_um2, efficiency)
    return Ceiling(node, share, efficiency, capacity, held(), die)


@checked
def dies_to_hold(what: OneOf(tuple(HELD)), node: ANodeName = "N5"):
    """How many dies of 858 mm², nothing but memory, hold a model."""
    return ceiling(1.0, node).dies[what]
