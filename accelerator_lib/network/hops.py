"""Hops: a message on its way through a torus or a mesh, then one from every chip to every chip, link by link.
The shortest way, one axis after the other. Where both ways around a ring are equally long, chips at even places go up,
those at odd places down, so that both halves of a ring work the same.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np

from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import Switch, checked
from accelerator_lib.network.topology import Dims, Torus

MOST = 64  # chips whose links are followed one by one


@dataclass(frozen=True, eq=False)
class Traffic:
    """A message that has come as far as `path`, and what the links have carried for the first `sources` chips."""

    torus: Torus
    path: tuple  # chips that the message has passed, by number
    target: int
    sources: int  # chips that have sent to all
    loads: np.ndarray  # [chips, axis, 0 up or 1 down]: messages from a chip over its link that way
    hops = property(lambda self: len(self.path) - 1)  # of the message, so far
    passed = property(lambda self: () if self.sources else tuple(self._hop(*pair) for pair in pairwise(self.path)))

    def _hop(self, a, b):
        steps = np.subtract(np.unravel_index(b, self.torus.dims), np.unravel_index(a, self.torus.dims))
        axis = int(np.flatnonzero(steps)[0])
        around = abs(steps[axis]) > 1
        return a, b, axis, bool((steps[axis] > 0) != around), bool(around)

    arrived = property(lambda self: self.path[-1] == self.target)  # whether the message is there
    worst = property(lambda self: int(self.loads.max()))  # messages on the busiest link, one way
    mean = property(lambda self: float(self.loads.sum() / (2 * self.torus.links)) if self.torus.links else 0.0)


def route(source, target, torus):
    """The chips that a message passes from `source` to `target` of a Torus, both included; chips by number."""
    return [source, *(chip for _, _, _, chip in _hops(source, target, torus))]


def _hops(source, target, torus):  # (from, axis, 0 up or 1 down, to) of every hop
    stride = prod(torus.dims)
    here = source
    for axis, k in enumerate(torus.dims):
        stride //= k
        at, to = here // stride % k, target // stride % k
        hops, down = _far(at, to, k, torus)
        for _ in range(hops):
            after = (at + (-1 if down else 1)) % k
            there = here + (after - at) * stride
            yield here, axis, down, there
            here, at = there, after


def _far(at, to, k, torus):  # (hops, 0 up or 1 down) from place `at` to `to` of an axis of k chips
    up = (to - at) % k
    if not torus.closed(k):
        return abs(to - at), int(to < at)
    return (up, 0) if 2 * up < k or (2 * up == k and at % 2 == 0) else (k - up, 1)


@checked
def travel(dims: Dims, wrap: Switch = True):
    """Yield a Traffic at the start, for each hop between corners, then for every sender to all. At most 64 chips."""
    torus = Torus(dims, wrap)
    count("chips", torus.nodes, 2, MOST)
    return _travel(torus)


def _travel(torus):
    loads, target = np.zeros((torus.nodes, len(torus.dims), 2), int), torus.nodes - 1
    path = route(0, target, torus)
    for passed in range(1, len(path) + 1):
        yield Traffic(torus, tuple(path[:passed]), target, 0, loads)
    for source in range(torus.nodes):
        loads = loads.copy()
        for other in range(torus.nodes):
            for here, axis, down, _ in _hops(source, other, torus):
                loads[here, axis, down] += 1
        yield Traffic(torus, tuple(path), target, source + 1, loads)
