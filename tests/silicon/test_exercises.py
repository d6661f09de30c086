"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
import pytest

from accelerator_lib import silicon
from accelerator_lib.exercises import silicon as exercises
from accelerator_lib.exercises.slips import silicon as slips


def no_dice(area, d0, alpha, dies, draw):
    return float(np.exp(-area * d0 / 100))


def all_but_one_die(area, d0, alpha, dies, draw):
    return (draw.poisson(d0 * area / 100, dies) == 0).sum()


def no_units_at_all(area, d0, units, spare, unit_mm2):
    return silicon.die_yield(area - spare * unit_mm2, d0, "poisson")


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "09.1": [
        (slips.one_density_for_all, "400 mm², 0.1 per cm², alpha 3"),
        (slips.mean_not_kept, "400 mm², 0.1 per cm², alpha 3"),
        (slips.square_centimetres, "400 mm², 0.1 per cm², alpha 3"),
        (slips.bad_for_good, "400 mm², 0.1 per cm², alpha 3"),
        (no_dice, "400 mm², 0.1 per cm², alpha 3"),
        (all_but_one_die, "400 mm², 0.1 per cm², alpha 3"),
        (lambda *given: "0.69", "a share of the dies was expected"),
        (lambda *given: float("nan"), "a share of the dies was expected"),
    ],
    "09.3": [
        (slips.outside_forgotten, "814 mm², 0.1 per cm², 144 units of 3.4 mm², 0 spare"),
        (slips.exactly_so_many, "814 mm², 0.1 per cm², 144 units of 3.4 mm², 3 spare"),
        (slips.defects_for_units, "400 mm², 0.2 per cm², 4 units of 80 mm², 1 spare"),
        (slips.no_spare_needed, "814 mm², 0.1 per cm², 144 units of 3.4 mm², 3 spare"),
        (no_units_at_all, "814 mm², 0.1 per cm², 144 units of 3.4 mm², 3 spare"),
        (lambda *given: [0.5], "a share of the dies was expected"),
    ],
}

HARMLESS = {id: ["/ 101", "/ 99"] for id in ("09.1", "09.3")}  # a percent of the area: less than the dice scatter


@pytest.mark.parametrize("given", exercises.HARVESTED)
def test_dies_that_are_thrown_one_by_one_have_the_yield_of_the_key(given):
    area, d0, units, spare, unit_mm2 = given
    for seed in range(3):
        draw = np.random.default_rng(seed)
        bad = (draw.poisson(d0 / 100 * unit_mm2, (20_000, units)) > 0).sum(1) <= spare
        clean = draw.poisson(d0 / 100 * (area - units * unit_mm2), 20_000) == 0
        want = silicon.harvested_yield(area, d0, units, spare, unit_mm2, "poisson")
        assert (bad & clean).mean() == pytest.approx(want, abs=0.015)


def test_the_dice_of_the_solution_are_near_the_library():
    for area, d0, alpha in exercises.WAFERS:
        model = ("poisson",) if alpha is None else ("negative_binomial", alpha)
        got = exercises.monte_carlo(area, d0, alpha, 100_000, np.random.default_rng(5))
        assert got == pytest.approx(silicon.die_yield(area, d0, *model), abs=0.006)
