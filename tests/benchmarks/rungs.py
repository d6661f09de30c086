"""Rungs on a GPU: every step of the ladder of warps as CUDA C, compiled, checked and timed at sizes that fill the chip.

    PYTHONPATH=$PWD python tests/benchmarks/rungs.py rungs.json     needs CuPy and nvcc; a minute
    PYTHONPATH=$PWD python tests/benchmarks/rungs.py --texts DIR    only writes the texts

Each kernel first runs on the rung's scored case, where all of its arrays are compared with NumPy's. Then it is timed:
the median of nine readings of CUDA events, of calls one after the other on the same arrays, which are larger than the L2.
"""

import json
import statistics
import sys
from pathlib import Path

import numpy as np

from accelerator_course.ladder.catalog import rungs
from accelerator_course.ladder.launch import launch

LARGE = {  # sizes at which each rung is timed
    "map": {"n": 2**26},
    "copy": {"n": 2**26},
    "transpose": {"rows": 8192, "cols": 8192},
    "reduction": {"n": 2**26},
    "convolution": {"n": 2**26},
    "scan": {"rows": 2**18, "cols": 256},
    "histogram": {"n": 2**26},
    "matmul": {"m": 2048, "n": 2048, "k": 2048},
    "shares": {"rows": 2**18, "cols": 256},
    "int4": {"rows": 2**15, "words": 1024},
    "online": {"tokens": 8192},
    "tensor": {"m": 4096, "n": 4096, "k": 4096},
}
FLOP = {"matmul": 2 * 2048**3, "tensor": 2 * 4096**3, "online": 32 * 8192**2}


def texts():
    """Yield (rung, step, its name in C, CUDA C)."""
    for id in LARGE:
        rung = rungs()[id]
        for step, draft in enumerate(rung.steps):
            name = f"{id}_{step}"
            text = rung.cuda(draft.text).replace(f"{id}_kernel", name, 1)
            yield rung, step, name, text.replace("__global__", 'extern "C" __global__')


def launched(rung, step, sizes):
    """(blocks, threads) of three sides."""
    blocks, threads, _ = launch(rung.steps[step].text, [sizes[name] for name in rung.along], rung.started)
    return [(*side, 1, 1)[:3] if isinstance(side, tuple) else (side, 1, 1) for side in (blocks, threads)]


def timed(path):
    import cupy as cp

    def given(arguments):
        found = []
        for value in arguments.values():
            array = isinstance(value, np.ndarray)
            found.append(cp.asarray(value) if array else np.int32(value))
            found += [np.int32(value.shape[1])] if array and value.ndim == 2 else []
        return found

    def once(call):
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record()
        call()
        end.record()
        end.synchronize()
        return cp.cuda.get_elapsed_time(begin, end) * 1e3

    device = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    rows, large, last = [], {}, None
    for rung, step, name, text in texts():
        try:
            kernel = cp.RawModule(code=text, backend="nvcc", options=("-std=c++17",)).get_function(name)
        except Exception as error:
            print(name, "is refused by the compiler:", str(error)[:1500], flush=True)
            continue
        case = rung.scoring
        arrays = given(case.arguments)
        kernel(*launched(rung, step, case.sizes), arrays)
        places, of = iter(arrays), {}
        for key, value in case.arguments.items():
            of[key] = next(places)
            if isinstance(value, np.ndarray) and value.ndim == 2:
                next(places)
        off = max(
            float(np.abs(of[key].get() - want).max() / max(1, np.abs(want).max()))
            for key, want in rung.expected(case).items()
        )
        if rung.id != last:
            large, last = given(rung.case(LARGE[rung.id]).arguments), rung.id
        place = launched(rung, step, LARGE[rung.id])
        first = once(lambda: kernel(*place, large))
        many = max(1, min(20, int(2e3 / first)))
        found = [
            once(lambda: [kernel(*place, large) for _ in range(many)]) / many for _ in range(9 if first < 5e4 else 1)
        ]
        us, moved = statistics.median(found), sum(a.nbytes for a in large if isinstance(a, cp.ndarray))
        rows.append([rung.id, step, round(us, 2), moved, FLOP.get(rung.id, 0), kernel.num_regs, bool(off < 1e-4)])
        print(*rows[-1], off, device, flush=True)
    names = ["rung", "step", "us", "bytes", "flop", "registers", "right"]
    table = {key: list(its) for key, its in zip(names, zip(*rows, strict=True), strict=True)}
    Path(path).write_text(json.dumps({"gpu": device, "sizes": LARGE, "rows": table}), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "--texts":
        for _, _, name, text in texts():
            Path(sys.argv[2], f"{name}.cu").write_text(text, encoding="utf-8")
    else:
        timed(sys.argv[1])
