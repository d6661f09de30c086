"""Running: a battery, a year of a rack.

hours = watt-hours / mean power
kWh   = power x chips x load x hours x overhead of the building (PUE)
"""

from dataclasses import dataclass

from accelerator_lib.checks.inputs import real
from accelerator_lib.checks.signature import Number, Positive, Share, Single, Watts, checked

HOURS = 8760  # of a year
Chips, Pue, Price = Number(high=1e9), Single(Number(low=1, high=10)), Number(low=0, high=1e3)


@checked
def battery_hours(watt_hours: Positive, device_watts: Watts, duty: Share = 1.0, sleep_watts: Number(low=0) = 0.0):
    """Hours on a battery [Wh] of a device that works a share of the time and sleeps the rest."""
    return watt_hours / real("mean power", duty * device_watts + (1 - duty) * sleep_watts, unit="W")


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
