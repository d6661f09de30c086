"""Generations: one matrix product, fed to the tensor cores of one SM in the way of each generation of GPUs.

A block computes 128 x 128 sums of fp16 operands, 32 of their depth at a time: a tile is 128 x 32 of A, 32 x 128 of B.
With a slots of a scheduler to ask for a tile, s cycles to store it from registers, c of a copy, one copy after the
other, m of the tensor cores, and b buffers, a tile takes

    same warps copy and multiply    b = 1: a + c + s + m    b = 2: s + max(a + c, m)    b > 2: max(c, s + m)
    other warps copy                max(c, m, (a + c + m) / b)

Products leave slots free: there, operands are read and the next tile is asked for. Instructions: as a program writes
them. Ignored: barriers, bank conflicts, how many bytes operands take of shared memory. Facts: data/gpus.yaml.
"""

import math
from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, Number, OneOf, Single, checked
from accelerator_lib.gpu.arch import BANK_BYTES, BANKS, FACTS, MOST_LOAD_BYTES, WARP_LANES
from accelerator_lib.gpu.sm import RECORDS

EDGE, DEPTH, ELEMENT_BYTES, PARTS = 128, 32, 2, 8  # of a tile; warps, each with 64 x 32 sums, that read their operands
SCHEDULERS, REQUESTS = 4, 2  # one thread asks for A and for B
TABLE = {record["name"]: record for record in FACTS["generations"]}
Generation, Buffers, Tiles = OneOf(TABLE), Count(high=8), Count(high=100)
Copy = Single(Number(low=100, high=10_000, unit="cycles"))


@dataclass(frozen=True)
class Feeding:
    """One generation's way: issue slots of the busiest scheduler for a tile, and cycles."""

    facts: dict  # of data/gpus.yaml
    ask: int
    store: int  # cycles of shared memory; 0 where a tile does not pass through registers
    read: int  # 0 where tensor cores read shared memory themselves
    product: int
    multiply: int  # cycles
    instructions: int  # of all warps, for a tile


@checked
def feeding(generation: Generation):
    """Feeding of one of TABLE. Raises UnknownName."""
    facts, macs = TABLE[generation], EDGE * EDGE * DEPTH
    row = DEPTH * ELEMENT_BYTES / (MOST_LOAD_BYTES * WARP_LANES * SCHEDULERS)  # loads of a scheduler for one row
    loads, reads = int(2 * EDGE * row), int(PARTS * (64 + 32) * row) * facts["reads"]
    ask, stores = REQUESTS if facts["one_asks"] else loads, SCHEDULERS * loads * facts["through_registers"]
    store = stores * MOST_LOAD_BYTES * WARP_LANES // (BANKS * BANK_BYTES)
    threads = facts["given_by"]
    products = macs // math.prod(facts["instruction"]) * threads // (WARP_LANES if threads > 1 else 1)  # of warps
    slots = ask, store, reads, products // min(SCHEDULERS, facts["starters"])
    multiply = macs // (RECORDS[facts["chip"]]["flop_per_clock"] // 2)
    all_warps = products + stores + SCHEDULERS * reads + ask * (1 if facts["one_asks"] else SCHEDULERS)
    return Feeding(facts, *slots, multiply, all_warps)


@dataclass(frozen=True)
class Run:
    """A product of so many tiles, as it was played."""

    feeding: Feeding
    buffers: int
    tiles: int
    spans: tuple  # ("ask", "copy", "store" or "multiply", tile, first cycle, cycle of its end), by their ends

    cycles = property(lambda self: self.spans[-1][-1])


@checked
def play(generation: Generation, copy: Copy = 400, buffers: Buffers = 2, tiles: Tiles = 6):
    """Run of so many tiles, where the copy of a whole one takes so many cycles: played tile by tile."""
    way, spans, arrival, done, ahead = feeding(generation), [], [], [], buffers - 1
    apart, copiers, warps, link = way.facts["apart"], 0.0, 0.0, 0.0  # the last three: when each is free

    def span(what, tile, begin, cycles):
        spans.append((what, tile, begin, begin + cycles))
        return begin + cycles

    def ask(tile, begin):
        nonlocal link
        asked = span("ask", tile, begin, way.ask)
        link = span("copy", tile, max(asked, link), copy * way.facts["brings"])
        arrival.append(link)
        return asked

    for tile in range(0 if apart else min(ahead, tiles)):
        warps = ask(tile, warps)
    for tile in range(tiles):
        if apart:
            copiers = ask(tile, max(copiers, done[tile - buffers] if tile >= buffers else 0.0))
        elif not ahead:
            warps = ask(tile, warps)
        warps = max(warps, arrival[tile])
        warps = span("store", tile, warps, way.store) if way.store else warps
        if not apart and ahead and tile + ahead < tiles:
            ask(tile + ahead, warps)  # in slots that the products leave free
        warps = span("multiply", tile, warps, way.multiply)
        done.append(warps)
    return Run(way, buffers, tiles, tuple(sorted(spans, key=lambda span: span[::-1])))


@checked
def cycles(generation: Generation, copy: Copy = 400, buffers: Buffers = 2, tiles: Tiles = 6):
    """Cycles of so many tiles in closed form: the longest chain of waits, which `play` finds by playing."""
    way, n = feeding(generation), tiles
    a, s, m, c = way.ask, way.store, way.multiply, copy * way.facts["brings"]
    if way.facts["apart"]:
        slow, rings = max(c, m), (n - 1) // buffers  # times that a buffer is emptied and filled again
        return a + c + max((n - 1) * slow, rings * (a + c + m) + (n - 1 - rings * buffers) * slow) + m
    if buffers == 1:
        return n * (a + c + s + m)
    if buffers == 2:
        return a + c + (n - 1) * (s + max(a + c, m)) + s + m
    return a + c + (n - 1) * max(c, s + m) + s + m
