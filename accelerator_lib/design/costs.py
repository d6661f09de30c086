"""Costs: from a wafer to a million tokens; a chip of one's own beside a bought one.
    good die = wafer / (dies x yield)           chip = good die + memory + package + test
    hour, owned = (price + what stands around it) / hours in use + power x price of electricity
    break-even  = once / (dollars a bought unit - dollars a unit of one's own)
Left out: salvage, design, staff, interest, risk.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Number, Single, checked
from accelerator_lib.design.machine import assumed, facts, process
from accelerator_lib.hardware import AChip, Chip
from accelerator_lib.silicon.wafer import Area, dies_per_wafer, wafer_map
from accelerator_lib.silicon.yields import Density, die_yield

SECONDS = 3600  # of an hour
Dollars, Watts = Number(low=0, high=1e12, unit="dollars"), Number(low=0, high=1e6, unit="W")
Stacks, Times = Single(Number(low=0, high=32)), Single(Number(low=0.1, high=100))
Rate = Number(low=1e-6, high=1e12, unit="tokens/s")
Facility, Use, PerKwh = Number(low=1, high=5), Number(low=1e-6, high=1), Number(low=0, high=10)
Gb, Part = Single(Number(low=0, high=1e4)), Single(Number(low=0.01, high=1))
Price, Pace, Defects = map(Single, (Dollars, Rate, Density))


@checked
def usd_per_million_tokens(usd_per_hour: Dollars, tokens_per_s: Rate, use: Use = 1.0):
    """Dollars for 1e6 tokens; scalars or arrays."""
    return usd_per_hour / (SECONDS * tokens_per_s * use) * 1e6


@checked
def owned_usd_per_hour(price: Dollars, watts: Watts, usd_per_kwh: PerKwh = 0.13, facility: Facility = 1.0):
    """Dollars of an hour of a bought chip: its share of the price, and power, `facility` W from the grid for each."""
    bought = (price + assumed().host_usd) / facts().hours
    return bought + usd_per_kwh * facility * watts / 1000


@dataclass(frozen=True)
class Bill:  # what a chip costs its maker [dollars]
    dies: float  # on a wafer, by the formula
    good: float  # share of them
    wafer: float
    memory: float
    package: float  # and test
    die = property(lambda self: self.wafer / self.dies)
    good_die = property(lambda self: self.die / self.good)
    total = property(lambda self: self.good_die + self.memory + self.package)
    die_share = property(lambda self: self.good_die / self.total)  # what a good die takes of it


@checked
def bill(die_mm2: Single(Area), memory_gb: Gb, stacks: Stacks, wafer: Price = 16_000, defects_per_cm2: Defects = 0.1):
    """Bill of a chip with one die."""
    dies, good = dies_per_wafer(die_mm2), die_yield(die_mm2, defects_per_cm2)
    package = stacks * facts().usd_per_stack + assumed().package_usd
    return Bill(dies, good, wafer, memory_gb * facts().usd_per_gb, package)


@dataclass(frozen=True)
class Sold:  # a chip from its wafer to a million tokens [dollars]
    chip: Chip
    bill: Bill
    stacks: int  # that stand beside the die
    centres: tuple  # of the dies on the wafer [mm]
    sides: tuple  # of a die [mm]
    markup: float  # price over cost
    owned: float  # an hour
    rent: float  # an hour
    tokens_per_s: float
    use: float
    price = property(lambda self: self.markup * self.bill.total)
    good_dies = property(lambda self: max(1, round(len(self.centres) * self.bill.good)))  # of the wafer

    def memory(self, stacks):
        """Dollars of so many of its stacks."""
        return self.bill.memory * stacks / self.stacks

    million_tokens_per_hour = property(lambda self: self.tokens_per_s * SECONDS * self.use / 1e6)
    used = property(lambda self: usd_per_million_tokens(self.rent, self.tokens_per_s, self.use))  # for 1e6 tokens
    full = property(lambda self: usd_per_million_tokens(self.rent, self.tokens_per_s, 1.0))  # were it always in use


@checked
def chain(chip: AChip = "h100-sxm5", rent: Price = 3.0, tokens_per_s: Pace = 2e3, use: Part = 0.6, markup: Times = 9.0):
    """Sold: the way of a chip from its wafer to a million tokens. Raises NotAvailable."""
    known = {id: made for id, made in data.load("design")["real"].items() if not made.get("dies")}
    if chip.id not in known:
        raise NotAvailable(f"what {chip.name} is made of is not in the table; there are {', '.join(known)}")
    made, area = known[chip.id], chip.need("die_mm2")
    found = bill(area, chip.need("capacity_bytes") / 1e9, made["stacks"], process(made["node"]).wafer_usd)
    sides = 26.0, area / 26.0
    owned = owned_usd_per_hour(markup * found.total, chip.need("tdp_w"), facts().usd_per_kwh)
    centres = map(tuple, wafer_map(*sides, edge_mm=3.0, scribe_mm=0.1).tolist())
    nearest = sorted(centres, key=lambda centre: centre[0] ** 2 + centre[1] ** 2)[: round(found.dies)]
    centres = tuple(sorted(nearest, key=lambda centre: (centre[1], centre[0])))
    return Sold(chip, found, made["stacks"], centres, sides, markup, owned, rent, tokens_per_s, use)


@checked
def break_even_units(once: Price, unit_usd: Price, bought_usd: Price):
    """Units from which a design of one's own is cheaper than buying; None where a unit saves nothing."""
    saved = bought_usd - unit_usd
    return once / saved if saved > 0 else None
