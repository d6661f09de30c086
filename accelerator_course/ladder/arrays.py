"""Arrays: the rungs of systolic arrays, in cycles: a product that is fed block by block, a network that is mapped."""

from dataclasses import dataclass
from math import prod

from accelerator_course.ladder.rung import Rung
from accelerator_lib.kernels import feeding, mapping

LITTLE = 0.05  # of the bound; whoever loses less has lost nothing worth a word


def _spilled(rung, made, mine, par):
    line = max(made.passes, key=lambda each: each.spilled).line
    text = f"Sums that are not done go out and come back for {mine - 1:,} cycles, at line {line}: let sums stay"
    return f"{text} until all of k has passed.", line, mine - 1


def _waited(rung, made, mine, par):
    worst = max(made.passes, key=lambda each: each.waited)
    text = f"{mine:,} cycles pass (par: {par:,}) before blocks have come, at line {worst.swapped}: load one while the one before works."  # noqa: E501
    return text, worst.swapped, mine - par


def _ragged(rung, made, mine, par):
    block = max(made.passes, key=lambda each: each.length * made.edge**2 - each.macs).block
    wide, what = block.across[1] - block.across[0], "columns" if block.stays == "b" else "rows"
    text = f"{mine:.0%} of the PEs have nothing to multiply (par: {par:.0%}): the last blocks of {block.stays}, loaded at line {block.line}, have {wide} of {made.edge} {what}."  # noqa: E501
    return text, block.line, made.pass_cycles - rung.best.pass_cycles


FEEDING = {
    "spilled": (lambda rung, made: 1 + made.spilled_cycles, _spilled),
    "waited": (lambda rung, made: made.waited_cycles, _waited),
    "ragged": (lambda rung, made: 1 - made.macs / (made.edge**2 * max(1, made.pass_cycles)), _ragged),
}


def _memory_lost(laid):
    return max(0, laid.cycles - max(laid.array_cycles, laid.least_bytes / laid.bytes_per_cycle))


def _again(rung, made, mine, par):
    laid = max(made.laid, key=_memory_lost)
    once = {"inputs": 2 * laid.gemm.m * laid.gemm.k, "weights": 2 * laid.gemm.k * laid.gemm.n, "sums": 0}
    name = max(once, key=lambda name: laid.moved[name] - once[name])
    came = laid.moved[name]
    what = f"its {name} come {came / once[name]:.3g} times" if once[name] else "its sums leave and come back"
    text = f"Layer {laid.number} waits for the memory: {what}, {came:,} bytes, at line {laid.line}."
    return text, laid.line, mine - par


def _lost(laid, cause):
    """Cycles that a layer waits for its array, though a full one would be faster, by a cause's share of them."""
    parts = {"ramps": laid.ramps, "loading": laid.loading, "empty": laid.streamed - laid.least_array_cycles}
    lost = max(0, laid.cycles - max(laid.memory_cycles, laid.least_array_cycles))
    return lost * parts[cause] / max(1e-9, sum(parts.values()))


def _counter(cause):
    def value(rung, made):
        return LITTLE * rung.bound + sum(_lost(laid, cause) for laid in made.laid)

    def tell(rung, made, mine, par):
        laid = max(made.laid, key=lambda each: _lost(each, cause))
        return f"Layer {laid.number}, at line {laid.line}: {_why(cause, laid, made)}", laid.line, mine - par

    return value, tell


def _why(cause, laid, made):
    rows, cols = made.shape
    if cause == "empty":
        share, array = 1 - laid.least_array_cycles / laid.streamed, f"an array of {rows} x {cols}"
        return f"{share:.0%} of {laid.pes:,} PEs have nothing to multiply while rows stream through {array}."
    share = f"{getattr(laid, cause) / laid.array_cycles:.0%} of the array's cycles"
    if cause == "ramps":
        return f"{share} begin or end one of {prod(laid.trips.values()):,} blocks: larger ones do so less often."
    return f"{share} wait for the next load: what streams is shorter than {rows} rows of PEs."


MAPPING = {
    "again": (lambda rung, made: LITTLE * rung.bound + sum(map(_memory_lost, made.laid)), _again),
    **{cause: _counter(cause) for cause in ("ramps", "loading", "empty")},
}


@dataclass(frozen=True, eq=False)
class ArrayRung(Rung):
    """A rung on an array, scored in cycles."""

    machine = "array"

    def score(self, made):
        return made.cycles


@dataclass(frozen=True, eq=False)
class FeedRung(ArrayRung):
    """A rung whose text feeds an array; `work` gives its product."""

    counters = FEEDING

    edge: int  # of the array
    room_rows: int  # for sums

    constants = property(lambda self: {"EDGE": self.edge, "ROOM": self.room_rows})

    def run(self, source, case):
        """Fed of a text on a Case. Raises Fault."""
        return feeding.run(source, case.arguments, self.edge, self.room_rows)

    def least(self, case):
        """EDGE for the first block, m n ceil(k / EDGE) / EDGE rows that pass, 2 EDGE - 2 until the last sum is out."""
        gemm = self.work(**case.sizes)
        passes = gemm.m * gemm.n * -(-gemm.k // self.edge) / self.edge
        return self.edge + passes + 2 * self.edge - 2


@dataclass(frozen=True, eq=False)
class MapRung(ArrayRung):
    """A rung whose text maps layers; `work` gives them as products."""

    counters = MAPPING

    pes: int
    room_bytes: int
    bytes_per_cycle: float

    constants = property(lambda self: {"PES": self.pes, "ROOM": self.room_bytes})

    def run(self, source, case):
        """Mapped of a text on a Case. Raises Fault."""
        gemms = self.work(**case.sizes)
        return mapping.run(source, case.arguments, gemms, self.pes, self.room_bytes, self.bytes_per_cycle)

    def least(self, case):
        """For each layer the longer of multiply-adds / PEs and bytes, each operand once / bandwidth."""
        gemms = self.work(**case.sizes)
        return sum(max(each.flops / 2 / self.pes, each.bytes_moved("bf16") / self.bytes_per_cycle) for each in gemms)
