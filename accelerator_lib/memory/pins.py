"""Pins: published memories, by how many data pins they have and how fast each is.

bandwidth = data pins x rate of a pin / 8
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.hardware import chip

PINS = 1024  # of a stack of HBM up to HBM3E


@dataclass(frozen=True)
class Memory:
    """A published memory: its data pins, and the bandwidth of all of them [B/s]."""

    name: str
    pins: int
    bytes_per_s: float

    bits_per_s = property(lambda self: self.bytes_per_s * 8 / self.pins)  # rate of one pin


def memories():
    """A few Memories, as their datasheets give them."""
    rows = data.load("memory_levels")["memories"]
    return tuple(Memory(row["name"], row["bits"], row["bytes_per_s"]) for row in rows)


def stacked(chip_id):
    """The Memory of a chip with stacks of HBM, of which it uses all: 1,024 pins each."""
    one = chip(chip_id)
    stacks = next(row["stacks"] for row in data.load("silicon")["shores"] if one.short_name.startswith(row["chip"]))
    return Memory(f"{one.short_name}, {one.memory}", PINS * stacks, one.bytes_per_s)


def energies():
    """{generation: pJ of a bit read from it}; their scopes differ, see the data file."""
    return {row["generation"]: row["pj_per_bit"] for row in data.load("memory_levels")["dram_energy"]}
