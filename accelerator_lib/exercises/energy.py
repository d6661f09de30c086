"""Exercises of chapter 8."""

import numpy as np

from accelerator_lib import energy, hardware
from accelerator_lib.energy import chips
from accelerator_lib.exercises import Exercise
from accelerator_lib.exercises.cases import number, numbers
from accelerator_lib.exercises.slips import energy as slips
from accelerator_lib.workload import Gemm

PARTS = ("arithmetic", "movement", "total")
LAYERS = (
    (1, 4096, 4096, "fp16", "hbm2_low"),
    (64, 4096, 4096, "fp16", "hbm2_low"),
    (1, 1024, 8192, "int8", "sram_1mb"),
    (4096, 512, 2048, "bf16", "ddr"),
)


def layer_report(m, n, k, dtype, level):
    """(arithmetic, movement, total) [J]: all multiply-accumulates, and k x n weights read once."""
    arithmetic = m * n * k * energy.mac_pj(dtype) * 1e-12
    movement = energy.access_pj(k * n * hardware.format_bytes(dtype), level) * 1e-12
    return arithmetic, movement, arithmetic + movement


def best_clock(constant, leaking, dynamic):
    """(clock, gain): the least energy for a job, power = constant + leaking f + dynamic f^3; work for each joule."""
    clock = (constant / (2 * dynamic)) ** (1 / 3)
    return clock, clock * (constant + leaking + dynamic) / (constant + leaking * clock + dynamic * clock**3)


def sanity(chip):
    """Estimated watts of a Chip: bandwidth at its own memory's energy, 16-bit peak with fp32 sums (int8 with int32)."""
    memory = energy.memory_watts(chip.bytes_per_s, chips.level_of(chip.memory))
    dtype = next(name for name in ("fp16", "bf16", "int8") if name in chip.matrix)
    return memory + energy.compute_watts(chip.peak(dtype), dtype, accumulator="int32" if dtype == "int8" else "fp32")


def _check_layer_report(function):
    for m, n, k, dtype, level in LAYERS:
        want = energy.layer(Gemm(m, n, k), dtype, level)
        wants = dict(zip(PARTS, (want.arithmetic, want.movement, want.total), strict=True))
        ask = "three numbers (arithmetic, movement, total) in joules"
        yield numbers(function, (m, n, k, dtype, level), wants, f"{m} x {n} x {k}, {dtype}, {level}", ask)
    share = energy.layer(Gemm(1, 4096, 4096), "fp16", "hbm2_low").arithmetic_share
    return f"right for four layers. In the first, arithmetic is {100 * share:.2f} % of the energy."


def searched(constant, leaking, dynamic):
    """(clock, gain) by trying 30,000 clocks: joules for one job are watts x seconds."""
    clocks = np.arange(1, 30_001) / 10_000
    joules = (constant + leaking * clocks + dynamic * clocks**3) * (1 / clocks)
    return clocks[joules.argmin()], (constant + leaking + dynamic) / joules.min()


MACHINES = ((100, 50, 250), (20, 0, 300), (200, 120, 80))  # watts: constant, leaking, dynamic


def _check_best_clock(function):
    for watts in MACHINES:
        wants = dict(zip(("the clock", "the gain"), searched(*watts), strict=True))
        where = "{} W constant, {} W leaking and {} W dynamic".format(*watts)
        yield numbers(function, watts, wants, where, "(clock, gain)", rel_tol=(3e-3, 1e-3))
    return "right for three machines. Leakage makes the gain smaller; it does not move the clock."


def _check_sanity(function):
    found, _ = chips.estimates()
    for id, want in found.items():
        yield number(function, (want.chip,), want.watts, id, rel_tol=1e-6)
    over = [id for id, want in found.items() if want.share > 1]
    return (
        f"right for {len(found)} chips. Over their TDP: {', '.join(over)}. All three are made in a newer process "
        "than the table knows, and B100 quotes its peak at a TDP that hardly allows it."
    )


EXERCISES = [
    Exercise(
        "08.1",
        "X8.1",
        "(arithmetic, movement, total) in joules: all multiply-adds; k x n weights read once from a level; the sum.",
        "energy.mac_pj(dtype) for each of m n k multiply-adds, energy.access_pj for the weights' bytes; both in pJ.",
        _check_layer_report,
        layer_report,
        (slips.macs_counted_twice, slips.all_operands_read, slips.always_two_bytes, slips.left_in_picojoule),
    ),
    Exercise(
        "08.2",
        "X8.2",
        "a pair (clock, gain): the clock of the least energy for a job, and the work for each joule, both against f=1.",
        "Divide the power by f: one of its three terms no longer depends on f. Set the slope of the others to zero.",
        _check_best_clock,
        best_clock,
        (slips.leakage_moves_it, slips.two_forgotten, slips.three_for_two, slips.time_forgotten),
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
