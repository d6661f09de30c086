"""A floor plan to scale: arrays, SRAM and interfaces on the die, memory stacks at its edges."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number

PX, MOST_MM = 6.1, 45.0  # pixels of a millimetre; of a die's height that are drawn
FIELD = 26.0, 33.0


class Plan(Stage):
    """The floor plan of a chip: its parts to scale.

    >>> view = Plan()
    >>> view.show(design.floor.floor(design.Design(256, 6, 64, 6, 2.4e9, 300e9)))
    >>> view.show(design.floor.floor(design.Design(16, 2048, 512, 8, 1e9, 300e9, node=7)))
    >>> view.show(design.floor.floor(design.Design(512, 40, 8, 0, 1e9, 300e9)))
    """

    size, noun = (340, 372), "design"

    def __init__(self, silent=False):
        """`silent`: its sentence stands elsewhere on the page."""
        self.silent = silent

    def marks(self, floor):
        """`floor`: design.floor.Floor."""
        return plan(floor, 170, 34)

    def say(self, floor):
        return "" if self.silent else said(floor)


def said(floor):
    """A plan in words."""
    arrays, sram, interfaces = floor.areas
    lost = int((~floor.placed).sum())
    stacks = counted(len(floor.stacks), "memory stack") + (f", {lost} of them without a site" if lost else "")
    return (
        f"A die of {floor.area:,.0f} mm²: arrays {arrays:,.0f}, SRAM {sram:,.0f}, interfaces of the memory "
        f"{interfaces:,.0f}; {stacks}."
    )


def plan(floor, middle, top):
    """Marks of a floor plan around a middle line, from `top` down."""
    left, tall = middle - PX * floor.wide / 2, PX * min(floor.high, MOST_MM)
    cut, fits = floor.high > MOST_MM, floor.area <= FIELD[0] * FIELD[1] + 1e-6
    squeeze = min(1.0, MOST_MM / floor.high)  # of a die too high to draw, the parts in proportion
    x, y, wide, deep = floor.cells.T * PX
    gap = min(0.8, 0.12 * min(wide[0], deep[0] * squeeze))
    each = f"{floor.each} arrays" if floor.each > 1 else "an array"
    cells = boxes(
        "cells",
        range(len(x)),
        left + x + gap / 2,
        top + y * squeeze + gap / 2,
        wide - gap,
        deep * squeeze - gap,
        "compute tint" if fits else "bad tint",
        who=("arrays",),
        says=f"{counted(floor.design.arrays, 'array')} of {floor.design.edge} × {floor.design.edge}: "
        f"{floor.areas[0]:,.0f} mm²; a rectangle is {each}",
    )
    sx, sy, sw, sh = (PX * side for side in floor.sram)
    words = "SRAM" if sh * squeeze >= 14 and sw > 44 else ""
    sram = boxes(
        "sram",
        [0],
        left + sx,
        top + sy * squeeze,
        sw,
        max(sh * squeeze, 0.5),
        "memory tint",
        words,
        12,
        "SRAM",
        f"{floor.design.sram_mb:g} MB: {floor.areas[1]:,.0f} mm²",
    )
    strips = floor.interfaces * PX
    sides = boxes(
        "interfaces",
        range(2),
        left + strips[:, 0],
        top,
        np.maximum(strips[:, 2], 0.1),
        tall,
        "other",
        who="interfaces of the memory",
        says=f"{floor.areas[2]:,.0f} mm²",
    )
    outline = boxes("outline", [0], left, top, PX * floor.wide, tall, "ink line" if fits else "bad line")
    return [
        sides,
        cells,
        sram,
        outline,
        *_field(middle, top, fits),
        *_torn(left, top + tall, cut),
        *_around(floor, middle - PX * FIELD[0] / 2, top, tall),
        *_stacks(floor, left, top, cut),
    ]


def _field(middle, top, fits):
    """The largest die that one exposure prints, where the design is larger."""
    wide, high = PX * FIELD[0], PX * FIELD[1]
    shown = [] if fits else [0]
    return [
        boxes("field", shown, middle - wide / 2, top, wide, high, "bad line dashed"),
        boxes("field back", shown, middle - 52, top + high - 11, 104, 21, "paper"),
        texts("field word", shown, middle, top + high, "one exposure", "bad bold", 12),
    ]


def _torn(left, end, cut):
    """The lower end of a die that goes on."""
    x, y = left + PX * FIELD[0] / 16 * np.arange(17), end + 7 * (np.arange(17) % 2)
    line = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))
    return [paths("torn", [0] if cut else [], line, role="bad", size=2.5)]


def _around(floor, left, top, tall):
    ruler, at = 10 * PX, left - 80 + np.array([0, 66, 130, 222])
    return [
        texts("scale word", [0], left - 66 + ruler + 6, top - 18, "10 mm", "muted start", 12),
        lines("scale", [0], left - 66, top - 18, left - 66 + ruler, top - 18, "muted", 2),
        texts("area", [0], left + PX * FIELD[0] + 68, top - 18, f"die {floor.area:,.0f} mm²", "ink bold end", 13),
        boxes("legend", range(4), at, top + 306, 11, 11, ["compute tint", "memory tint", "other", "memory soft"]),
        texts(
            "legend words",
            range(4),
            at + 15,
            top + 312,
            ["arrays", "SRAM", "interfaces", "memory stack"],
            "muted start",
            12,
        ),
    ]


def _stacks(floor, left, top, cut):
    x, y, wide, high = floor.stacks.T * PX if len(floor.stacks) else np.zeros((4, 0))
    out = ~floor.placed
    y = np.where(out, y - PX * max(floor.high - MOST_MM, 0), y)
    high = np.where(out, 40, high)
    hidden = floor.placed & cut & (y + high > PX * MOST_MM)
    show = ~hidden
    held = number(floor.design.stacks)
    says = [f"{held} stacks in all" if p else "finds no room at the edges" for p in floor.placed[show]]
    words = ["HBM" if p else "HBM ✕" for p in floor.placed[show]]
    return [
        boxes(
            "stacks",
            np.flatnonzero(show),
            left + x[show],
            top + y[show],
            wide[show],
            high[show],
            pick(("memory soft", "bad tint dashed"), out[show]),
            words,
            12,
            [f"stack {i + 1}" for i in np.flatnonzero(show)],
            says,
        ),
    ]
