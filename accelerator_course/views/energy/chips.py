"""Whole chips: all estimates beside their TDP, and operations for each watt."""

import numpy as np

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_lib.units import counted, number, percent, si


class AllChips:
    """The estimates of all chips that publish enough, over their TDP; one of them marked.

    >>> view = AllChips(energy.chips.estimates()[0].values())
    >>> view.show(energy.chips.sanity("a100-80gb-sxm"))
    >>> view.show(energy.chips.sanity("groq-lpu"))
    """

    def __init__(self, estimates):
        found = sorted(estimates, key=lambda one: one.share)
        self.places = {one.chip.id: place for place, one in enumerate(found)}
        self.figure, ax = style.axes("estimate / TDP", "", (0, 1.3), size=(7.2, 7.4))
        style.percents(ax.xaxis)
        at = np.arange(len(found))
        ax.set(ylim=(-0.8, len(at) - 0.2))
        ax.set_yticks(at, [one.chip.short_name for one in found])
        ax.tick_params(axis="y", labelsize=9)
        ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--")
        compute, memory = [one.compute_share for one in found], [one.memory_share for one in found]
        ax.barh(at, compute, 0.7, color="#f0b48a", label="arithmetic")
        ax.barh(at, memory, 0.7, left=compute, color="#9cc4e0", hatch="///", edgecolor="white", label="memory")
        ax.legend(frameon=False, fontsize=10, loc="lower right")
        self.mark = style.moving(style.dot(ax, style.INK, 10, "D"))

    def show(self, one):
        """`one`: energy.chips.Sanity."""
        self.mark.set_data([one.share], [self.places[one.chip.id]])
        return (
            f"{one.chip.name}: {number(one.memory_w)} W for memory ({one.charged}), {number(one.compute_w)} W for "
            f"{one.dtype}: {percent(one.share)} of {number(one.chip.tdp_w)} W (estimate)."
        )


class PerWatt:
    """Dense OP/s for each watt in one format, best first; for the chosen chip its sparse rate is told, too.

    >>> view = PerWatt()
    >>> view.show(energy.chips.ranking("fp16", "h100-sxm5"))
    >>> view.show(energy.chips.ranking("int8", "edge-tpu"))
    >>> view.show(energy.chips.ranking("fp4", "v100-sxm2-32gb"))
    """

    MOST, WIDEST = 20, "m" * 16  # rows; the longest name of a chip

    def __init__(self):
        self.figure, self.ax = style.axes("dense rate / TDP [OP/s/W]", "", (2e9, 1e14), log="x", size=(7.2, 6.2))
        self.rows = Rows(self.ax, [self.WIDEST] * self.MOST, height=0.7, size=9)
        self.dtype = None

    def show(self, ranking):
        """`ranking`: energy.chips.Ranking."""
        listed = list(ranking.table.items())[: self.MOST]
        empty = [None] * (self.MOST - len(listed))
        self.rows.names = [chip.short_name for chip, _ in listed] + [""] * len(empty)
        if self.dtype != ranking.dtype:
            self.ax.set_yticks(self.rows.at, self.rows.names)
            self.dtype = ranking.dtype
        words = [si(value, "OP/s/W") for _, value in listed] + [""] * len(empty)
        self.rows.draw([value for _, value in listed] + empty, words, chosen=ranking.chip.short_name)
        if ranking.own is None:
            told = f"{counted(len(ranking.table), 'chip')} {'does' if len(ranking.table) == 1 else 'do'}"
            return f"{ranking.chip.name} publishes no TDP or no dense {ranking.dtype} rate; {told}."
        sparse = f" Quoted with sparsity: {si(ranking.sparse, 'OP/s/W')}." if ranking.sparse else ""
        place = f"place {ranking.place} of {len(ranking.table)}"
        return f"{ranking.chip.name}: {si(ranking.own, 'OP/s/W')} in {ranking.dtype}, dense, {place}.{sparse}"
