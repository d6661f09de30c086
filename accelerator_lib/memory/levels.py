"""Levels: the memories of a few chips as published, every source beside the others; one chip rebuilt from its parts.

of("a100-80gb-sxm")                           registers, shared memory, L2, HBM, links: four quantities of each
published("a100-80gb-sxm", "l2", "latency")   every value of one of them, and where it comes from
gap("bandwidth", lanes, operands, clock_hz, sms)    how far apart its levels are: units x bytes per clock x clock

Latencies and energies of a gap are as published: they do not follow from parts.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Count, Hertz, OneOf, Positive, Single, checked
from accelerator_lib.memory.flow import level_bytes_per_s, operand_bytes_per_s

QUANTITIES = {"bandwidth": "bytes_per_s", "latency": "seconds", "energy": "pj_per_byte", "capacity": "bytes"}
UNITS = {"bandwidth": "B/s", "latency": "s", "energy": "pJ/byte", "capacity": "B"}
TABLE = data.load("memory_levels")
CHIPS = {entry["id"]: entry for entry in TABLE["chips"]}
KINDS = ("registers", "shared", "l2", "l3", "dram", "link")


@dataclass(frozen=True)
class Value:
    """One published or derived value, and where it comes from."""

    value: float
    what: str
    basis: str
    sources: tuple
    how: str = ""

    @property
    def titles(self):
        """Titles of its sources."""
        return tuple(TABLE["sources"][name]["title"] for name in self.sources)


@dataclass(frozen=True)
class Level:
    """One level; each quantity is a tuple of Values, empty where nothing is published."""

    name: str
    kind: str  # one of KINDS
    bandwidth: tuple = ()
    latency: tuple = ()
    energy: tuple = ()
    capacity: tuple = ()
    parts: dict | None = None  # what its first bandwidth is made of: units, bytes_per_clock ...


class Levels(tuple):
    """The Levels of one chip, nearest first."""

    @property
    def values(self):
        """All that is published of them."""
        return tuple(value for level in self for quantity in QUANTITIES for value in getattr(level, quantity))

    @property
    def disputed(self):
        """((level, quantity), ...) with values of different sources; two values of one source are one say."""
        return tuple(
            (level.name, quantity)
            for level in self
            for quantity in QUANTITIES
            if len({value.sources for value in getattr(level, quantity)}) > 1
        )


@dataclass(frozen=True)
class Published:
    """All that is published of one quantity of one level."""

    chip: str
    level: str
    quantity: str
    values: tuple

    @property
    def spread(self):
        """The largest value over the smallest."""
        values = [value.value for value in self.values]
        return max(values) / min(values)


def chips():
    """{name: id} of the chips with published levels."""
    return {entry["name"]: id for id, entry in CHIPS.items()}


@checked
def name(chip: OneOf(CHIPS)):
    """The name of a chip, with what its measurements need to be said."""
    return CHIPS[chip]["name"]


@checked
def of(chip: OneOf(CHIPS)):
    """The Levels of a chip by id. Raises UnknownName."""
    return Levels(_level(entry) for entry in CHIPS[chip]["levels"])


@checked
def published(chip: OneOf(CHIPS), kind: OneOf(KINDS), quantity: OneOf(QUANTITIES)):
    """Published values of one kind of level. Raises NotAvailable where there are none."""
    for level in of(chip):
        if level.kind == kind and getattr(level, quantity):
            return Published(name(chip), level.name, quantity, getattr(level, quantity))
    raise NotAvailable(f"no {quantity} is published for this level of this chip")


def _level(entry):
    found = {}
    for quantity, key in QUANTITIES.items():
        rows = entry.get(quantity, ())
        found[quantity] = tuple(
            Value(row[key], row["what"], row["basis"], tuple(row["sources"]), row.get("how", "")) for row in rows
        )
    return Level(entry["name"], entry["kind"], **found, parts=entry.get("parts"))


CHIP = "a100-80gb-sxm"
CLOCK_HZ = CHIPS[CHIP]["clock_hz"]
LEVELS = tuple(level for level in of(CHIP) if level.kind != "link")
REGISTERS, SHARED, L2, MAIN = LEVELS
SMS, FP32_LANES, OPERANDS = (REGISTERS.parts[name] for name in ("units", "lanes", "operands"))
ONE_SCOPE = "tenlessons2021"  # the source of energies that names all levels: one process, device and interface


@dataclass(frozen=True)
class Span:
    """One level of a Gap; low and high differ where the sources do."""

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Gap:
    """The levels of a chip in one quantity as Spans, nearest level first."""

    quantity: str
    unit: str
    spans: tuple

    @property
    def ratios(self):
        """Each span against the last one, as (least, most): how many times better, in this quantity, it is."""
        last = self.spans[-1]
        better = self.quantity == "bandwidth"  # elsewhere less is nearer: a shorter time, less energy, fewer bytes
        found = [
            (span.low / last.high, span.high / last.low) if better else (last.low / span.high, last.high / span.low)
            for span in self.spans[:-1]
        ]
        return (*found, (1.0, 1.0))

    @property
    def ratio(self):
        """Nearest level against the last one, as (least, most)."""
        return self.ratios[0]


@checked
def gap(
    quantity: OneOf(QUANTITIES) = "bandwidth",
    lanes: Count() = FP32_LANES,
    operands: Single(Positive) = OPERANDS,
    clock_hz: Single(Hertz) = CLOCK_HZ,
    sms: Count(high=10_000) = SMS,
):
    """Gap of an A100-like chip: bandwidths and capacities from its parts, latencies and energies as published."""
    if quantity == "bandwidth":
        registers = operand_bytes_per_s(sms, lanes, clock_hz, operands, REGISTERS.parts["operand_bytes"])
        shared = level_bytes_per_s(sms, SHARED.parts["bytes_per_clock"], clock_hz)
        second = level_bytes_per_s(L2.parts["units"], L2.parts["bytes_per_clock"], clock_hz)
        found = [[registers], [shared], [second], [MAIN.bandwidth[0].value]]
    elif quantity == "latency":  # published in cycles: a faster clock shortens what is on the chip, not the memory
        on_chip = [[row.value * CLOCK_HZ / clock_hz for row in level.latency] for level in LEVELS[:-1]]
        found = [*on_chip, [row.value for row in MAIN.latency]]
    elif quantity == "energy":
        found = [[row.value for row in level.energy if ONE_SCOPE in row.sources] for level in LEVELS]
    else:  # what lies in the SMs grows with their number
        grown = [sms / SMS if level.parts and level.parts["unit"] == "SM" else 1 for level in LEVELS]
        found = [[level.capacity[0].value * factor] for level, factor in zip(LEVELS, grown, strict=True)]
    spans = tuple(Span(level.name, float(min(row)), float(max(row))) for level, row in zip(LEVELS, found, strict=True))
    return Gap(quantity, UNITS[quantity], spans)


def pairs():
    """{what is compared: ratio}: every gap of the A100 at its widest, and one ratio that mixes two quantities."""
    dram, addition = TABLE["mixed"]
    return {
        "registers / main memory, bandwidth": gap("bandwidth").ratio[1],
        "main memory / registers, latency": gap("latency").ratio[1],
        "main memory / registers, energy": gap("energy").ratio[1],
        "main memory / registers, capacity": gap("capacity").ratio[1],
        f"{dram['what']} / {addition['what']}, 45 nm": dram["pj"] / addition["pj"],
    }
