"""Grid: every design of an open grid at once, by the laws of this chapter.
    grid(watts=700)        100,800 designs: 13,177 are legal; .best("value"), .front("dollars")
An axis is an array along a dimension of its own, so that each term of a law is computed only along the axes it depends
on; only the last steps meet all. In NumPy and 64 bits.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np

from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import OneOf, Single, Watts, checked
from accelerator_lib.data import frozen
from accelerator_lib.design.bill import usd, usd_hour, whole_area
from accelerator_lib.design.laws import PASSES, Load, Outcome, holding, load_of, on_numpy, outcome
from accelerator_lib.design.machine import FORMATS, STACKS, Design, Node, assumed, facts, machines, real
from accelerator_lib.design.merit import REFERENCE, AMix, score
from accelerator_lib.design.merit import mix as mixed
from accelerator_lib.design.work import Product, jobs
from accelerator_lib.silicon.hbm import PITCH_MM
from accelerator_lib.silicon.wafer import FIELD_MM

PES = 65_536  # of one step along the axis of arrays
AXES = MappingProxyType(
    {
        "edge": (16, 32, 64, 128, 256, 512),
        "steps": tuple(range(1, 17)),  # of 65,536 PEs each
        "sram_mb": (16, 32, 64, 128, 256),
        "stacks": tuple(range(7)),
        "clock_hz": tuple(round(0.6 + 0.2 * i, 1) * 1e9 for i in range(10)),
        "link_bytes_per_s": (100e9, 300e9, 900e9),
    }
)
OVER = {"dollars": "usd_per_hour", "watts": "watts"}
WANTED = ("value", "score")


def opened(axes):
    """The axes, each along a dimension of its own."""
    return np.ix_(*(np.asarray(axis, float) for axis in axes))


def machines_of(axes, *kind, on):
    """Machine of axes; where a step is not a whole array, the next smaller number, at least one."""
    edge, steps, *rest = axes
    return machines(edge, on.maximum(on.floor(steps * PES / edge**2), 1.0), *rest, *kind)


def whole_arrays(axes):
    """Whether a step is a whole number of arrays, and at least one."""
    edge, steps = axes[:2]
    return ((steps * PES) % edge**2 == 0) & (steps > 0)


def stacked(job, dims, array=np.asarray):
    """Products of a job side by side along a first axis: [Product] of columns, those that stay on the chip apart."""
    for fused in (False, True):
        rows = [tuple(map(float, one[1:6])) for one in job.products if one.fused == fused]
        if rows:
            columns = (array(np.array(column).reshape(-1, *[1] * dims)) for column in zip(*rows, strict=True))
            yield Product(job.name, *columns, fused=fused)


def summed(machine, job, chips, on, dims, array=np.asarray):
    """Load of all products of a job, for arrays of designs with so many dimensions."""
    many = [load_of(machine, product, job, chips, on) for product in stacked(job, dims, array)]
    launches = sum(product.count for product in job.products) * (PASSES if job.training else 1)
    columns = zip(*(one[:4] for one in many), strict=True)
    down = lambda part: part.sum(0) if np.ndim(part) == dims + 1 else part  # noqa: E731
    return Load(*(sum(map(down, column)) for column in columns), launches)


def results(machine, names, on, dims, array=np.asarray):
    """{job: Outcome} of arrays of designs."""
    area, found = whole_area(machine), {}
    for name in names:
        chips = holding(machine, jobs()[name], on)[0]
        load = summed(machine, jobs()[name], chips, on, dims, array)
        found[name] = outcome(machine, jobs()[name], area, load, on)
    return found


def reference(weights, dtype="bf16", given=None):
    """({job: rate of an H100}, its dollars an hour) on a mix in a format: what score and value are beside."""
    dtype, given = "fp8" if dtype == "fp4" else dtype, given and given._replace(clocked=assumed().clocked)
    found = score(replace(real(REFERENCE), dtype=dtype), dict(weights), given)
    return {name: found.results[name].per_chip_s for name in weights}, found.usd_per_hour


def kept(machine, area, drawn, watts, on):
    """{limit: whether it is kept} of arrays of designs that draw so many watts."""
    known = facts()
    return {
        "die": area <= known.die_mm2,
        "memory stacks": machine.stacks <= 2 * on.floor(area / min(FIELD_MM) / PITCH_MM),
        "links": machine.link_bytes_per_s <= known.most_link_bytes_per_s,
        "heat": drawn <= known.cooled_w_per_mm2 * area,
        "power": drawn <= watts,
    }


def judge(machine, found, weights, watts, on, dtype="bf16"):
    """(legal, score, value, dollars an hour, watts) of arrays of designs from Outcomes by job. `weights` sum to 1."""
    rates, beside = reference(weights, dtype, machine.assumed)
    area = whole_area(machine)
    merit, drawn, fits = 1.0, 0.0, True
    for name, weight in weights.items():
        merit = merit * (found[name].per_chip_s / rates[name]) ** weight
        drawn = on.maximum(drawn, found[name].watts)
        fits = fits & found[name].fits
    hour = usd_hour(machine, usd(machine, area, on), drawn)
    legal = fits
    for one in kept(machine, area, drawn, watts, on).values():
        legal = legal & one
    return legal, merit, merit / (hour / beside), hour, drawn


@dataclass(frozen=True, eq=False)
class Grid:
    """All designs of the grid on a mix, under a brief: arrays [edge, steps, sram, stacks, clock, link]."""

    axes: dict
    node: int
    dtype: str
    stack: str
    allowed: np.ndarray  # legal, and a whole number of arrays
    score: np.ndarray
    value: np.ndarray
    usd_per_hour: np.ndarray
    watts: np.ndarray
    size = property(lambda self: self.allowed.size)
    legal = cached_property(lambda self: int(self.allowed.sum()))  # designs that keep every limit and hold every job

    def design(self, place):
        """Design at a place, flat or by axis."""
        place = np.unravel_index(place, self.allowed.shape) if np.ndim(place) == 0 else place
        values = dict(zip(self.axes, (axis[i] for axis, i in zip(self.axes.values(), place, strict=True)), strict=True))
        arrays = values.pop("steps") * PES // values["edge"] ** 2
        return Design(arrays=int(arrays), node=self.node, dtype=self.dtype, stack=self.stack, **values)

    def best(self, wanted="value"):
        """The legal Design with the highest value or score."""
        return self.design(self.top(wanted))

    def top(self, wanted="value"):
        """Flat place of the best. Raises ValueError where nothing is legal."""
        if not self.legal:
            raise ValueError("no design of the grid keeps within the brief: allow more watts")
        return int(np.argmax(np.where(self.allowed, getattr(self, one_of("wanted", wanted, WANTED)), -1.0)))

    def front(self, over="dollars"):
        """Flat places of the legal designs that none beats in score and in dollars or watts at once, cheapest first."""
        cost = getattr(self, OVER[one_of("over", over, OVER)]).ravel()
        places = np.flatnonzero(self.allowed)
        return places[undominated(cost[places], self.score.ravel()[places])]


def undominated(cost, merit):
    """Places of those that no other beats: less or equal cost and more merit, or as much for less; cheapest first."""
    order = np.lexsort((-merit, cost))
    best = np.maximum.accumulate(merit[order])
    return order[np.concatenate([[True], merit[order][1:] > best[:-1]])] if len(order) else order


@lru_cache(maxsize=6)
def rated(node, dtype, stack):
    """(Machine, {job: its Outcome, what judge and a brief ask for}) of the whole grid."""
    machine = machines_of(opened(AXES.values()), node, dtype, stack, on=on_numpy())
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = results(machine, tuple(jobs()), on_numpy(), len(AXES))
    unused = dict.fromkeys(set(Outcome._fields) - {"fits", "per_chip_s", "seconds", "watts"})
    return machine, {name: one._replace(**unused) for name, one in found.items()}


@checked
def grid(
    watts: Single(Watts) = 700.0,
    mix: AMix = None,
    node: Node = 5,
    dtype: OneOf(FORMATS) = "bf16",
    stack: OneOf(STACKS) = "HBM3",
):
    """Grid of all designs on a mix of jobs, {name: weight}, under a limit of power."""
    return _grid(watts, tuple(mixed(mix).items()), node, dtype, stack)


@lru_cache(maxsize=8)
def _grid(watts, weights, node, dtype, stack):
    machine, found = rated(node, dtype, stack)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        judged = judge(machine, found, dict(weights), watts, on_numpy(), dtype)
    shape = tuple(map(len, AXES.values()))
    legal, *numbers = (np.broadcast_to(part, shape) for part in judged)
    whole = whole_arrays(opened(AXES.values()))
    return frozen(Grid(dict(AXES), node, dtype, stack, legal & whole, *map(np.ascontiguousarray, numbers)))
