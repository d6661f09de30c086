"""A floor plan to scale with its stacks of HBM, its price, and the time of a layer."""

import numpy as np

from accelerator_lib.units import counted, number, si
from accelerator_lib.views.stage import Stage, boxes, lines, pick, texts

PX, MIDDLE, TOP = 5.6, 172, 46
FIELD = 26, 33  # mm
DEEP, GAP = 9.0, 1.2  # of a stack across the edge, and between it and the die [mm]
BARS, LONG, MOST = 404, 320, 8000  # left end of the bars, their length [px] for so many dollars
ROLES = {"die": "compute", "HBM": "memory", "package": "muted"}


class FloorPlan(Stage):
    """Floor plan: units, SRAM and interfaces on one die, stacks along its edges; dollars, seconds, and their product.

    >>> view, best = FloorPlan(), silicon.plans.cheapest(256)
    >>> view.show((best, best))
    >>> view.show((silicon.plans.serve(silicon.plans.Plan(144, 50e6, 5), 256), best))
    >>> view.show((silicon.plans.serve(silicon.plans.Plan(204, 400e6, 12), 256), best))
    """

    size, noun = (746, 448), "plan"

    def marks(self, result):
        """`result`: (silicon.plans.Served, the best one for as many rows)."""
        served, best = result
        return [*_die(served.plan), *_stacks(served.plan), *_bill(served), *_times(served), *_score(served, best)]

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
    at = np.array([20, 104, 188])
    keys = boxes("legend", range(3), at, 377, 12, 12, ["compute tint", "memory soft", "other"])
    names = texts("legend words", range(3), at + 17, 383, ["units", "SRAM", "interfaces"], "muted start", 12)
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
        [400, 424],
        [f"{counted(plan.stacks, 'stack')}: {memory}", words],
        ["ink start", "muted start" if left >= 0 else "bad bold start"],
        13,
    )
    return [stacks, told]


def _bill(served):
    """Dollars by part on one bar from zero."""
    usd = served.plan.usd
    long = np.array(list(usd.values())) * LONG / MOST
    starts = BARS + np.concatenate([[0], np.cumsum(long)[:-1]])
    bars = boxes(
        "bill",
        range(3),
        starts,
        66,
        np.minimum(long, BARS + LONG + 14 - starts),
        24,
        [ROLES[name] for name in usd],
        who=list(usd),
        says=[f"{value:,.0f} dollars" for value in usd.values()],
    )
    words = [f"{name} ${value:,.0f}" for name, value in usd.items()]
    at, down = BARS + np.array([0, 112, 0]), np.array([98, 98, 120])
    keys = boxes("keys", range(3), at, down, 12, 12, [ROLES[name] for name in usd])
    told = texts("parts", range(3), at + 17, down + 6, words, "ink start", 13)
    head = texts(
        "cost",
        range(2),
        [BARS, BARS + LONG],
        [44, 44],
        ["dollars (assumed)", f"${served.plan.total_usd:,.0f}"],
        ["ink bold start", "ink bold end"],
        [14, 16],
    )
    return [bars, lines("zero", [0], BARS, 60, BARS, 94, "ink", 1.5), keys, told, head]


def _times(served):
    """Arithmetic and memory, side by side; the longer one is the time."""
    seconds = np.array([served.arithmetic_seconds, served.memory_seconds])
    long = LONG * seconds / seconds.max()
    y = np.array([198, 246])
    names = ["arithmetic", "memory"]
    bars = boxes(
        "times", range(2), BARS, y, long, 20, ["compute", "memory"], who=names, says=[si(s, "s") for s in seconds]
    )
    told = [f"{name} {si(s, 's')}" for name, s in zip(names, seconds, strict=True)]
    words = texts("told", range(2), BARS, y - 12, told, "ink start", 13)
    head = texts("pace", [0], BARS, 160, f"layer of 8,192², {counted(served.rows, 'row')}", "ink bold start", 14)
    return [bars, lines("start", [0], BARS, 192, BARS, 272, "ink", 1.5), words, head]


def _score(served, best):
    """Dollars times seconds, beside the least."""
    if served.plan.problem:
        return [texts("score", [0], BARS, 318, "cannot be built", "bad bold start", 18)]
    ratio = served.usd_seconds / best.usd_seconds
    same = served.plan == best.plan
    least = f"{best.plan.units} units, {si(best.plan.sram_bytes, 'B')}, {counted(best.plan.stacks, 'stack')}"
    words = [
        "dollars × seconds",
        "this plan: the least" if same else f"this plan: {number(ratio)} × the least",
        f"best: {least}",
    ]
    roles = ["ink bold start", "ink start", "good start"]
    told = texts("score", range(3), BARS, [304, 328, 380], words, roles, [14, 13, 13])
    bars = boxes(
        "score bars", range(2), BARS, [339, 391], np.array([1.0, 1 / ratio]) * LONG, 18, ["ink", "good"],
        who=["this plan", "the best plan"], says=[f"{number(one.usd_seconds)} dollar s" for one in (served, best)],
    )  # fmt: skip
    return [bars, told, lines("score zero", [0], BARS, 335, BARS, 413, "ink", 1.5)]
