"""Running: tokens as measured on servers; a year of a rack: kWh = power x chips x load x hours x overhead (PUE)."""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, Share, Single, Watts, checked

HOURS = 8760  # of a year
Chips, Pue, Price = Number(high=1e9), Single(Number(low=1, high=10)), Number(low=0, high=1e3)


def served():
    """{server: {model, chip, chips, users, joules}} of the runs in the data: energy of all chips for one token [J]."""
    return {row["name"]: row for row in data.load("energy")["served"]}


@dataclass(frozen=True)
class Year:
    """A year of a machine: energy drawn from the grid [kWh], its cost, and what of it is cooling and losses [kWh]."""

    kwh: float
    cost: float
    cooling_kwh: float


@checked
def year(chip_watts: Watts, chips: Chips = 1, overhead: Pue = 1.3, price_per_kwh: Price = 0.15, load: Share = 1.0):
    """Year of so many chips; overhead: power of the building / power of the machines (PUE), price in any currency."""
    machines = chip_watts * chips * load * HOURS / 1000
    total = machines * overhead
    return Year(total, total * price_per_kwh, total - machines)
