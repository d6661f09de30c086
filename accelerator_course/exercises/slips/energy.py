"""Slips of the exercises of chapter 8."""

from functools import partial

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
    clock = least(job_joules, constant, 0, dynamic)
    return clock, 1 / job_joules(clock, constant, 0, dynamic)


def leakage_constant(constant, leaking, dynamic):
    clock = least(job_joules, constant + leaking, 0, dynamic)
    return clock, 1 / job_joules(clock, constant + leaking, 0, dynamic)


def least_power(constant, leaking, dynamic):
    return 0.01, 1 / job_joules(0.01, constant, leaking, dynamic)


def time_forgotten(constant, leaking, dynamic):
    clock = least(job_joules, constant, leaking, dynamic)
    return clock, 1 / job_joules(clock, constant, leaking, dynamic) / clock


def no_neighbours(job, scope):
    return billed([(m, n, k, dtype, 1) for m, n, k, dtype, _ in job], scope)


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


scopes_mixed = partial(billed, prices=("hbm2_low", "a100_l1"))
path_paid_twice = partial(billed, first=True)
outputs_forgotten = partial(billed, back=0)
one_byte_each = partial(billed, sizes=dict.fromkeys(SIZE, 1))
