"""Levels: the memories of a few chips as published, every source beside the others; and the gap rebuilt from parts.

of("a100-80gb-sxm")      registers, shared memory, L2, HBM, links: capacity, latency, bandwidth, energy
gap("bandwidth", ...)        the same ladder computed from lanes, operands, clock and SMs
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.inputs import NotAvailable, one_of, real, whole
from accelerator_lib.memory import flow

QUANTITIES = {"bandwidth": "bytes_per_s", "latency": "seconds", "energy": "pj_per_byte", "capacity": "bytes"}
UNITS = {"bandwidth": "B/s", "latency": "s", "energy": "pJ/byte", "capacity": "B"}


@dataclass(frozen=True)
class Value:
    """One published or derived value, and where it comes from."""

    value: float
    what: str
    basis: str
    sources: tuple
    how: str = ""


@dataclass(frozen=True)
class Level:
    """One level; each quantity is a tuple of Values, empty where nothing is published."""

    name: str
    kind: str  # registers, shared, l2, l3, dram, link
    bandwidth: tuple = ()
    latency: tuple = ()
    energy: tuple = ()
    capacity: tuple = ()


def chips():
    """{name: id} of the chips with published levels."""
    return {entry["name"]: entry["id"] for entry in data.load("memory_levels")["chips"]}


def of(chip):
    """The Levels of a chip by id, nearest first. Raises UnknownName."""
    table = {entry["id"]: entry for entry in data.load("memory_levels")["chips"]}
    return tuple(_level(entry) for entry in table[one_of("chip", chip, table)]["levels"])


def source_title(name):
    """The title of a source, by its key."""
    return data.load("memory_levels")["sources"][name]["title"]


def _level(entry):
    found = {}
    for quantity, key in QUANTITIES.items():
        rows = entry.get(quantity, ())
        found[quantity] = tuple(
            Value(row[key], row["what"], row["basis"], tuple(row["sources"]), row.get("how", "")) for row in rows
        )
    return Level(entry["name"], entry["kind"], **found)


@dataclass(frozen=True)
class Gap:
    """A ladder of (name, low, high), nearest level first; low and high differ where the sources do."""

    quantity: str
    unit: str
    rungs: tuple

    @property
    def ratio(self):
        """Nearest level against the last one, as (least, most): how many times better."""
        (_, low, high), (_, last_low, last_high) = self.rungs[0], self.rungs[-1]
        if self.quantity == "bandwidth":
            return low / last_high, high / last_low
        return last_low / high, last_high / low


def gap(quantity="bandwidth", lanes=64, operands=3, clock_hz=1.41e9, sms=108):
    """The Gap of an A100-like chip: bandwidths and capacities from its parts, latencies and energies as published."""
    kinds = [level for level in of("a100-80gb-sxm") if level.kind != "link"]
    names = [level.name for level in kinds]
    sms, clock = whole("sms", sms, high=10_000), real("clock_hz", clock_hz)
    if one_of("quantity", quantity, QUANTITIES) == "bandwidth":
        registers = flow.operand_bytes_per_s(sms, lanes, clock, operands)
        shared = flow.level_bytes_per_s(sms, 128, clock)
        second = flow.level_bytes_per_s(1, 5120, clock)
        main = kinds[-1].bandwidth[0].value
        values = [(registers,) * 2, (shared,) * 2, (second,) * 2, (main,) * 2]
    elif quantity == "latency":  # published in cycles: a faster clock shortens what is on the chip, not the memory
        rows = [[row.value for row in level.latency] for level in kinds]
        values = [(min(row) * 1.41e9 / clock, max(row) * 1.41e9 / clock) for row in rows[:-1]]
        values.append((min(rows[-1]), max(rows[-1])))
    elif quantity == "energy":
        rows = [[v.value for v in level.energy if "nm" in v.what or "HBM" in v.what] for level in kinds]
        values = [(min(row), max(row)) for row in rows]
    else:
        whole_chip = [level.capacity[0].value for level in kinds]  # the first two belong to the SMs
        values = [(value * (sms / 108 if place < 2 else 1),) * 2 for place, value in enumerate(whole_chip)]
    rungs = tuple((name, float(low), float(high)) for name, (low, high) in zip(names, values, strict=True))
    return Gap(quantity, UNITS[quantity], rungs)


def pairs():
    """{what is compared: ratio}: every gap of the A100 at its widest, and one ratio that mixes two quantities."""
    dram, addition = data.load("memory_levels")["mixed"]
    return {
        "registers / main memory, bandwidth": gap("bandwidth").ratio[1],
        "main memory / registers, latency": gap("latency").ratio[1],
        "main memory / registers, energy": gap("energy").ratio[1],
        "main memory / registers, capacity": gap("capacity").ratio[1],
        f"{dram['what']} / {addition['what']}, 45 nm": dram["pj"] / addition["pj"],
    }


def values(chip, kind, quantity):
    """(level's name, its Values) of one kind of level. Raises NotAvailable where nothing is published."""
    for level in of(chip):
        if level.kind == kind and getattr(level, one_of("quantity", quantity, QUANTITIES)):
            return level.name, getattr(level, quantity)
    raise NotAvailable(f"no {quantity} is published for this level of this chip")
