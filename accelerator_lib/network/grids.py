"""Grids: a torus or a mesh beside one large switch that gives every chip the same bytes per second.

Each chip has `bytes_moved`: an all-reduce adds them up, an all-to-all sends an equal part to everyone. A step takes
`step_seconds` before its first byte arrives. On the switch an all-reduce halves and doubles: 2 log2(chips) steps,
rounded up; an all-to-all takes one, as any two chips reach each other.
"""

from dataclasses import dataclass
from math import ceil, log2

from accelerator_lib.checks.signature import Bytes, BytesPerS, Single, Switch, checked
from accelerator_lib.network.links import StepSeconds, ring_all_gather_seconds, ring_all_reduce_seconds
from accelerator_lib.network.topology import Dims, Torus


@dataclass(frozen=True)
class Grid:
    """Times [s] on a Torus and on a switch."""

    torus: Torus
    bytes_moved: float
    chip_bytes_per_s: float  # all links of a chip, one way
    all_reduce: float
    all_to_all: float
    switch_all_reduce: float
    switch_all_to_all: float


@checked
def compare(
    dims: Dims, bytes_moved: Single(Bytes) = 1e9, link_bytes_per_s: Single(BytesPerS) = 45e9, wrap: Switch = True,
    step_seconds: Single(StepSeconds) = 2e-6,
):  # fmt: skip
    """A Grid of `dims` chips, two at least, whose links carry `link_bytes_per_s` each way. Raises ValueError."""
    torus = Torus(dims, wrap)
    if torus.nodes < 2:
        raise ValueError(f"need two chips or more; dims are {dims}")
    rate, links = torus.links_per_chip() * link_bytes_per_s, (bytes_moved, link_bytes_per_s, step_seconds)
    return Grid(
        torus,
        bytes_moved,
        rate,
        torus.all_reduce_seconds(*links),
        torus.all_to_all_seconds(*links),
        ring_all_reduce_seconds(bytes_moved, torus.nodes, rate) + 2 * ceil(log2(torus.nodes)) * step_seconds,
        ring_all_gather_seconds(bytes_moved, torus.nodes, rate) + step_seconds,  # all but one's own part leaves
    )
