"""Slips of the exercises of chapter 8."""

from accelerator_lib import energy

LEVELS = {"whole path": ("a100_hbm", "a100_l1"), "device alone": ("hbm2_low", "sram_32kb")}
SIZE, MAC = {"fp32": 4, "fp16": 2, "int8": 1}, {"fp32": 1.69, "fp16": 0.72, "int8": 0.1}


def job_joules(clock, constant, leaking, dynamic):
    """Energy for a job, against that at the nominal clock."""
    volts = 0.5 + 0.5 * clock
    watts = constant + leaking * volts + dynamic * volts**2 * clock
    return watts / clock / (constant + leaking + dynamic)


def least(function, *watts):
    """Where a function of the clock is least."""
    return min((step / 1000 for step in range(10, 5000)), key=lambda clock: function(clock, *watts))


def leakage_left_out(constant, leaking, dynamic):
    """You left leakage out: constant watts and switching alone make your clock and your gain."""
    clock = least(job_joules, constant, 0, dynamic)
    return clock, 1 / job_joules(clock, constant, 0, dynamic)


def leakage_constant(constant, leaking, dynamic):
    """You treated leakage as constant. It falls with the voltage, though less than the clock does."""
    clock = least(job_joules, constant + leaking, 0, dynamic)
    return clock, 1 / job_joules(clock, constant + leaking, 0, dynamic)


def least_power(constant, leaking, dynamic):
    """You took the clock of the least power, the slowest. It is the energy of a job, power / f, that is to be least."""
    return 0.01, 1 / job_joules(0.01, constant, leaking, dynamic)


def time_forgotten(constant, leaking, dynamic):
    """Your gain compares powers. At a lower clock the job takes longer: compare power times time."""
    clock = least(job_joules, constant, leaking, dynamic)
    return clock, 1 / job_joules(clock, constant, leaking, dynamic) / clock


def scopes_mixed(job, scope):
    """You mixed two scopes: the device's price for HBM with the whole path's price for the L1. Take both from one."""
    return billed(job, scope, prices=("hbm2_low", "a100_l1"))


def path_paid_twice(job, scope):
    """Your first reads pay twice: the whole path from HBM includes the L1. Only later reads pay the L1's price."""
    return billed(job, scope, first=True)


def no_neighbours(job, scope):
    """You left out the neighbours: an operand that an array of edge × edge reads serves `edge` multiply-adds."""
    return billed([(m, n, k, dtype, 1) for m, n, k, dtype, _ in job], scope)


def outputs_forgotten(job, scope):
    """You left out the outputs: m × n numbers go back to HBM."""
    return billed(job, scope, back=0)


def one_byte_each(job, scope):
    """You took one byte for every number; its size depends on the format."""
    return billed(job, scope, sizes=dict.fromkeys(SIZE, 1))


def billed(job, scope, prices=None, first=False, back=1, sizes=SIZE):
    """The bill, with one thing changed."""
    hbm, near = (energy.access(level).pj_per_byte * 1e-12 for level in prices or LEVELS[scope])
    bill = {"arithmetic": 0.0, "HBM": 0.0, "L1": 0.0}
    for m, n, k, dtype, edge in job:
        size = sizes[dtype]
        fetched, outputs, reads = (m * k + k * n) * size, back * m * n * size, 2 * m * n * k / edge * size
        passing = outputs if scope == "device alone" else 0 if first else -fetched
        bill["arithmetic"] += m * n * k * MAC[dtype] * 1e-12
        bill["HBM"] += (fetched + outputs) * hbm
        bill["L1"] += (reads + passing) * near
    return bill
