"""Merit: one number for a design on a mix of jobs, and one for each dollar.

    score = product over jobs of (rate / H100's) ^ weight                     a geometric mean, 1 for an H100
    value = score / (dollars an hour / H100's)                                both by this model

Watts are those of the job that draws most. A job of weight 0 is not asked. A design that cannot hold a job scores 0.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import prod
from types import MappingProxyType
from typing import NamedTuple

from accelerator_lib.checks.inputs import described, one_of
from accelerator_lib.checks.inputs import real as number
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.design.bill import usd, usd_hour, whole_area
from accelerator_lib.design.evaluation import Result
from accelerator_lib.design.facts import Assumed, assumed
from accelerator_lib.design.laws import outcome
from accelerator_lib.design.machine import ADesign, real
from accelerator_lib.design.work import jobs

MIX = MappingProxyType({"decode": 0.4, "prefill": 0.2, "training": 0.2, "vision": 0.1, "recommender": 0.1})
REFERENCE = "h100-sxm5"


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


def _assumed(given):
    if not isinstance(given, Assumed):
        raise TypeError(f"given must be an Assumed (facts.assumed()._replace(...)), not {described(given)}")
    return given


def results(machine, area, names):
    """{job: Result} of one Machine of plain numbers."""
    return {name: Result(*outcome(machine, jobs()[name], area)) for name in names}


@cache
def _reference(dtype, given):
    """(rates of the H100 by job, its Machine, area and dollars) under the same assumptions, in the same format."""
    machine = replace(real(REFERENCE), dtype=dtype).machine(given)
    area = whole_area(machine)
    return machine, area, usd(machine, area), results(machine, area, jobs())


@checked
def score(design: ADesign, mix: AMix = None, given: Given("an Assumed", _assumed) = None):
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
