"""Clock: what a slower clock and a lower voltage save, what leaks, and what is drawn all the same.

    voltage V          = threshold + (1 - threshold) x f, at least the floor       f, V: ratios to the nominal ones
    power at clock f   = constant + leaking x V + dynamic x V^2 x f
    energy for a job   = power / f, least at the floor's clock, or above it where
                         2 x dynamic x (1 - threshold) x f^2 x V = constant that ends with the job + leaking x threshold

So leakage sets a minimum-energy point, unless V is in proportion to f; on the floor a slower clock saves no voltage.
Constant: memory, uncore, links, fans; after the job a share `idle` of it is still drawn, and no leakage. Ignored:
temperature; leakage grows faster than the voltage.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, OneOf, Record, Share, Single, Watts, checked

Static, Clock = Number(low=0, unit="W"), Number(low=0.01, high=100)
Voltage = Single(Number(low=0, high=0.9))  # of the nominal one; threshold: what the line leaves at clock zero
OneWatts, OneClock, OneShare = map(Single, (Watts, Clock, Share))
LOW, HIGH = 0.3, 1.3  # the range of clocks
HALVINGS = 60  # of an interval until nothing is left of it


@checked
def voltage(frequency: Clock, threshold: Voltage = 0.0, floor: Voltage = 0.0):
    """Voltage that a clock needs, both as ratios to the nominal ones; scalars or arrays."""
    return _volts(frequency, threshold, floor)


@dataclass(frozen=True)
class Point:
    """Speed and dynamic power, as ratios to the nominal clock; scalars or arrays."""

    speed: float
    power: float
    speed_per_watt = property(lambda self: self.speed / self.power)


@checked
def dvfs(frequency: Clock, threshold: Voltage = 0.0, floor: Voltage = 0.0):
    """Point at a clock [ratio to the nominal], the voltage following it. Dynamic power alone."""
    return Point(frequency, _volts(frequency, threshold, floor) ** 2 * frequency)


@dataclass(frozen=True)
@checked
class Power:
    """What a chip draws at its nominal clock [W], and how its voltage follows the clock."""

    constant: Single(Static)
    dynamic: Single(Watts)
    leaking: Single(Static) = 0.0
    threshold: Voltage = 0.0
    floor: Voltage = 0.0

    nominal = property(lambda self: self.constant + self.leaking + self.dynamic)  # power [W] at the nominal clock
    # power [W] that even the slowest clock draws
    standing = property(lambda self: self.constant + self.leaking * max(self.threshold, self.floor))
    # clock [ratio] at which the voltage reaches its floor; 0 without one
    crawl = property(lambda self: max(0.0, (self.floor - self.threshold) / (1 - self.threshold)))

    def drawn(self, frequency):
        """Power [W] at a clock, unchecked: an interval is halved from zero on."""
        volts = _volts(frequency, self.threshold, self.floor)
        return self.constant + self.leaking * volts + self.dynamic * (volts**2 * frequency)


APower = Record(Power, "a Power such as energy.Power(100, 250)")


@dataclass(frozen=True)
@checked
class Job:
    """A job at a clock [ratio] and the power drawn there [W], against the nominal clock and its power [W]."""

    clock: OneClock
    watts: OneWatts
    nominal: OneWatts

    seconds = property(lambda self: 1 / self.clock)  # relative to the nominal clock
    joules = property(lambda self: self.watts / self.nominal * self.seconds)  # relative to the nominal clock
    verdict = property(lambda self: "less energy" if self.joules < 1 else "more energy")


@checked
def watts(frequency: Clock, power: APower):
    """Power [W] at a clock [ratio]; scalars or arrays of clocks."""
    return power.drawn(frequency)


@checked
def job(frequency: OneClock, power: APower):
    """Job at a clock [ratio]."""
    return Job(frequency, power.drawn(frequency), power.nominal)


@checked
def waiting(frequency: Clock, constant: Static, idle: Share = 0.0, low: Clock = LOW):
    """Energy [W x time of a job at clock 1] drawn after a job until the clock `low` would be done, too."""
    return idle * constant * (1 / low - 1 / frequency)


@checked
def best_clock(power: APower, idle: OneShare = 0.0, low: OneClock = LOW, high: OneClock = HIGH):
    """The clock [ratio] of the least energy, job and waiting, within the range."""
    slope, low = 1 - power.threshold, min(max(low, power.crawl), high)
    ends = power.constant * (1 - idle) + power.leaking * power.threshold

    def rising(f):  # f^2 x the slope of the energy
        return 2 * power.dynamic * slope * f**2 * (power.threshold + slope * f) - ends

    if rising(low) >= 0:
        return low
    return high if rising(high) <= 0 else _zero(rising, low, high)


@checked
def capped_clock(cap: OneWatts, power: APower):
    """The highest clock [ratio], at most 1, with which a chip stays under a cap [W]. Raises ValueError if none does."""
    still = power.standing
    if cap <= still:
        raise ValueError(f"a cap of {cap:g} W is not above the {still:g} W drawn at any clock: no clock is slow enough")
    return 1.0 if cap >= power.nominal else _zero(lambda f: power.drawn(f) - cap, 0.0, 1.0)


@checked
def capped(cap: OneWatts, power: APower):
    """Job under a cap of so many watts; None where no clock from 0.01 on is slow enough for it."""
    if cap <= power.drawn(0.01):
        return None
    return Job(capped_clock(cap, power), min(cap, power.nominal), power.nominal)


@checked
def sweeps(kind: OneOf(("mhz", "cap_w"))):
    """{job: (at, seconds, joules)} of the runs in the data at locked clocks or under caps: arrays, relative to the run
    at the highest; a cap above what that run drew is 1."""
    found = {}
    for row in data.load("energy")["clock_and_cap"]:
        if kind in row:
            seconds = np.array(row["seconds"]) if "seconds" in row else 1 / np.array(row["bytes_per_s"])
            joules = np.array(row["joules"]) if "joules" in row else np.array(row["watts"]) * seconds
            full = row["mhz"][-1] if kind == "mhz" else (joules / seconds)[-1]
            at = np.minimum(np.array(row[kind]) / full, 1)
            found[row["job"]] = at, seconds / seconds[-1], joules / joules[-1]
    return found


def _volts(frequency, threshold, floor):
    return np.maximum(threshold + (1 - threshold) * frequency, floor)


def _zero(rising, low, high):
    """Where a rising function crosses zero between two places, by halving."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
