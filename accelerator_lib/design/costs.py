"""Costs: from a wafer to a million tokens, one division after the other.

    good die = wafer / (dies x yield)           chip = good die + memory + package + test
    hour, owned = (price + what stands around it) / hours in use + power x price of electricity
    a million tokens = 1e6 x dollars of an hour / (3600 x tokens a second x share of the time in use)

What a chip costs beside its silicon, and what stands around it, are assumptions (data/design.yaml), fitted so that an
H100 comes near a published estimate. Left out: salvage, design and masks, staff, interest, software.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Number, Single, checked
from accelerator_lib.design.facts import assumed, facts, process
from accelerator_lib.hardware import AChip, Chip
from accelerator_lib.silicon.wafer import Area, dies_per_wafer, wafer_map
from accelerator_lib.silicon.yields import Density, die_yield

SECONDS = 3600  # of an hour
Dollars, Watts = Number(low=0, high=1e12, unit="dollars"), Number(low=0, high=1e6, unit="W")
Stacks, Times = Single(Number(low=0, high=32)), Single(Number(low=0.1, high=100))
Rate = Number(low=1e-6, high=1e12, unit="tokens/s")
Facility, Use = Number(low=1, high=5), Number(low=1e-6, high=1)


@checked
def usd_per_million_tokens(usd_per_hour: Dollars, tokens_per_s: Rate, use: Use = 1.0):
    """Dollars for 1e6 tokens; scalars or arrays."""
    return usd_per_hour / (SECONDS * tokens_per_s * use) * 1e6


@checked
def owned_usd_per_hour(
    price: Dollars, watts: Watts, usd_per_kwh: Number(low=0, high=10) = 0.13, facility: Facility = 1.0
):
    """Dollars of an hour of a chip that was bought: its share of the price, and electricity, cooling included.

    facility: watts drawn from the grid for each watt of the chip.
    """
    bought = (price + assumed().host_usd) / facts().hours
    return bought + usd_per_kwh * facility * watts / 1000


@dataclass(frozen=True)
class Bill:
    """What a chip costs its maker [dollars]."""

    dies: float  # on a wafer, by the formula
    good: float  # share of them
    wafer: float
    memory: float
    package: float  # and test

    @property
    def die(self):
        return self.wafer / self.dies

    @property
    def good_die(self):
        return self.die / self.good

    @property
    def total(self):
        return self.good_die + self.memory + self.package


@checked
def bill(
    die_mm2: Single(Area),
    memory_gb: Single(Number(low=0, high=1e4)),
    stacks: Stacks,
    wafer: Single(Dollars) = 16_000,
    defects_per_cm2: Single(Density) = 0.1,
):
    """Bill of a chip with one die."""
    dies, good = dies_per_wafer(die_mm2), die_yield(die_mm2, defects_per_cm2)
    package = stacks * facts().usd_per_stack + assumed().package_usd
    return Bill(dies, good, wafer, memory_gb * facts().usd_per_gb, package)


@dataclass(frozen=True)
class Link:
    """The chain after a link: 0 wafer, 1 dies, 2 good dies, 3 memory, 4 package, 5 sold, 6 hour, 7 tokens."""

    chip: Chip
    bill: Bill
    stage: int
    stacks: int  # that stand beside the die so far
    of: int  # stacks in the end
    centres: tuple  # of the dies on the wafer [mm]
    sides: tuple  # of a die [mm]
    price: float
    owned: float  # dollars an hour
    rent: float
    tokens_per_s: float
    use: float
    full: float  # dollars for a million tokens, if it were always in use
    used: float  # and as it is


@checked
def chain(
    chip: AChip = "h100-sxm5",
    rent: Single(Dollars) = 3.0,
    tokens_per_s: Single(Rate) = 2000.0,
    use: Single(Number(low=0.01, high=1)) = 0.6,
    markup: Times = 9.0,
):
    """Yield a Link for every state of the way from a wafer to a million tokens. Raises NotAvailable."""
    known = {id: made for id, made in data.load("design")["real"].items() if not made.get("dies")}
    if chip.id not in known:
        raise NotAvailable(f"what {chip.name} is made of is not in the table; there are {', '.join(known)}")
    return _chain(chip, known[chip.id], rent, tokens_per_s, use, markup)


def _chain(chip, made, rent, tokens_per_s, use, markup):
    of, area = made["stacks"], chip.need("die_mm2")
    found = bill(area, chip.need("capacity_bytes") / 1e9, of, process(made["node"]).wafer_usd)
    sides = 26.0, area / 26.0
    centres = _placed(sides, round(found.dies))
    price = markup * found.total
    owned = owned_usd_per_hour(price, chip.need("tdp_w"), facts().usd_per_kwh)
    full, used = (usd_per_million_tokens(rent, tokens_per_s, share) for share in (1.0, use))
    fixed = (of, centres, sides, price, owned, rent, tokens_per_s, use, full, used)
    for stage in range(8):
        for stacks in range(1, of + 1) if stage == 3 else (0 if stage < 3 else of,):
            yield Link(chip, found, stage, stacks, *fixed)


def _placed(sides, count):
    """Centres of so many dies: those of a map of the wafer that lie nearest to its middle."""
    centres = sorted(
        map(tuple, wafer_map(*sides, edge_mm=3.0, scribe_mm=0.1).tolist()), key=lambda c: c[0] ** 2 + c[1] ** 2
    )
    return tuple(sorted(centres[:count], key=lambda c: (c[1], c[0])))
