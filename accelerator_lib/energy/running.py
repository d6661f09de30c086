"""Running: a battery, a year of a rack.

hours = watt-hours / mean power
kWh   = power x chips x load x hours x overhead of the building (PUE)
"""

from dataclasses import dataclass

from accelerator_lib.inputs import real, share

HOURS = 8760


def battery_hours(watt_hours, device_watts, duty=1.0, sleep_watts=0.0):
    """Hours on a battery [Wh] of a device that works a share of the time and sleeps the rest."""
    duty = share("duty", duty)
    mean = duty * real("device_watts", device_watts, unit="W") + (1 - duty) * real("sleep_watts", sleep_watts, low=0)
    return real("watt_hours", watt_hours) / real("mean power", mean, unit="W")


@dataclass(frozen=True)
class Year:
    """A year of a machine: energy drawn from the grid [kWh], its cost, and the part that is cooling."""

    kwh: float
    cost: float
    cooling_kwh: float


def year(chip_watts, chips=1, overhead=1.3, price_per_kwh=0.15, load=1.0):
    """Year of so many chips; overhead: power of the building / power of the machines (PUE), price in any currency."""
    it = real("chip_watts", chip_watts, unit="W") * real("chips", chips, high=1e9) * share("load", load) * HOURS / 1000
    total = it * real("overhead", overhead, low=1, high=10)
    return Year(total, total * real("price_per_kwh", price_per_kwh, low=0, high=1e3), total - it)
