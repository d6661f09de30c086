"""Clock: what a slower clock and a lower voltage save, and what is drawn all the same.

    voltage            = clock^e                                    both as ratios to the nominal ones
    power at clock f   = static + dynamic x f^(1 + 2e)
    energy for a job   = power / f                                  least at f = (static / (2 e dynamic))^(1 / (1 + 2e))

Static power is taken to depend on neither clock nor voltage. Ignored: the time that a faster chip would rest.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.signature import Number, Single, Watts, checked

Static, Exponent, Clock = Number(low=0, unit="W"), Number(low=0, high=5), Number(low=0.01, high=100)
OneStatic, OneWatts, OneExponent, OneClock = map(Single, (Static, Watts, Exponent, Clock))


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
def watts(frequency: Clock, static: Static, dynamic: Watts, voltage_exponent: Exponent = 1.0):
    """Power [W] at a clock [ratio], from static and dynamic power [W] at the nominal clock; scalars or arrays."""
    return static + dynamic * dvfs(frequency, voltage_exponent).power


@checked
def gain(frequency: Clock, static: Static, dynamic: Watts, voltage_exponent: Exponent = 1.0):
    """Work for each joule at a clock, as a multiple of that at the nominal clock."""
    return frequency * (static + dynamic) / watts(frequency, static, dynamic, voltage_exponent)


@checked
def best_clock(
    static: OneStatic, dynamic: OneWatts, voltage_exponent: OneExponent = 1.0, low: OneClock = 0.3, high: OneClock = 1.3
):
    """The clock [ratio] of the least energy for a job, within the range of clocks."""
    if voltage_exponent == 0:
        return high if static else low  # without a voltage to lower, only the static part counts
    best = (static / (2 * voltage_exponent * dynamic)) ** (1 / (1 + 2 * voltage_exponent))
    return float(np.clip(best, low, high))


@checked
def capped_clock(cap: OneWatts, static: OneStatic, dynamic: OneWatts, voltage_exponent: OneExponent = 1.0):
    """The highest clock [ratio], at most 1, with which a chip stays under a cap [W]. Raises ValueError if none does."""
    if cap <= static:
        raise ValueError(f"a cap of {cap:g} W is not above the static power of {static:g} W: no clock is slow enough")
    return min(1.0, ((cap - static) / dynamic) ** (1 / (1 + 2 * voltage_exponent)))


@dataclass(frozen=True)
class Capped:
    """A job under a power cap, relative to one without: time, energy."""

    clock: float | None
    seconds: float | None
    joules: float | None


@checked
def capped(
    share: Single(Number(low=0.01, high=1)), static: OneStatic, dynamic: OneWatts, voltage_exponent: OneExponent = 1.0
):
    """Capped at a share of full power; all None where the static power alone exceeds the cap."""
    cap = share * (static + dynamic)
    if cap <= static * 1.0001:
        return Capped(None, None, None)
    clock = capped_clock(cap, static, dynamic, voltage_exponent)
    return Capped(clock, 1 / clock, float(1 / gain(clock, static, dynamic, voltage_exponent)))
