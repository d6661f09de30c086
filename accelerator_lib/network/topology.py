"""Topology: chips in a grid of up to three dimensions, its axes closed to rings (a torus) or not (a mesh).
    mean hops of a ring of k   k/4 (even)   (k^2-1)/(4k) (odd)        of a line   (k^2-1)/(3k)
    bisection                  chips / longest side, twice that where the axis closes
    all-reduce                 2 (n-1)/n S / (all links of a chip) + 2 x the sum of (k-1) steps
    all-to-all                 the busiest link's bytes + a step for each hop to the farthest chip
A switch of the same bytes per second halves and doubles, 2 log2(chips) steps rounded up; an all-to-all takes one.
Source: Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, chapter 5.
"""

from dataclasses import dataclass
from math import ceil, log2, prod

import numpy as np

from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import Bytes, BytesPerS, Given, Single, Switch, checked
from accelerator_lib.network.links import StepSeconds, ring_all_gather_seconds, ring_all_reduce_seconds

MOST = 1024  # chips along a side
Size, Rate, Step = map(Single, (Bytes, BytesPerS, StepSeconds))


def _sides(given):
    if not isinstance(given, (tuple, list)) or not 1 <= len(given) <= 3:
        raise TypeError(f"dims must be a tuple of one to three sides, such as (4, 4, 4), not {given!r}")
    return tuple(count("side", side, 1, MOST) for side in given)


Dims = Given("one to three sides", _sides)


@dataclass(frozen=True)
@checked
class Torus:
    """A torus of `dims` chips along each side, or with `wrap=False` a mesh. Raises TypeError, ValueError."""

    dims: Dims
    wrap: Switch = True
    nodes = property(lambda self: prod(self.dims))
    name = property(lambda self: f"{' × '.join(map(str, self.dims))} {'torus' if self.wrap else 'mesh'}")

    def pairs(self):
        """Yield (chip, axis, next chip, whether around) of every link; chips by number, the last axis first."""
        numbers = np.arange(self.nodes).reshape(self.dims)
        for axis, k in enumerate(self.dims):
            after = np.roll(numbers, -1, axis)
            for place in np.ndindex(self.dims):
                around = place[axis] == k - 1
                if not around or self.closed(k):
                    yield int(numbers[place]), axis, int(after[place]), around

    diameter = property(lambda self: sum(k // 2 if self.wrap else k - 1 for k in self.dims))  # the most hops

    @property
    def mean_hops(self):
        """Hops of a message between any two chips, in the mean."""
        return sum((k // 2) * ((k + 1) // 2) / k if self.wrap else (k * k - 1) / (3 * k) for k in self.dims)

    links = property(lambda self: sum(self.nodes // k * (k - 1 + self.closed(k)) for k in self.dims))

    @property
    def bisection_links(self):
        """Links that a plane across the longest side cuts; of an odd side the two parts differ by one layer."""
        k = max(self.dims)
        return self.nodes // k * (1 + self.closed(k)) if k > 1 else 0

    def closed(self, k):
        """Whether an axis of k chips is a ring: it has a link from its last chip to its first."""
        return self.wrap and k > 2

    def links_per_chip(self):
        return sum(min(k - 1, 2) for k in self.dims)

    def all_to_all_seconds(self, bytes_moved, bytes_per_s, step_seconds=0.0):
        """Time [s] until every chip has sent each its part of `bytes_moved`; `bytes_per_s`: one link, one way."""
        crossing = ((k // 2) * ((k + 1) // 2) / k * (0.5 if self.closed(k) else 1.0) for k in self.dims)
        busiest = max(crossing)  # one half of an axis to the other, in sizes of what one chip sends
        return busiest * bytes_moved / bytes_per_s + self.diameter * step_seconds

    def all_reduce_seconds(self, bytes_moved, bytes_per_s, step_seconds=0.0):
        """Time [s] of rings along all axes at once, at least; an open axis goes out and back: half the rate."""
        rate = bytes_per_s * sum(min(k - 1, 2) if self.wrap else 1 for k in self.dims if k > 1)
        steps = 2 * sum(k - 1 for k in self.dims)
        return 2 * (self.nodes - 1) / self.nodes * bytes_moved / rate + steps * step_seconds if rate else 0.0


torus = Torus


@dataclass(frozen=True)
class Grid:  # times [s] on a Torus and on a switch
    torus: Torus
    bytes_moved: float
    chip_bytes_per_s: float  # all links of a chip, one way
    all_reduce: float
    all_to_all: float
    switch_all_reduce: float
    switch_all_to_all: float


@checked
def compare(
    dims: Dims, bytes_moved: Size = 1e9, link_bytes_per_s: Rate = 45e9, wrap: Switch = True, step_seconds: Step = 2e-6
):
    """A Grid of `dims` chips, two at least, whose links carry `link_bytes_per_s` each way. Raises ValueError."""
    torus = Torus(dims, wrap)
    if torus.nodes < 2:
        raise ValueError(f"need two chips or more; dims are {dims}")
    rate, links = torus.links_per_chip() * link_bytes_per_s, (bytes_moved, link_bytes_per_s, step_seconds)
    reduced, exchanged = torus.all_reduce_seconds(*links), torus.all_to_all_seconds(*links)
    switch = ring_all_reduce_seconds(bytes_moved, torus.nodes, rate) + 2 * ceil(log2(torus.nodes)) * step_seconds
    straight = ring_all_gather_seconds(bytes_moved, torus.nodes, rate) + step_seconds  # all but one's own part leaves
    return Grid(torus, bytes_moved, rate, reduced, exchanged, switch, straight)
