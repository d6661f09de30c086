"""Whole chips: a budget, all estimates beside their TDP, operations for each watt."""

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.energy import chips, table
from accelerator_lib.units import counted, number, percent, si
from accelerator_lib.views import style
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
        self.found = sorted(chips.estimates()[0], key=lambda s: s.share)
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
        one = chips.sanity(chip)
        place = [s.chip for s in self.found].index(one.chip)
        self.mark.set_data([one.share], [place])
        return (
            f"{hardware.chip(chip).name}: {number(one.memory_w)} W for memory ({table.label(one.level)}), "
            f"{number(one.compute_w)} W for {one.dtype}: {percent(one.share)} of {number(one.tdp_w)} W (estimate)."
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
        table = chips.per_watt(dtype)
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
