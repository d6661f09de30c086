"""Machine: a chip of systolic arrays, SRAM, memory stacks and links; real("h100-sxm5") tells a published one so.
A Design is checked; a Machine is what the laws take: floats, or arrays that broadcast to many designs at once.
"""

from collections import namedtuple
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import described, one_of
from accelerator_lib.checks.signature import Bytes, Count, Given, Number, NumberOf, OneOf, Single, checked
from accelerator_lib.hardware import format_bytes

FORMATS = ("bf16", "fp8", "int8", "fp4")
NODES = (7, 5, 3)
STACKS = tuple(data.load("design")["stacks"])
Node = NumberOf(NODES, "nm (with prices and densities here)")


class Process(NamedTuple):
    """What a node makes of an area or an energy at 7 nm: density of logic, SRAM, analog; power; dollars of a wafer."""

    logic: float
    sram: float
    analog: float
    power: float
    wafer_usd: float


class Assumed(NamedTuple):
    """What nobody publishes: move these. Defaults come from the data."""

    share: float  # of what feeds PEs, the part along the edges of an array: as the array grows, less for each PE
    rows: float  # of PEs whose area the edge of an array takes
    package_usd: float
    host_usd: float
    clocked: float  # of the clock that real programs reach, the share
    usd_per_gb: float


@cache
def facts():
    """The constants by their names in the data, in base units: um2, mm2, pJ, W, dollars."""
    known = data.load("design")
    entries = {**known["area"], **known["energy"], **known["prices"]}
    values = {name: entry["value"] for name, entry in entries.items() if "value" in entry}
    pe = known["area"]["pe_um2"]
    values |= {"pe_flat_um2": pe["flat"], "pe_fed_um2": pe["fed"], "even_from": float(pe["even_from"])}
    values["most_link_bytes_per_s"] = known["link"]["most_bytes_per_s"]
    return namedtuple("Facts", values)(**values)


@cache
def process(node):
    """Process of a node, 7 or 5 (nm)."""
    return Process(*(data.load("design")["nodes"][node][name] for name in Process._fields))


@cache
def assumed():
    """Assumed, as the data has it."""
    return Assumed(*(data.load("design")["guesses"][name]["value"] for name in Assumed._fields))


@data.kept
def guesses():
    """{words: Assumed}: all as assumed; then each guess by itself at both ends of its range."""
    known = data.load("design")["guesses"]
    ends = {
        f"{known[name]['says']}: {end:,g}": {name: end} for name in Assumed._fields for end in known[name]["between"]
    }
    return {"as assumed": assumed()} | {words: assumed()._replace(**moved) for words, moved in ends.items()}


@dataclass(frozen=True)
@checked
class Design:
    """One chip: arrays of edge x edge PEs, SRAM [MB of 1e6 bytes], memory stacks, clock, link rate of one direction."""

    edge: Count(high=4096)
    arrays: Count(high=10**6)
    sram_mb: Single(Number(low=1, high=1e6, unit="MB"))
    stacks: Count(low=0, high=64)
    clock_hz: Single(Number(low=1e7, high=2e10, unit="Hz"))
    link_bytes_per_s: Single(Number(low=1e6, high=1e14, unit="B/s"))
    node: Node = 5
    dtype: OneOf(FORMATS) = "bf16"
    dies: Count(high=64) = 1
    memory_bytes_per_s: Single(Number(low=1, unit="B/s")) = None  # None: that of its stacks
    memory_bytes: Single(Bytes) = None
    name: str = "this design"
    stack: OneOf(STACKS) = "HBM3"  # what kind of memory its stacks are

    macs = property(lambda self: self.arrays * self.edge**2)  # multiply-accumulate units, all arrays together
    # operations a second [FLOP/s] with every PE at work in every cycle; 8-bit numbers go through twice as fast
    peak = property(lambda self: hardware.peak_from_units(self.macs, 2, self.clock_hz) * 2 / format_bytes(self.dtype))

    def machine(self, given=None):
        """Machine of this design; `given`: other assumptions."""
        knobs = (float(getattr(self, name)) for name in Machine._fields[:6])
        made = machines(*knobs, self.node, self.dtype, self.stack, given)._replace(dies=float(self.dies))
        own = {name: getattr(self, name) for name in ("memory_bytes_per_s", "memory_bytes")}
        own = {name: value for name, value in own.items() if value is not None}
        return made._replace(**own, sums=1.0) if own else made  # a published chip's area is that of all its formats


class Machine(NamedTuple):  # what the laws take: floats, or arrays that broadcast against each other
    edge: Any
    arrays: Any
    sram_mb: Any
    stacks: Any
    clock_hz: Any
    link_bytes_per_s: Any
    memory_bytes_per_s: Any
    memory_bytes: Any
    dies: Any = 1.0
    element_bytes: Any = 2.0
    cache_bytes: Any = 2.0  # of an element of keys and values
    sums: Any = 1.0  # accumulators in a PE: one for each product that it does in a cycle
    process: Process = None
    assumed: Assumed = None


def machines(edge, arrays, sram_mb, stacks, clock_hz, link_bytes_per_s, node=5, dtype="bf16", stack="HBM3", given=None):
    """Machine of many new designs: each of the first six arguments an array, all broadcast against each other."""
    kind, size = data.load("design")["stacks"][stack], float(format_bytes(dtype))
    memory = stacks * kind["bytes_per_s"], stacks * kind["bytes"]
    sizes = 1.0, size, 1.0 if dtype in ("fp8", "fp4") else 2.0, 2 / size
    knobs = edge, arrays, sram_mb, stacks, clock_hz, link_bytes_per_s
    return Machine(*knobs, *memory, *sizes, process(node), given or assumed())


def design(given):
    """A Design as it is, or that of a real chip's id. Raises TypeError, UnknownName."""
    if isinstance(given, Design):
        return given
    if isinstance(given, str):
        return real(given)
    raise TypeError(f"design must be a Design or the id of a real chip, not {described(given)}")


ADesign = Given("a Design or a real chip's id", design)


def reals():
    """Ids of the real chips that are told as designs."""
    return tuple(data.load("design")["real"])


@checked
def real(id: Given("the id of a real chip", lambda id: one_of("id", id, reals()))):
    """Design of a published chip. Raises UnknownName with a suggestion."""
    known = data.load("design")["real"][id]
    chip = hardware.chip(id)
    own = {name: value for name, value in known.items() if name in {field.name for field in fields(Design)}}
    memory = {"memory_bytes_per_s": chip.need("bytes_per_s"), "memory_bytes": chip.need("capacity_bytes")}
    link = {"clock_hz": chip.clock_hz, "link_bytes_per_s": chip.need("link_bytes_per_s"), "name": chip.short_name}
    return Design(**{**link, **memory, **own})
