"""Clock: what a slower clock and a lower voltage save, and what leaks meanwhile.

power at clock f   = static + dynamic x f^(1 + 2e)              f: ratio to the nominal clock, voltage f^e
energy for a job   = power / f                                  least at f = (static / (2 e dynamic))^(1 / (1 + 2e))
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import real


def watts(frequency, static, dynamic, voltage_exponent=1.0):
    """Power [W] at a clock [ratio], from static and dynamic power [W] at the nominal clock; scalars or arrays."""
    static, dynamic = real("static", static, low=0, unit="W"), real("dynamic", dynamic, unit="W")
    return static + dynamic * dvfs(frequency, voltage_exponent).power


def gain(frequency, static, dynamic, voltage_exponent=1.0):
    """Work for each joule at a clock, as a multiple of that at the nominal clock."""
    return (
        frequency * watts(1.0, static, dynamic, voltage_exponent) / watts(frequency, static, dynamic, voltage_exponent)
    )


def best_clock(static, dynamic, voltage_exponent=1.0, low=0.3, high=1.3):
    """The clock [ratio] of the least energy for a job, within the range of clocks."""
    static, dynamic = real("static", static, low=0, unit="W"), real("dynamic", dynamic, unit="W")
    exponent = real("voltage_exponent", voltage_exponent, low=0, high=5)
    if exponent == 0:
        return high if static else low  # without a voltage to lower, only the static part counts
    return float(np.clip((static / (2 * exponent * dynamic)) ** (1 / (1 + 2 * exponent)), low, high))


def capped_clock(cap, static, dynamic, voltage_exponent=1.0):
    """The highest clock [ratio], at most 1, with which a chip stays under a cap [W]. Raises ValueError if none does."""
    cap, static = real("cap", cap, unit="W"), real("static", static, low=0, unit="W")
    if cap <= static:
        raise ValueError(f"a cap of {cap:g} W is not above the static power of {static:g} W: no clock is slow enough")
    room = (cap - static) / real("dynamic", dynamic, unit="W")
    return min(1.0, room ** (1 / (1 + 2 * real("voltage_exponent", voltage_exponent, low=0, high=5))))


@dataclass(frozen=True)
class Point:
    """Speed, dynamic power and their quotient, as ratios to the nominal clock; scalars or arrays."""

    speed: float
    power: float

    @property
    def speed_per_watt(self):
        return self.speed / self.power


def dvfs(frequency, voltage_exponent=1.0):
    """Point at a clock [ratio to the nominal]; the voltage follows as clock to the exponent. Leakage: power.py."""
    frequency = real("frequency", frequency, low=0.01, high=100)
    return Point(frequency, frequency ** (1 + 2 * real("voltage_exponent", voltage_exponent, low=0, high=5)))
