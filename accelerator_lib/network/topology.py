"""Topology: chips in a grid of up to three dimensions, its axes closed to rings (a torus) or not (a mesh).
    mean hops of a ring of k   k/4 (even)   (k^2-1)/(4k) (odd)        of a line   (k^2-1)/(3k)
    bisection                  chips / longest side, twice that where the axis closes
Source: Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, chapter 5.
"""

from dataclasses import dataclass
from math import prod

from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import Given, Switch, checked

MOST = 1024  # chips along a side


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


torus = Torus
