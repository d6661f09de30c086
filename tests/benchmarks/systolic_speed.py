"""Time and memory of the systolic simulations and of the closed form.

.venv/bin/python tests/benchmarks/systolic_speed.py
"""

import resource
import time

import numpy as np

from accelerator_lib import systolic
from accelerator_lib.workload import Gemm


def timed(name, work):
    start = time.perf_counter()
    result = work()
    print(f"{name:52} {time.perf_counter() - start:7.3f} s   peak {_peak():5.0f} MB")
    return result


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000  # kilobytes on Linux


if __name__ == "__main__":
    draw = np.random.default_rng(0)
    small = [draw.integers(1, 5, (64, 64)).astype(np.int16) for _ in range(2)]
    timed("all states, 64^3 on 64 x 64, ws", lambda: list(systolic.steps(*small, 64, 64, "ws")))
    m, n, k = draw.integers(1, 5000, (3, 10**6))
    timed("closed form, a million shapes", lambda: systolic.cycles(Gemm(m, n, k), 128, 128, "ws", overlap=True))
