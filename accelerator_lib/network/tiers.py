"""Tiers: an all-reduce inside nodes and between them, with numbers on every chip, and what one ring would take.
Reduce-scatter inside each node, all-reduce across between chips of equal place, all-gather inside. One ring through all
chips moves 2(n-1)/n S over every link, the slow ones included; as many rings as a node has chips share the work.
"""

from dataclasses import dataclass
from itertools import product
from math import ceil

import numpy as np

from accelerator_lib.checks.signature import Bytes, BytesPerS, Count, Number, Single, checked
from accelerator_lib.network.links import StepSeconds

MOST, STEPS = 16, (2e-6, 5e-6)  # nodes, and chips in one; s, inside and across
Few, Size, Rate, Step = Count(1, MOST), *map(Single, (Bytes, BytesPerS, StepSeconds))


@dataclass(frozen=True, eq=False)
class Tiered:  # after `step` of `steps`: chip `i` of a node `k` is chip k * chips + i; an array is nodes * chips pieces
    nodes: int
    chips: int
    bytes_moved: float
    phase: int  # 0 at the start; 1 and 3 inside, 2 across
    step: int
    steps: int
    values: np.ndarray  # [chip, piece]
    summed: np.ndarray  # [chip, piece]: arrays of how many chips are in it
    moved: tuple  # (from chip, to chip, first piece, after the last) of this step
    next: tuple  # of the step to come
    seconds: tuple  # so far, in each of the three phases
    whole_seconds: float
    one_ring_seconds: float
    many_rings_seconds: float
    inside_seconds = property(lambda self: self.seconds[0] + self.seconds[2])  # so far, inside the nodes
    across_seconds = property(lambda self: self.seconds[1])  # so far, between the nodes
    so_far_seconds = property(lambda self: sum(self.seconds))


@checked
def flat_ring_seconds(
    bytes_moved: Size,
    inner: Few,
    outer: Few,
    inner_bytes_per_s: Rate,
    outer_bytes_per_s: Rate,
    inner_step_seconds: Step = 0.0,
    outer_step_seconds: Step = 0.0,
    rings: Single(Number(1, MOST)) = 1,
):
    """Time [s] of `rings`, 1 to `inner`, through all chips; of a chunk's 2(n-1) hops every `inner`-th leaves a node."""
    n = inner * outer
    rings = min(rings, inner)
    sent = 2 * (n - 1) / n * bytes_moved
    leaving = ceil(2 * (n - 1) / inner) if outer > 1 else 0
    inside = (inner - 1) / inner if rings == inner and outer > 1 else 1.0  # of the rings, at any one chip
    slowest = max(inside * sent / inner_bytes_per_s, sent / rings / outer_bytes_per_s if outer > 1 else 0)
    return slowest + leaving * outer_step_seconds + (2 * (n - 1) - leaving) * inner_step_seconds


@checked
def all_reduce(
    nodes: Few = 8,
    chips: Few = 8,
    bytes_moved: Size = 1e9,
    inner_bytes_per_s: Rate = 450e9,
    outer_bytes_per_s: Rate = 50e9,
):
    """Yield a Tiered for the start and after every step of a hierarchical all-reduce. Raises TypeError, ValueError."""
    links = inner_bytes_per_s, outer_bytes_per_s, *STEPS
    rings = [flat_ring_seconds(bytes_moved, chips, nodes, *links, count) for count in (1, chips)]
    inside = STEPS[0] + bytes_moved / chips / inner_bytes_per_s
    across = STEPS[1] + bytes_moved / (chips * nodes) / outer_bytes_per_s
    return _run(nodes, chips, bytes_moved, (inside, across, inside), rings)


def _run(nodes, chips, size, each, rings):
    plan = [*_inside(nodes, chips, True), *_across(nodes, chips), *_inside(nodes, chips, False)]
    n, seconds = nodes * chips, [0.0, 0.0, 0.0]
    whole = sum(each[phase - 1] for phase, _, _ in plan)
    values = np.random.default_rng(11).integers(1, 10, (n, n))
    summed, phase, moved = np.ones((n, n), int), 0, ()
    for step in range(len(plan) + 1):
        if step:
            phase, adds, moved = plan[step - 1]
            values, summed = (_deliver(array, moved, adds) for array in (values, summed))
            seconds[phase - 1] += each[phase - 1]
        following = plan[step][2] if step < len(plan) else ()
        here = (phase, step, len(plan), values, summed, moved, following, tuple(seconds), whole, *rings)
        yield Tiered(nodes, chips, size, *here)


def _deliver(before, moved, adds):
    after = before.copy()
    for source, target, start, stop in moved:
        what = before[source, start:stop]
        after[target, start:stop] = what + after[target, start:stop] if adds else what
    return after


def _inside(nodes, chips, adds):
    """(phase, adds, messages) of each step around the ring in every node; a chunk is `nodes` pieces."""
    for step in range(chips - 1):
        found = []
        for chip, first in product(range(chips), range(0, nodes * chips, chips)):
            chunk = (chip - step + (not adds)) % chips
            found.append((first + chip, first + (chip + 1) % chips, chunk * nodes, (chunk + 1) * nodes))
        yield 1 if adds else 3, adds, tuple(found)


def _across(nodes, chips):
    for step in range(2 * (nodes - 1)):
        found = []
        for k, chip in product(range(nodes), range(chips)):
            at = (chip + 1) % chips * nodes + (k - step) % nodes
            found.append((k * chips + chip, (k + 1) % nodes * chips + chip, at, at + 1))
        yield 2, step < nodes - 1, tuple(found)
