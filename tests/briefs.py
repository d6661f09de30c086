"""data/briefs.yaml anew: python tests/briefs.py. Limits are tightened until about 600 of the grid's designs are left, in
an order that makes as many of them tie with the best as in other briefs; the best is another one in each."""

from itertools import permutations, product
from math import ceil
from pathlib import Path

import numpy as np
import yaml

from accelerator_course.league import briefs
from accelerator_course.league.briefs import WAITS
from accelerator_lib.design import grid
from accelerator_lib.design.grid import AXES, judge, opened, results, whole_arrays
from accelerator_lib.design.laws import on_numpy
from accelerator_lib.design.machine import guesses, machines

JOBS, WEIGHTS = ("decode", "prefill", "training", "vision", "recommender"), (0.4, 0.2, 0.2, 0.1, 0.1)
YEARS = {2021: [7, "HBM2E", "bf16"], 2022: [5, "HBM3", "fp8"], 2024: [5, "HBM3E", "fp8"], 2026: [3, "HBM4", "fp4"]}
TIGHT = {"first token": 0.0005, "each token": 0.00005, "power": 25, "rent": 0.001}  # in steps of what
PARTS, STAY = (0.6, 0.5, 0.7, 0.4), 600  # share of designs that each of three limits leaves, and how many the fourth
MOST, TIED, PRICE = 1060, (0.14, 0.22), 0.02  # of these; the share that ties with the best; what a limit costs
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
    drawn |= {name: flat(found[job].seconds) for name, job in WAITS.items()}
    held, drawn = ({name: part[places] for name, part in parts.items()} for parts in (held, drawn))
    return worst(one, places), held, places, drawn


def costs(value, held):
    """(best value, {limit: what is given up for it, as a share of that})."""
    best = max(value[np.logical_and.reduce(list(held.values()))])
    free = {name: value[np.logical_and.reduce([held[other] for other in held if other != name])] for name in held}
    return round(float(best), briefs.DIGITS), {name: round(float(max(one) / best - 1), 3) for name, one in free.items()}


def tightened(order, part, held, drawn):
    """({what a brief limits: most}, which designs keep it all): one limit after the other."""
    found, left = {}, np.logical_and.reduce(list(held.values()))
    for place, name in enumerate(order):
        ranked = np.sort(drawn[name][left])
        most = ranked[int(part * len(ranked)) if place < 3 else min(STAY, len(ranked) - 1)]
        found[name] = round(ceil(float(most) / TIGHT[name]) * TIGHT[name], 5)
        left = left & (drawn[name] <= found[name])
    return found, left


def made(seed, mix, taken):
    """A row of the file; `taken`: the best designs of the rows before, to which its own is added."""
    year, turn, limits = list(YEARS)[seed % 4], seed // 4 % 4, list(TIGHT)
    weights, waits = dict(zip(JOBS, mix, strict=True)), dict.fromkeys(WAITS, 1e3)
    loose = briefs.Brief(0, year, *YEARS[year], weights, 1e5, 1e3, waits, 0.0, {})
    value, held, places, drawn = rated(loose)
    orders = dict.fromkeys([(*limits[turn:], *limits[:turn]), *permutations(limits)])
    for part, order in product(PARTS, orders):
        found, left = tightened(order, part, held, drawn)
        best = value[left].max()
        top, tied = places[left][value[left].argmax()], np.mean(value[left] * briefs.bar(loose) > best)
        given_up = costs(value, held | {name: drawn[name] <= found[name] for name in found})
        fair = TIED[0] <= tied <= TIED[1] and left.sum() <= MOST and max(given_up[1].values()) > PRICE
        if fair and top not in taken:
            break
    taken.add(top)
    watts, dollars, *waits = (found[name] for name in ("power", "rent", *WAITS))
    row = {"year": year, "mix": list(mix), "watts": watts, "usd_per_hour": dollars, "seconds": waits}
    return row | {"best": given_up[0], "costs": given_up[1]}


if __name__ == "__main__":
    head, mixes, taken = PATH.read_text(encoding="utf-8").split("years:")[0], sorted(set(permutations(WEIGHTS))), set()
    rows = {seed + 1: made(seed, mix, taken) for seed, mix in enumerate(mixes)}
    told = {"years": YEARS, "jobs": list(JOBS), "briefs": rows}
    PATH.write_text(head + yaml.safe_dump(told, sort_keys=False, default_flow_style=None, width=160), encoding="utf-8")
