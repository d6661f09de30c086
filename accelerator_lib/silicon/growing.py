"""Growing: the die grows over defects that stay where they are; what does a good square millimetre cost?

    dollars for a good mm^2 = price of the wafer / (dies that can be sold x area of one)

Counted on one wafer, whose defects fall anywhere, and by Murphy's formula, which stands for many whose density differs.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.silicon.cost import Dollars
from accelerator_lib.silicon.falling import ASPECT, Fallen, OneDensity, Seed, _points, landed
from accelerator_lib.silicon.wafer import FIELD_MM, WAFER_MM, cut, dies_per_wafer
from accelerator_lib.silicon.yields import Alpha, harvested_yield

LARGEST = float(np.prod(FIELD_MM))
AREAS = (*range(50, 200, 10), *range(200, 400, 20), *range(400, 850, 25), LARGEST)


@dataclass(frozen=True, eq=False)
class Grown:
    """One size of the die over the defects of a wafer, and the sizes before."""

    wafer: Fallen
    areas: np.ndarray  # [mm^2] of the whole run
    formula: np.ndarray  # dollars for a good mm^2 at each of them
    counted: np.ndarray  # the same on this wafer, for the sizes so far; NaN where no die is left

    @property
    def area(self):
        return float(self.areas[len(self.counted) - 1])

    @property
    def expected(self):
        """Dollars for a good mm^2 by the formula, at this size."""
        return float(self.formula[len(self.counted) - 1])


@checked
def grow(
    defects_per_cm2: OneDensity = 0.1,
    spare: Count(low=0, high=4096) = 0,
    seed: Seed = 130,
    wafer_cost: Single(Dollars) = 17000.0,
    alpha: Alpha = None,
    count: Count(high=4096) = 144,
    share: Single(Number(0, 1)) = 0.6,
):
    """Yield a Grown for every size from 50 mm^2 to the exposure field. Arguments as for `fall`."""
    areas = np.array(AREAS, float)
    points = _points(seed, defects_per_cm2, alpha, WAFER_MM, FIELD_MM, (0.0, 0.0))
    many = [harvested_yield(a, defects_per_cm2, count, spare, share * a / count) for a in AREAS]
    formula, counted = wafer_cost / (np.floor(dies_per_wafer(areas)) * np.array(many) * areas), []
    for area, rate in zip(areas, many, strict=True):
        (fallen,) = landed(cut(area, ASPECT), points, share, count, spare, rate)
        sold = sum(fallen.counts[:2])
        counted = np.append(counted, wafer_cost / (sold * area) if sold else np.nan)
        yield Grown(fallen, areas, formula, counted)
