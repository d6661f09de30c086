"""A battery, a year of a rack."""

import numpy as np

from accelerator_lib import energy
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class Battery(Curves):
    """Hours on a battery over the power of a device, always on or now and then."""

    def __init__(self):
        super().__init__(
            ["always on", "at your share of the time"],
            "power of the device [W]",
            "hours on the battery",
            (0.02, 60),
            (0.01, 2e4),
            log="xy",
            legend="upper right",
        )
        style.plain(self.ax.yaxis)
        self.watts = np.geomspace(0.02, 60, 60)

    def show(self, result):
        """`result`: (power [W], battery [Wh], share of the time on, power asleep [W])."""
        own, capacity, duty, asleep = result
        hours = lambda w: (energy.battery_hours(capacity, w), energy.battery_hours(capacity, w, duty, asleep))  # noqa: E731
        here = [float(value) for value in hours(own)]
        self.draw(self.watts, hours(self.watts), own, here)
        longer = f"{_time(here[1])} at {percent(duty)} of the time"
        return f"{si(own, 'W')} from {number(capacity)} Wh: {_time(here[0])} always on, {longer}."


def _time(hours):
    return f"{number(hours / 24)} days" if hours > 72 else f"{number(hours)} hours"


class YearlyCost(Curves):
    """What a rack costs to run for a year, without and with its cooling."""

    def __init__(self):
        super().__init__(
            ["with cooling and losses", "the machines alone"],
            "chips",
            "cost of a year, in your currency",
            (1, 10_000),
            (1, 2e8),
            log="xy",
        )
        self.chips = np.geomspace(1, 10_000, 60)

    def show(self, result):
        """`result`: (chips, power of one [W], PUE, price of a kWh, load)."""
        chips, each, overhead, price, load = result
        both = lambda n: [energy.year(each, n, o, price, load).cost for o in (overhead, 1.0)]  # noqa: E731
        self.draw(self.chips, both(self.chips), chips, both(chips))
        year = energy.year(each, chips, overhead, price, load)
        return (
            f"{counted(chips, 'chip')} of {number(each)} W: {si(year.kwh * 1e3, 'Wh')} and {number(year.cost)} in your "
            f"currency a year, {percent(year.cooling_kwh / year.kwh)} of it for cooling and losses."
        )
