"""The capstone: a design for each of several briefs, judged by its worst value over three mixes."""

from functools import partial

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, is_number, several, shown
from accelerator_lib import design
from accelerator_lib.data import kept
from accelerator_lib.design import explore
from accelerator_lib.design.merit import TIE

SEEDS = (1, 3, 9, 4, 0)
KNOBS = ("edge", "arrays", "sram_mb", "stacks", "clock_hz", "link_bytes_per_s")
EDGES = (16, 32, 64, 128, 256, 512)
RANGES = ((1, 2048), (8, 1024), (0, 8), (0.5e9, 2.5e9), (50e9, 1800e9))  # of the other five, as the panel has them
JOBS = ("decode", "prefill", "training", "vision", "recommender")


def choose(brief):
    """(edge, arrays, SRAM, stacks, clock, link) of the design whose worst value over the mixes is highest."""
    grids = [design.explore.grid(brief["watts"], mix) for mix in brief["mixes"]]
    worst = np.min([np.where(one.allowed, one.value, 0) for one in grids], axis=0)
    worst = np.where(grids[0].usd_per_hour <= brief["usd_per_hour"], worst, 0)
    best = grids[0].design(int(worst.argmax()))
    return best.edge, best.arrays, best.sram_mb, best.stacks, best.clock_hz, best.link_bytes_per_s


def brief(seed):
    """A brief: three mixes that may come true, most watts, most dollars an hour of one chip."""
    draw = np.random.default_rng([132, seed])
    liked = [str(name) for name in draw.permutation(JOBS[:4])[:3]]
    mixes = [{name: 0.8 if name == one else 0.05 for name in JOBS} for one in liked]
    watts, dollars = float(draw.choice([300, 500, 700])), float(draw.choice([0.19, 0.21]))
    return {"mixes": mixes, "watts": watts, "usd_per_hour": dollars}


@kept
def best(seed):
    """The highest worst value of the grid under a brief."""
    given = brief(seed)
    found = [explore.grid(given["watts"], mix) for mix in given["mixes"]]
    affordable = found[0].usd_per_hour <= given["usd_per_hour"]
    return float(max(np.minimum.reduce([one.value for one in found])[found[0].allowed & affordable]))


def _check_choose(function):
    for seed in SEEDS:
        given, where, tie = brief(seed), f"brief {seed + 1}", (1 - TIE) * best(seed)

        def judge(got, given=given, where=where, tie=tie):
            chip = _chip(got, where)
            scores = [design.score(chip, mix) for mix in given["mixes"]]
            broken = design.violations(chip, given["watts"], given["mixes"][0])
            if broken:
                raise Wrong(f"For {where} your design breaks a limit: {broken[0]}.")
            if scores[0].usd_per_hour > given["usd_per_hour"]:
                hour = f"{scores[0].usd_per_hour:.3f} dollars an hour; {given['usd_per_hour']:.2f} are allowed"
                raise Wrong(f"For {where} your design costs {hour}.")
            if min(one.value for one in scores) < tie:
                values = ", ".join(f"{one.value:.2f}" for one in scores)
                counts = f"The worst counts, and {tie:.2f} would tie with the best"
                raise Wrong(f"For {where} your values on the three mixes are {values}. {counts}.")

        copied = {**given, "mixes": [dict(mix) for mix in given["mixes"]]}
        yield case(where, "legal, and a tie with the best", partial(function, copied), judge)
    return f"right for {len(SEEDS)} briefs. Now write the page: which guess would change your choice?"


def _chip(got, where):
    """The Design of six numbers. Raises Wrong, with what the panel offers."""
    several(got, len(KNOBS), where, f"six numbers, {', '.join(KNOBS)}")
    edge, *rest = got
    if edge not in EDGES:
        raise Wrong(f"For {where} your edge is {shown(edge)}; the panel offers {', '.join(map(str, EDGES))}.")
    for name, mine, (low, high) in zip(KNOBS[1:], rest, RANGES, strict=True):
        if not (is_number(mine) and low <= mine <= high):
            raise Wrong(f"For {where} your {name} is {shown(mine)}; the panel offers {low:g} to {high:g}.")
    return design.Design(int(edge), int(rest[0]), float(rest[1]), int(rest[2]), float(rest[3]), float(rest[4]))


EXERCISES = [Exercise("13b.1", _check_choose, choose)]
