"""HBM: stacks of memory along the edge of a die. The edge ends before the money does.

    bandwidth = stacks x pins x rate of a pin / 8
    sites     = edges x (edge // pitch)           stacks that find room along so many edges of a die

Ignored: cooling, and how large a silicon base (an interposer) can be made. Two dies side by side offer longer edges.
"""

from dataclasses import dataclass

from accelerator_lib.signature import Count, Number, OneOf, Single, Whole, checked
from accelerator_lib.silicon.wafer import FIELD_MM

GBIT = 1e9


@checked
def hbm_bytes_per_s(
    stacks: Whole(low=0, high=1000),
    gbit_per_pin: Number(low=0.01, high=1000, unit="Gbit/s"),
    pins: Whole(low=1, high=10**6) = 1024,
):
    """Bandwidth [B/s] of so many stacks; scalars or arrays."""
    return stacks * pins * gbit_per_pin * GBIT / 8


@checked
def hbm_sites(
    edge_mm: Number(low=0.1, high=1e4, unit="mm"),
    pitch_mm: Number(low=0.1, high=1e3, unit="mm") = 11,
    edges: Count(high=4) = 2,
):
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

    @property
    def edge_mm(self):
        """Length of one of the two edges."""
        return FIELD_MM[1] if self.dies == 1 else 2 * FIELD_MM[0]

    @property
    def width_mm(self):
        """From edge to edge."""
        return FIELD_MM[0] if self.dies == 1 else FIELD_MM[1]


@checked
def shore(
    dies: OneOf(("one", "two")) = "one", pitch_mm: Single(Number(low=0.1, high=1e3, unit="mm")) = 11,
    gbit_per_pin: Single(Number(low=0.01, high=1000, unit="Gbit/s")) = 5.2, pins: Count(high=10**6) = 1024,
):  # fmt: skip
    """Shore of one die of 26 x 33 mm (33 mm on each side), or of two (52 mm on each side), all sites taken."""
    count = 1 if dies == "one" else 2
    stacks = int(hbm_sites(FIELD_MM[1] if count == 1 else 2 * FIELD_MM[0], pitch_mm))
    return Shore(count, pitch_mm, stacks, gbit_per_pin, pins, hbm_bytes_per_s(stacks, gbit_per_pin, pins))
