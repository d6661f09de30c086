"""Grids: a torus or a mesh beside one large switch that gives every chip the same bytes per second.

Each chip has `bytes_moved`: an all-reduce adds them up, an all-to-all sends an equal part to everyone. Without latency.
"""

from dataclasses import dataclass

from accelerator_lib.network.links import ring_all_gather_seconds, ring_all_reduce_seconds
from accelerator_lib.network.topology import Dims, Torus
from accelerator_lib.signature import Bytes, BytesPerS, Single, Switch, checked


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
    dims: Dims, bytes_moved: Single(Bytes) = 1e6, link_bytes_per_s: Single(BytesPerS) = 45e9, wrap: Switch = True
):
    """A Grid of `dims` chips, two at least, whose links carry `link_bytes_per_s` each way. Raises ValueError."""
    torus = Torus(dims, wrap)
    if torus.nodes < 2:
        raise ValueError(f"need two chips or more; dims are {dims}")
    rate = torus.links_per_chip() * link_bytes_per_s
    return Grid(
        torus,
        bytes_moved,
        rate,
        torus.all_reduce_seconds(bytes_moved, link_bytes_per_s),
        torus.all_to_all_seconds(bytes_moved, link_bytes_per_s),
        ring_all_reduce_seconds(bytes_moved, torus.nodes, rate),
        ring_all_gather_seconds(bytes_moved, torus.nodes, rate),  # all but one's own part leaves
    )
