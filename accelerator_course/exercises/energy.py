"""Exercises of chapter 8."""

import math
from functools import cache

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, number, numbers, shown
from accelerator_course.exercises.slips import energy as slips
from accelerator_lib import energy, hardware
from accelerator_lib.energy import chips
from accelerator_lib.workload import Gemm

FORMATS = ("fp32", "fp16", "int8")  # the widest first
LAYERS = (  # joules for one row, n, k, level, the most rows
    (20e-6, 4096, 4096, "hbm2_low", 128),
    (20e-6, 4096, 4096, "hbm2_low", 91),
    (20e-6, 4096, 4096, "hbm2_low", 64),
    (50e-6, 4096, 4096, "hbm2_low", 128),
    (30e-6, 4096, 4096, "sram_1mb", 128),
    (2e-6, 2048, 2048, "ddr", 4096),
    (1e-6, 4096, 4096, "hbm2_low", 4096),
)


def plan(budget, n, k, level, most):
    """(dtype, rows): the widest format whose energy for one row is within `budget` [J] with at most so many rows."""
    for dtype in ("fp32", "fp16", "int8"):
        arithmetic = n * k * energy.mac_pj(dtype) * 1e-12
        movement = energy.access_pj(n * k * hardware.format_bytes(dtype), level) * 1e-12
        if arithmetic < budget:
            rows = math.ceil(movement / (budget - arithmetic))
            if rows <= most:
                return dtype, rows
    return None


def best_clock(constant, leaking, dynamic):
    """(clock, gain): the least energy for a job, power = constant + leaking V + dynamic V^2 f; work for each joule."""

    def joules(f):
        volts = 0.3 + 0.7 * f
        return (constant + leaking * volts + dynamic * volts**2 * f) / f

    low, high = 0.01, 10.0
    while high - low > 1e-6:  # the energy falls, then rises: a third of the range can go each time
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (low, right) if joules(left) < joules(right) else (left, high)
    return low, joules(1) / joules(low)


def sanity(chip):
    """Estimated watts of a Chip: bandwidth at its own memory's energy, 16-bit peak with fp32 sums (int8 with int32)."""
    memory = energy.memory_watts(chip.bytes_per_s, chips.level_of(chip.memory))
    dtype = next(name for name in ("fp16", "bf16", "int8") if name in chip.matrix)
    return memory + energy.compute_watts(chip.peak(dtype), dtype, accumulator="int32" if dtype == "int8" else "fp32")


@cache
def tried(budget, n, k, level, most):
    """The same by trying every number of rows, through energy.layer."""
    for dtype in FORMATS:
        for rows in range(1, most + 1):
            if energy.layer(Gemm(rows, n, k), dtype, level).total / rows <= budget:
                return dtype, rows
    return None


def _check_plan(function):
    for layer in LAYERS:
        budget, n, k, level, most = layer
        want, where = tried(*layer), f"{1e6 * budget:g} µJ a row, {n} x {k}, {level}, at most {most} rows"

        def judge(got, want=want, where=where):
            mine = tuple(got) if isinstance(got, list) else got
            if mine != want:
                raise Wrong(f"For {where} your function returned {shown(got)}; expected is {shown(want)}.")

        yield case(where, shown(want), lambda layer=layer: function(*layer), judge)
    return f"right for {len(LAYERS)} layers. A larger batch saves movement, a narrower format both."


def searched(constant, leaking, dynamic):
    """(clock, gain) by trying 30,000 clocks: joules for one job are watts x seconds."""
    clocks = np.arange(1, 30_001) / 10_000
    volts = 0.3 + 0.7 * clocks
    joules = (constant + leaking * volts + dynamic * volts**2 * clocks) * (1 / clocks)
    return clocks[joules.argmin()], (constant + leaking + dynamic) / joules.min()


MACHINES = ((90, 60, 240), (20, 0, 300), (0, 150, 250), (200, 120, 80))  # watts: constant, leaking, dynamic


def _check_best_clock(function):
    for watts in MACHINES:
        wants = dict(zip(("the clock", "the gain"), searched(*watts), strict=True))
        where = "{} W constant, {} W leaking and {} W dynamic".format(*watts)
        yield numbers(function, watts, wants, where, "(clock, gain)", rel_tol=(3e-3, 1e-3))
    return f"right for {len(MACHINES)} machines. More leakage moves the best clock up, even with nothing constant."


def _check_sanity(function):
    found, _ = chips.estimates()
    for id, want in found.items():
        yield number(function, (want.chip,), want.watts, id, rel_tol=1e-6)
    over = [id for id, want in found.items() if want.share > 1]
    return (
        f"right for {len(found)} chips. Over their TDP: {', '.join(over)}. Hardly any job draws both peaks at once, "
        "and the table is that of an older process: B200 and B300 touch the line. B100 is the same silicon with 700 W: "
        "its peaks can hardly last. Close under the line is h100-pcie, for the same reason."
    )


EXERCISES = [
    Exercise(
        "08.1",
        "X8.1",
        "a pair (dtype, rows), the widest format that keeps the budget and the fewest rows; None where none does.",
        "One row costs arithmetic + movement / rows. Which number of rows brings that down to the budget?",
        _check_plan,
        plan,
        (slips.narrowest_first, slips.arithmetic_forgotten, slips.rounded_down, slips.always_two_bytes),
    ),
    Exercise(
        "08.2",
        "X8.2",
        "a pair (clock, gain): the clock of the least energy for a job, and the work for each joule, both against f=1.",
        "Write joules(f) = power / f. Set its slope to zero, or try all clocks in small steps and keep the least.",
        _check_best_clock,
        best_clock,
        (
            slips.leakage_in_proportion,
            slips.leakage_left_out,
            slips.leakage_constant,
            slips.least_power,
            slips.time_forgotten,
        ),
    ),
    Exercise(
        "08.3",
        "X8.3",
        "the watts of a chip at its full bandwidth and its full 16-bit peak (int8 where it has none).",
        "energy.memory_watts at energy.chips.level_of(chip.memory), plus energy.compute_watts of the peak, sums wide.",
        _check_sanity,
        sanity,
        (slips.every_memory_is_hbm2, slips.sums_no_wider_than_products, slips.a_mac_for_each_flop),
    ),
]
