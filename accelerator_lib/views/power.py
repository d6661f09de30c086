"""Pictures of chapter 8, watts: a chip's budget, all chips, the best clock, a cap, a battery, a year, TOPS/W."""

import numpy as np

from accelerator_lib import hardware, ladder, power
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines
from accelerator_lib.views.shares import Shares


class ChipBudget(Shares):
    """Estimated parts of a chip's power, as shares of its TDP."""

    def __init__(self):
        super().__init__(["estimate"], ["arithmetic", "memory", "overhead"], "share of the TDP", most=2.0)
        self.ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")

    def show(self, result):
        """`result`: (bandwidth [B/s], pJ per 64 bits, FLOP/s, pJ/MAC, overhead share, TDP [W])."""
        bandwidth, access, flops, mac, overhead, tdp = result
        memory, arithmetic = bandwidth / 8 * access * 1e-12, flops / 2 * mac * 1e-12
        extra = (memory + arithmetic) * overhead
        self.draw([[part / tdp for part in (arithmetic, memory, extra)]])
        both, total = memory + arithmetic, memory + arithmetic + extra
        verdict = "Plausible." if total <= tdp else "More than the TDP: at these rates and energies it cannot be."
        return (
            f"Memory {number(memory)} W, arithmetic {number(arithmetic)} W: {number(both)} of {number(tdp)} W "
            f"({percent(both / tdp)}), {number(total)} W with overhead. {verdict}"
        )


class AllChips:
    """The estimate of every chip that publishes enough, over its TDP."""

    def __init__(self):
        self.found = sorted(power.checked()[0], key=lambda s: s.share)
        self.figure, ax = style.axes("estimate / TDP", "", (0, 1.3), size=(7.2, 7.4))
        style.percents(ax.xaxis)
        at = np.arange(len(self.found))
        ax.set(ylim=(-0.8, len(at) - 0.2))
        ax.set_yticks(at, [s.chip for s in self.found])
        ax.tick_params(axis="y", labelsize=9)
        ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        ax.barh(at, [s.compute_w / s.tdp_w for s in self.found], 0.7, color="#f0b48a", label="arithmetic")
        ax.barh(
            at, [s.memory_w / s.tdp_w for s in self.found], 0.7, left=[s.compute_w / s.tdp_w for s in self.found],
            color="#9cc4e0", hatch="///", edgecolor="white", label="memory",
        )  # fmt: skip
        ax.legend(frameon=False, fontsize=10, loc="lower right")
        self.mark = style.dot(ax, style.INK, 10, "D")
        style.moving(self.mark)

    def show(self, chip):
        """`chip`: a Chip or its id."""
        one = power.sanity(chip)
        place = [s.chip for s in self.found].index(one.chip)
        self.mark.set_data([one.share], [place])
        return (
            f"{hardware.chip(chip).name}: {number(one.memory_w)} W for memory ({ladder.label(one.level)}), "
            f"{number(one.compute_w)} W for {one.dtype}: {percent(one.share)} of {number(one.tdp_w)} W (estimate)."
        )


class Clock(Lines):
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
            power.gain(f, static, dynamic, exponent),
            power.watts(f, static, dynamic, exponent) / power.watts(1.0, static, dynamic, exponent),
        ]
        self.draw(self.clocks, both(self.clocks), clock, [float(value) for value in both(clock)])
        best = power.best_clock(static, dynamic, exponent)
        top = float(power.gain(best, static, dynamic, exponent))
        self.best.set_data([best], [min(top, 2.95)])
        edge = ", the end of the range" if best in self.CLOCKS else ""
        return (
            f"Clock {number(clock)}: {number(float(power.watts(clock, static, dynamic, exponent)))} W, "
            f"{number(float(both(clock)[0]))} times the work for each joule. "
            f"Best at {number(best)}{edge}: {number(top)} times."
        )


