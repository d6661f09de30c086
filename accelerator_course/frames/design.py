"""Frames of chapters 13 and 13b: a model poured into chips; the best floor plans for more and more rows."""

from dataclasses import dataclass
from math import ceil

from accelerator_lib import silicon
from accelerator_lib.design import capacity
from accelerator_lib.design.zoo import Record, records

LARGE, SMALL = "h100-sxm5", "groq-lpu"  # a chip with memory beside its die, and one with memory on it
ROWS = 16  # into how many frames the small chips are cut


@dataclass(frozen=True)
class Poured:
    """A model half poured: bytes that lie in large chips, and in small ones, of as many as each will need."""

    name: str
    bits: int
    needed_bytes: float
    large: Record
    small: Record
    in_large: float
    in_small: float
    will_need: int  # small chips, for all of it

    large_chips = property(lambda self: ceil(self.in_large / self.large.memory_bytes))
    small_chips = property(lambda self: ceil(self.in_small / self.small.memory_bytes))
    ended = property(lambda self: self.in_small == self.needed_bytes)


def pour(model="llama-2-70b", bits=16):
    """Yield Poured: nothing, half a large chip after another, then rows of small chips."""
    found, (large, small) = capacity.needed(model, bits), (records()[id] for id in (LARGE, SMALL))
    size, many = found.weight_bytes, ceil(found.weight_bytes / small.memory_bytes)
    row = max(1, ceil(many / ROWS)) * small.memory_bytes
    half = large.memory_bytes / 2
    first = [min(size, half * i) for i in range(ceil(size / half) + 1)]
    states = [(one, 0.0) for one in first] + [(size, min(size, row * i)) for i in range(1, ceil(size / row) + 1)]
    for in_large, in_small in states:
        yield Poured(found.name, bits, size, large, small, in_large, in_small, many)


def best_plans(must_hold=0, stack_gb=16):
    """Yield (Served, the same) of the best floor plan for 1, 2, 4, ... 4,096 rows."""
    for n in range(13):
        found = silicon.cheapest(2**n, must_hold, stack_gb)
        yield found, found
