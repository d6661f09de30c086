"""Evaluation: one job on one design, whole (`evaluate`) or product by product (`steps`).
A tile is what one array holds: edge x edge weights.
"""

from dataclasses import dataclass
from typing import NamedTuple

from accelerator_lib.checks.signature import Count, Positive, Single, checked
from accelerator_lib.design import laws
from accelerator_lib.design.bill import whole_area
from accelerator_lib.design.laws import PLAIN
from accelerator_lib.design.machine import ADesign, Design
from accelerator_lib.design.work import AJob, Job, Product
from accelerator_lib.roofline.roof import binding

Chips = Count(high=10**6)


class Result(laws.Outcome):
    """Outcome of plain numbers."""

    causes = property(lambda self: Causes(*(getattr(self, name) for name in CAUSES)))  # seconds by cause
    bound = property(lambda self: self.causes.bound)  # name of the longest cause
    bound_share = property(lambda self: getattr(self, self.bound) / self.seconds)  # the longest cause's


class Timed(NamedTuple):  # a step told in three numbers: its seconds, and what sets them
    seconds: float
    bound: str
    shorter: float  # seconds if the shorter of compute and memory counted


@checked
def timed(compute: Single(Positive), memory: Single(Positive), rest: Single(Positive), faster: Single(Positive) = 1.0):
    """Timed: compute and memory overlap, the rest comes on top; arithmetic may be so many times faster."""
    compute = compute / faster
    bound = binding(compute=compute, memory=memory)
    return Timed(max(compute, memory) + rest, bound, min(compute, memory) + rest)


class Causes(NamedTuple):  # seconds by cause
    compute: float
    memory: float
    vector: float
    link: float
    overhead: float
    bound = property(lambda self: binding(**self._asdict()))  # name of the longest cause
    busier = property(lambda self: binding(compute=self.compute, memory=self.memory))  # of the two that overlap


CAUSES = Causes._fields


@dataclass(frozen=True)
class Step:
    """A step so far. Sizes are those of one chip's part; `product.m` is 0 where nothing is multiplied."""

    design: Design
    job: Job
    whole: Result
    place: int  # of all steps, from 1
    steps: int
    product: Product  # its part on one chip
    causes: Causes  # so far
    before: Causes
    tiles: tuple = (0, 0)  # down, right
    groups: float = 1.0
    rounds: float = 0.0  # of tiles on each array
    last: float = 0.0  # arrays that the last round needs
    busy: float = 0.0  # of all PEs and cycles, the share that multiplies
    moved_bytes: float = 0.0  # all repetitions
    stays: float = 1.0  # share of inputs and outputs that stays on the chip

    @property
    def parts(self):
        """Seconds that add up to the step: the longer of compute and memory, between, what is left of links, starts."""
        compute, memory, vector, link, overhead = self.causes
        busy = max(compute, memory) + vector
        return max(compute, memory), vector, max(0.0, link - busy) if self.job.training else link, overhead

    seconds = property(lambda self: sum(self.parts))  # of the step so far

    @property
    def added(self):
        """Seconds of what is no product: links, what lies between, or memory, the first of them that grew."""
        grown = (getattr(self.causes, name) - getattr(self.before, name) for name in ("link", "vector", "memory"))
        return next((seconds for seconds in grown if seconds), 0.0)

    repeats = property(lambda self: self.product.count * (laws.PASSES if self.job.training else 1))


@checked
def evaluate(design: ADesign, job: AJob, chips: Chips = None):
    """Result of a step of a job on as many chips as hold it, or on `chips`."""
    machine = design.machine()
    return Result(*laws.outcome(machine, job, whole_area(machine), chips=None if chips is None else float(chips)))


@checked
def steps(design: ADesign, job: AJob, chips: Chips = None):
    """Yield a Step: products one after another, then cache and tables, what lies between, links, if they take time."""
    machine, whole = design.machine(), evaluate(design, job, chips)
    found = list(_parts(machine, job, whole))
    before = Causes(0.0, 0.0, 0.0, 0.0, 0.0)
    for place, (product, causes, load) in enumerate(found, 1):
        part = product
        if not (product.fused or job.training):
            part = product._replace(n=PLAIN.ceil(product.n / whole.chips))
        on_chip = _on_chip(machine, part, job, whole.chips, load) if product.m else ()
        yield Step(design, job, whole, place, len(found), part, causes, before, *on_chip)
        before = causes


def _parts(machine, job, whole):  # (product, Causes so far, its Load) of a step; what is no product has sizes 0
    loads = []
    for product in job.products:
        loads.append(laws.load_of(machine, product, job, float(whole.chips)))
        yield product, _so_far(machine, laws.total(loads), whole), loads[-1]
    read = laws.read_bytes(machine, job) / whole.chips
    if read:
        yield Product("cache and tables", 0, 0, 0, 0), _so_far(machine, laws.total(loads), whole, read), None
    if whole.vector:
        yield Product("between the products", 0, 0, 0, 0), whole.causes._replace(link=0.0), None
    if whole.link:
        yield Product("links", 0, 0, 0, 0), whole.causes, None


def _so_far(machine, load, whole, read=0.0):
    memory = laws.memory_seconds(machine, load.memory_bytes + read, whole.resident)
    return Causes(laws.compute_seconds(machine, load), memory, 0.0, 0.0, laws.LAUNCH_S * load.launches)


def _on_chip(machine, part, job, chips, load):
    """(tiles, groups, rounds, arrays of the last round, busy, bytes, share that stays) of one product on one chip."""
    shared = part.groups / chips if part.fused and not job.training else part.groups
    tiles = PLAIN.ceil(part.k / machine.edge), PLAIN.ceil(part.n / machine.edge)
    count = tiles[0] * tiles[1] * shared
    rounds = PLAIN.ceil(count / machine.arrays)
    busy = load.macs / (load.cycles * machine.arrays * machine.edge**2)
    room = machine.sram_mb * 1e6 / (2 * machine.element_bytes)
    stays = 1.0 if part.fused else min(1.0, room / (part.m * (part.k + part.n)))
    return tiles, shared, rounds, count - (rounds - 1) * machine.arrays, busy, load.memory_bytes, stays
