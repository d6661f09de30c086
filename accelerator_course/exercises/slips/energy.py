"""Slips of the exercises of chapter 8."""

import math

from accelerator_lib import energy, hardware
from accelerator_lib.energy import chips


def narrowest_first(budget, n, k, level, most):
    """You began with the narrowest format. Wanted is the widest that keeps the budget."""
    return planned(budget, n, k, level, most, formats=("int8", "fp16", "fp32"))


def arithmetic_forgotten(budget, n, k, level, most):
    """You left out the arithmetic: every row pays for its own multiply-adds, however many share the weights."""
    return planned(budget, n, k, level, most, arithmetic=0)


def rounded_down(budget, n, k, level, most):
    """Your batch is one row too small: with that many rows a row costs more than the budget. Round up."""
    return planned(budget, n, k, level, most, up=math.floor)


def always_two_bytes(budget, n, k, level, most):
    """You took two bytes for every weight; their size depends on the format."""
    return planned(budget, n, k, level, most, size=2)


def planned(budget, n, k, level, most, formats=("fp32", "fp16", "int8"), arithmetic=1, up=math.ceil, size=None):
    """(dtype, rows), with one thing changed."""
    for dtype in formats:
        own = arithmetic * n * k * energy.mac_pj(dtype) * 1e-12
        moved = energy.access_pj(n * k * (size or hardware.format_bytes(dtype)), level) * 1e-12
        if own < budget and up(moved / (budget - own)) <= most:
            return dtype, max(1, up(moved / (budget - own)))
    return None


def joules(clock, constant, leaking, dynamic):
    """Energy for a job, against that at the nominal clock."""
    volts = 0.3 + 0.7 * clock
    watts = constant + leaking * volts + dynamic * volts**2 * clock
    return watts / clock / (constant + leaking + dynamic)


def least(function, *watts):
    """Where a function of the clock is least."""
    return min((step / 1000 for step in range(10, 3000)), key=lambda clock: function(clock, *watts))


def leakage_in_proportion(constant, leaking, dynamic):
    """You let leakage fall as fast as the clock. The voltage falls less than the clock: a slow job leaks more."""
    clock = least(joules, constant, 0, dynamic)
    job = (constant + dynamic) * joules(clock, constant, 0, dynamic) + leaking
    return clock, (constant + leaking + dynamic) / job


def leakage_left_out(constant, leaking, dynamic):
    """You left leakage out: constant watts and switching alone make your clock and your gain."""
    clock = least(joules, constant, 0, dynamic)
    return clock, 1 / joules(clock, constant, 0, dynamic)


def leakage_constant(constant, leaking, dynamic):
    """You treated leakage as constant. It falls with the voltage, though less than the clock does."""
    clock = least(joules, constant + leaking, 0, dynamic)
    return clock, 1 / joules(clock, constant + leaking, 0, dynamic)


def least_power(constant, leaking, dynamic):
    """You took the clock of the least power, the slowest. It is the energy of a job, power / f, that is to be least."""
    return 0.01, 1 / joules(0.01, constant, leaking, dynamic)


def time_forgotten(constant, leaking, dynamic):
    """Your gain compares powers. At a lower clock the job takes longer: compare power times time."""
    clock = least(joules, constant, leaking, dynamic)
    return clock, 1 / joules(clock, constant, leaking, dynamic) / clock


def every_memory_is_hbm2(chip):
    """You took one memory for every chip: GDDR and DDR cost other energies, see energy.chips.level_of(chip.memory)."""
    return energy.memory_watts(chip.bytes_per_s, chips.level_of("HBM2")) + arithmetic_of(chip)


def sums_no_wider_than_products(chip):
    """You kept the sums in the format of the products: tensor cores add in fp32, and int8 in int32."""
    dtype = next(name for name in ("fp16", "bf16", "int8") if name in chip.matrix)
    memory = energy.memory_watts(chip.bytes_per_s, chips.level_of(chip.memory))
    return memory + energy.compute_watts(chip.peak(dtype), dtype)


def a_mac_for_each_flop(chip):
    """You paid for a multiply-accumulate with every FLOP: one is two FLOP. compute_watts takes the peak as it is."""
    return energy.memory_watts(chip.bytes_per_s, chips.level_of(chip.memory)) + arithmetic_of(chip, times=2)


def arithmetic_of(chip, times=1):
    """Watts of the arithmetic of a Chip at so many times its peak."""
    dtype = next(name for name in ("fp16", "bf16", "int8") if name in chip.matrix)
    return energy.compute_watts(times * chip.peak(dtype), dtype, accumulator="int32" if dtype == "int8" else "fp32")
