"""Accesses a second of the fast cache at 64 sets x 8 ways, and the slowest settings of the trace panel.

.venv/bin/python tests/benchmarks/cache_speed.py
"""

import time

import numpy as np

from accelerator_lib.memory import fastcache
from accelerator_lib.memory.cache import Cache, census, settled

COUNT = 16_000_000


def main():
    geometry = Cache(64, 8, 64)
    trace = np.random.default_rng(0).integers(0, 2**20, COUNT)
    rates = []
    for _ in range(6):
        begin = time.perf_counter()
        fastcache.hits(trace, geometry)
        rates.append(COUNT / (time.perf_counter() - begin) / 1e6)
    print(f"fastcache, random addresses: {max(rates):.0f} million accesses/s (first call {rates[0]:.1f}, compiling)")
    for kib, stride, capacity, ways, line in ((1024, 4, 256, 1, 32), (1024, 4, 256, 16, 32), (1024, 32, 4, 16, 32)):
        addresses, own = np.arange(0, kib * 1024, stride), Cache(capacity * 1024 // (ways * line), ways, line)
        begin = time.perf_counter()
        census(addresses, own, passes=10)
        settled(addresses, own)
        print(
            f"panel at {kib} KiB, stride {stride}, {capacity} KiB x {ways} ways: {1e3 * (time.perf_counter() - begin):.0f} ms"
        )


if __name__ == "__main__":
    main()
