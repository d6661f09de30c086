"""Clock: what a slower clock and a lower voltage save, what leaks, and what is drawn all the same.

    voltage V          = threshold + (1 - threshold) x f, never below a floor      f, V: ratios to the nominal ones
    power at clock f   = constant + leaking x V + dynamic x V^2 x f
    energy for a job   = power / f, above the floor least where
                         2 x dynamic x (1 - threshold) x f^2 x V = constant that ends with the job + leaking x threshold

So leakage sets a minimum-energy point: its watts fall less than the time grows. Only if V is in proportion to f
(threshold and floor zero) does it set none. Constant: neither clock nor voltage of the cores matters to it (memory,
uncore, links, fans); when the job is done a share `idle` of it is still drawn, which no clock can save. Leakage ends
with the job: the cores are then switched off. Ignored: temperature; leakage grows faster than the voltage.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Number, Share, Single, Watts, checked

Static, Clock = Number(low=0, unit="W"), Number(low=0.01, high=100)
Voltage = Single(Number(low=0, high=0.9))  # at a clock of zero, as a share of the nominal one
OneStatic, OneWatts, OneClock, OneShare = map(Single, (Static, Watts, Clock, Share))
LOW, HIGH = 0.3, 1.3  # the range of clocks
HALVINGS = 60  # of an interval until nothing is left of it


@dataclass(frozen=True)
class Point:
    """Speed, dynamic power and their quotient, as ratios to the nominal clock; scalars or arrays."""

    speed: float
    power: float

    @property
    def speed_per_watt(self):
        return self.speed / self.power


@checked
def voltage(frequency: Clock, threshold: Voltage = 0.0, floor: OneShare = 0.0):
    """Voltage that a clock needs, both as ratios to the nominal ones; scalars or arrays."""
    return _volts(frequency, threshold, floor)


@checked
def dvfs(frequency: Clock, threshold: Voltage = 0.0, floor: OneShare = 0.0):
    """Point at a clock [ratio to the nominal], the voltage following it. Dynamic power alone."""
    return Point(frequency, voltage(frequency, threshold, floor) ** 2 * frequency)


@checked
def watts(
    frequency: Clock,
    constant: Static,
    dynamic: Watts,
    leaking: Static = 0.0,
    threshold: Voltage = 0.0,
    floor: OneShare = 0.0,
):
    """Power [W] at a clock [ratio], from three powers [W] at the nominal clock; scalars or arrays."""
    return _drawn(frequency, constant, dynamic, leaking, threshold, floor)


@checked
def gain(
    frequency: Clock,
    constant: Static,
    dynamic: Watts,
    leaking: Static = 0.0,
    threshold: Voltage = 0.0,
    floor: OneShare = 0.0,
):
    """Work for each joule at a clock, as a multiple of that at the nominal clock."""
    nominal = constant + leaking + dynamic
    return frequency * nominal / watts(frequency, constant, dynamic, leaking, threshold, floor)


@checked
def waiting(frequency: Clock, constant: Static, idle: Share = 0.0, low: Clock = LOW):
    """Energy [W x time of a job at clock 1] drawn after a job until the clock `low` would be done, too."""
    return idle * constant * (1 / low - 1 / frequency)


@checked
def best_clock(
    constant: OneStatic,
    dynamic: OneWatts,
    leaking: OneStatic = 0.0,
    threshold: Voltage = 0.0,
    floor: OneShare = 0.0,
    idle: OneShare = 0.0,
    low: OneClock = LOW,
    high: OneClock = HIGH,
):
    """The clock [ratio] of the least energy, job and waiting, within the range; of several the fastest."""
    slope, ends = 1 - threshold, constant * (1 - idle) + leaking * threshold

    def rising(f):  # f^2 x the slope of the energy
        return 2 * dynamic * slope * f**2 * (threshold + slope * f) - ends

    slowest = min(max(low, (floor - threshold) / slope), high)  # at the floor a slower clock saves no voltage
    if slowest >= high or rising(slowest) >= 0:
        return slowest
    return high if rising(high) <= 0 else _zero(rising, slowest, high)


@checked
def capped_clock(
    cap: OneWatts,
    constant: OneStatic,
    dynamic: OneWatts,
    leaking: OneStatic = 0.0,
    threshold: Voltage = 0.0,
    floor: OneShare = 0.0,
):
    """The highest clock [ratio], at most 1, with which a chip stays under a cap [W]. Raises ValueError if none does."""
    still = _standing(constant, leaking, threshold, floor)
    if cap <= still:
        raise ValueError(f"a cap of {cap:g} W is not above the {still:g} W drawn at any clock: no clock is slow enough")
    if cap >= constant + leaking + dynamic:
        return 1.0

    return _zero(lambda f: _drawn(f, constant, dynamic, leaking, threshold, floor) - cap, 0.0, 1.0)


@dataclass(frozen=True)
class Capped:
    """A job under a power cap, relative to one without: time, energy."""

    clock: float | None
    seconds: float | None
    joules: float | None


@checked
def capped(
    cap: OneWatts,
    constant: OneStatic,
    dynamic: OneWatts,
    leaking: OneStatic = 0.0,
    threshold: Voltage = 0.0,
    floor: OneShare = 0.0,
):
    """Capped at so many watts; all None where no clock is slow enough for the cap."""
    if cap <= 1.0001 * _standing(constant, leaking, threshold, floor):
        return Capped(None, None, None)
    clock = capped_clock(cap, constant, dynamic, leaking, threshold, floor)
    full = constant + leaking + dynamic
    return Capped(clock, 1 / clock, min(cap, full) / full / clock)


def _volts(frequency, threshold, floor):
    """The voltage, unchecked: a clock may be anything here, as where an interval is halved from zero on."""
    return np.maximum(floor, threshold + (1 - threshold) * frequency)


def _drawn(frequency, constant, dynamic, leaking, threshold, floor):
    """The power, unchecked."""
    volts = _volts(frequency, threshold, floor)
    return constant + leaking * volts + dynamic * (volts**2 * frequency)


def _standing(constant, leaking, threshold, floor):
    """Power [W] that even the slowest clock draws."""
    return constant + leaking * max(threshold, floor)


def _zero(rising, low, high):
    """Where a rising function crosses zero between two places, by halving."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
