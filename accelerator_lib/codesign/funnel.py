"""Funnel: from a formula to instructions, and how many ways there are at each stage.

    graph         the operations, as they are written                      1 way
    fused graph   each value stays on the chip or goes through memory      2^(values between)
    mapping       tiles and orders of one product on two levels            loopnest.mapspace
    instructions  orders of the loads and multiply-adds of one small tile  linear extensions

Counted for one product and the element-wise steps behind it. Ignored: formats, layouts, the split over processors.
"""

from dataclasses import dataclass
from functools import cache

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.codesign import graphs, loopnest
from accelerator_lib.workload import Gemm

STAGES = ("graph", "fused graph", "mapping", "instructions")
LOADS = ("a0", "a1", "b0", "b1")
ADDS = {f"c{i}{j}": (f"a{i}", f"b{j}") for i in (0, 1) for j in (0, 1)}  # each multiply-add needs two loads


@dataclass(frozen=True)
class Funnel:
    """One stage: the choices of each up to it, the kernels, and the instructions in one order that is possible."""

    stage: int  # of STAGES
    ways: tuple  # of each stage up to here
    n: int
    ops: tuple  # names
    kernels: tuple  # of names
    tiles: tuple  # edges: the whole, the tile on the chip, the tile in the registers
    instructions: tuple
    before: int  # bytes of the graph, every operation on its own
    after: int  # bytes, fused

    @property
    def name(self):
        return STAGES[self.stage]

    @property
    def total(self):
        """Ways of all stages together."""
        found = 1
        for ways in self.ways:
            found *= ways
        return found


@cache
def orders():
    """Orders in which the loads and multiply-adds of a 2 x 2 tile can be issued: each after what it needs."""
    needs = {**dict.fromkeys(LOADS, ()), **ADDS}
    names = tuple(needs)

    @cache
    def count(done):
        if len(done) == len(names):
            return 1
        ready = (one for one in names if one not in done and all(need in done for need in needs[one]))
        return sum(count(done | {one}) for one in ready)

    return count(frozenset())


@checked
def narrow(n: Count(low=64, high=2**14) = 4096, steps: Count(high=8) = 3):
    """Yield a Funnel for each stage, for a product of n x n x n and so many element-wise steps behind it."""
    graph = graphs.block(n, steps)
    alone, together = graph.alone(), graphs.fused(graph)
    counts = lambda: 1, lambda: 2**steps, lambda: loopnest.mapspace(Gemm(n, n, n)).all, orders
    ways = ()
    issued = ("a0", "b0", "c00", "b1", "c01", "a1", "c10", "c11")
    for stage, count in enumerate(counts):
        ways = (*ways, count())
        kernels = alone if stage == 0 else together
        yield Funnel(
            stage, ways, n, tuple(op.name for op in graph.ops), tuple(map(tuple, kernels)),
            (n, min(n, 512), 128), issued, graphs.bytes_moved(graph, alone), graphs.bytes_moved(graph, together),
        )  # fmt: skip
