"""Laws: seconds and watts of one step of a job on one design, or on millions at once (a Machine, a Job, Numbers).
    seconds = max(compute, memory) + vector + link + overhead       training: max(max(compute, memory) + vector, link)
    compute    cycles of all folds, loads hidden (ch. 6)       memory     what fits on the chip moves once (ch. 4)
    vector     what lies between products and does not fit     overhead   5 us for every product
    link       two ring all-reduces a layer; rows of tables to their owners; gradients, once a step
Numbers: Python's, arrays (floats: sizes overflow 32 bits), or complex, f(x + h i) = f(x) + f'(x) h i, `smooth` or not:
max(x, 1) for ceil(x), x for floor(x). Ignored: stalls, the network on the chip, sparsity, limits on the waiting time.
"""

import math
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from accelerator_lib.design.machine import facts

STREAMED = 0.85  # share of the memory's rate that real programs reach
LAUNCH_S, HOP_S, MOST_CHIPS = 5e-6, 2e-6, 1024
SRAM_BYTES_PER_S = 50e9  # of each MB
TRAINED_BYTES = 16  # of a weight in training: itself, its gradient, what the optimizer keeps
SENT_BYTES = 6  # of a weight, over the links, in a training step
SUM_BYTES, PASSES = 4, 3  # training: forward, and back for inputs and for weights
VECTORS, WIDTH = 26, 128  # that each query of the recommender collects, one from every table
CLOCK_HZ = 1.4e9  # at which the energies hold


class Numbers(NamedTuple):
    """Operations on scalars or arrays."""

    maximum: Any
    minimum: Any
    where: Any
    sqrt: Any
    exp: Any
    ceil: Any
    floor: Any


PLAIN = Numbers(max, min, lambda choose, yes, no: yes if choose else no, math.sqrt, math.exp, math.ceil, math.floor)


@cache
def on_numpy():
    """The operations of NumPy."""
    return Numbers(np.maximum, np.minimum, np.where, np.sqrt, np.exp, np.ceil, np.floor)


def on_complex(smooth=False):
    """The operations of NumPy on numbers whose imaginary part is a slope; of two equal ones half of each counts."""

    def extreme(larger, a, b):
        first, second = np.real(a), np.real(b)
        return np.where(first == second, (a + b) / 2, np.where((first > second) == larger, a, b))

    def ceil(value):
        return extreme(True, value, 1.0) if smooth else np.ceil(np.real(value))

    def floor(value):
        return value if smooth else np.floor(np.real(value))

    maximum, minimum = partial(extreme, True), partial(extreme, False)
    return on_numpy()._replace(maximum=maximum, minimum=minimum, ceil=ceil, floor=floor)


class Load(NamedTuple):
    """What products ask for on one chip: cycles, multiply-accumulates, bytes of memory and of the arrays' edges."""

    cycles: Any
    macs: Any
    memory_bytes: Any
    edge_bytes: Any
    launches: Any


class Outcome(NamedTuple):  # one step: how many chips it takes, its seconds by cause, and what one chip does and draws
    chips: Any
    fits: Any  # whether at most 1,024 chips hold it, and what spills finds a memory
    resident: Any  # whether everything lies in SRAM
    compute: Any
    memory: Any
    vector: Any
    link: Any
    overhead: Any
    seconds: Any
    per_chip_s: Any  # of the job's unit
    watts: Any
    macs: Any


def holding(machine, job, on=PLAIN, chips=None):
    """(chips, whether they hold it, bytes on each chip) of a job."""
    kept = 2.0 * job.layers * job.d_model * job.tokens if job.training else 0.0
    if job.training:
        needed = TRAINED_BYTES * job.weights
    else:
        needed = machine.element_bytes * job.weights + machine.cache_bytes * job.cached
    room = machine.memory_bytes + machine.sram_mb * 1e6 - kept
    least = on.ceil(needed / on.maximum(room, 1.0))
    fits = (room > 0) & (least <= MOST_CHIPS)
    chips = on.minimum(least, float(MOST_CHIPS)) if chips is None else chips
    return chips, fits, needed / chips + kept


def load_of(machine, product, job, chips, on=PLAIN):
    """Load of one product, all its repetitions together. Chips share attention by its heads, all else by columns."""
    m, k = product.m, product.k
    n, groups, count = product.n, product.groups, product.count * (PASSES if job.training else 1)
    if not job.training and product.fused:
        groups = groups / chips
    elif not job.training:
        n = on.ceil(n / chips)
    edge, size = machine.edge, machine.element_bytes
    down, right = on.ceil(k / edge), on.ceil(n / edge)
    own = on.ceil(down * right * groups / machine.arrays)
    cycles = (own - 1) * on.maximum(m, edge) + m + 3 * edge - 2
    edge_bytes = size * (k * m * right + k * n) + SUM_BYTES * n * m * (2 * down - 1)
    moved = 0.0 if product.fused else size * words(m, n, k, machine.sram_mb * 1e6 / (2 * size), on)
    return Load(count * cycles, count * groups * m * n * k, count * moved, count * groups * edge_bytes, count)


