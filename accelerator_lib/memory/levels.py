"""Levels: the memories of a few chips as published, every source beside the others.

of("a100-80gb-sxm")                           registers, shared memory, L2, HBM, links: four quantities of each
published("a100-80gb-sxm", "l2", "latency")   every value of one of them, and where it comes from
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import OneOf, checked

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
