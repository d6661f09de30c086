"""Generations: one matrix product, fed to the tensor cores of one SM in the way of each generation of GPUs.

A block computes 128 x 128 sums of fp16 operands, 32 of their depth at a time: a tile is 128 x 32 of A, 32 x 128 of B.
With a slots of a scheduler to ask for a tile, s to store it from registers, c cycles of a copy, one copy after the
other, m cycles of the tensor cores and b buffers, a tile takes

    same warps copy and multiply    b = 1: a + c + s + m    b = 2: a + s + max(c, m)    b > 2: max(c, a + s + m)
    other warps copy                max(c, m, (a + c + m) / b)

`play` plays n tiles, `cycles` is the closed form. Ignored: barriers, bank conflicts, the ends of a product. Operands
are read from shared memory in slots that products leave free. Facts: data/gpus.yaml.
"""

import math
from dataclasses import dataclass

from accelerator_lib import hardware
from accelerator_lib.checks.signature import Count, Number, OneOf, checked
from accelerator_lib.gpu import sm
from accelerator_lib.gpu.arch import FACTS, MOST_LOAD_BYTES, WARP_LANES

EDGE, DEPTH, ELEMENT_BYTES, SUM_BYTES = 128, 32, 2, 4  # of the sums, of a tile
WARP_TILE = 64, 32  # sums of each of eight warps that read their own operands
SCHEDULERS, REQUESTS = 4, 2  # one thread asks for A and for B
TABLE = {record["name"]: record for record in FACTS["generations"]}
Generation, Buffers, Tiles = OneOf(TABLE), Count(high=8), Count(high=100)
Copy = Number(low=100, high=10_000, unit="cycles")


@dataclass(frozen=True)
class Feeding:
    """One generation: issue slots of the busiest scheduler for a tile, cycles of the tensor cores, who does what."""

    name: str
    chip: hardware.Chip
    ask: int
    store: int  # 0 where a tile does not pass through registers
    read: int  # 0 where tensor cores read shared memory themselves
    product: int
    multiply: int  # cycles
    brings: float  # share of a tile that this SM copies
    facts: dict

    instructions: int  # of all warps, for a tile
    apart = property(lambda self: self.facts["apart"])  # whether other warps copy


@checked
def feeding(generation: Generation):
    """Feeding of one of TABLE. Raises UnknownName."""
    facts = TABLE[generation]
    load, macs = MOST_LOAD_BYTES * WARP_LANES, EDGE * EDGE * DEPTH
    loads = 2 * EDGE * DEPTH * ELEMENT_BYTES // load // SCHEDULERS
    warps = EDGE * EDGE // (WARP_TILE[0] * WARP_TILE[1])
    reads = warps * sum(WARP_TILE) * DEPTH * ELEMENT_BYTES // load // SCHEDULERS
    ask, store = REQUESTS if facts["one_asks"] else loads, loads * facts["through_registers"]
    threads, reads = facts["given_by"], reads * facts["reads"]
    products = macs // math.prod(facts["instruction"]) * threads // (WARP_LANES if threads > 1 else 1)  # by warps
    multiply = macs // (sm.RECORDS[facts["chip"]]["flop_per_clock"] // 2)
    slots = ask, store, reads, products // min(SCHEDULERS, facts["starters"])
    instructions = products + SCHEDULERS * (store + reads) + ask * (1 if facts["one_asks"] else SCHEDULERS)
    return Feeding(generation, sm.chip(facts["chip"]), *slots, multiply, facts["brings"], facts, instructions)


@dataclass(frozen=True)
class Span:
    """What happens from cycle `begin` to `end`: "ask", "copy", "store" or "multiply", of one tile."""

    what: str
    tile: int
    begin: float
    end: float


@dataclass(frozen=True)
class Run:
    """A product of so many tiles, as it was played; `copy` is what the SM's own share takes [cycles]."""

    feeding: Feeding
    buffers: int
    tiles: int
    copy: float
    spans: tuple

    cycles = property(lambda self: self.spans[-1].end)


@checked
def play(generation: Generation, copy: Copy = 400, buffers: Buffers = 2, tiles: Tiles = 6):
    """Run of so many tiles, where the copy of a whole one takes so many cycles: played tile by tile."""
    way, spans, arrival, done = feeding(generation), [], [], []
    copiers = multipliers = link = 0.0  # when each is free

    def span(what, tile, begin, cycles):
        spans.append(Span(what, tile, begin, begin + cycles))
        return begin + cycles

    def ask(tile, begin):
        nonlocal link
        asked = span("ask", tile, begin, way.ask)
        link = span("copy", tile, max(asked, link), copy * way.brings)
        arrival.append(link)
        return asked

    ahead = buffers - 1
    for tile in range(min(ahead, tiles) if not way.apart else 0):
        multipliers = ask(tile, multipliers)
    for tile in range(tiles):
        if way.apart:
            copiers = ask(tile, max(copiers, done[tile - buffers] if tile >= buffers else 0.0))
            multipliers = max(multipliers, arrival[tile])
        else:  # the same warps: wait for this tile, store it, ask for a later one, multiply
            if not ahead:
                multipliers = ask(tile, multipliers)
            multipliers = max(multipliers, arrival[tile])
            multipliers = span("store", tile, multipliers, way.store) if way.store else multipliers
            if ahead and tile + ahead < tiles:
                multipliers = ask(tile + ahead, multipliers)
        multipliers = span("multiply", tile, multipliers, way.multiply)
        done.append(multipliers)
    return Run(way, buffers, tiles, copy * way.brings, tuple(sorted(spans, key=lambda one: (one.end, one.begin))))


@checked
def cycles(generation: Generation, copy: Copy = 400, buffers: Buffers = 2, tiles: Tiles = 6):
    """Cycles of so many tiles in closed form: the longest chain of waits, which `play` finds by playing."""
    way, n = feeding(generation), tiles
    a, s, m, c = way.ask, way.store, way.multiply, copy * way.brings
    if way.apart:
        rings = (n - 1) // buffers  # times that a buffer is emptied and filled again
        slow = max(c, m)
        return a + c + max((n - 1) * slow, rings * (a + c + m) + (n - 1 - rings * buffers) * slow) + m
    if buffers == 1:
        return n * (a + c + s + m)
    if buffers == 2:
        return a + c + (n - 1) * (a + s + max(c, m)) + s + m
    asks = max(n - buffers + 1, 0) * a
    return a + c + max((n - 1) * c, asks + (n - 1) * (s + m)) + s + m
