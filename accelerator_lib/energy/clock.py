"""Clock: what a slower clock and a lower voltage save, what leaks, and what is drawn all the same.

    voltage V          = f^e                                              both as ratios to the nominal ones
    power at clock f   = constant + leaking x V + dynamic x V^2 x f
    energy for a job   = power / f       with e = 1: constant / f + leaking + dynamic x f^2,  least at
    f                  = cube root of (constant that ends with the job / (2 dynamic))

Constant: neither clock nor voltage of the cores matters to it (memory, uncore, links, fans). When the job is done a
share `idle` of it is still drawn, which no clock can save. Leakage follows the voltage (it grows faster near the
nominal one), and ends with the job: the cores are then switched off. Ignored: temperature.
"""

from dataclasses import dataclass
from math import exp, log

from accelerator_lib.signature import Number, Share, Single, Watts, checked

Static, Exponent, Clock = Number(low=0, unit="W"), Number(low=0, high=5), Number(low=0.01, high=100)
OneStatic, OneWatts, OneExponent, OneClock, OneShare = map(Single, (Static, Watts, Exponent, Clock, Share))
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
def dvfs(frequency: Clock, voltage_exponent: Exponent = 1.0):
    """Point at a clock [ratio to the nominal]; the voltage follows as clock to the exponent. Dynamic power alone."""
    return Point(frequency, frequency ** (1 + 2 * voltage_exponent))


@checked
def watts(frequency: Clock, constant: Static, dynamic: Watts, leaking: Static = 0.0, voltage_exponent: Exponent = 1.0):
    """Power [W] at a clock [ratio], from three powers [W] at the nominal clock; scalars or arrays."""
    return constant + leaking * frequency**voltage_exponent + dynamic * dvfs(frequency, voltage_exponent).power


@checked
def gain(frequency: Clock, constant: Static, dynamic: Watts, leaking: Static = 0.0, voltage_exponent: Exponent = 1.0):
    """Work for each joule at a clock, as a multiple of that at the nominal clock."""
    nominal = constant + leaking + dynamic
    return frequency * nominal / watts(frequency, constant, dynamic, leaking, voltage_exponent)


@checked
def waiting(frequency: Clock, constant: Static, idle: Share = 0.0, low: Clock = LOW):
    """Energy [W x time of a job at clock 1] drawn after a job until the clock `low` would be done, too."""
    return idle * constant * (1 / low - 1 / frequency)


@checked
def best_clock(
    constant: OneStatic,
    dynamic: OneWatts,
    leaking: OneStatic = 0.0,
    voltage_exponent: OneExponent = 1.0,
    idle: OneShare = 0.0,
    low: OneClock = LOW,
    high: OneClock = HIGH,
):
    """The clock [ratio] of the least energy, job and waiting, within the range of clocks."""
    e, ends = voltage_exponent, constant * (1 - idle)

    def slope(u):  # of the energy over u = log f; its three terms are convex there, so the slope only rises
        return -ends * exp(-u) + leaking * (e - 1) * exp((e - 1) * u) + 2 * e * dynamic * exp(2 * e * u)

    if slope(log(low)) >= 0 or low >= high:
        return low
    return high if slope(log(high)) <= 0 else exp(_zero(slope, log(low), log(high)))


@checked
def capped_clock(
    cap: OneWatts,
    constant: OneStatic,
    dynamic: OneWatts,
    leaking: OneStatic = 0.0,
    voltage_exponent: OneExponent = 1.0,
):
    """The highest clock [ratio], at most 1, with which a chip stays under a cap [W]. Raises ValueError if none does."""
    floor = constant + leaking * (voltage_exponent == 0)
    if cap <= floor:
        raise ValueError(f"a cap of {cap:g} W is not above the constant power of {floor:g} W: no clock is slow enough")
    if cap >= constant + leaking + dynamic:
        return 1.0
    e = voltage_exponent
    return _zero(lambda f: constant - cap + leaking * f**e + dynamic * f ** (1 + 2 * e), 0.0, 1.0)


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
    voltage_exponent: OneExponent = 1.0,
):
    """Capped at so many watts; all None where no clock is slow enough for the cap."""
    if cap <= 1.0001 * (constant + leaking * (voltage_exponent == 0)):
        return Capped(None, None, None)
    clock = capped_clock(cap, constant, dynamic, leaking, voltage_exponent)
    full = constant + leaking + dynamic
    return Capped(clock, 1 / clock, min(cap, full) / full / clock)


def _zero(rising, low, high):
    """Where a rising function crosses zero between two places, by halving."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
