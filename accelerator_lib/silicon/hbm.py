"""HBM: stacks of memory along the edge of a die. The edge ends before the money does.

    bandwidth = stacks x pins x rate of a pin / 8
    sites     = edges x (edge // pitch)           stacks that find room along so many edges of a die

How much of an edge a stack takes is read off the parts that are sold (shores in the data). Ignored: cooling, and how
large a silicon base (an interposer) can be. A stack is wired to one die: across the joint of two none can stand.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, OneOf, Single, Whole, checked
from accelerator_lib.silicon.wafer import FIELD_MM

Dies, Pins = OneOf(("one", "two")), Count(high=10**6)
Rate, Pitch = Number(low=0.01, high=1000, unit="Gbit/s"), Number(low=0.1, high=1e3, unit="mm")
PITCH_MM = data.load("silicon")["geometry"]["stack_mm"]["value"]  # of an edge, for one stack


@checked
def hbm_bytes_per_s(stacks: Whole(low=0, high=1000), gbit_per_pin: Rate, pins: Whole(low=1, high=10**6) = 1024):
    """Bandwidth [B/s] of so many stacks; scalars or arrays."""
    return stacks * pins * gbit_per_pin * 1e9 / 8


@checked
def hbm_sites(edge_mm: Number(low=0.1, high=1e4, unit="mm"), pitch_mm: Pitch = PITCH_MM, edges: Count(high=4) = 2):
    """Places for stacks along the edges of a die; scalars or arrays (whole numbers)."""
    return edges * (edge_mm // pitch_mm)


@dataclass(frozen=True)
class Shore:
    """Stacks along both long edges of one die, or of two that are joined at their long edge."""

    dies: int
    pitch_mm: float
    stacks: int
    gbit_per_pin: float
    pins: int
    bytes_per_s: float

    edge_mm = property(lambda self: self.dies * self.die_mm)  # length of one of the two edges, over all dies
    die_mm = property(lambda self: FIELD_MM[1] if self.dies == 1 else FIELD_MM[0])  # length that one die has of an edge
    each = property(lambda self: self.stacks // 2 // self.dies)  # stacks at one edge of one die
    spare_mm = property(lambda self: self.die_mm - self.each * self.pitch_mm)  # what is left of one edge of one die
    width_mm = property(lambda self: FIELD_MM[0] if self.dies == 1 else FIELD_MM[1])  # from edge to edge


@checked
def shore(dies: Dies = "one", pitch_mm: Single(Pitch) = PITCH_MM, gbit_per_pin: Single(Rate) = 5.2, pins: Pins = 1024):
    """Shore of one die of 26 x 33 mm (33 mm on each side), or of two (26 + 26 mm on each side), all sites taken."""
    count = 1 if dies == "one" else 2
    stacks = count * int(hbm_sites(FIELD_MM[1] if count == 1 else FIELD_MM[0], pitch_mm))
    return Shore(count, pitch_mm, stacks, gbit_per_pin, pins, hbm_bytes_per_s(stacks, gbit_per_pin, pins))
