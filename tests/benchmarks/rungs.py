"""Rungs on a GPU: each step of the ladder of warps as CUDA C, compiled by nvcc, checked on the scored case against NumPy,
timed at the sizes of recorded/kernels/rungs.json: the median of nine readings, of calls one after the other on the same arrays;
cycles: the warp machine's on the scored case.

    PYTHONPATH=$PWD python tests/benchmarks/rungs.py rungs.json     needs CuPy and nvcc; a minute
"""

import json
import sys
from pathlib import Path

import cupy as cp
import numpy as np

from accelerator_course.ladder.catalog import rungs
from accelerator_course.ladder.launch import launch
from accelerator_lib import data

SIZES = json.loads((data.FOLDER / "recorded" / "kernels" / "rungs.json").read_text(encoding="utf-8"))["sizes"]
FLOP = {
    "matmul": lambda m, n, k: 2 * m * n * k,
    "tensor": lambda m, n, k: 2 * m * n * k,
    "online": lambda tokens: 32 * tokens**2,
}


def prepared(rung, text, case):
    """(a call of a kernel, {name: its array}, its registers) on a case."""
    given = {
        name: cp.asarray(it) if isinstance(it, np.ndarray) else np.int32(it) for name, it in case.arguments.items()
    }
    flat = [each for it in given.values() for each in ([it, np.int32(it.shape[1])] if it.ndim == 2 else [it])]
    blocks, threads, _ = launch(text, [case.sizes[name] for name in rung.along], rung.started)
    sides = [each if isinstance(each, tuple) else (each,) for each in (blocks, threads)]
    code = rung.cuda(text).replace("__global__", 'extern "C" __global__')
    kernel = cp.RawModule(code=code, backend="nvcc", options=("-std=c++17",)).get_function(f"{rung.id}_kernel")
    return (lambda: kernel(*sides, flat)), given, kernel.num_regs


def reading(call, many):
    """Microseconds of a call, of so many."""
    begin, end = cp.cuda.Event(), cp.cuda.Event()
    begin.record()
    for _ in range(many):
        call()
    end.record()
    end.synchronize()
    return cp.cuda.get_elapsed_time(begin, end) * 1e3 / many


def row(rung, step):
    text, case = rung.steps[step].text, rung.case(SIZES[rung.id])
    call, left, _ = prepared(rung, text, rung.scoring)
    call()
    pairs = [(left[name].get(), want) for name, want in rung.expected(rung.scoring).items()]
    right = all(np.abs(got - want).max() <= 1e-4 * max(1, np.abs(want).max()) for got, want in pairs)
    call, arrays, registers = prepared(rung, text, case)
    many = max(1, min(20, int(2e3 / reading(call, 1))))
    us = float(np.median([reading(call, many) for _ in range(9)]))
    moved = sum(array.nbytes for array in arrays.values() if array.ndim)
    flop, cycles = FLOP.get(rung.id, lambda **_: 0)(**case.sizes), rung.run(text, rung.scoring).timed.cycles
    return rung.id, step, round(us, 2), moved, flop, registers, right, round(cycles, 1)


if __name__ == "__main__":
    rows = [row(rungs()[id], step) for id in SIZES for step in range(len(rungs()[id].steps))]
    names = ["rung", "step", "us", "bytes", "flop", "registers", "right", "cycles"]
    gpu = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    table = {"gpu": gpu, "sizes": SIZES, "rows": dict(zip(names, zip(*rows, strict=True), strict=True))}
    Path(sys.argv[1]).write_text(json.dumps(table), encoding="utf-8")
    print(json.dumps(table))
