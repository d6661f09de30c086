"""Levels: the memories of a few chips as published, every source beside the others; bandwidths rebuilt from parts."""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import OneOf, Positive, Single, checked
from accelerator_lib.memory.flow import level_bytes_per_s, operand_bytes_per_s

QUANTITIES = {"bandwidth": "bytes_per_s", "latency": "seconds", "energy": "pj_per_byte", "capacity": "bytes"}
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


@dataclass(frozen=True)
class Published:
    """All that is published of one quantity of one level."""

    chip: str
    level: str
    quantity: str
    values: tuple


@checked
def name(chip: OneOf(CHIPS)):
    """The name of a chip, with what its measurements need to be said."""
    return CHIPS[chip]["name"]


@checked
def of(chip: OneOf(CHIPS)):
    """The Levels of a chip by id, nearest first. Raises UnknownName."""
    return tuple(_level(entry) for entry in CHIPS[chip]["levels"])


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


GPUS = tuple(id for id, entry in CHIPS.items() if "lanes" in entry["levels"][0].get("parts", ()))


@checked
def rates(chip: OneOf(GPUS) = "a100-80gb-sxm", operands: Single(Positive) = 3):
    """{level: B/s} of a GPU: registers for so many operands of every fp32 lane, and L1, from their parts; L2 and main
    memory as published first."""
    registers, shared, second, main, *_ = of(chip)
    parts, clock = registers.parts, CHIPS[chip]["clock_hz"]
    read = operand_bytes_per_s(parts["units"], parts["lanes"], clock, operands, parts["operand_bytes"])
    l1 = level_bytes_per_s(shared.parts["units"], shared.parts["bytes_per_clock"], clock)
    below = second.bandwidth[0].value, main.bandwidth[0].value
    return dict(zip(("registers", "L1", "L2", "main memory"), (read, l1, *below), strict=True))
