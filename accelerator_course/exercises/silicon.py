"""Exercises of chapter 9."""

from functools import cache
from math import comb, exp

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, shown
from accelerator_course.exercises.slips import silicon as slips
from accelerator_lib import silicon
from accelerator_lib.silicon.choices import IO, PIECES, SRAM, choices

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
    (600, 0.3, 6, 2, 100),
)

MARKETS = (  # D0, dollars for an extra die
    (0.1, 60),
    (0.1, 120),
    (0.05, 60),
    (0.5, 60),
    (0.3, 20),
    (0.7, 0),
    (2.0, 40),
    (2.0, 120),
)


def monte_carlo(area, d0, alpha, dies, draw):
    """Share of dies without a defect: each has a density of its own, then a Poisson number of defects."""
    density = np.full(dies, d0) if alpha is None else draw.gamma(alpha, d0 / alpha, dies)
    return (draw.poisson(density * area / 100) == 0).mean()


def harvest(area, d0, units, spare, unit_mm2):
    """Share of dies with at most `spare` bad units and nothing outside the units hit; defects fall at random."""
    bad = 1 - exp(-d0 / 100 * unit_mm2)
    few = sum(comb(units, k) * bad**k * (1 - bad) ** (units - k) for k in range(spare + 1))
    return few * exp(-d0 / 100 * (area - units * unit_mm2))


def cheapest_package(d0, assembly):
    """(pieces, place of the I/O, place of the SRAM, dollars) of the cheapest way to cut the design."""
    best = None
    for pieces in (1, 2, 3, 4, 5, 6, 8):
        for io in ("with units", "N5", "N7"):
            for sram in ("with units", "with I/O"):
                own = io != "with units"
                if sram == "with I/O" and not own:
                    continue
                dies = pieces + own
                wider = 1.05 if dies > 1 else 1
                area = (480 + 160 * (sram == "with units") + 140 * (not own)) / pieces * wider
                good = silicon.harvested_yield(area, d0, 120 // pieces, 8 // pieces, 4)
                dollars = pieces * 16000 / (int(silicon.dies_per_wafer(area)) * good)
                if own:
                    cell = 0.027 / 0.021 if io == "N7" else 1
                    beside = (140 + 160 * cell * (sram == "with I/O")) * wider
                    dollars += silicon.cost_per_good_die(10000 if io == "N7" else 16000, beside, d0)
                if dies > 1:
                    dollars = (dollars + assembly * (dies - 1)) / 0.99**dies
                if best is None or dollars < best[3]:
                    best = pieces, io, sram, dollars
    return best


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
    return "right for seven dies: spare units save what is hit inside them, and nothing else."


@cache
def _every(d0, assembly):
    """{(pieces, io, sram): Choice}, the cheapest first."""
    return {one.name: one for one in choices(d0, assembly)}


def _check_cheapest_package(function):
    for d0, assembly in MARKETS:
        every = _every(d0, assembly)
        best = next(iter(every.values()))
        where = f"D0 = {d0}, {assembly} dollars for an extra die"

        def judge(got, every=every, best=best, where=where):
            if not isinstance(got, (tuple, list)) or len(got) != 4:
                raise Wrong(f"For {where} return (pieces, io, sram, dollars); you returned {shown(got)}.")
            mine = every.get(tuple(got[:3]))
            if mine is None:
                raise Wrong(
                    f"For {where} you chose {shown(tuple(got[:3]))}. Pieces are one of {PIECES}, I/O one of {IO}, "
                    f"SRAM one of {SRAM}; SRAM goes with the I/O only where that has a die of its own."
                )
            if mine is not best:
                paid = f"costs {mine.usd:.2f} dollars; {best.usd:.2f} are possible"
                raise Wrong(f"For {where} your package, {shown(mine.name)}, {paid}.")
            expect(got[3], best.usd, f"{where}, the dollars", 5e-5)  # cents are near enough

        want = shown((*best.name, best.usd))
        yield case(where, want, lambda d=d0, a=assembly: function(d, a), judge)
    return (
        "right for eight markets. A clean process, or assembly that costs more than it saves: one die. Many defects: "
        "more pieces. In between, what does not shrink goes to the old node."
    )


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
        "09.2",
        "X9.2",
        "a tuple (pieces, place of the I/O, place of the SRAM, dollars): the cheapest good package.",
        "There are 35 ways. Write what one of them costs, die by die; then try all, and keep the least.",
        _check_cheapest_package,
        cheapest_package,
        (
            slips.links_forgotten,
            slips.every_die_assembled,
            slips.only_extra_bonds,
            slips.eight_spare_in_each,
            slips.cells_of_n5,
            slips.one_price_for_wafers,
            slips.nothing_salvaged,
        ),
    ),
    Exercise(
        "09.3",
        "X9.3",
        "the share of dies of which at most `spare` units are hit, and nothing outside them.",
        "With which probability does one unit have no defect? How many of them may be bad? What must be clean besides?",
        _check_harvest,
        harvest,
        (
            slips.outside_forgotten,
            slips.exactly_so_many,
            slips.defects_for_units,
            slips.no_spare_needed,
            slips.hits_for_chances,
        ),
    ),
]
