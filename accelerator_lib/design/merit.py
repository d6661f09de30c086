"""Merit: one number for a design on a mix of jobs, and one for each dollar; what no new design may exceed.
    score = product over jobs of (rate / H100's) ^ weight                     a geometric mean, 1 for an H100
    value = score / (dollars an hour / H100's)                                both by this model
Watts are those of the job that draws most. A job of weight 0 is not asked; a design that cannot hold one scores 0.
Limits: a die of 858 mm2, stacks that find room along its edges, links of 900 GB/s, 0.9 W/mm2, the brief's watts.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import prod
from types import MappingProxyType
from typing import NamedTuple

from accelerator_lib.checks.inputs import described, one_of
from accelerator_lib.checks.inputs import real as number
from accelerator_lib.checks.signature import Given, Record, Single, Watts, checked
from accelerator_lib.design.bill import usd, usd_hour, whole_area
from accelerator_lib.design.evaluation import Result
from accelerator_lib.design.laws import outcome
from accelerator_lib.design.machine import ADesign, Assumed, assumed, facts, real
from accelerator_lib.design.work import jobs
from accelerator_lib.silicon.hbm import hbm_sites
from accelerator_lib.silicon.wafer import FIELD_MM

MIX = MappingProxyType({"decode": 0.4, "prefill": 0.2, "training": 0.2, "vision": 0.1, "recommender": 0.1})
REFERENCE = "h100-sxm5"
TIE, STACKS = 0.1, "memory stacks"  # below this the model tells no two designs apart


class Score(NamedTuple):
    """What a design is worth: score and value beside an H100, watts of the worst job, dollars an hour, the Results."""

    score: float
    value: float
    watts: float
    usd_per_hour: float
    chip_usd: float
    area_mm2: float
    results: dict  # by job
    ratios: dict  # of rates to the H100's, by job
    missing = property(lambda self: tuple(name for name, result in self.results.items() if not result.fits))


def mix(given):
    """{job: weight} of positive weights, summing to one. Raises ValueError, TypeError, UnknownName."""
    if given is None:
        return MIX
    if not isinstance(given, Mapping):
        raise TypeError(f"mix must be jobs and their weights such as {{'decode': 1}}, not {described(given)}")
    weights = {one_of("job", name, jobs()): number(f"weight of {name}", w, 0, 1e6) for name, w in given.items()}
    whole = sum(weights.values())
    if not whole:
        raise ValueError("a mix needs a job with a weight above 0; all weights are 0")
    return {name: weight / whole for name, weight in weights.items() if weight}


AMix = Given("jobs and their weights", mix)


def results(machine, area, names):
    """{job: Result} of one Machine of plain numbers."""
    return {name: Result(*outcome(machine, jobs()[name], area)) for name in names}


@cache
def _reference(dtype, given):
    """(Machine, area, dollars, results) of the H100 as assumed, but for its measured clock; for 4 bits in 8."""
    dtype = "fp8" if dtype == "fp4" else dtype
    machine = replace(real(REFERENCE), dtype=dtype).machine(given._replace(clocked=assumed().clocked))
    area = whole_area(machine)
    return machine, area, usd(machine, area), results(machine, area, jobs())


@checked
def score(design: ADesign, mix: AMix = None, given: Record(Assumed) = None):
    """Score of a design on a mix of jobs, {name: weight}; `given`: other Assumed."""
    weights, given = MIX if mix is None else mix, given or assumed()
    machine = design.machine(given)
    area = whole_area(machine)
    chip, found = usd(machine, area), results(machine, area, weights)
    beside, _, beside_chip, beside_found = _reference(design.dtype, given)
    ratios = {name: found[name].per_chip_s / beside_found[name].per_chip_s for name in weights}
    merit = prod(ratios[name] ** weight for name, weight in weights.items())
    watts = max(found[name].watts for name in weights)
    hour = usd_hour(machine, chip, watts)
    beside_hour = usd_hour(beside, beside_chip, max(beside_found[name].watts for name in weights))
    return Score(merit, merit / (hour / beside_hour), watts, hour, chip, area, found, ratios)


class Limit(NamedTuple):  # what a design has, and the most that is allowed
    limit: str
    value: float
    most: float
    unit: str
    broken = property(lambda self: self.value > self.most)
    share = property(lambda self: self.value / self.most if self.most else 2.0 * self.broken)  # of what is allowed

    def __str__(self):
        if self.limit == STACKS:
            return f"{self.limit}: {self.value:,.4g}, room for {self.most:,.4g} along the edges of its die"
        if self.unit == "of them":
            return self.limit
        return f"{self.limit}: {self.value:,.4g} {self.unit}, at most {self.most:,.4g}"


def sites(area_mm2, dies=1):
    """Memory stacks that find room along the free edges of dies 26 mm wide; joined ones have their short edges free."""
    edge = max(area_mm2 / dies / min(FIELD_MM), 0.1)
    return dies * hbm_sites(min(edge, 1e4 if dies == 1 else min(FIELD_MM)))


@checked
def limits(design: ADesign, watts: Single(Watts) = 700.0, mix: AMix = None, found: Record(Score) = None):
    """Every limit as a Limit, kept or not. `found`: the Score, where it is known."""
    found = found or score(design, mix)
    known, missing = facts(), found.missing
    jobs_left = "jobs that 1,024 chips cannot hold" + (f" ({', '.join(missing)})" if missing else "")
    return (
        Limit("die", found.area_mm2 / design.dies, known.die_mm2, "mm²"),
        Limit(STACKS, design.stacks, sites(found.area_mm2, design.dies), "of them"),
        Limit("links", design.link_bytes_per_s / 1e9, known.most_link_bytes_per_s / 1e9, "GB/s"),
        Limit("heat", found.watts / found.area_mm2, known.cooled_w_per_mm2, "W/mm²"),
        Limit("power", found.watts, watts, "W"),
        Limit(jobs_left, len(missing), 0, "of them"),
    )


@checked
def violations(design: ADesign, watts: Single(Watts) = 700.0, mix: AMix = None):
    """The limits that a design exceeds: a tuple of Limit, empty for a legal one."""
    return tuple(limit for limit in limits(design, watts, mix) if limit.broken)
