"""A floor plan to scale with its stacks of HBM, its price, and the time of a layer."""

import numpy as np

from accelerator_course.views.silicon.tradeoff import bill, score, times
from accelerator_course.views.stage import Stage, boxes, pick, texts
from accelerator_lib.units import counted, number, si

PX, MIDDLE, TOP = 5.6, 172, 46
FIELD = 26, 33  # mm
DEEP, GAP = 9.0, 1.2  # of a stack across the edge, and between it and the die [mm]


class FloorPlan(Stage):
    """Floor plan: units, SRAM and interfaces on one die, stacks along its edges; dollars, seconds, and their product.

    >>> view, best = FloorPlan(), silicon.tradeoff.cheapest(256)
    >>> view.show((best, best))
    >>> view.show((silicon.tradeoff.serve(silicon.plans.Plan(144, 50e6, 5), 256), best))
    >>> view.show((silicon.tradeoff.serve(silicon.plans.Plan(204, 400e6, 12), 256), best))
    """

    size, noun = (746, 448), "plan"

    def __init__(self, named=True):
        """`named`: say which plan is the best one, or leave it to be found."""
        self.named = named

    def marks(self, result):
        """`result`: (silicon.tradeoff.Served, the best one for as many rows)."""
        served, best = result
        return [
            *_die(served.plan),
            *_stacks(served.plan),
            *bill(served),
            *times(served),
            *score(served, best, self.named),
        ]

    def say(self, result):
        """What the plan is, what it costs, what sets the pace."""
        served, best = result
        plan = served.plan
        what = f"{plan.units} units, {si(plan.sram_bytes, 'B')} of SRAM, {counted(plan.stacks, 'stack')}"
        if plan.problem:
            return f"{what}: {plan.problem}."
        same = plan == best.plan
        pace = "the memory" if served.memory_seconds > served.arithmetic_seconds else "the arithmetic"
        least = "the least of all plans" if same else f"{number(served.usd_seconds / best.usd_seconds)} times the least"
        return (
            f"{what}: {plan.area_mm2:,.0f} mm², {plan.total_usd:,.0f} dollars. A layer with "
            f"{counted(served.rows, 'row')} takes {si(served.seconds, 's')}; {pace} sets the pace. "
            f"Dollars times seconds: {number(served.usd_seconds)}, {least}."
        )


def _die(plan):
    """The parts of the die: interfaces at both edges, units in rows, memory and the rest below."""
    wide, high = (PX * side for side in plan.size_mm)
    left, areas = MIDDLE - wide / 2, {name: area * PX * PX for name, area in plan.parts.items()}
    side = areas["interfaces"] / 2 / high
    inner = wide - 2 * side
    tall = {name: areas[name] / inner for name in ("units", "SRAM", "fixed")}
    cols = max(1, round(inner / (areas["units"] / plan.units) ** 0.5))
    rows = -(-plan.units // cols)
    i = np.arange(plan.units)
    fits = plan.area_mm2 <= FIELD[0] * FIELD[1]
    cell = inner / cols, tall["units"] / rows
    units = boxes(
        "units",
        i,
        left + side + cell[0] * (i % cols),
        TOP + cell[1] * (i // cols),
        cell[0] - 0.8,
        cell[1] - 0.8,
        "compute tint" if fits else "bad tint",
        who="a unit",
        says="3.4 mm², 7.5 TFLOP/s (assumed)",
    )
    floor = TOP + tall["units"]
    bands = boxes(
        "bands",
        range(2),
        left + side,
        [floor, floor + tall["SRAM"]],
        inner,
        [tall["SRAM"], tall["fixed"]],
        ["memory soft", "muted soft"],
        [_label("SRAM", inner, tall["SRAM"]), _label("links, host", inner, tall["fixed"])],
        12,
        who=["SRAM", "links, control, host"],
        says=[f"{plan.parts[n]:,.0f} mm²" for n in ("SRAM", "fixed")],
    )
    edges = boxes(
        "interfaces",
        range(2),
        [left, left + wide - side],
        TOP,
        side,
        high,
        "other",
        who="interfaces of the stacks",
        says=f"{plan.parts['interfaces']:,.0f} mm²",
    )
    outline = boxes("outline", [0], left, TOP, wide, high, "ink line" if fits else "bad line")
    words = f"{plan.area_mm2:,.0f} mm²" if fits else f"{plan.area_mm2:,.0f} mm² do not fit the field"
    told = texts(
        "area",
        range(2),
        [20, MIDDLE],
        [16, TOP + high + 18],
        ["to scale", words],
        ["ink bold start", "ink bold" if fits else "bad bold"],
        14,
    )
    at = np.array([20, 90, 158, 254])
    keys = boxes("legend", range(4), at, 377, 12, 12, ["compute tint", "memory soft", "other", "muted soft"])
    words = ["units", "SRAM", "interfaces", "links, host"]
    names = texts("legend words", range(4), at + 17, 383, words, "muted start", 12)
    beyond = [] if fits else [0]
    field = boxes("field", beyond, MIDDLE - PX * FIELD[0] / 2, TOP, PX * FIELD[0], PX * FIELD[1], "bad line dashed")
    return [units, bands, edges, outline, field, told, keys, names]


def _label(name, wide, tall):
    return name if tall >= 15 and wide >= 9.5 * len(name) else ""


def _stacks(plan):
    """Stacks at the sites, from the top of both edges; those without one lie below, in red."""
    wide, _ = (PX * side for side in plan.size_mm)
    i = np.arange(plan.stacks)
    placed = i < plan.sites
    tall = PX * (plan.pitch_mm - 0.8)
    x = np.where(i % 2, MIDDLE + wide / 2 + PX * GAP, MIDDLE - wide / 2 - PX * (GAP + DEEP))
    y = TOP + PX * plan.pitch_mm * (i // 2) + PX * 0.4
    out = i - plan.sites
    x = np.where(placed, x, 20 + 52 * out)
    y = np.where(placed, y, 330)
    stacks = boxes(
        "stacks",
        i,
        x,
        y,
        np.where(placed, PX * DEEP, 46),
        np.where(placed, tall, 40),
        pick(("memory tint", "bad tint dashed"), ~placed),
        "HBM",
        13,
        who=[f"stack {n + 1}" for n in i],
        says=[f"{number(plan.stack_gb)} GB" if p else "no room at the edges" for p in placed],
    )
    left = plan.sites - plan.stacks
    words = (
        f"room for {counted(left, 'more stack')}"
        if left > 0
        else "every site is taken"
        if left == 0
        else f"no room at the edges for {-left}"
    )
    memory = f"{si(plan.capacity_bytes, 'B')}, {si(plan.bytes_per_s, 'B/s')}"
    told = texts(
        "sites",
        range(2),
        20,
        [404, 427],
        [f"{counted(plan.stacks, 'stack')}: {memory}", words],
        ["ink start", "muted start" if left >= 0 else "bad bold start"],
        13,
    )
    return [stacks, told]
