"""Exercises of chapter 3."""

import random
from dataclasses import dataclass
from functools import partial

from accelerator_course import syllabus
from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, expect, number, several, shown
from accelerator_lib import data, hardware
from accelerator_lib.hardware import format_bytes
from accelerator_lib.roofline.measured import TWINS
from accelerator_lib.units import si
from accelerator_lib.workload import Gemm

# Keys worked by hand. (FLOP, bytes, peak, bandwidth, overhead, seconds) of a kernel:
KERNELS = (
    (2e12, 1e9, 1e15, 2e12, 5e-6, 2.005e-3),  # 2 ms of arithmetic, 0.5 ms of traffic, 5 µs to start
    (1e9, 8e9, 1e15, 2e12, 0, 4e-3),  # 1 µs of arithmetic, 4 ms of traffic
)
# (parameters, format, seconds, bytes/s); the first is Llama 3 8B
READS = (
    (8_030_261_248, "bf16", 0.025, 642_420_899_840),  # two bytes each, 40 times a second
    (8_030_261_248, "int8", 0.025, 321_210_449_920),
    (8_030_261_248, "int4", 0.01, 401_513_062_400),  # half a byte each, 100 times a second
    (1_000_000_000, "fp32", 2.0, 2_000_000_000),
)

# Published products, by id: (limit, cheapest loss); 12 given, 8 hidden.
GIVEN_KEYS, HIDDEN_KEYS = (syllabus.load("exercises")["03.4"][part] for part in ("given", "hidden"))
START, REACHED, ENOUGH = 5e-6, 0.8, 0.95  # a launch [s]; the share of its rates that a chip reaches; of the time
LOSSES = ("none", "start", "rates", "turns", "more")


@dataclass(frozen=True)
class Kernel:
    """What a kernel has to do."""

    flops: float
    bytes_moved: float


@dataclass(frozen=True)
class Rates:
    """What a chip can do."""

    peak: float  # FLOP/s
    bytes_per_s: float


def _published(id):
    """(name, Kernel, Rates, seconds) of a published product."""
    row = data.published("gemm")[id]
    chip = hardware.chip(row["chip"] or TWINS[row["device"]])
    m, n, k = (row["conditions"][axis] for axis in "MNK")
    dtype, work = row["conditions"]["dtype"].split()[0], Gemm(m, n, k)
    kernel = Kernel(float(work.flops), float(work.bytes_moved(dtype, output_dtype="bf16")))
    name = f"{m:,} x {n:,} x {k:,} in {dtype} on {row['device']}"
    return name, kernel, Rates(chip.peak(dtype), chip.bytes_per_s), work.flops / (row["value"] * 1e12)


GIVEN = tuple(map(_published, GIVEN_KEYS))


def kernel_time(flops, bytes_moved, peak, bandwidth, overhead):
    """Time [s] of one kernel: the slower of arithmetic and memory, plus what it costs to start it."""
    return max(flops / peak, bytes_moved / bandwidth) + overhead


def take_apart(kernel, chip, measured):
    """(bound [s], limit, cheapest loss) of a kernel that took `measured` seconds."""
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    bound = max(arithmetic, fetching)
    limit = "compute" if arithmetic > fetching else "memory"
    times = {"none": bound, "start": bound + 5e-6, "rates": bound / 0.8, "turns": arithmetic + fetching}
    enough = {name: time for name, time in times.items() if time >= 0.95 * measured}
    return bound, limit, min(enough, key=enough.get, default="more")


def bandwidth_needed(params, dtype, seconds):
    """Bandwidth [B/s] that reads all weights once within so many seconds."""
    return params * format_bytes(dtype) / seconds


def _check_kernel_time(function):
    draw, cases = random.Random(31), list(KERNELS)
    for _ in range(50):  # made from its answer: first the longer time and a shorter one, then what takes so long
        longer, overhead = 10 ** draw.uniform(-7, 0), draw.choice([0, 5e-6])
        arithmetic, traffic = draw.sample((longer, longer * draw.random()), 2)
        peak, bandwidth = 10 ** draw.uniform(12, 16), 10 ** draw.uniform(10, 13)
        cases.append((arithmetic * peak, traffic * bandwidth, peak, bandwidth, overhead, longer + overhead))
    for flops, moved, peak, bandwidth, overhead, want in cases:
        chip = f"peak {peak:.3g}, bandwidth {bandwidth:.3g}, overhead {overhead:g}"
        where = f"{flops:.3g} FLOP, {moved:.3g} bytes, {chip}"
        yield number(function, (flops, moved, peak, bandwidth, overhead), want, where)
    return "right on 52 kernels. The larger of the two times counts, never their mean."


def _check_bandwidth_needed(function):
    for params, dtype, seconds, want in READS:
        where = f"{params:,} parameters in {dtype} every {seconds} s"
        yield number(function, (params, dtype, seconds), want, where)
    return f"right: Llama 3 8B in bf16 at 25 ms a token needs {READS[0][-1] / 1e9:.1f} GB/s for its weights alone."


def _drawn(draw, loss):
    """A hidden kernel, made from its answer: first its bound and its loss, then what takes so long."""
    while True:
        bound, share = 10 ** draw.uniform(-6, -3), draw.uniform(0.05, 0.95)
        times = {"none": bound, "start": bound + START, "rates": bound / REACHED, "turns": bound * (1 + share)}
        limit = draw.choice(["memory", "compute"])
        here = times.get(loss, 1.3 * max(times.values())) * draw.uniform(0.97, 1)
        if loss == "more" or not any(ENOUGH * here * 0.99 < time < times[loss] for time in times.values()):
            break
    peak, rate = 10 ** draw.uniform(12, 16), 10 ** draw.uniform(10, 13)
    arithmetic, fetching = (bound, bound * share) if limit == "compute" else (bound * share, bound)
    return Kernel(arithmetic * peak, fetching * rate), Rates(peak, rate), here, bound, limit


def _check_take_apart(function):
    for id, (limit, loss) in {**GIVEN_KEYS, **HIDDEN_KEYS}.items():
        name, kernel, chip, measured = _published(id)
        bound = max(kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s)
        yield _apart(function, kernel, chip, measured, (bound, limit, loss), name)
    draw = random.Random(3)
    for number_, loss in enumerate(LOSSES * 8, 1):
        kernel, chip, here, bound, limit = _drawn(draw, loss)
        yield _apart(function, kernel, chip, here, (bound, limit, loss), f"hidden kernel {number_}")
    return "right for 20 published products and 40 hidden kernels. Where turns are not enough, look for another cause."


def _apart(function, kernel, chip, measured, wants, where):
    """Case of one kernel: bound, limit and loss."""

    def judge(got):
        several(got, 3, where, "three things: bound, limit, loss")
        expect(got[0], wants[0], f"{where}, the bound,")
        for mine, want, name in zip(got[1:], wants[1:], ("limit", "loss"), strict=True):
            if not isinstance(mine, str) or mine != want:
                raise Wrong(f"For {where} your {name} is {shown(mine)}; it is {want!r}.")

    given = f"{where}: {kernel.flops:.3g} FLOP, {kernel.bytes_moved:.3g} bytes, {si(measured, 's')}"
    return case(given, shown(wants), partial(function, kernel, chip, measured), judge)


EXERCISES = [
    Exercise("03.1", _check_kernel_time, kernel_time),
    Exercise("03.4", _check_take_apart, take_apart),
    Exercise("03.3", _check_bandwidth_needed, bandwidth_needed),
]
