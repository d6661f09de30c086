"""Shown: runs of kernels that the course itself shows: the steps of a rung, and kernels of a line or two."""

import json
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from accelerator_course.ladder.catalog import ARung
from accelerator_course.ladder.judge import hints
from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, OneOf, checked
from accelerator_lib.data.kernels import FOLDER
from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.kernels import pallas
from accelerator_lib.kernels.grids import BUFFERS, NUMBER_BYTES
from accelerator_lib.kernels.machine import run
from accelerator_lib.units import number

KEPT, STREAM = 8, 8192  # runs at a time; numbers
Step = Count(low=0, high=9)  # of a rung
TEXTS = data.parse(Path(__file__).with_name("shown.yaml"))
MOVES, STREAMED, PRODUCT = (TEXTS[name] for name in ("moves", "streamed", "product"))


@checked
def ran(rung: ARung, step: Step = 0):
    """Run, or Tiled, of a step of a rung on the scored case; beyond the last step, of the last."""
    return _ran(rung, min(step, len(rung.steps) - 1))


@lru_cache(KEPT)
def _ran(rung, step):
    return rung.run(rung.steps[step].text, rung.scoring)


@checked
@lru_cache(None)
def score(rung: ARung, step: Step = 0):
    """Cycles or bytes of a step of a rung, as the rung is scored."""
    return rung.par if step >= len(rung.steps) - 1 else float(rung.score(ran(rung, step)))


@checked
def blamed(rung: ARung, step: Step = 0):
    """The Hint about the counter that is at fault in a step of a rung; None for the worked one."""
    fault = rung.steps[min(step, len(rung.steps) - 1)].fault
    return next((hint for hint in hints(rung, ran(rung, step)) if hint.counter == fault), None)


@checked
def moved(kernel: OneOf(MOVES) = "copy", side: Count(low=1, high=256) = 128):
    """Run of `side` x `side` numbers, a row a block: written along the rows, or along the columns."""
    a = np.arange(side * side, dtype=np.float32).reshape(side, side)
    return run(MOVES[kernel], {"a": a, "out": np.zeros_like(a)}, side, side)


WAYS = ("straight", "tile", "padded")  # the steps of the transpose rung, in order


def beside():
    """{"machine", and each device that was measured: {way: how many times a copy's time a transpose takes}}."""
    copy, rows = moved("copy").timed.cycles, data.load("transposes")["rows"]
    found = {"machine": {way: score("transpose", step) / copy for step, way in enumerate(WAYS)}}
    return found | {row["device"]: {way: measured(way, at) for way in WAYS} for at, row in enumerate(rows)}


@checked
def measured(way: OneOf(WAYS) = "straight", row: Count(low=0, high=1) = 0):
    """How many times a copy's time a transpose took on a chip."""
    found = data.load("transposes")["rows"][row]
    return found[way] / found["copy"] if found["unit"] == "ms" else found["copy"] / found[way]


@cache
def on_silicon():
    """{rung: [(microseconds of a step on an H100, the machine's cycles as one)]}; recorded/kernels/rungs.json."""
    rows = json.loads((FOLDER / "rungs.json").read_text(encoding="utf-8"))["rows"]
    pairs = list(zip(rows["rung"], zip(rows["us"], rows["cycles"], strict=True), strict=True))
    return {id: [pair for name, pair in pairs if name == id] for id in rows["rung"]}


def beside_silicon(rung):
    """How many times as long as the worked kernel the slow one took on an H100, and takes here; "" where unknown."""
    if rung.id not in on_silicon():
        return ""
    (us, cycles), *_, (best_us, best_cycles) = on_silicon()[rung.id]
    (least, one), (most, other) = sorted([(us, f"“{rung.slow.name}”"), (best_us, "the worked kernel")])
    said = f"On an H100 with large arrays, {other} took {number(most / least)} times as long as {one}."
    slow = f"“{rung.slow.name}” takes {number(cycles / best_cycles)} times as long as the worked kernel"
    return f"{said} This machine, set to an H100, says {slow}."


@checked
def crossing(threads: Count(low=1, high=1024) = 64, shift: Count(low=0, high=1024) = 1):
    """Threads of a block that read what another warp wrote, where each reads what stands `shift` further on."""
    thread = np.arange(threads)
    return int(np.count_nonzero((thread + shift) % threads // WARP_LANES != thread // WARP_LANES))


@checked
def without(numbers: Count(high=2**20), threads: Count(high=1024)):
    """Threads of the last block that have no number."""
    return -numbers % threads


@checked
def busiest(first: Number(low=0), second: Number(low=0), third: Number(low=0) = 0):
    """The least cycles of what needs its resources, which work at the same time, for so many."""
    return max(first, second, third)


SIZE = Count(low=1, high=512)


@checked
@lru_cache(None)
def comes(m: SIZE, n: SIZE, k: SIZE, side: SIZE):
    """How many blocks of the first operand come in a product in Pallas; the steps along k run fastest."""
    given = {"a": np.ones((m, k), np.float32), "b": np.ones((k, n), np.float32)}
    given |= {"m": m, "n": n, "k": k, "SIDE": side}
    (call,) = pallas.run(PRODUCT, given, {"c": (m, n)}, 2**22).calls
    return sum("a" in step.fetched for step in call.steps)


@checked
def footprint(rows: SIZE, cols: SIZE, depth: SIZE):
    """Bytes on the chip, in fp32: a block of sums and one of each operand, twice."""
    return BUFFERS * NUMBER_BYTES * (rows * cols + depth * (rows + cols))


@checked
def crossings(step: Count(low=0, high=1) = 0):
    """How many times the numbers of a softmax of 8 rows and 128 columns cross between memory and chip."""
    rung, x = ARung.make("softmax"), np.ones((8, 128), np.float32)
    given = {"x": x, "rows": 8, "cols": 128}
    return round(pallas.run(rung.steps[step].text, given, {"out": x.shape}, rung.room_bytes).moved_bytes / x.nbytes)


@checked
def strided(stride: Count(low=0, high=64) = 1):
    """Run of one warp that reads numbers `stride` places apart."""
    a = np.arange(WARP_LANES * 64, dtype=np.float32)
    return run(f"out[lane] = a[{stride} * lane]", _pair(a), 1, WARP_LANES)


@checked
def column(words: Count(low=1, high=64) = 32):
    """Run of one warp that writes down a column of a table in shared memory, `words` in each row."""
    a = np.arange(WARP_LANES, dtype=np.float32)
    return run(f"table = shared(32, {words})\ntable[lane, 0] = a[lane]", _pair(a), 1, WARP_LANES)


@checked
def counting(places: Count(low=1, high=32) = 1):
    """Run of one warp whose lanes add to so many counters in turn."""
    return run(f"atomic_add(counts, lane % {places}, 1)", {"counts": np.zeros(WARP_LANES, np.int32)}, 1, WARP_LANES)


@checked
def streamed(warps: Count(low=1, high=32) = 1):
    """Run of so many warps, in one block, that copy 8,192 numbers."""
    return run(STREAMED, {**_pair(np.arange(STREAM, dtype=np.float32)), "n": STREAM}, 1, WARP_LANES * warps)


def _pair(a):
    return {"a": a, "out": np.zeros_like(a)}