class Cap(Lines):
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
            clock = power.capped_clock(part * full, static, dynamic)
            return 1 / clock, float(power.watts(clock, static, dynamic)) / full / clock

        line = np.array([[np.nan if v is None else v for v in both(part)] for part in self.shares]).T
        here = both(share)
        self.draw(self.shares, line, share, here)
        if here[0] is None:
            return f"A cap of {number(share * full)} W, but {number(static)} W are static: no clock is slow enough."
        return (
            f"Capped at {number(share * full)} of {number(full)} W: {percent(here[0] - 1)} more time, "
            f"{percent(1 - here[1]) if here[1] <= 1 else 'no'} energy saved."
        )


class Battery(Lines):
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
        hours = lambda w: (power.battery_hours(capacity, w), power.battery_hours(capacity, w, duty, asleep))  # noqa: E731
        here = [float(value) for value in hours(own)]
        self.draw(self.watts, hours(self.watts), own, here)
        longer = f"{_time(here[1])} at {percent(duty)} of the time"
        return f"{si(own, 'W')} from {number(capacity)} Wh: {_time(here[0])} always on, {longer}."


def _time(hours):
    return f"{number(hours / 24)} days" if hours > 72 else f"{number(hours)} hours"


class YearlyCost(Lines):
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
        both = lambda n: [power.year(each, n, o, price, load).cost for o in (overhead, 1.0)]  # noqa: E731
        self.draw(self.chips, both(self.chips), chips, both(chips))
        year = power.year(each, chips, overhead, price, load)
        return (
            f"{counted(chips, 'chip')} of {number(each)} W: {si(year.kwh * 1e3, 'Wh')} and {number(year.cost)} in your "
            f"currency a year, {percent(year.cooling_kwh / year.kwh)} of it for cooling and losses."
        )


class League:
    """Dense OP/s for each watt in one format, best first; for the chosen chip its sparse rate is told, too."""

    MOST = 20

    def __init__(self):
        self.figure, self.ax = style.axes("dense rate / TDP [OP/s/W]", "", (2e9, 4e13), log="x", size=(7.2, 6.2))
        at = np.arange(self.MOST)[::-1]
        self.ax.set(ylim=(-0.7, self.MOST - 0.3))
        self.ax.set_yticks(at, [max(hardware.chips(), key=len)] * self.MOST)  # room for the longest name
        self.ax.tick_params(axis="y", labelsize=9)
        self.ax.grid(axis="y", visible=False)
        self.bars = self.ax.barh(at, [1] * self.MOST, 0.7, left=2e9, color="#7fb0d2")
        self.texts = [style.label(self.ax, y=y, va="center", size=9) for y in at]
        self.rows, self.shown = at, None
        style.moving(*self.bars, *self.texts)

    def show(self, result):
        """`result`: (format, chip)."""
        dtype, chip = result
        table = power.per_watt(dtype)
        own = table.get(chip)
        listed = list(table.items())[: self.MOST]
        if self.shown != dtype:
            names = [one.id for one, _ in listed] + [""] * (self.MOST - len(listed))
            self.ax.set_yticks(self.rows, names)
            self.shown = dtype
        for place, (bar, text) in enumerate(zip(self.bars, self.texts, strict=True)):
            one, value = listed[place] if place < len(listed) else (None, 2e9)
            bar.set_width(value - 2e9)
            bar.set(facecolor=style.COMPUTE if one is chip else "#7fb0d2", hatch="..." if one is chip else "")
            text.set(text=f" {si(value, 'OP/s/W')}" if one else "", x=value)
        if own is None:
            return f"{chip.name} publishes no TDP or no dense {dtype} rate; {counted(len(table), 'chip')} do."
        rank = list(table).index(chip) + 1
        sparse = (
            f" Quoted with sparsity: {si(chip.sparse[dtype] / chip.tdp_w, 'OP/s/W')}." if dtype in chip.sparse else ""
        )
        return f"{chip.name}: {si(own, 'OP/s/W')} in {dtype}, dense, place {rank} of {len(table)}.{sparse}"
