"""Evaluation: one job on one design.

evaluate(design, "decode").per_chip_s       tokens a second of one chip
steps(design, "decode")                     the same, product by product: (product, seconds by cause so far)
"""

from typing import NamedTuple

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.design import laws
from accelerator_lib.design.bill import whole_area
from accelerator_lib.design.machine import ADesign
from accelerator_lib.design.work import AJob, Product

CAUSES = ("compute", "memory", "vector", "link", "overhead")
Chips = Count(high=10**6)


class Result(laws.Outcome):
    """Outcome of plain numbers."""

    @property
    def causes(self):
        """Seconds by cause: compute, memory, vector, link, overhead."""
        return Causes(*(getattr(self, name) for name in CAUSES))

    @property
    def bound(self):
        """The longest cause: "memory", "compute", "vector", "link" or "overhead"."""
        return max(CAUSES, key=lambda name: getattr(self, name))


class Causes(NamedTuple):
    """Seconds by cause."""

    compute: float
    memory: float
    vector: float
    link: float
    overhead: float


@checked
def evaluate(design: ADesign, job: AJob, chips: Chips = None):
    """Result of a step of a job on as many chips as hold it, or on `chips`."""
    machine = design.machine()
    return Result(*laws.outcome(machine, job, whole_area(machine), chips=None if chips is None else float(chips)))


@checked
def steps(design: ADesign, job: AJob, chips: Chips = None):
    """Yield (product, Causes so far): products one after another, then what lies between them, then what chips say.

    The last Causes are those of `evaluate`. What is no product has sizes 0: cache and tables, the rest, the links.
    """
    machine = design.machine()
    whole = evaluate(design, job, chips)
    loads = []
    for product in job.products:
        loads.append(laws.load_of(machine, product, job, float(whole.chips)))
        yield product, _so_far(machine, laws.total(loads), whole)
    load = laws.total(loads)
    read = laws.read_bytes(machine, job) / whole.chips
    if read:
        yield Product("cache and tables", 0, 0, 0, 0), _so_far(machine, load, whole, read)
    if whole.vector:
        yield Product("between the products", 0, 0, 0, 0), whole.causes._replace(link=0.0)
    if whole.link:
        yield Product("links", 0, 0, 0, 0), whole.causes


def _so_far(machine, load, whole, read=0.0):
    """Causes of the products so far, moved from where the whole step lies."""
    memory = laws.memory_seconds(machine, load.memory_bytes + read, whole.resident)
    return Causes(laws.compute_seconds(machine, load), memory, 0.0, 0.0, laws.LAUNCH_S * load.launches)
