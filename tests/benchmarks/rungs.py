"""Rungs on a GPU: each step of the ladder of warps as CUDA C, compiled by nvcc, checked on the scored case against NumPy,
timed at the sizes of recorded/kernels/rungs.json: the median of nine readings, of calls one after the other on the same arrays;
cycles: the warp machine's, as an H100 with those registers, for the work of the scored case.

    PYTHONPATH=$PWD python tests/benchmarks/rungs.py rungs.json     needs CuPy and nvcc; a minute
"""

import json
import sys
from math import prod
from pathlib import Path

import numpy as np

from accelerator_course.ladder.catalog import rungs
from accelerator_course.ladder.launch import launch
from accelerator_lib import kernels
from accelerator_lib.data.kernels import FOLDER

RECORDED = json.loads((FOLDER / "rungs.json").read_text(encoding="utf-8"))


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


def cycles(rung, step, registers, text=None):
    """The machine's for a step, or another text launched like it; at the sizes of `filling` or the scored ones."""
    sizes, own = RECORDED["filling"].get(f"{rung.id} {step}", rung.scoring.sizes), rung.steps[step].text
    blocks, threads, _ = launch(own, [sizes[name] for name in rung.along], rung.started)
    made = kernels.run(text or own, rung.case(sizes).arguments, blocks, threads, "h100-sxm5", registers)
    return made.timed.cycles * prod(rung.scoring.sizes.values()) / prod(sizes.values())


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
    call, left, _ = prepared(rung, rung.steps[step].text, rung.scoring)
    call()
    pairs = [(left[name].get(), want) for name, want in rung.expected(rung.scoring).items()]
    right = all(np.abs(got - want).max() <= 1e-4 * max(1, np.abs(want).max()) for got, want in pairs)
    call, _, registers = prepared(rung, rung.steps[step].text, rung.case(RECORDED["sizes"][rung.id]))
    many = max(1, min(20, int(2e3 / reading(call, 1))))
    us = float(np.median([reading(call, many) for _ in range(9)]))
    return rung.id, step, round(us, 2), registers, right, round(cycles(rung, step, registers), 1)


if __name__ == "__main__":
    import cupy as cp

    rows = [row(rungs()[id], step) for id in RECORDED["sizes"] for step in range(len(rungs()[id].steps))]
    gpu = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    table = RECORDED | {"gpu": gpu, "rows": dict(zip(RECORDED["rows"], zip(*rows, strict=True), strict=True))}
    Path(sys.argv[1]).write_text(json.dumps(table), encoding="utf-8")
