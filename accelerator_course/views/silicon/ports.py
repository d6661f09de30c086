"""One floor plan on three nodes, each die to scale."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent

PX = 5.4  # of a millimetre
COLUMNS, FLOOR = (128, 373, 618), 252
NODES = ("N7", "N5", "N3E")
SHAPE = 26 / 33
ROLES = {"logic": "compute tint", "SRAM": "memory tint", "analog": "other tint"}
BARS, LONG = 348, 100  # where the bars are, length [px] of the one on N7


class Ported(Stage):
    """Port: what shrinks, what stays, what a good one costs.

    >>> view, run = Ported(), list(silicon.ports.port(0.6, 0.1))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[2])
    >>> view.show(list(silicon.ports.port(0.7, 0.3))[2])
    """

    size, noun = (746, 412), "node"

    def marks(self, ported):
        """`ported`: silicon.ports.Ported."""
        every = (*ported.before, ported)
        first = every[0]
        wide, high = _sides(first.area_mm2)
        count = len(every)
        middles = np.array(COLUMNS[:count], float)
        ghosts = boxes(
            "first",
            range(count),
            middles - wide / 2,
            FLOOR - high,
            wide,
            high,
            "muted line dashed",
            who="its size on N7",
        )
        stay = [layer for place, one in enumerate(ported.before) for layer in _die(one, COLUMNS[place], one.node.name)]
        now = _die(ported, COLUMNS[count - 1], "now")
        names = texts("names", range(3), COLUMNS, 16, NODES, pick(("ink bold", "muted"), np.arange(3) >= count), 16)
        nodes = [one.node for one in every]
        steps = [f"logic {number(node.logic)} × as dense" if node.logic > 1 else "as designed" for node in nodes]
        cells = [f"cell {node.bitcell_um2:g} µm²" for node in nodes]
        cards = texts(
            "cards", range(2 * count), np.tile(middles, 2), np.repeat([36, 54], count), [*steps, *cells], "muted", 12
        )
        areas = texts(
            "areas", range(count), middles, FLOOR + 20, [f"{one.area_mm2:,.0f} mm²" for one in every], "ink", 14
        )
        wafers = [f"wafer ${node.wafer_usd:,.0f} ({node.quoted})" for node in nodes]
        paid = texts("wafers", range(count), middles, FLOOR + 42, wafers, "muted", 12)
        return [ghosts, *stay, *now, names, cards, areas, paid, *_bars(every, middles), _legend()]

    def say(self, ported):
        """Area and price on this node beside the one before."""
        parts = ", ".join(f"{name} {area:,.0f}" for name, area in ported.parts.items())
        said = f"{ported.node.name}: {ported.area_mm2:,.0f} mm² ({parts}), {ported.usd:,.0f} dollars for a good die"
        if not ported.before:
            return f"{said}."
        last = ported.before[-1]
        shrunk, usd = 1 - ported.area_mm2 / last.area_mm2, ported.usd / last.usd - 1
        size = f"{percent(shrunk)} smaller than on" if shrunk > 1e-9 else "as large as on"
        change = "as much" if abs(usd) < 0.005 else f"{percent(abs(usd))} {'more' if usd > 0 else 'less'}"
        return f"{said}: {size} {last.node.name}, and {change} in dollars."


def _sides(area):
    """(width, height) [px]."""
    wide = (area * SHAPE) ** 0.5
    return PX * wide, PX * area / wide


def _die(ported, middle, key):
    """Logic above SRAM between two columns of analog, which stand where the pins are."""
    wide, high = _sides(ported.area_mm2)
    logic, _, analog = (ported.parts[name] * PX * PX for name in ROLES)
    left, top, side = middle - wide / 2, FLOOR - high, analog / high / 2
    inner = max(wide - 2 * side, 1e-6)
    split = logic / inner if logic else 0
    x = [left + side, left + side, left, left + wide - side]
    y = [top, top + split, top, top]
    w = [inner, inner, side, side]
    h = [split, high - split, high, high]
    names = ["logic", "SRAM", "analog", "analog"]
    areas = [ported.parts[name] for name in names]
    told = [
        f"{name} {area:,.0f}" if b > 17 and a > 92 else "" for name, area, a, b in zip(names, areas, w, h, strict=True)
    ]
    parts = boxes(
        f"die {key}",
        range(4),
        x,
        y,
        w,
        h,
        [ROLES[name] for name in names],
        told,
        13,
        who=[f"{name}, {ported.node.name}" for name in names],
        says=[f"{area:,.0f} mm²" for area in areas],
    )
    return [parts, boxes(f"edge {key}", [0], left, top, wide, high, "ink line")]


def _bars(every, middles):
    """Dollars of a good die, each from zero at the left of its column."""
    usd = np.array([one.usd for one in every])
    starts, count = middles - LONG, len(every)
    bars = boxes(
        "dollars",
        range(count),
        starts,
        BARS,
        LONG * usd / usd[0],
        16,
        "good",
        who=[f"a good die on {one.node.name}" for one in every],
        says=[f"{value:,.0f} dollars" for value in usd],
    )
    axis = lines("zero", range(count), starts, BARS - 4, starts, BARS + 20, "ink", 1.5)
    words = [f"${value:,.0f} a good die" for value in usd]
    return [bars, axis, texts("usd", range(count), middles, BARS - 20, words, "ink bold", 16)]


def _legend():
    return texts(
        "legend",
        [0],
        373,
        396,
        "orange: logic; blue: SRAM; violet: analog and I/O; dashed: the size on N7",
        "muted",
        12,
    )
