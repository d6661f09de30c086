"""Search: four ways to look for a good mapping where nobody can try them all. Each trial costs one call of the model.
    random       any mapping of all; most do not fit          evolution    keep 50, change one thing of a good one
    hill-climb   the first change that helps; if none does, start anew; with swap a factor 2 may change dimension
A change: a tile twice or half as long along one dimension, or another order. What would leave the space is no trial.
"""

import random
from functools import cache, partial
from heapq import heappush, heapreplace
from math import inf
from typing import NamedTuple

from accelerator_lib.checks.signature import Count, Number, OneOf, Single, checked
from accelerator_lib.codesign.loopnest import ORDERS, Whole
from accelerator_lib.codesign.mapspace import PRODUCT, REGISTER_WORDS, SRAM_WORDS, Words, edges, quick_joules

STRATEGIES = ("random", "evolution", "hill-climb", "hill-climb, swap")
Seed = Count(low=0)
KEPT, RIVALS = 50, 4  # mappings that evolution keeps; of so many the best one has a child
SIZES = tuple((level, d, up) for level in (0, 2) for d in range(3) for up in (False, True))
TURNS = tuple((level, order) for level in (1, 3) for order in ORDERS)
SWAPS = tuple((level, d, e) for level in (0, 2) for d in range(3) for e in range(3) if d != e)


class Trial(NamedTuple):
    """One mapping that was tried, its energy [J] (infinity: it does not fit), the least energy so far, and whose."""

    number: int
    mapping: tuple
    joules: float
    best: float
    leader: tuple | None


@checked
def search(
    strategy: OneOf(STRATEGIES),
    seed: Seed = 0,
    budget: Count(high=10**6) = 1000,
    gemm: Whole = PRODUCT,
    sram_words: Words = SRAM_WORDS,
    register_words: Words = REGISTER_WORDS,
):
    """Yield `budget` Trials of a strategy; the same seed gives the same ones. The product's sizes are powers of two."""
    sizes = gemm.m, gemm.n, gemm.k
    if any(size & size - 1 for size in sizes):
        raise ValueError(f"m, n and k must be powers of two, so that all tiles divide them; got {sizes}")
    return _trials(strategy, random.Random(seed), budget, sizes, (sram_words, register_words))


def _trials(strategy, dice, budget, sizes, rooms):
    tried = WAYS[strategy](dice, sizes, lambda mapping: quick_joules(sizes, mapping, *rooms))
    best, leader = inf, None
    for number, (mapping, energy) in zip(range(1, budget + 1), tried, strict=False):
        if energy < best:
            best, leader = energy, mapping
        yield Trial(number, mapping, energy, best, leader)


def draw(dice, sizes=(4096, 4096, 4096)):
    """One mapping out of all, each as likely; `dice` is a random.Random."""
    outer, inner = zip(*(dice.choice(_pairs(size)) for size in sizes), strict=True)
    return outer, dice.choice(ORDERS), inner, dice.choice(ORDERS)


@cache
def _pairs(size):  # of a dimension: (edge in the SRAM, edge in the registers) of every tile inside a tile
    return tuple((outer, inner) for outer in edges(size) for inner in edges(outer))


def change(mapping, move, sizes):
    """The mapping after a move, or None where that would leave the space or change nothing."""
    changed, (level, *what) = list(mapping), move
    if level in (1, 3):
        changed[level] = what[0]
        return tuple(changed) if what[0] != mapping[level] else None
    tile = list(mapping[level])
    if isinstance(what[1], bool):
        tile[what[0]] = tile[what[0]] * 2 if what[1] else tile[what[0]] // 2
    else:
        tile[what[0]] *= 2
        tile[what[1]] //= 2
    low, high = ((1, 1, 1), mapping[0]) if level else (mapping[2], sizes)
    if not all(a <= edge <= b for a, edge, b in zip(low, tile, high, strict=True)):
        return None
    changed[level] = tuple(tile)
    return tuple(changed)


def _random(dice, sizes, cost):
    while True:
        mapping = draw(dice, sizes)
        yield mapping, cost(mapping)


def _evolution(dice, sizes, cost):
    kept, moves = [], SIZES + TURNS  # the worst of those that are kept stands on top of the heap
    for _ in range(KEPT):
        mapping = draw(dice, sizes)
        energy = cost(mapping)
        heappush(kept, (-energy, mapping))
        yield mapping, energy
    while True:
        parent = max(kept[int(KEPT * dice.random())] for _ in range(RIVALS))[1]
        mapping = None
        while mapping is None:
            mapping = change(parent, moves[int(len(moves) * dice.random())], sizes)
        energy = cost(mapping)
        yield mapping, energy
        heapreplace(kept, (-energy, mapping))


def _climb(moves, dice, sizes, cost):
    while True:
        mapping = draw(dice, sizes)
        energy, better = cost(mapping), True
        yield mapping, energy
        while better and energy < inf:
            better = False
            for move in dice.sample(moves, len(moves)):
                other = change(mapping, move, sizes)
                if other is None:
                    continue
                its = cost(other)
                yield other, its
                if its < energy:
                    mapping, energy, better = other, its, True
                    break


@checked
def luck(draws: Count(high=10**9) = 1000, one_in: Single(Number(low=1, high=1e12)) = 33023.0):
    """Chance that at least one of so many random draws is good, where one in `one_in` is."""
    return 1 - (1 - 1 / one_in) ** draws


CLIMBS = (partial(_climb, SIZES + TURNS), partial(_climb, SIZES + TURNS + SWAPS))
WAYS = dict(zip(STRATEGIES, (_random, _evolution, *CLIMBS), strict=True))
