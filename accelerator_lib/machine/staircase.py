"""Staircase: the memory levels of the machine that runs this notebook, seen from a program.

    latency      a random chase through a chain of pointers, one for each line: nothing can be guessed or overlapped
    bandwidth    a <- a/2 + x over two arrays, again and again: 12 bytes for every element, all cores that XLA uses

Each step of the stairs is a cache that has become too small. Loops are jitted; arrays take at most 48 MiB in all.
Ignored: page tables (large chains pay for them, too), other programs, prefetchers (they help the bandwidth only).
"""

import time
from dataclasses import dataclass

import numpy as np

from accelerator_lib import settings
from accelerator_lib.checks.signature import Bytes, checked
from accelerator_lib.machine.progress import Progress
from accelerator_lib.machine.system import caches
from accelerator_lib.recorded import or_recorded

LINE = 64  # bytes between two pointers
LARGEST = 32 * 2**20
SMALLEST = 4 * 2**10


@dataclass(frozen=True)
class Reading:
    """What was measured nearest to a working set: one access [s] at one size, a stream [B/s] at another."""

    access_bytes: float
    access_seconds: float
    stream_bytes: float
    stream_bytes_per_s: float
    slower: float  # times the access of the smallest working set


@dataclass(frozen=True)
class Staircase:
    """Working sets [byte], latency of one access [s] and bandwidth [B/s] at each; caches as the system reports them."""

    latency_sizes: tuple
    latencies: tuple
    bandwidth_sizes: tuple
    bandwidths: tuple
    caches: dict

    @checked
    def near(self, working_set_bytes: Bytes):
        """The Reading at the measured sizes nearest to a working set, by their ratio."""
        i, j = (
            int(np.argmin(np.abs(np.log(np.array(sizes) / working_set_bytes))))
            for sizes in (self.latency_sizes, self.bandwidth_sizes)
        )
        seconds, slower = self.latencies[i], self.latencies[i] / self.latencies[0]
        return Reading(self.latency_sizes[i], seconds, self.bandwidth_sizes[j], self.bandwidths[j], slower)


@or_recorded
def climb():
    """Measure: yields Progress, about 8 s in all (2 s in short mode)."""
    import jax
    import jax.numpy as jnp

    chase = jax.jit(lambda chain, steps: jax.lax.fori_loop(0, steps, lambda _, place: chain[place], jnp.int32(0)))
    triad = jax.jit(lambda a, x, times: jax.lax.fori_loop(0, times, lambda _, a: a * 0.5 + x, a))
    short = settings.short()
    octaves = int(np.log2(LARGEST / SMALLEST))
    sizes = np.geomspace(SMALLEST, LARGEST, (octaves if short else 2 * octaves) + 1)
    sets = np.geomspace(SMALLEST, LARGEST, octaves + 1)
    steps, latencies, rates = len(sizes) + len(sets), [], []
    for size in sizes:
        yield Progress(len(latencies) / steps, f"chasing pointers through {size / 1024:,.0f} KiB")
        latencies.append(_seconds(chase, (jnp.asarray(pointers(size)),), 2000, 0.01 if short else 0.12))
    for size in sets:
        yield Progress((len(sizes) + len(rates)) / steps, f"streaming {size / 1024:,.0f} KiB")
        count = int(size / 8)  # two arrays of four-byte numbers
        pair = jnp.ones(count), jnp.ones(count)
        rates.append(12 * count / _seconds(triad, pair, max(2, int(1e5 / count)), 0.01 if short else 0.12))
        del pair
    yield Progress(1.0, "done", Staircase(tuple(sizes), tuple(latencies), tuple(sets), tuple(rates), caches()))


def pointers(size, seed=0):
    """One random cycle through all lines of `size` bytes, in an array as long as the largest: the next place of each.
    Always the same length, so that the jitted chase is compiled once."""
    lines = max(2, int(size) // LINE)
    order = np.random.default_rng(seed).permutation(lines)
    room = np.zeros(LARGEST // 4 + LINE // 4, dtype=np.int32)
    first = -room.ctypes.data % LINE // 4  # begins with a cache line, so that JAX takes it over without a copy
    chain = room[first : first + LARGEST // 4]
    chain[order * (LINE // 4)] = np.roll(order, -1) * (LINE // 4)
    if chain[0] == 0:  # place 0 is always on the cycle unless it points at itself
        raise AssertionError("the chain is broken")
    return chain


def _seconds(function, arguments, steps, budget):
    """Time of one step [s]: the best of a few runs that each last about the budget."""
    function(*arguments, steps).block_until_ready()
    begin = time.perf_counter()
    function(*arguments, steps).block_until_ready()
    once = max(time.perf_counter() - begin, 1e-7)
    steps = max(steps, min(int(steps * budget / once / 3), 10**9))
    best = []
    for _ in range(3):
        begin = time.perf_counter()
        function(*arguments, steps).block_until_ready()
        best.append((time.perf_counter() - begin) / steps)
    return min(best)
