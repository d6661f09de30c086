"""data/briefs.yaml anew: python tests/briefs.py. Limits are tightened until about 600 of the grid's designs are left."""

from dataclasses import replace
from itertools import permutations
from math import ceil
from pathlib import Path

import numpy as np
import yaml

from accelerator_course.league import briefs
from accelerator_lib.design import grid
from accelerator_lib.design.grid import AXES, judge, opened, results, whole_arrays
from accelerator_lib.design.laws import on_numpy
from accelerator_lib.design.machine import guesses, machines

JOBS, WEIGHTS = ("decode", "prefill", "training", "vision", "recommender"), (0.4, 0.2, 0.2, 0.1, 0.1)
YEARS = {2021: [7, "HBM2E", "bf16"], 2022: [5, "HBM3", "fp8"], 2024: [5, "HBM3E", "fp8"], 2026: [3, "HBM4", "fp4"]}
TIGHT = {"first token": 0.0005, "each token": 0.00005, "power": 25, "rent": 0.001}  # in steps of what
PART, STAY = 0.6, 600  # share of designs that each of three limits leaves, and how many the fourth
PATH = Path(briefs.__file__).parents[2] / "accelerator_lib" / "data" / "briefs.yaml"


def worst(one, places):
    """Worst values over the guesses of the grid's designs at flat places."""
    axes = [axis.ravel() for axis in np.broadcast_arrays(*opened(AXES.values()))]
    edge, steps, *rest = (axis[places] for axis in axes)
    knobs, found = (edge, np.maximum(np.floor(steps * 65_536 / edge**2), 1.0), *rest), []
    for given in guesses().values():
        machine = machines(*knobs, one.node, one.dtype, one.stack, given)
        outcomes = results(machine, tuple(one.mix), on_numpy(), 1)
        found.append(judge(machine, outcomes, one.mix, 1e9, on_numpy(), one.dtype)[2])
    return np.min(found, axis=0)


def rated(one):
    """(worst values, {limit: whether it is kept}, flat places, {what a brief limits: values}) of the grid's designs that
    break at most one limit."""
    held, whole = briefs.open_to(one)
    found = grid.rated(one.node, one.dtype, one.stack)[1]
    flat = lambda part: np.broadcast_to(part, whole.allowed.shape).ravel()  # noqa: E731
    held = {name: flat(part) for name, part in held.items()}
    able = flat(whole_arrays(opened(AXES.values()))) & (whole.score > 0).ravel()
    places = np.flatnonzero(able & (sum(~part for part in held.values()) <= 1))
    drawn = {"power": whole.watts.ravel() * briefs.tdp_factor(), "rent": whole.usd_per_hour.ravel()}
    drawn |= {name: flat(found[job].seconds) for name, job in briefs.WAITS.items()}
    held, drawn = ({name: part[places] for name, part in parts.items()} for parts in (held, drawn))
    return worst(one, places), held, places, drawn


def costs(value, held):
    """(best value, {limit: what is given up for it, as a share of that})."""
    best = max(value[np.logical_and.reduce(list(held.values()))])
    free = {name: value[np.logical_and.reduce([held[other] for other in held if other != name])] for name in held}
    return round(float(best), briefs.DIGITS), {name: round(float(max(one) / best - 1), 3) for name, one in free.items()}


def made(seed, mix):
    """A row of the file: limits as tight as it takes."""
    year, turn = list(YEARS)[seed % 4], seed // 4 % 4
    named = dict(zip(JOBS, mix, strict=True))
    loose = briefs.Brief(0, year, *YEARS[year], named, 1e5, 1e3, dict.fromkeys(briefs.WAITS, 1e3), 0.0, {})
    _, held, _, drawn = rated(loose)
    left, found = np.logical_and.reduce(list(held.values())), {}
    for place, name in enumerate([*TIGHT][turn:] + [*TIGHT][:turn]):
        step = TIGHT[name]
        ranked = np.sort(drawn[name][left])
        most = ranked[int(PART * len(ranked)) if place < 3 else min(STAY, len(ranked) - 1)]
        found[name] = round(ceil(float(most) / step) * step, 5)
        left &= drawn[name] <= found[name]
    watts, dollars, *waits = (found[name] for name in ("power", "rent", *briefs.WAITS))
    row = {"year": year, "mix": list(mix), "watts": watts, "usd_per_hour": dollars, "seconds": waits}
    one = replace(loose, watts=watts, usd_per_hour=dollars, seconds=dict(zip(briefs.WAITS, waits, strict=True)))
    row["best"], row["costs"] = costs(*rated(one)[:2])
    return row


if __name__ == "__main__":
    head, mixes = PATH.read_text(encoding="utf-8").split("years:")[0], sorted(set(permutations(WEIGHTS)))
    rows = {seed + 1: made(seed, mix) for seed, mix in enumerate(mixes)}
    told = {"years": YEARS, "jobs": list(JOBS), "briefs": rows}
    PATH.write_text(head + yaml.safe_dump(told, sort_keys=False, default_flow_style=None, width=160), encoding="utf-8")
