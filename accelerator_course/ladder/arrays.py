"""Arrays: the rungs of systolic arrays: a product that is fed block by block, a network that is mapped; in cycles.

feed      bound = EDGE for the first block, m n ceil(k / EDGE) / EDGE rows, 2 EDGE - 2 until the last sum is out
network   bound = for each layer the longer of   multiply-adds / PEs   and   bytes, each operand once / bandwidth

What the counters of a text say of it, beside those of the worked solution; lost is in cycles:

spilled  sums that leave before they are done      again    bytes that come more than once
waited   for blocks that come too late             ramps    blocks that begin and end too often
ragged   PEs that have nothing to multiply         loading  streams too short to hide the next load
                                                   empty    PEs that have nothing to multiply
"""

from dataclasses import dataclass

import numpy as np

from accelerator_course.ladder.rung import Rung
from accelerator_lib.kernels import feeding, mapping

LITTLE = 0.05  # of the bound; whoever loses less has lost nothing worth a word


def _most(made, cost):
    """The Pass that costs most."""
    return max(made.passes, key=cost)


def _spilled(rung, made):
    return 1 + made.spilled_cycles


def _spilled_told(rung, made, mine, par):
    worst = _most(made, lambda each: each.spilled)
    text = f"Sums that are not done go out and come back for {mine - 1:,} cycles, at line {worst.line}: let sums stay until all of k has passed."  # noqa: E501
    return text, worst.line, mine - 1


def _waited(rung, made):
    return made.waited_cycles


def _waited_told(rung, made, mine, par):
    worst = _most(made, lambda each: each.waited)
    text = f"{mine:,} cycles pass (par: {par:,}) before blocks have come, at line {worst.swapped}: load one while the one before works."  # noqa: E501
    return text, worst.swapped, mine - par


def _ragged(rung, made):
    return 1 - made.macs / (made.edge**2 * max(1, made.pass_cycles))


def _ragged_told(rung, made, mine, par):
    worst = _most(made, lambda each: each.length * made.edge**2 - each.macs)
    block = worst.block
    wide = block.across[1] - block.across[0]
    what = "columns" if block.stays == "b" else "rows"
    text = f"{mine:.0%} of the PEs have nothing to multiply (par: {par:.0%}): the last blocks of {block.stays}, loaded at line {block.line}, have {wide} of {made.edge} {what}."  # noqa: E501
    return text, block.line, made.pass_cycles - rung.best.pass_cycles


FEEDING = {
    "spilled": (_spilled, _spilled_told),
    "waited": (_waited, _waited_told),
    "ragged": (_ragged, _ragged_told),
}


def _memory_lost(laid):
    """Cycles that a layer waits for bytes which need not move."""
    return max(0, laid.cycles - max(laid.array_cycles, laid.least_bytes / laid.bytes_per_cycle))


def _array_lost(laid):
    """Cycles that a layer waits for its array, though a full one would be faster."""
    return max(0, laid.cycles - max(laid.memory_cycles, laid.least_array_cycles))


def _again(rung, made):
    return LITTLE * rung.bound + sum(map(_memory_lost, made.laid))


def _again_told(rung, made, mine, par):
    laid = max(made.laid, key=_memory_lost)
    once = {"inputs": laid.gemm.m * laid.gemm.k, "weights": laid.gemm.k * laid.gemm.n, "sums": 0}
    extra = {name: laid.moved[name] - 2 * size for name, size in once.items()}
    name = max(extra, key=extra.get)
    what = (
        "its sums leave and come back"
        if name == "sums"
        else f"its {name} come {laid.moved[name] / (2 * once[name]):.3g} times"
    )
    text = f"Layer {laid.number} waits for the memory: {what}, {laid.moved[name]:,} bytes, at line {laid.line}."
    return text, laid.line, mine - par


def _parts(laid):
    """{cause: cycles on the array beyond those of a full one}."""
    empty = laid.streamed - laid.least_array_cycles
    return {"ramps": laid.ramps, "loading": laid.loading, "empty": empty}


def _lost(laid, cause):
    """What of a layer's loss a cause accounts for."""
    parts = _parts(laid)
    return _array_lost(laid) * parts[cause] / max(1e-9, sum(parts.values()))


def _counter(cause, told):
    def value(rung, made):
        return LITTLE * rung.bound + sum(_lost(laid, cause) for laid in made.laid)

    def tell(rung, made, mine, par):
        laid = max(made.laid, key=lambda each: _lost(each, cause))
        text = f"Layer {laid.number}, at line {laid.line}: {told(laid, made)}"
        return text, laid.line, mine - par

    return value, tell


def _ramps_told(laid, made):
    share = laid.ramps / laid.array_cycles
    blocks = laid.trips["m"] * laid.trips["n"] * laid.trips["k"]
    return f"{share:.0%} of the array's cycles begin or end one of {blocks:,} blocks: larger ones do so less often."


def _loading_told(laid, made):
    share = laid.loading / laid.array_cycles
    return f"{share:.0%} of the array's cycles wait for the next load: what streams is shorter than {made.shape[0]} rows of PEs."  # noqa: E501


def _empty_told(laid, made):
    share = 1 - laid.least_array_cycles / laid.streamed
    shape = f"{made.shape[0]} x {made.shape[1]}"
    return f"{share:.0%} of {laid.pes:,} PEs have nothing to multiply while rows stream through an array of {shape}."


MAPPING = {
    "again": (_again, _again_told),
    "ramps": _counter("ramps", _ramps_told),
    "loading": _counter("loading", _loading_told),
    "empty": _counter("empty", _empty_told),
}


@dataclass(frozen=True, eq=False)
class FeedRung(Rung):
    """A rung whose text feeds an array; `work` gives its product."""

    machine = "array"
    counters = FEEDING

    edge: int  # of the array
    room_rows: int  # for sums

    @property
    def constants(self):
        """What the text may name: {name: value}."""
        return {"EDGE": self.edge, "ROOM": self.room_rows}

    def run(self, source, case):
        """Fed of a text on a Case. Raises Fault."""
        return feeding.run(source, case.arguments, self.edge, self.room_rows)

    def score(self, made):
        """Cycles until the last sum has left."""
        return made.cycles

    def least(self, case):
        """No feed takes fewer cycles: a row that passes adds to EDGE sums, and a sum needs ceil(k / EDGE) of them."""
        gemm = self.work(**case.sizes)
        passes = gemm.m * gemm.n * -(-gemm.k // self.edge) / self.edge
        return self.edge + passes + 2 * self.edge - 2


@dataclass(frozen=True, eq=False)
class MapRung(Rung):
    """A rung whose text maps layers; `work` gives them as products."""

    machine = "array"
    counters = MAPPING

    pes: int
    room_bytes: int
    bytes_per_cycle: float

    @property
    def constants(self):
        """What the text may name: {name: value}."""
        return {"PES": self.pes, "ROOM": self.room_bytes}

    def run(self, source, case):
        """Mapped of a text on a Case. Raises Fault."""
        gemms = self.work(**case.sizes)
        return mapping.run(source, case.arguments, gemms, self.pes, self.room_bytes, self.bytes_per_cycle)

    def score(self, made):
        """Cycles of all layers."""
        return made.cycles

    def least(self, case):
        """No mapping takes fewer cycles."""
        return sum(
            float(np.maximum(gemm.flops / 2 / self.pes, gemm.bytes_moved("bf16") / self.bytes_per_cycle))
            for gemm in self.work(**case.sizes)
        )
