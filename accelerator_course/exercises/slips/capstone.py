"""Slips of the capstone."""

import numpy as np

from accelerator_lib import design


def four_times_the_arrays(brief):
    edge, _, sram, stacks, clock, link = picked(brief, brief["mixes"][:1])
    return edge, 4096, sram, stacks, clock, link


def for_one_mix(brief):
    return picked(brief, brief["mixes"][:1])


def fastest_of_all(brief):
    return picked(brief, brief["mixes"], wanted="score", ceiling=False)


def picked(brief, mixes, wanted="value", ceiling=True):
    """The choice, with one thing changed."""
    grids = [design.explore.grid(brief["watts"], mix) for mix in mixes]
    worst = np.min([np.where(one.allowed, getattr(one, wanted), 0) for one in grids], axis=0)
    if ceiling:
        worst = np.where(grids[0].usd_per_hour <= brief["usd_per_hour"], worst, 0)
    best = grids[0].design(int(worst.argmax()))
    return best.edge, best.arrays, best.sram_mb, best.stacks, best.clock_hz, best.link_bytes_per_s
