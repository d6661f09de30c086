"""Maps of shapes: how far off the law of products is where, with one of its parts more in each, for profile/regions."""

from math import exp

import numpy as np

from accelerator_lib.validation.profile import products, rows, ways
from accelerator_lib.validation.profile.regions import MACHINES, ROWS, WEIGHTS

FEWEST = 3  # rows of a cell
NONE = {"share": 1.0, "cache": 1e12, "fill_us": 0.0, "launch_us": 0.0, "memory": 1.0, "scaled": 1e12, "copies": 1e9}


def times(ground, key, chosen, constants):
    """Yield the times [s] of rows of one way, with one law more in each."""
    table = {name: column[chosen] for name, column in ground.table.items()}
    full, peak = ground.work(chosen), rows.chips(table["system"], [products.FORMATS[key[4]][2]] * len(chosen))["peak"]
    flops = np.broadcast_to((2 * table["m"] * table["n"] * table["k"] / peak)[:, None], full["waves"].shape)
    flat = full | {"waves": np.ones_like(flops), "multiplied": flops, "loaded": 0.0, "added": 0.0, "split": 0.0}
    under = {name: constants[name] for name in ("share", "memory")}
    launch = {"launch_us": constants["launch_us"] + constants["fill_us"]}
    yield np.maximum(flops[:, 0], full["moved"] / full["rate"])
    steps = (flat, NONE | launch), (flat, NONE | launch | under)
    steps += (full, constants | {"scaled": NONE["scaled"]}), (full, constants)
    for work, known in steps:
        yield products.seconds(work, **known)[0]


def made(ground, known):
    """{machine: [law][weights][rows] factors, "counts": {machine: [weights][rows] products}} of what was recorded; the
    last line and the last column hold all."""
    found = {"counts": {}}
    for machine, (system, dtype) in MACHINES.items():
        asked = (ground.table["system"] == system) & (ground.table["format"] == dtype)
        asked &= ground.table["framework"] == "VLLM"
        order, logs = [], []
        for key in sorted({ground.keys[n] for n in np.flatnonzero(asked)}):
            own = np.array([n for n in np.flatnonzero(asked) if ground.keys[n] == key])
            told = list(times(ground, key, own, ways.of(key, known, {})[0]))
            order.append(own)
            logs.append(np.abs(np.log(np.array(told) / ground.measured[own])))
        order, logs = np.concatenate(order), np.concatenate(logs, axis=1)
        column = np.searchsorted(ROWS, ground.table["m"][order])
        line = np.searchsorted(WEIGHTS, ground.table["n"][order] * ground.table["k"][order])
        ups, ats = ([its == bin for bin in range(len(bins))] for its, bins in ((line, WEIGHTS), (column, ROWS)))
        cells = [[up & at for at in (*ats, column >= 0)] for up in (*ups, line >= 0)]
        found[machine] = [[[_typical(each, cell) for cell in up] for up in cells] for each in logs]
        found["counts"][machine] = [[int(cell.sum()) for cell in up] for up in cells]
    return found


def pairs(ground):
    """[rows, numbers of the weights, times as fast in FP4 as in bf16] of products that one program timed both ways."""
    found = {}
    for n, form in enumerate(ground.table["format"]):
        key = tuple(ground.table[name][n] for name in ("system", "framework", "m", "n", "k"))
        found.setdefault(key, {}).setdefault(str(form), ground.measured[n])
    both = [(key, its["bf16"] / its["nvfp4"]) for key, its in found.items() if {"bf16", "nvfp4"} <= set(its)]
    return sorted([int(m), int(n * k), float(f"{ratio:.3g}")] for (*_, m, n, k), ratio in both)


def _typical(logs, cell):
    return float(f"{exp(np.median(logs[cell])):.3g}") if cell.sum() >= FEWEST else None
