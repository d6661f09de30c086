"""Watching: one step of a job, product by product, as one looks at it.

    for frame in watch("h100-sxm5", "decode"): frame.product, frame.tiles, frame.rounds, frame.causes

Each frame adds what its product takes; the last one is `evaluate`. A tile is what one array holds: edge x edge weights.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import checked
from accelerator_lib.design import laws
from accelerator_lib.design.evaluation import Causes, Result, evaluate, steps
from accelerator_lib.design.machine import ADesign, Design
from accelerator_lib.design.numbers import PLAIN
from accelerator_lib.design.work import AJob, Job, Product


@dataclass(frozen=True)
class Frame:
    """A step so far. Sizes are those of one chip's part; `product.m` is 0 where nothing is multiplied."""

    design: Design
    job: Job
    whole: Result
    place: int  # of all frames, from 1
    frames: int
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
    def seconds(self):
        """Of the step so far."""
        compute, memory, vector, link, overhead = self.causes
        busy = max(compute, memory) + vector
        return (max(busy, link) if self.job.training else busy + link) + overhead

    @property
    def repeats(self):
        """How often the product is counted: its layers, three times in training."""
        return self.product.count * (laws.PASSES if self.job.training else 1)


@checked
def watch(design: ADesign, job: AJob):
    """Yield a Frame for each product of a step, then for cache, what lies between, and links, if they take time."""
    machine, whole = design.machine(), evaluate(design, job)
    extras = sum(map(bool, (laws.read_bytes(machine, job), whole.vector, whole.link)))
    before = Causes(0.0, 0.0, 0.0, 0.0, 0.0)
    for place, (product, causes) in enumerate(steps(design, job), 1):
        part = product
        if not (product.fused or job.training):
            part = product._replace(n=PLAIN.ceil(product.n / whole.chips))
        given = design, job, whole, place, len(job.products) + extras, part, causes, before
        yield Frame(*given, *_on_chip(machine, product, part.n, job, whole.chips)) if product.m else Frame(*given)
        before = causes


def _on_chip(machine, product, n, job, chips):
    """(tiles, groups, rounds, arrays of the last round, busy, bytes, share that stays) of one product on one chip."""
    load = laws.load_of(machine, product, job, chips)
    shared = product.groups / chips if product.fused and not job.training else product.groups
    tiles = PLAIN.ceil(product.k / machine.edge), PLAIN.ceil(n / machine.edge)
    count = tiles[0] * tiles[1] * shared
    rounds = PLAIN.ceil(count / machine.arrays)
    busy = load.macs / (load.cycles * machine.arrays * machine.edge**2)
    room = machine.sram_mb * 1e6 / (2 * machine.element_bytes)
    stays = 1.0 if product.fused else min(1.0, room / (product.m * (product.k + n)))
    return tiles, shared, rounds, count - (rounds - 1) * machine.arrays, busy, load.memory_bytes, stays
