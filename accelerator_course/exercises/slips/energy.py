"""Slips of the exercises of chapter 8."""

from functools import partial

from accelerator_course.exercises.energy import MAC, PRICES, SIZE


def job_joules(clock, constant, leaking, dynamic):
    """Energy for a job, against that at the nominal clock."""
    volts = 0.5 + 0.5 * clock
    watts = constant + leaking * volts + dynamic * volts**2 * clock
    return watts / clock / (constant + leaking + dynamic)


def found(constant, leaking, dynamic):
    """(clock, gain)"""
    clock = min((step / 1000 for step in range(10, 5000)), key=lambda f: job_joules(f, constant, leaking, dynamic))
    return clock, 1 / job_joules(clock, constant, leaking, dynamic)


def leakage_left_out(constant, leaking, dynamic):
    return found(constant, 0, dynamic)


def leakage_constant(constant, leaking, dynamic):
    return found(constant + leaking, 0, dynamic)


def least_power(constant, leaking, dynamic):
    return 0.01, 1 / job_joules(0.01, constant, leaking, dynamic)


def time_forgotten(*watts):
    clock, gain = found(*watts)
    return clock, gain / clock


def billed(job, scope, far=None, near=None, first=False, back=1, sizes=SIZE, neighbours=True):
    """The bill, with one thing changed."""
    far, near = PRICES[far or scope]["HBM"] * 1e-12, PRICES[near or scope]["L1"] * 1e-12
    bill = {"arithmetic": 0.0, "HBM": 0.0, "L1": 0.0}
    for m, n, k, dtype, edge in job:
        size = sizes[dtype]
        fetched, outputs = (m * k + k * n) * size, back * m * n * size
        reads = 2 * m * n * k / (edge if neighbours else 1) * size
        passing = outputs if scope == "device alone" else 0 if first else -fetched
        bill["arithmetic"] += m * n * k * MAC[dtype] * 1e-12
        bill["HBM"] += (fetched + outputs) * far
        bill["L1"] += (reads + passing) * near
    return bill


scopes_mixed = partial(billed, far="device alone", near="whole path")
no_neighbours = partial(billed, neighbours=False)
path_paid_twice = partial(billed, first=True)
outputs_forgotten = partial(billed, back=0)
one_byte_each = partial(billed, sizes=dict.fromkeys(SIZE, 1))
