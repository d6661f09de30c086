"""Regions: where, over the shapes of products, a model is off, and which of its laws heals which region.

Laws come on one after the other: the bound alone; a launch; clocks and bandwidth under load; waves of tiles, with
operands from cache or memory; activations scaled first. Rows are vLLM's, in bins of the rows of the product and of the
numbers of its weights; a bin of fewer than three is left out. Written by  make calibrate.
"""

from math import exp, nan

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, OneOf, Single, checked
from accelerator_lib.validation.profile import products, rows, ways

MACHINES = {  # as a reader calls them -> (system, format) of the recorded rows
    "H100, bf16": ("h100_sxm", "bf16"),
    "H100, fp8": ("h100_sxm", "fp8"),
    "A100, bf16": ("a100_sxm", "bf16"),
    "L40S, bf16": ("l40s", "bf16"),
    "B200, bf16": ("b200_sxm", "bf16"),
    "B200, fp4": ("b200_sxm", "nvfp4"),
}
LAWS = "the bound alone", "a launch", "rates under load", "waves of tiles", "activations scaled first"
ROWS = (2, 8, 32, 128, 512, 2048, 8192, 2**17)  # of a product, up to
WEIGHTS = (2**18, 2**20, 2**22, 2**24, 2**26, 2**32)  # numbers, up to
FEWEST = 3
NONE = {"share": 1.0, "cache": 1e12, "fill_us": 0.0, "launch_us": 0.0, "memory": 1.0, "scaled": 1e12, "copies": 1e9}


@checked
def off(
    rows: Single(Number(low=1, high=ROWS[-1])) = 32,
    weights: Single(Number(low=1, high=WEIGHTS[-1])) = 2**18,
    machine: OneOf(tuple(MACHINES)) = "H100, bf16",
    laws: OneOf(LAWS) = LAWS[0],
):
    """Typical factor, larger over smaller, between times measured and foretold by the laws up to this one, for products
    of about so many rows and weights (in bins); nan where there are too few."""
    found = data.load("kernel_times")["regions"][machine][LAWS.index(laws)]
    here = found[int(np.searchsorted(WEIGHTS, weights))][int(np.searchsorted(ROWS, rows))]
    return nan if here is None else here


@checked
def whole(machine: OneOf(tuple(MACHINES)) = "H100, bf16", laws: OneOf(LAWS) = LAWS[0]):
    """(rows, typical factor) of all products of a machine, with the laws up to this one."""
    return tuple(data.load("kernel_times")["regions"]["whole"][machine][LAWS.index(laws)])


def times(ground, key, chosen, constants):
    """Yield the times [s] of rows of one way, with one law more in each."""
    table = {name: column[chosen] for name, column in ground.table.items()}
    full, peak = ground.work(chosen), rows.chips(table["system"], [products.FORMATS[key[4]][2]] * len(chosen))["peak"]
    flops = np.broadcast_to((2 * table["m"] * table["n"] * table["k"] / peak)[:, None], full["waves"].shape)
    flat = full | {"waves": np.ones_like(flops), "multiplied": flops, "loaded": 0.0, "added": 0.0, "split": 0.0}
    under = {name: constants[name] for name in ("share", "memory")}
    launch = {"launch_us": constants["launch_us"] + constants["fill_us"]}
    steps = (flat, NONE), (flat, NONE | launch), (flat, NONE | launch | under)
    steps += (full, constants | {"scaled": NONE["scaled"]}), (full, constants)
    for work, known in steps:
        yield products.seconds(work, **known)[0]


def made(ground, known):
    """{machine: [law][weights][rows] factors, "whole": {machine: [law] (rows, factor)}} of the recorded products."""
    found = {"whole": {}}
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
        cells = [[(line == up) & (column == at) for at in range(len(ROWS))] for up in range(len(WEIGHTS))]
        found[machine] = [[[_typical(each, cell) for cell in up] for up in cells] for each in logs]
        found["whole"][machine] = [[len(order), _typical(each, each >= 0)] for each in logs]
    return found


def _typical(logs, cell):
    return float(f"{exp(np.median(logs[cell])):.3g}") if cell.sum() >= FEWEST else None
