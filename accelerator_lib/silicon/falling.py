"""Falling: defects land on a wafer one by one; dies turn from good to salvaged to scrap.

Without clustering a wafer gets a Poisson number of defects, each anywhere. With it every patch of the wafer has a
density of its own, drawn from a gamma distribution around the mean: where patches are dies, the yield of many wafers is
the negative binomial one. A defect kills the unit it hits; outside the units it kills the die.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.silicon.salvage import Units, units
from accelerator_lib.silicon.wafer import ASPECT, FIELD_MM, WAFER_MM, Area, Cut, Diameter, cut
from accelerator_lib.silicon.yields import Alpha, harvested_yield

GOOD, SALVAGED, SCRAP = range(3)
Seed = Count(low=0, high=2**32)
OneDensity = Single(Number(low=0, high=5, unit="per cm²"))


@checked
def defects(seed: Seed, defects_per_cm2: OneDensity, alpha: Alpha = None, diameter_mm: Single(Diameter) = WAFER_MM):
    """Yield (x, y) [mm from the middle] of every defect of a wafer, in the order in which they fall.
    `alpha` clusters them by patches as large as the exposure field, the smaller the more."""
    for point in _points(seed, defects_per_cm2, alpha, diameter_mm, FIELD_MM, (0.0, 0.0)):
        yield float(point[0]), float(point[1])


def _points(seed, defects_per_cm2, alpha, diameter, patch, middle):
    """All of them, an array [n, 2]."""
    draw, radius, size, middle = np.random.default_rng(seed), diameter / 2, np.array(patch, float), np.array(middle)
    if alpha is None:
        corners, size, means = np.full((1, 2), -radius), np.full(2, diameter), np.full(1, defects_per_cm2)
    else:
        low, high = (np.floor((side * radius - middle) / size + 0.5).astype(int) for side in (-1, 1))
        grid = np.stack(np.meshgrid(*(np.arange(a, b + 1) for a, b in zip(low, high, strict=True))), -1)
        corners = (grid.reshape(-1, 2) - 0.5) * size + middle
        means = defects_per_cm2 * draw.gamma(alpha, 1 / alpha, len(corners))
    each = draw.poisson(means * size.prod() / 100).astype(np.intp)  # in a browser an index has 32 bits
    points = np.repeat(corners, each, 0) + draw.random((each.sum(), 2)) * size
    return draw.permutation(points[np.hypot(*points.T) <= radius])


@dataclass(frozen=True, eq=False)
class Fallen:
    """A wafer after some defects: which dies they have hit, and where."""

    cut: Cut
    units: Units
    spare: int
    points: np.ndarray  # [n, 2], mm from the middle of the wafer
    die: np.ndarray  # of each defect, -1 for none
    unit: np.ndarray  # of each defect, -1 for none
    formula: float  # the yield of many such wafers
    most: int  # defects of the whole run

    @cached_property
    def bad_units(self):
        """Bad units of every die."""
        there = (self.die >= 0) & (self.unit >= 0)
        hit = np.unique(self.die[there] * self.units.count + self.unit[there]) // self.units.count
        return np.bincount(hit, minlength=len(self.cut.centres))

    @cached_property
    def states(self):
        """GOOD, SALVAGED or SCRAP, of every die."""
        found = np.where(self.bad_units > self.spare, SCRAP, np.where(self.bad_units > 0, SALVAGED, GOOD))
        found[self.die[(self.die >= 0) & (self.unit < 0)]] = SCRAP
        return found

    # how many dies are good, salvaged, scrap
    counts = cached_property(lambda self: tuple(np.bincount(self.states, minlength=3).tolist()))
    saleable = property(lambda self: self.counts[GOOD] + self.counts[SALVAGED])  # how many dies are good or salvaged
    # share of the dies that are good or salvaged; 0 where there are none
    sold = property(lambda self: self.saleable / len(self.states) if len(self.states) else 0.0)
    # the die that the last defect hit, -1 for none; None before the first
    last = property(lambda self: int(self.die[-1]) if len(self.die) else None)

    def within(self, die):
        """(points [n, 2] from the upper left corner of a die, the unit of each)."""
        there = self.die == die
        return self.points[there] - self.cut.corners[die], self.unit[there]


def landed(cut, points, share, count, spare, formula, first=None):
    """Yield a Fallen of the first `first` of `points` [n, 2], then of one more each; of all where it is None."""
    made = units(cut.width, cut.height, count, share * cut.area / count)
    die = cut.die_of(points)
    inside = points - cut.corners[die] if len(cut.centres) else points
    unit = np.where(die >= 0, made.of(inside), -1)
    for n in range(len(points) if first is None else first, len(points) + 1):
        yield Fallen(cut, made, spare, points[:n], die[:n], unit[:n], formula, len(points))


@checked
def fall(
    area_mm2: Single(Area) = 800,
    defects_per_cm2: OneDensity = 0.1,
    alpha: Alpha = None,
    spare: Count(low=0, high=4096) = 0,
    count: Count(high=4096) = 144,
    share: Single(Number(0, 1)) = 0.6,
    seed: Seed = 130,
):
    """Yield a Fallen before the first defect and after each. `count` units cover a `share` of a die of 26 : 33.
    Raises ValueError where no die of this area fits on a wafer."""
    made = cut(area_mm2, ASPECT)
    if not len(made.centres):
        raise ValueError(f"area_mm2: no die of {area_mm2:g} mm² fits on a wafer")
    patch = made.width + made.scribe, made.height + made.scribe
    points = _points(seed, defects_per_cm2, alpha, WAFER_MM, patch, made.centres[0])
    model = ("poisson", 3) if alpha is None else ("negative_binomial", alpha)
    many = harvested_yield(area_mm2, defects_per_cm2, count, spare, share * area_mm2 / count, *model)
    yield from landed(made, points, share, count, spare, many, 0)
