"""Ours beside other tools for the same questions: time and memory, on the same machine in the same minute.

    python -m venv .venv-peers && .venv-peers/bin/pip install -r tests/benchmarks/peers-requirements.txt -e .
    .venv-peers/bin/python tests/benchmarks/peers.py [name ...]

Each side runs in a process of its own, the two one after the other, three times in turn; the table has the medians.
Memory is the most that the process held.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from datetime import date
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from accelerator_lib.units import number, si, significant

ROOT = Path(__file__).parents[2]
POINTS, ACCESSES, WAYS, MOVES = 500, 2_000_000, 16, 40


def timed(work):
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def best(work, repeats=5):
    work()
    return min(timed(work)[0] for _ in range(repeats))


def import_ours():
    return timed(lambda: __import__("accelerator_lib.roofline"))[0]


def import_mlsysim():
    return timed(lambda: __import__("mlsysim"))[0]


def point_ours():
    from accelerator_lib.roofline import place
    from accelerator_lib.workload import Gemm

    return best(lambda: place(Gemm(1, 8192, 8192), "h100-sxm5").bound)


def point_mlsysim():
    from mlsysim import Engine, Hardware, Models

    model = Models.Language.Llama3_8B
    return best(lambda: Engine.solve(model, Hardware.Cloud.H100, batch_size=1).bottleneck)


def sweep_ours():
    import numpy as np

    from accelerator_lib.roofline import place
    from accelerator_lib.workload import Gemm

    return best(lambda: place(Gemm(np.arange(1, POINTS + 1), 8192, 8192), "h100-sxm5").seconds, 3)


def sweep_mlsysim():
    from mlsysim import Engine, Hardware, Models

    model, chip = Models.Language.Llama3_8B, Hardware.Cloud.H100
    return best(lambda: [Engine.solve(model, chip, batch_size=n).latency for n in range(1, POINTS + 1)], 1)


def trace():
    import numpy as np

    return np.random.default_rng(0).integers(0, 2**20, ACCESSES)


def _pycachesim(addresses, ways):
    from cachesim import Cache, CacheSimulator, MainMemory

    memory, level = MainMemory(), Cache("L1", 64, ways, 64, "LRU")
    memory.load_to(level)
    memory.store_from(level)
    CacheSimulator(level, memory).load(addresses, length=1)
    return level.HIT_count


def ways_ours():
    from accelerator_lib.memory.reuse import ways_curve

    addresses = trace()
    return timed(lambda: ways_curve(addresses, 64, 64, WAYS))[0]


def ways_pycachesim():
    addresses = trace().tolist()
    return timed(lambda: [_pycachesim(addresses, ways) for ways in range(1, WAYS + 1)])[0]


def picture_ours():
    from accelerator_course import views
    from accelerator_course.widgets import explore, log
    from accelerator_lib.roofline import place
    from accelerator_lib.workload import Gemm

    def dot(m=1):
        return place(Gemm(m, 8192, 8192), "h100-sxm5")

    with _quiet():
        explore(dot, views.roofline.Roofline(), m=log(1, 4096))
    from accelerator_course.widgets import panel

    shown = next(iter(panel.LIVE))
    options = [value for _, value in shown.controls["m"].options]
    times = [timed(lambda n=n: shown.set(m=options[n % len(options)]))[0] for n in range(1, MOVES)]
    return statistics.median(times)


def picture_interactive():
    """The same roof and dot, drawn anew by plt.show at every move, as tutorials do."""
    import numpy as np

    with _quiet():
        import ipywidgets
        import matplotlib
        from IPython.core.interactiveshell import InteractiveShell
        from IPython.core.pylabtools import select_figure_formats

        matplotlib.use("module://matplotlib_inline.backend_inline")
        select_figure_formats(InteractiveShell.instance(), {"png"})
        from matplotlib import pyplot as plt

        from accelerator_lib.roofline import place
        from accelerator_lib.workload import Gemm

        def draw(m=1):
            placed, x = place(Gemm(m, 8192, 8192), "h100-sxm5"), np.logspace(-1, 4, 200)
            plt.figure(figsize=(7.2, 4.3), dpi=150)
            plt.loglog(x, np.minimum(placed.peak, x * placed.bandwidth))
            plt.loglog([placed.intensity], [placed.flops_per_s], "o")
            plt.xlabel("arithmetic intensity [FLOP/byte]")
            plt.ylabel("throughput [FLOP/s]")
            plt.grid(True)
            plt.show()

        slider = ipywidgets.IntSlider(1, 1, 4096)
        kept = ipywidgets.interactive_output(draw, {"m": slider})
        times = [timed(lambda n=n: setattr(slider, "value", 1 + 97 * n))[0] for n in range(1, MOVES)]
        del kept
    return statistics.median(times)


@contextlib.contextmanager
def _quiet():
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


# name -> (what is asked, ours, theirs, the module theirs needs, its name)
RACES = {
    "import": ("import", import_ours, import_mlsysim, "mlsysim", "mlsysim"),
    "point": ("one roofline point", point_ours, point_mlsysim, "mlsysim", "mlsysim"),
    "sweep": (f"a sweep of {POINTS} batch sizes", sweep_ours, sweep_mlsysim, "mlsysim", "mlsysim"),
    "ways": (f"the same, 1 to {WAYS} ways", ways_ours, ways_pycachesim, "cachesim", "pycachesim"),
    "picture": ("slider to picture", picture_ours, picture_interactive, "ipywidgets", "interactive_output"),
}


def apart(name, side):
    """(seconds, most memory [byte]) of one side of a race, in a process of its own; None where it fails."""
    command = [sys.executable, __file__, "--one", name, str(side)]
    given = {**os.environ, "PYTHONPATH": str(ROOT), "ACCELERATOR_COURSE_OPEN": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given) as run:
        told, error = run.communicate()
    if run.returncode:
        last = (error.strip().splitlines() or ["no word"])[-1]
        print(f"{name}, {('ours', 'theirs')[side]}: failed: {last}", file=sys.stderr)
        return None
    return json.loads(told.strip().splitlines()[-1])


def race(name, entry, repeats):
    """One line of the table, or one line that says why there is none."""
    asked, _, _, module, theirs = entry
    if find_spec(module) is None:
        print(f"{asked}: {theirs} is not installed here (pip install -r tests/benchmarks/peers-requirements.txt)")
        return
    found = [[apart(name, side) for side in (0, 1)] for _ in range(repeats)]
    if any(each is None for pair in found for each in pair):
        return
    (ours, our_bytes), (other, other_bytes) = (
        (statistics.median(pair[side][0] for pair in found), max(pair[side][1] for pair in found)) for side in (0, 1)
    )
    ratio = number(significant(max(ours, other) / min(ours, other))) + (" x faster" if ours < other else " x slower")
    memory = f"{our_bytes / 1e6:.0f} MB | {other_bytes / 1e6:.0f} MB"
    print(f"| {asked} | {theirs} | {si(ours, 's')} | {si(other, 's')} | {ratio} | {memory} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(RACES)}")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        import resource

        seconds = RACES[given.one[0]][1 + int(given.one[1])]()
        print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))
        return
    unknown = [name for name in given.names if name not in RACES]
    if unknown:
        sys.exit(f"peers: there is no race {unknown[0]!r}; there are {', '.join(RACES)}")
    print(f"{date.today()}, {os.cpu_count()} cores, medians of {given.repeats}\n")
    print("| asked | of | ours | theirs | ours is | our memory | theirs |\n|:---|:---|---:|---:|---:|---:|---:|")
    for name in given.names or RACES:
        race(name, RACES[name], given.repeats)


if __name__ == "__main__":
    main()
