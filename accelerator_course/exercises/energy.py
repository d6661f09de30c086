"""Exercises of chapter 8."""

from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, numbers, shown
from accelerator_lib import energy

MACHINES = ((90, 60, 240), (20, 0, 300), (0, 150, 250), (200, 120, 80))  # watts: constant, leaking, dynamic
LEVELS = {"whole path": ("a100_hbm", "a100_l1"), "device alone": ("hbm2_low", "sram_32kb")}
SIZE, MAC = {"fp32": 4, "fp16": 2, "int8": 1}, {"fp32": 1.69, "fp16": 0.72, "int8": 0.1}
PRICES = {
    scope: {"HBM": energy.access(far).pj_per_byte, "L1": energy.access(near).pj_per_byte}
    for scope, (far, near) in LEVELS.items()
}


def best_clock(constant, leaking, dynamic):
    """(clock, gain): the least energy for a job, power = constant + leaking V + dynamic V^2 f; work for each joule."""

    def joules(f):
        volts = max(0.7, 0.5 + 0.5 * f)
        return (constant + leaking * volts + dynamic * volts**2 * f) / f

    clock = min((step / 1000 for step in range(10, 5000)), key=joules)
    return clock, joules(1) / joules(clock)


def joules(job, scope):
    """{"arithmetic", "HBM", "L1"} [J] of products (m, n, k, dtype, edge), at the prices of one scope."""
    bill = {"arithmetic": 0.0, "HBM": 0.0, "L1": 0.0}
    for m, n, k, dtype, edge in job:
        size, price = SIZE[dtype], PRICES[scope]
        fetched, outputs, reads = (m * k + k * n) * size, m * n * size, 2 * m * n * k // edge * size
        inside = reads - fetched if scope == "whole path" else reads + outputs
        bill["arithmetic"] += m * n * k * MAC[dtype] * 1e-12
        bill["HBM"] += (fetched + outputs) * price["HBM"] * 1e-12
        bill["L1"] += inside * price["L1"] * 1e-12
    return bill


def searched(constant, leaking, dynamic):
    """(clock, gain) by trying 50,000 clocks: joules for one job are watts x seconds."""
    clocks = np.arange(1, 50_001) / 10_000
    volts = np.maximum((1 + clocks) / 2, 0.7)
    found = (constant + leaking * volts + dynamic * volts**2 * clocks) * (1 / clocks)
    return clocks[found.argmin()], (constant + leaking + dynamic) / found.min()


def _check_best_clock(function):
    for watts in MACHINES:
        wants = dict(zip(("the clock", "the gain"), searched(*watts), strict=True))
        where = "{} W constant, {} W leaking and {} W dynamic".format(*watts)
        yield numbers(function, watts, wants, where, "(clock, gain)", rel_tol=(3e-3, 1e-3))
    return f"right for {len(MACHINES)} machines. Leakage moves the best clock up; the floor holds it up."


def walked(job, scope):
    """The bill by walking: every tile reads operands of both kinds in each step, and knows what has come before."""
    bill = {"arithmetic": 0.0, "HBM": 0.0, "L1": 0.0}
    for m, n, k, dtype, edge in job:
        met = set()
        price = {place: access * SIZE[dtype] * 1e-12 for place, access in PRICES[scope].items()}
        for top in range(0, m, edge):
            for left in range(0, n, edge):
                for depth in range(k):
                    reads = [("input", row, depth) for row in range(top, top + edge)]
                    reads += [("weight", depth, col) for col in range(left, left + edge)]
                    for one in reads:
                        new = one not in met
                        met.add(one)
                        bill["HBM"] += price["HBM"] * new
                        bill["L1"] += price["L1"] * (not new or scope == "device alone")
                    bill["arithmetic"] += edge * edge * MAC[dtype] * 1e-12
        bill["HBM"] += m * n * price["HBM"]
        bill["L1"] += m * n * price["L1"] * (scope == "device alone")
    return bill


def drawn(seed):
    """A hidden job of one to three products."""
    random = np.random.default_rng(seed)
    job = []
    for _ in range(random.integers(1, 4)):
        edge = int(random.choice((1, 2, 4)))
        m, n = (edge * int(random.integers(2, 6)) for _ in range(2))
        job.append((m, n, int(random.integers(2, 12)), str(random.choice(list(SIZE))), edge))
    return job


JOBS = [[(8, 8, 8, "fp16", 4)], [(2, 12, 6, "int8", 2), (12, 4, 3, "fp32", 1)], *map(drawn, (11, 22, 33))]


def _check_joules(function):
    for job in JOBS:
        for scope in PRICES:
            want, where = walked(job, scope), f"{shown(job)}, {scope}"

            def judge(got, want=want, where=where):
                if not isinstance(got, dict) or set(got) != set(want):
                    raise Wrong(f"For {where} return a dict with {', '.join(want)}; you returned {shown(got)}.")
                for name, value in want.items():
                    expect(got[name], value, f"{where}, {name}")

            yield case(where, shown(tuple(want.values())), partial(function, list(job), scope), judge)
    return f"right for {len(JOBS)} jobs in both scopes. Each byte pays once: for its whole path, or for each device."


EXERCISES = [Exercise("08.2", _check_best_clock, best_clock), Exercise("08.4", _check_joules, joules)]