def words(m, n, k, room, on=PLAIN):
    """Words that a product moves from and to memory with `room` words on the chip: what fits stays."""
    outside = 1 - on.minimum(1.0, room / (m * k + m * n))
    return on.maximum(k * n + outside * (m * k + m * n), outside * (2 * m * n * k / on.sqrt(room) - 2 * room))


def total(loads, on=PLAIN):
    """Load of several products."""
    return Load(*(sum(parts[1:], parts[0]) for parts in zip(*loads, strict=True)))


def elementwise_bytes(machine, job, on=PLAIN):
    """Bytes between the products (norms, activations, residuals) that do not fit on the chip."""
    elements = job.tokens * (12 * job.d_model + 3 * job.d_ff)
    if not job.layers:
        return 0.0
    room = 2 * machine.sram_mb * 1e6 / machine.element_bytes  # 4 W
    outside = 1 - on.minimum(1.0, room / elements)
    return job.layers * machine.element_bytes * elements * outside * (PASSES if job.training else 1)


def read_bytes(machine, job):
    """Bytes that a step reads beside the products' own: keys and values, rows of tables; all chips together."""
    return machine.cache_bytes * job.cache_read + machine.element_bytes * job.looked_up


def compute_seconds(machine, load):
    """Seconds of the arrays' cycles; numbers of half the size go through twice as fast."""
    return load.cycles / (machine.assumed.clocked * machine.clock_hz * 2 / machine.element_bytes)


def memory_seconds(machine, moved, resident, on=PLAIN):
    """Seconds to move so many bytes from and to where they lie."""
    rate = STREAMED * on.maximum(machine.memory_bytes_per_s, 1.0)  # no memory: a byte a second, so that nothing is 1/0
    return on.where(resident, moved / (SRAM_BYTES_PER_S * machine.sram_mb), moved / rate)


def link_seconds(machine, job, chips, on=PLAIN):
    """Seconds that chips talk in a step; none for one chip alone."""
    size, rate, share = machine.element_bytes, machine.link_bytes_per_s, (chips - 1) / chips
    if job.talk == "layers":
        ring = 2 * share * size * job.tokens * job.d_model / rate + 2 * (chips - 1) * HOP_S
        return 2 * job.layers * ring
    if job.talk == "tables":
        return size * VECTORS * WIDTH * job.tokens * share / rate
    if job.talk == "gradients":
        return on.where(chips > 1, SENT_BYTES * job.weights / rate, 0.0)
    return 0.0 * rate


def outcome(machine, job, area_mm2, load=None, on=PLAIN, chips=None):
    """Outcome of one step; `load`: that of its products, where it is known."""
    known = facts()
    chips, fits, held = holding(machine, job, on, chips)
    load = load or total([load_of(machine, product, job, chips, on) for product in job.products], on)
    resident = held <= machine.sram_mb * 1e6
    moved = load.memory_bytes + read_bytes(machine, job) / chips
    between = elementwise_bytes(machine, job, on)
    fits = fits & ((machine.memory_bytes_per_s > 0) | (between <= 0))
    compute, memory = compute_seconds(machine, load), memory_seconds(machine, moved, resident, on)
    vector = memory_seconds(machine, between, False, on)
    link, overhead = link_seconds(machine, job, chips, on), LAUNCH_S * load.launches
    busy = on.maximum(compute, memory) + vector
    seconds = (on.maximum(busy, link) if job.training else busy + link) + overhead
    done = job.amount / seconds / (1.0 if job.training else chips)
    power = machine.process.power
    macs_pj, edge_pj = known.mac_pj * machine.element_bytes / 2 * load.macs, known.sram_pj_per_byte * load.edge_bytes
    arrays_pj = power * machine.clock_hz / CLOCK_HZ * (macs_pj + edge_pj)
    byte_pj = on.where(resident, known.sram_pj_per_byte * power, known.hbm_pj_per_byte)
    pj = arrays_pj + byte_pj * moved + known.hbm_pj_per_byte * between
    watts = pj * 1e-12 / seconds + known.idle_w_per_mm2 * area_mm2
    watts = watts + known.link_pj_per_byte * 1e-12 * machine.link_bytes_per_s
    causes, rate = (compute, memory, vector, link, overhead), on.where(fits, done, 0.0)
    return Outcome(chips, fits, resident, *causes, seconds, rate, watts, load.macs)
