"""The best clock, and a cap."""

import numpy as np

from accelerator_lib import energy
from accelerator_lib.units import number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class Clock(Curves):
    """Work for each joule over the clock; the best clock is marked."""

    CLOCKS = (0.3, 1.3)

    def __init__(self):
        names = ["work for each joule", "power"]
        super().__init__(
            names,
            "clock / nominal clock",
            "relative to the nominal clock",
            self.CLOCKS,
            (0, 3),
            log="",
            legend="upper right",
        )
        style.plain(self.ax.yaxis)
        self.clocks = np.linspace(*self.CLOCKS, 101)
        self.best = style.moving(style.dot(self.ax, style.INK, 14, "*"))

    def show(self, result):
        """`result`: (clock, static [W], dynamic [W], voltage exponent)."""
        clock, static, dynamic, exponent = result
        both = lambda f: [  # noqa: E731
            energy.gain(f, static, dynamic, exponent),
            energy.watts(f, static, dynamic, exponent) / energy.watts(1.0, static, dynamic, exponent),
        ]
        self.draw(self.clocks, both(self.clocks), clock, [float(value) for value in both(clock)])
        best = energy.best_clock(static, dynamic, exponent)
        top = float(energy.gain(best, static, dynamic, exponent))
        self.best.set_data([best], [min(top, 2.95)])
        edge = ", the end of the range" if best in self.CLOCKS else ""
        return (
            f"Clock {number(clock)}: {number(float(energy.watts(clock, static, dynamic, exponent)))} W, "
            f"{number(float(both(clock)[0]))} times the work for each joule. "
            f"Best at {number(best)}{edge}: {number(top)} times."
        )


class Cap(Curves):
    """A power cap lowers the clock: how much slower, and how much energy it saves."""

    def __init__(self):
        super().__init__(
            ["time for a job", "energy for a job"],
            "cap / full power",
            "relative to no cap",
            (0.3, 1),
            (0, 2.5),
            log="",
            legend="outside lower center",
        )
        style.percents(self.ax.xaxis)
        style.plain(self.ax.yaxis)
        self.shares = np.linspace(0.3, 1, 60)

    def show(self, result):
        """`result`: (cap as a share of full power, static [W], dynamic [W])."""
        share, static, dynamic = result
        full = static + dynamic

        def both(part):
            if part * full <= static * 1.0001:
                return None, None
            clock = energy.capped_clock(part * full, static, dynamic)
            return 1 / clock, float(energy.watts(clock, static, dynamic)) / full / clock

        line = np.array([[np.nan if v is None else v for v in both(part)] for part in self.shares]).T
        here = both(share)
        self.draw(self.shares, line, share, here)
        if here[0] is None:
            return f"A cap of {number(share * full)} W, but {number(static)} W are static: no clock is slow enough."
        return (
            f"Capped at {number(share * full)} of {number(full)} W: {percent(here[0] - 1)} more time, "
            f"{percent(1 - here[1]) if here[1] <= 1 else 'no'} energy saved."
        )
