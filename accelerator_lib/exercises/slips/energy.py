"""Slips of the exercises of chapter 8."""

from accelerator_lib import energy, hardware
from accelerator_lib.energy import chips


def macs_counted_twice(m, n, k, dtype, level):
    """You took two multiply-accumulates where there is one: energy.mac_pj is the multiplication and the addition."""
    return report_of(2 * m * n * k, k * n * hardware.format_bytes(dtype), dtype, level)


def all_operands_read(m, n, k, dtype, level):
    """You moved inputs and outputs as well; here only the k x n weights are read from that level."""
    return report_of(m * n * k, (m * k + k * n + m * n) * hardware.format_bytes(dtype), dtype, level)


def always_two_bytes(m, n, k, dtype, level):
    """You took two bytes for every weight; their size depends on `dtype`."""
    return report_of(m * n * k, k * n * 2, dtype, level)


def left_in_picojoule(m, n, k, dtype, level):
    """Your numbers are in picojoule: multiply by 1e-12 for joules."""
    return tuple(1e12 * part for part in report_of(m * n * k, k * n * hardware.format_bytes(dtype), dtype, level))


def report_of(macs, moved, dtype, level):
    """The three joules of so many multiply-accumulates and bytes."""
    arithmetic, movement = macs * energy.mac_pj(dtype) * 1e-12, energy.access_pj(moved, level) * 1e-12
    return arithmetic, movement, arithmetic + movement


def work_for_each_joule(clock, constant, leaking, dynamic):
    """At a clock, relative to the nominal one."""
    return clock * (constant + leaking + dynamic) / (constant + leaking * clock + dynamic * clock**3)


def leakage_moves_it(constant, leaking, dynamic):
    """You treated leakage as constant. Here it falls with the voltage, so a job leaks the same at every clock."""
    clock = ((constant + leaking) / (2 * dynamic)) ** (1 / 3)
    return clock, work_for_each_joule(clock, constant, leaking, dynamic)


def two_forgotten(constant, leaking, dynamic):
    """Your clock is the cube root of constant / dynamic: the derivative of dynamic f^2 is 2 dynamic f."""
    clock = (constant / dynamic) ** (1 / 3)
    return clock, work_for_each_joule(clock, constant, leaking, dynamic)


def three_for_two(constant, leaking, dynamic):
    """You set the derivative of the power to zero. It is the energy of a job, power / f, that has its least there."""
    clock = (constant / (3 * dynamic)) ** (1 / 3)
    return clock, work_for_each_joule(clock, constant, leaking, dynamic)


def time_forgotten(constant, leaking, dynamic):
    """Your gain compares powers. At a lower clock the job takes longer: compare power times time."""
    clock = (constant / (2 * dynamic)) ** (1 / 3)
    return clock, work_for_each_joule(clock, constant, leaking, dynamic) / clock


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
