"""Forensics: a printed figure, rebuilt from its factors: units x multiply-accumulates of one a cycle x 2 x clock.
    sparse      more than 1.5 times what the units can do: products with zeros are counted that nobody computes
    two-way     a link's both directions added up           format      the units work in other numbers than it says
    impossible  it needs a clock beyond any accelerator's   mixed       two kinds of units, two clocks, two chips
Facts: data/forensics.yaml, with sources.
"""

from dataclasses import dataclass
from functools import cached_property

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Given, checked

TESTS = ("sparse", "two-way", "format", "impossible", "mixed")
CLOCK_HZ, NEAR = 3e9, 0.03  # no matrix unit of the catalogue comes near; figures are rounded


@dataclass(frozen=True)
class Part:
    """Units of one kind; `clock_hz` None where nobody published it. With `each`, a rate of one unit as printed."""

    name: str
    units: float = 1
    macs: float | None = None
    clock_hz: float | None = None
    dtype: str | None = None
    each: float | None = None
    of: str | None = None
    note: str = ""
    operations = property(lambda self: None if self.macs is None else self.units * self.macs * 2)  # in one cycle

    @property
    def rate(self):
        """Operations (or bytes) a second; None where the clock is unknown."""
        if self.each is not None:
            return self.units * self.each
        return self.clock_hz and float(hardware.peak_from_units(self.units, 2 * self.macs, self.clock_hz))


@dataclass(frozen=True)
class Factor:  # one factor of a part: `what` is units, macs, two, clock, each, or watts (which divide)
    part: int
    what: str
    value: float | None
    product: float | None  # with all factors of its part up to here; None where this one is unknown


@dataclass(frozen=True)
class Claim:  # a printed figure: `value` in OP/s, B/s or OP/s per watt, and the parts that it is made from
    id: str
    name: str
    said: str
    quantity: str  # peak, link, per watt
    value: float
    dtype: str | None
    parts: tuple
    reported_hz: float | None = None
    watts: float | None = None
    watts_of: str | None = None
    doctored: bool = False
    verdict: tuple = ()
    basis: str = ""
    sources: tuple = ()

    @property
    def rebuilt(self):
        """What the parts give, dense and in one direction; None where a clock is missing."""
        rates = [part.rate for part in self.parts]
        return None if None in rates else sum(rates) / (self.watts or 1)

    ratio = property(lambda self: None if self.rebuilt is None else self.value / self.rebuilt)

    @property
    def needed_hz(self):
        """The clock at which the units would reach the figure; None for a link."""
        operations = sum(part.operations or 0 for part in self.parts)
        return self.value * (self.watts or 1) / operations if operations else None

    at_reported_hz = property(lambda self: self.rebuilt * self.reported_hz / self.parts[0].clock_hz)

    @cached_property
    def factors(self):
        """All Factor, in order."""
        found = [Factor(i, *factor) for i, part in enumerate(self.parts) for factor in _factors(part)]
        watts = [Factor(len(self.parts) - 1, "watts", self.watts, self.rebuilt)] if self.watts else []
        return (*found, *watts)

    @cached_property
    def fails(self):
        """The tests that the figure fails, in the order of TESTS; () where it is fine."""
        found = set()
        if self.ratio is None:
            found |= {"impossible"} if self.needed_hz > CLOCK_HZ else set()
        elif self.quantity == "link":
            found |= {"two-way"} if abs(self.ratio - 2) < 2 * NEAR else set()
        elif self.ratio > 1.5:
            found |= {"sparse"}
        elif self.ratio > 1 + NEAR:
            found |= {"impossible"}
        if any(part.dtype != self.dtype for part in self.parts):
            found |= {"format"}
        clocks = {part.clock_hz for part in self.parts if part.clock_hz} | {self.reported_hz or None} - {None}
        chips = {part.of for part in self.parts} | ({self.watts_of} if self.watts else set())
        if len(self.parts) > 1 or len(chips) > 1 or max(clocks, default=1) > (1 + NEAR) * min(clocks, default=1):
            found |= {"mixed"}
        return tuple(test for test in TESTS if test in found)


def _factors(part):  # (what, value, product up to here) of a part
    values = {"units": part.units, "macs": part.macs, "two": 2, "clock": part.clock_hz}
    if part.each is not None:
        values = {"units": part.units, "each": part.each} if part.units > 1 else {"each": part.each}
    if part.macs == 1:
        del values["macs"]
    product = 1
    for what, value in values.items():
        product = None if value is None else product * value
        yield what, value, product


@data.kept
def claims():
    """{id: Claim}: twelve figures in print, one of them doctored."""
    return {row["id"]: _claim(row) for row in data.load("forensics")["rows"]}


def claim(given):
    """A Claim as it is, or that of an id. Raises UnknownName."""
    return given if isinstance(given, Claim) else claims()[one_of("id", given, claims())]


AClaim = Given("a Claim or its id", claim)


@checked
def audit(claim: AClaim):
    """The tests that a figure fails, in the order of TESTS; () where it is fine."""
    return claim.fails


@checked
def true_figures():
    """How many of the twelve fail no test."""
    return sum(not claim.fails for claim in claims().values())


def _claim(row):
    own = {name: row[name] for name in ("id", "name", "said", "quantity", "value", "dtype", "basis")}
    ghz = row.get("reported_ghz")
    own |= {name: row[name] for name in ("watts", "watts_of", "doctored") if name in row}
    made = {name: tuple(row[name]) for name in ("verdict", "sources")}
    return Claim(**own, **made, parts=tuple(map(_part, row["parts"])), reported_hz=ghz and ghz * 1e9)


def _part(row):
    ghz = row.get("clock_ghz")
    own = {name: row[name] for name in ("name", "units", "macs", "dtype", "each", "of", "note") if name in row}
    return Part(**own, clock_hz=ghz and ghz * 1e9)
