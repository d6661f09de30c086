"""Kinds: GPU-like, TPU-like, SRAM machine, told apart by two published numbers, and what a job makes of them.
size of a unit   multiply-accumulates that one unit does in a cycle: it wants products that are as wide (ch. 6)
hunger           dense 16-bit peak / rate of the memory in which the weights lie [FLOP/byte]: the ridge of chapter 3
share of peak    min(1, rows / hunger): 2 x rows FLOP for each weight of 2 bytes
"""

from dataclasses import dataclass
from functools import cache

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Positive, Single, checked
from accelerator_lib.design.capacity import chips_for_weights
from accelerator_lib.design.zoo import Record, records
from accelerator_lib.roofline import ridge_point

HELD = "llama-2-70b"


@dataclass(frozen=True)
class Placed:  # one machine: MACs of a unit, FLOP/byte at which its arithmetic is fed, and what the job finds
    record: Record
    unit_macs: int
    hunger: float
    share: float
    chips: int  # that hold Llama 2 70B in 16 bits
    fed = property(lambda self: self.share >= 1)  # whether the job has the reuse that its memory asks for
    seconds_to_read = property(lambda self: self.record.memory_bytes / self.record.bytes_per_s)  # its whole memory


@dataclass(frozen=True)
class Kinds:  # all machines for one job of so many rows
    rows: int
    machines: tuple
    first = property(lambda self: min(self.machines, key=lambda one: one.hunger).record.name)  # with the fewest rows


@checked
def kinds(rows: Single(Count(high=10**6)) = 1):
    """Kinds of a product with so many rows of inputs: requests that write a token, or tokens of a prompt."""
    from accelerator_lib.llm.counts import param_count  # only where it is asked for: the chapter takes a while to load

    weights = param_count(HELD)
    placed = []
    for row, macs, hunger in _machines():
        chips = chips_for_weights(weights, 2, row.memory_bytes)
        placed.append(Placed(row, macs, hunger, share_of_peak(rows, hunger), chips))
    return Kinds(rows, tuple(placed))


@checked
def share_of_peak(rows: Single(Positive), hunger: Single(Positive)):
    """Share of its peak that a machine reaches at most with so many rows, fed from `hunger` FLOP/byte on."""
    return min(1.0, rows / hunger)


@cache
def _machines():
    """(record with memory and rate, MACs of a unit, FLOP/byte) of each; a part's two records complete each other."""
    known, found = records(), []
    for entry in data.load("forensics")["units"]:
        row = known[entry["chip"]]
        held = row if row.bytes_per_s and row.memory_bytes else known[row.part]
        found.append((held, entry["macs"], float(ridge_point(row.peak("16 bits"), held.bytes_per_s))))
    return tuple(found)
