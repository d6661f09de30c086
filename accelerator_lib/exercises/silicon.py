"""Exercises of chapter 9."""

from math import comb, exp

import numpy as np

from accelerator_lib import silicon
from accelerator_lib.exercises import Exercise
from accelerator_lib.exercises.cases import Wrong, case, shown
from accelerator_lib.exercises.slips import silicon as slips

POINTS = 0.015  # a share may be off by: four standard errors of 20,000 dies
DIES = 20_000
WAFERS = ((400, 0.1, 3), (800, 0.1, 1), (800, 0.2, 0.5), (600, 0.3, 20), (400, 0.1, None), (858, 0.2, None))
HARVESTED = (
    (814, 0.1, 144, 0, 3.4),
    (814, 0.1, 144, 3, 3.4),
    (814, 0.3, 144, 2, 3.4),
    (400, 0.2, 4, 1, 80),
    (800, 0.5, 8, 3, 60),
    (600, 0.1, 2, 2, 300),
)


def monte_carlo(area, d0, alpha, dies, draw):
    """Share of dies without a defect: each has a density of its own, then a Poisson number of defects."""
    density = np.full(dies, d0) if alpha is None else draw.gamma(alpha, d0 / alpha, dies)
    return (draw.poisson(density * area / 100) == 0).mean()


def harvest(area, d0, units, spare, unit_mm2):
    """Share of dies with at most `spare` bad units and nothing outside the units hit; defects fall evenly."""
    bad = 1 - exp(-d0 / 100 * unit_mm2)
    few = sum(comb(units, k) * bad**k * (1 - bad) ** (units - k) for k in range(spare + 1))
    return few * exp(-d0 / 100 * (area - units * unit_mm2))


def _near(want, where):
    """What judges a share of dies."""

    def judge(got):
        if isinstance(got, bool) or not isinstance(got, (int, float, np.number)) or not np.isfinite(got):
            raise Wrong(f"For {where} your function returned {shown(got)}; a share of the dies was expected.")
        if abs(got - want) > POINTS:
            raise Wrong(f"For {where} your function returned {got:.3f}; expected is {want:.3f}, within 0.015.")

    return judge


def _check_monte_carlo(function):
    for turn, (area, d0, alpha) in enumerate(WAFERS):
        x = area * d0 / 100
        want = exp(-x) if alpha is None else (1 + x / alpha) ** -alpha
        where = f"{area} mm², {d0} per cm², " + ("no clustering" if alpha is None else f"alpha {alpha}")
        call = lambda a=area, d=d0, b=alpha, t=turn: function(a, d, b, DIES, np.random.default_rng(90 + t))  # noqa: E731
        yield case(where, f"about {want:.3f}", call, _near(want, where))
    return "right for six wafers, within 1.5 points: your dice give the negative binomial formula, and Poisson's."


def _check_harvest(function):
    for given in HARVESTED:
        area, d0, units, spare, unit_mm2 = given
        want = silicon.harvested_yield(area, d0, units, spare, unit_mm2, "poisson")
        where = f"{area} mm², {d0} per cm², {units} units of {unit_mm2} mm², {spare} spare"
        yield case(where, f"about {want:.3f}", lambda given=given: function(*given), _near(want, where))
    return "right for six dies: spare units save what is hit inside them, and nothing else."


EXERCISES = [
    Exercise(
        "09.1",
        "X9.1",
        "the share of dies without a defect, each with a density of its own.",
        "Which shape and scale give a gamma distribution the mean d0? How many defects does such a die expect?",
        _check_monte_carlo,
        monte_carlo,
        (slips.one_density_for_all, slips.mean_not_kept, slips.square_centimetres, slips.bad_for_good),
    ),
    Exercise(
        "09.3",
        "X9.3",
        "the share of dies of which at most `spare` units are hit, and nothing outside them.",
        "With which probability does one unit have no defect? How many of them may be bad? What must be clean besides?",
        _check_harvest,
        harvest,
        (slips.outside_forgotten, slips.exactly_so_many, slips.defects_for_units, slips.no_spare_needed),
    ),
]
