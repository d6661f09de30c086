"""A die to scale: its units and spare ones, its memory and what that holds, its parts on the next process."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, pillars, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, si


class Redundancy(Stage):
    """Spare units: a die to scale, and the share that can be sold with 0 to 16 of its units bad.

    >>> view = Redundancy()
    >>> view.show(silicon.spares(814, 0.1, 144, 3, 3.4))
    >>> view.show(silicon.spares(814, 0.1, 144, 0, 3.4))
    >>> view.show(silicon.spares(814, 0.5, 4, 16, 100.0))
    """

    size, noun = (740, 440), "setting"
    blind = False  # whether a guess comes first: the one bar of this setting

    def marks(self, spares):
        """`spares`: silicon.salvage.Spares."""
        return [*self._die(spares), *self._bars(spares)]

    def _die(self, spares):
        units, left, top, high = spares.units, 14, 40, 370
        scale = high / units.height
        x, y, wide, tall = units.boxes().T * scale
        gap, free = np.minimum(1.5, wide / 6), np.arange(units.count) >= spares.needed
        who, says = [f"unit {i + 1}" for i in range(units.count)], np.where(free, "may be bad", "must work")
        place, role = (left + x, top + y, wide - gap, tall - gap), pick(("good tint", "paper"), free)
        key = f"green: must work ({spares.needed}) · empty: may be bad ({units.count - spares.needed})"
        return [
            words("title", (left, 18, f"{units.width:.1f} × {units.height:.1f} mm", "ink bold start", 14)),
            boxes("die", [0], left, top, units.width * scale, high, "muted tint"),
            boxes("units", range(units.count), *place, role, who=who, says=list(says)),
            words("key", (left, top + high + 15, key, "ink start", 12)),
        ]

    def _bars(self, spares):
        chart = Chart((387, 730), (360, 60), (-0.525, 16.625), (0, 1))
        (left, end), floor, here = chart.across, chart.up[0], spares.spare
        at = np.arange(len(spares.yields))
        rates = np.where(self.blind & (at != here), 0, spares.yields)
        who, says = [f"{n} spare" for n in at], [f"{_share(rate)} can be sold" for rate in rates]
        role, roof = pick(("other tint", "other"), at == here), chart.y(spares.ceiling)
        return [
            *chart.axes(range(0, 17, 4), (0, 0.5, 1), y_words=["0", "50 %", "100 %"]),
            *pillars("bars", at, chart.x(at), floor, 15, floor - chart.y(rates), role, who=who, says=says),
            lines("ceiling", [0], left, roof, end, roof, "ink dashed", 2),
            words(
                "words",
                (350, 22, "share that can be sold", "ink bold start", 14),
                (end, roof - 12, f"at most {_share(spares.ceiling)}", "ink end", 12),
                (min(max(chart.x(here), left + 33), end - 32), floor + 36, _share(spares.here), "other bold", 14),
                (end, floor + 58, "units that may be bad", "ink end", 12),
            ),
        ]

    def say(self, spares):
        count = spares.units.count
        return (
            f"{min(spares.spare, count)} of {counted(count, 'unit')} may be bad: {_share(spares.here)} of the dies can "
            f"be sold. It is {_share(spares.yields[0])} if none may, and {_share(spares.ceiling)} if all may."
        )


def _share(value):
    """A share with a tenth of a percent."""
    return f"{100 * value:.1f} %"


class Ceiling(Stage):
    """SRAM ceiling: a die as large as can be printed, a share of it memory; for each model, dies that hold it.

    >>> view = Ceiling()
    >>> view.show(silicon.sram.ceiling(1.0, "N5", 0.7))
    >>> view.show(silicon.sram.ceiling(0.3, "N7", 0.5))
    >>> view.show(silicon.sram.ceiling(0.0, "N2", 0.9))
    """

    size, noun = (746, 404), "die"
    most, in_row, step = 40, 20, 17  # dies drawn at most, in a row, and how far apart [px]

    def marks(self, found):
        """`found`: silicon.sram.Ceiling."""
        left, top, wide, high = 22, 74, 26 * 6.2, 33 * 6.2
        full, floor, share = high * found.share, top + high, f"SRAM {percent(found.share)}"
        said = ["other things" if found.share < 0.85 else "", share if found.share > 0.1 else ""]
        parts, roles = ([top, floor - full], wide, [high - full, full]), ["muted tint", "memory tint"]
        models = [self._held(found, what, row, 56 + 86 * row) for row, what in enumerate(found.need_bytes)]
        return [
            boxes("parts", range(2), left, *parts, roles, said, 14),
            boxes("edge", [0], left, top, wide, high, "ink line"),
            below("head", left, 20, [("one die", "ink bold start", 14), "26 × 33 mm"], 24, "muted start", 12),
            words(
                "holds",
                (left + wide / 2, floor + 24, si(found.capacity_bytes, "B"), "memory bold", 19),
                (left + wide / 2, floor + 50, f"{found.node}, {percent(found.efficiency)} cells", "muted"),
            ),
            *(layer for layers in models for layer in layers),
        ]

    def _held(self, found, what, row, y):
        """A model, and the dies that hold it, the last of them filled in part."""
        start, need, dies = 224, found.need_bytes[what], found.dies[what]
        takes = "none" if dies is None else f"{dies:,} {'die' if dies == 1 else 'dies'}"
        role = "good bold end" if dies == 1 else "ink bold end"
        size = (start, y - 20, f"{what}: {si(need, 'B')}", "ink start", 14)
        head = words(f"model {row}", size, (726, y - 20, takes, role, 15))
        if dies is None:
            return [head]
        shown = np.arange(min(dies, self.most))
        x, top = start + self.step * (shown % self.in_row), y - 4 + 22 * (shown // self.in_row)
        full = 18 * np.where(shown == dies - 1, found.last_fill[what], 1.0)
        says = f"takes {takes}, {number(found.times[what])} times what one holds"
        more = "… and so on" if dies > self.most else ""
        return [
            head,
            boxes(f"held {row}", shown, x, top + 18 - full, 14, full, "memory", who=what, says=says),
            boxes(f"dies {row}", shown, x, top, 14, 18, "ink line"),
            words(f"more {row}", (start + self.step * self.in_row + 8, y + 27, more, "muted start", 12)),
        ]

    def say(self, found):
        """What the die holds, and which models fit."""
        if not found.capacity_bytes:
            return "A die without memory holds nothing."
        one = [what for what, dies in found.dies.items() if dies == 1]
        last, need = list(found.dies.items())[-1]
        fits = f"{' and '.join(one)} fit{'s' * (len(one) == 1)} on one" if one else "none of these models fits on one"
        return (
            f"{percent(found.share)} of a die of 858 mm² on {found.node} holds {si(found.capacity_bytes, 'B')}: "
            f"{fits}; {last} takes {need:,} dies."
        )


class Ported(Stage):
    """Port: what shrinks, what stays, what a good one costs.

    >>> view, run = Ported(), list(silicon.ports.port(0.6, 0.1))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[2])
    >>> view.show(list(silicon.ports.port(0.7, 0.3))[2])
    """

    size, noun = (746, 412), "node"
    nodes, columns, floor, scale = ("N7", "N5", "N3E"), np.array([128.0, 373, 618]), 252, 5.4  # scale: px of a mm
    roles = {"logic": "compute tint", "SRAM": "memory tint", "analog": "other tint"}

    def marks(self, ported):
        """`ported`: silicon.ports.Ported."""
        every, floor = (*ported.before, ported), self.floor
        there = range(len(every))
        node = [one.node for one in every]
        keys = [*(one.node.name for one in every[:-1]), "now"]
        x, (wide, high) = self.columns[: len(every)], np.array(every[0].size_mm) * self.scale
        reached, first = pick(("ink bold", "muted"), np.arange(3) >= len(every)), {"who": "its size on N7"}
        denser = [f"logic {number(one.logic)} × as dense" if one.logic > 1 else "as designed" for one in node]
        wafers = [f"wafer ${one.wafer_usd:,.0f} ({one.quoted})" for one in node]
        key = "orange: logic; blue: SRAM; violet: analog and I/O; dashed: the size on N7"
        return [
            boxes("first", there, x - wide / 2, floor - high, wide, high, "muted line dashed", **first),
            *(layer for place in zip(every, x, keys, strict=True) for layer in self._die(*place)),
            texts("names", range(3), self.columns, 16, self.nodes, reached, 16),
            texts("logic", there, x, 36, denser, "muted", 12),
            texts("cells", there, x, 54, [f"cell {one.bitcell_um2:g} µm²" for one in node], "muted", 12),
            texts("areas", there, x, floor + 20, [f"{one.area_mm2:,.0f} mm²" for one in every], "ink", 14),
            texts("wafers", there, x, floor + 42, wafers, "muted", 12),
            *self._dollars(every, x),
            words("legend", (373, 396, key, "muted", 12)),
        ]

    def _die(self, ported, middle, key):
        """Logic above SRAM between two columns of analog, which stand where the pins are."""
        wide, high = np.array(ported.size_mm) * self.scale
        logic, _, analog = (ported.parts[name] * self.scale**2 for name in self.roles)
        left, top, side = middle - wide / 2, self.floor - high, analog / high / 2
        inner = max(wide - 2 * side, 1e-6)
        split = logic / inner if logic else 0
        x, y = [left + side, left + side, left, left + wide - side], [top, top + split, top, top]
        w, h = [inner, inner, side, side], [split, high - split, high, high]
        names = ["logic", "SRAM", "analog", "analog"]
        areas, roles = [f"{ported.parts[name]:,.0f}" for name in names], [self.roles[name] for name in names]
        room = (np.array(w) > 92) & (np.array(h) > 17)
        said = [f"{name} {area}" if fits else "" for name, area, fits in zip(names, areas, room, strict=True)]
        who, says = [f"{name}, {ported.node.name}" for name in names], [f"{area} mm²" for area in areas]
        parts = boxes(f"die {key}", range(4), x, y, w, h, roles, said, who=who, says=says)
        return [parts, boxes(f"edge {key}", [0], left, top, wide, high, "ink line")]

    def _dollars(self, every, middles):
        """Dollars of a good die, each from zero at the left of its column."""
        usd, long, y, there = np.array([one.usd for one in every]), 100, np.full(len(every), 356), range(len(every))
        left, who = middles - long, [f"a good die on {one.node.name}" for one in every]
        says, said = [f"{value:,.0f} dollars" for value in usd], [f"${value:,.0f} a good die" for value in usd]
        return [
            *bars("dollars", there, left, y, long * usd / usd[0], 16, "good", who=who, says=says),
            lines("zero", there, left, y - 12, left, y + 12, "ink", 1.5),
            texts("usd", there, middles, y - 28, said, "ink bold", 16),
        ]

    def say(self, ported):
        """Area and price on this node beside the one before."""
        parts = ", ".join(f"{name} {area:,.0f}" for name, area in ported.parts.items())
        said = f"{ported.node.name}: {ported.area_mm2:,.0f} mm² ({parts}), {ported.usd:,.0f} dollars for a good die"
        if not ported.before:
            return f"{said}."
        size = f"{percent(ported.smaller)} smaller than on" if ported.smaller > 1e-9 else "as large as on"
        dearer = f"{percent(abs(ported.dearer))} {'more' if ported.dearer > 0 else 'less'}"
        change = "as much" if abs(ported.dearer) < 0.005 else dearer
        return f"{said}: {size} {ported.before[-1].node.name}, and {change} in dollars."
