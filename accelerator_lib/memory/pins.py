"""Pins: published memories, by how many data pins they have and how fast each is.

bandwidth = data pins x rate of a pin / 8
"""

from dataclasses import dataclass

from accelerator_lib import data


@dataclass(frozen=True)
class Memory:
    """A published memory: its data pins, and the bandwidth of all of them [B/s]."""

    name: str
    pins: int
    bytes_per_s: float

    @property
    def bits_per_s(self):
        """Rate of one pin."""
        return self.bytes_per_s * 8 / self.pins


def memories():
    """A few Memories, as their data sheets give them."""
    rows = data.load("memory_levels")["memories"]
    return tuple(Memory(row["name"], row["bits"], row["bytes_per_s"]) for row in rows)


def energies():
    """{generation: pJ of a bit read from it}; their scopes differ, see the data file."""
    return {row["generation"]: row["pj_per_bit"] for row in data.load("memory_levels")["dram_energy"]}
