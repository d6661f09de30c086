"""What it costs, and who can keep a promise: from the wafer to a token, four ways to the same work, a corner."""

from dataclasses import dataclass

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.design.costs import Sold
from accelerator_lib.units import counted, number, percent, si

LEFT, TOP, RADIUS = 12, 14, 104  # of the wafer
SCALE, LARGE = RADIUS / 150, 3.8  # px for a mm: on the wafer, in the package
PLACE, TRAY = (306, 32), (262, 204)  # of the die in its package; of the stacks before they stand there
BILL, AMOUNT, FIRST, ROW = 474, 728, 36, 29
HOUR, END, PARTS = 24, 728, 20  # where an hour lies, and into how many parts it is cut


@dataclass(frozen=True)
class Link:
    """The chain after a link: 0 wafer, 1 dies, 2 good dies, 3 memory, 4 package, 5 sold, 6 hour, 7 tokens."""

    sold: Sold
    stage: int
    stacks: int  # that stand beside the die so far


def links(sold):
    """Yield a Link for every state of the way from a wafer to a million tokens."""
    for stage in range(8):
        for stacks in range(1, sold.stacks + 1) if stage == 3 else (0 if stage < 3 else sold.stacks,):
            yield Link(sold, stage, stacks)


def dollars(value):
    """Dollars, as people write them."""
    if value >= 100:
        return f"${value:,.0f}"
    return f"${value:,.2f}" if value >= 0.1 else f"${number(value, 2)}"


class Chain(Stage):
    """From the wafer to a million tokens.

    >>> view, run = Chain(), list(links(design.costs.chain()))
    >>> view.show(run[0])
    >>> view.show(run[2])
    >>> view.show(run[5])
    >>> view.show(run[-1])
    """

    size, noun = (752, 430), "link"

    def marks(self, state):
        """`state`: Link."""
        return [*self._wafer(state), *self._package(state), *self._bill(state), *self._hour(state)]

    def _wafer(self, state):
        sold, tested = state.sold, state.stage >= 2
        n, size = len(sold.centres), np.array(sold.sides)
        good = np.sort(np.random.default_rng(13).permutation(n)[: sold.good_dies])  # spread over the wafer
        works, own = np.isin(np.arange(n), good), good[len(good) // 2]  # the one that becomes a chip
        middle = np.array([LEFT, TOP]) + RADIUS + SCALE * np.array(sold.centres)
        sides = np.tile(SCALE * size - 1, (n, 1))
        if state.stage >= 3:
            sides[own] = LARGE * size
            middle[own] = PLACE + sides[own] / 2
        look = np.where(works, 1, 2) if tested else np.zeros(n, int)
        says = ["not tested yet" if not tested else "works" if one else "has a defect" for one in works]
        crossed, who = tuple("×" if tested and not one else "" for one in works), [f"die {k + 1}" for k in range(n)]
        role, corner = pick(("paper", "good tint", "bad tint"), look), middle - sides / 2
        dies = boxes("dies", range(n), *corner.T, *sides.T, role, crossed, 13, who, says)
        return [
            boxes("wafer", [0], LEFT, TOP, 2 * RADIUS, 2 * RADIUS, "muted soft round"),
            *[dies] * (state.stage > 0),
            words("wafer name", (LEFT + RADIUS, TOP + 2 * RADIUS + 16, "a wafer, 300 mm", "ink")),
        ]

    def _package(self, state):
        (wide, high), (x, y), made = LARGE * np.array(state.sold.sides), PLACE, state.stage >= 4
        if state.stage < 3:
            return []
        k, each = np.arange(state.sold.stacks), high / ((state.sold.stacks + 1) // 2)
        here, who = k < state.stacks, [f"memory stack {i + 1}" for i in k]
        left = np.where(here, np.where(k % 2 == 0, x - 37, x + wide + 5), TRAY[0] + 40 * k)
        top = np.where(here, y + each * (k // 2) + 3, TRAY[1])
        says = ["beside the die" if one else "waits" for one in here]
        told = "package, memory and die, tested"
        frame = boxes("package", [0], x - 44, y - 16, wide + 88, high + 32, "ink line", who="the chip", says=told)
        name = state.sold.chip.short_name if made else "a good die"
        return [
            *[frame] * made,
            boxes("stacks", k, left, top, 32, min(each - 6, 34), "memory tint", who=who, says=says),
            words("package name", (x + wide / 2, y + high + 36, name, "ink bold", 14)),
        ]

    def _bill(self, state):
        bill, sold = state.sold.bill, state.sold
        told = [
            ("a wafer", bill.wafer, 0, "ink"),
            (f"a die, of {bill.dies:.0f}", bill.die, 1, "ink"),
            (f"a good die: {percent(bill.good)} are", bill.good_die, 2, "ink bold"),
            (f"+ memory, {state.stacks} of {sold.stacks} stacks", sold.memory(state.stacks), 3, "ink"),
            ("+ package and test", bill.package, 4, "ink"),
            ("= what the chip costs", bill.total, 4, "ink bold"),
            ("sold for", sold.price, 5, "ink bold"),
        ]
        told = [one for one in told if state.stage >= one[2]]
        names = [(name, f"{role} start") for name, *_, role in told]
        amounts = [(dollars(value), f"{role} end") for _, value, _, role in told]
        under = FIRST + 4.5 * ROW
        return [
            below("bill", BILL, FIRST, names, ROW, size=14),
            below("amounts", AMOUNT, FIRST, amounts, ROW, size=14),
            lines("rule", [0] if state.stage >= 4 else [], BILL, under, AMOUNT, under, "muted", 1),
        ]

    def _hour(self, state):
        if state.stage < 6:
            return []
        sold, busy, k, wide = state.sold, state.stage == 7, np.arange(PARTS), (END - HOUR) / PARTS
        works = busy & (k < round(sold.use * PARTS))
        says = ["writes tokens" if one else "waits, and is paid for" if busy else "is paid for" for one in works]
        role, who = pick(("muted line", "compute"), works), [f"minutes {3 * i} to {3 * i + 3}" for i in k]
        rate = f"{counted(sold.tokens_per_s, 'token')}/s × 3,600 s × {percent(sold.use)}"
        made = [
            (HOUR, 378, f"{rate} = {number(sold.million_tokens_per_hour)} million tokens", "ink start", 14),
            (END, 378, f"a million tokens: {dollars(sold.used)}", "compute bold end", 14),
            (END, 404, f"if it were always in use: {dollars(sold.full)}", "muted end", 14),
        ]
        return [
            boxes("hour", k, HOUR + wide * k, 318, wide - 3, 34, role, who=who, says=says),
            words(
                "hour words",
                (HOUR, 298, f"an hour, owned for four years: {dollars(sold.owned)}", "ink start", 14),
                (END, 298, f"rented: {dollars(sold.rent)}", "ink bold end", 14),
                *made * busy,
            ),
        ]

    def say(self, state):
        """What has been paid so far."""
        sold, bill, name = state.sold, state.sold.bill, state.sold.chip.short_name
        memory, die = dollars(sold.memory(state.stacks)), percent(bill.die_share)
        return (
            f"A wafer costs {dollars(bill.wafer)}, whatever is printed on it.",
            f"Cut into {bill.dies:.0f} dies of an {name}: {dollars(bill.die)} each, if all of them worked.",
            f"{percent(bill.good)} of the dies work and pay for all: {dollars(bill.good_die)} for a good one.",
            f"Stack {state.stacks} of {sold.stacks} stands beside the die: {memory} of memory.",
            f"Packaged and tested, the {name} has cost {dollars(bill.total)}; {die} of it is its die.",
            f"Sold for {dollars(sold.price)}, {number(sold.markup)} times what it cost to make.",
            f"An hour of it costs its owner {dollars(sold.owned)}, and rented {dollars(sold.rent)}.",
            f"At {counted(sold.tokens_per_s, 'token')}/s and {percent(sold.use)} use, rented at {dollars(sold.rent)}, "
            f"a million tokens cost {dollars(sold.used)}; always in use, {dollars(sold.full)}.",
        )[state.stage]


def millions(value):
    """Millions of dollars."""
    return f"${number(value / 1e6)} M"


class Ways(Stage):
    """Ways: a bought processor, a GPU, an FPGA, a chip of one's own.

    >>> view, ways = Ways(), {"CPU": (0, 30_000, 0), "GPU": (3e5, 1e4, 2), "ASIC": (3e7, 500, 24)}
    >>> view.show(design.costs.choose(ways, 100, 36))
    >>> view.show(design.costs.choose(ways, 100_000, 36))
    >>> view.show(design.costs.choose(ways, 100_000, 12))
    """

    size, noun = (740, 352), "choice"

    def marks(self, found):
        """`found`: design.costs.Choice."""
        ways, names, left, high = found.ways, [way.name for way in found.ways], 74, 26
        y, scale = rows(87, 62, len(ways)), 320 / max(way.total for way in ways)
        clock = Chart((548, 716), (0, 0), (0, 36), (0, 1), inside=True)
        start, at = clock.across[0], float(clock.x(found.deadline))
        once, units = (np.array([getattr(way, name) for way in ways]) * scale for name in ("once", "for_units"))
        total = [f"{millions(way.total)}{', the cheapest in time' if way.best else ''}" for way in ways]
        months = [f"{way.months:g} months" for way in ways]
        late = [one if way.in_time else f"{one}, too late" for one, way in zip(months, ways, strict=True)]
        first, more = [f"{millions(w.once)} once" for w in ways], f"for {found.units:,} units"
        best = ["good bold start" if w.best else "ink start" if w.in_time else "muted start" for w in ways]
        wait, fits = clock.x([w.months for w in ways]) - start, [w.in_time for w in ways]
        role, look = pick(("bad tint", "muted tint"), fits), pick(("bad start", "ink start"), fits)
        said = [f"{millions(w.for_units)} {more}" for w in ways]
        above, under = [58, *(y - 19)], [66, *(y + 17)]
        return [
            words(
                "heads",
                (left, 22, f"{counted(found.units, 'unit')}, all dollars", "ink bold start", 14),
                (start, 22, "first unit works", "ink bold start", 14),
                (min(at, 676), 46, f"deadline {found.deadline:g}", "bad"),
            ),
            texts("names", names, left - 10, y, names, pick(("muted end", "ink bold end"), fits), 14),
            *bars("once", names, left, y, once, high, "other", who=names, says=first),
            *bars("units", names, left + once, y, units, high, "memory", who=names, says=said, least=4),
            texts("totals", names, left, y + 26, total, best),
            *bars("waits", names, start, y, wait, high, role, who=names, says=months, least=2),
            texts("months", names, start, y + 26, late, look),
            lines("deadline", ["head", *names], at, above, at, under, "bad dashed", 2),
            *legend("key", left, 85 + 62 * len(ways), [("other", "once, to design"), ("memory", "for the units")]),
        ]

    def say(self, found):
        """Which is the cheapest in time."""
        many, best, other = counted(found.units, "unit"), found.best, found.cheapest
        if best is None:
            return f"{many} within {found.deadline:g} months: none of the four is ready in time."
        told = f"{many} within {counted(found.deadline, 'month')}: {best.name} for {millions(best.total)}"
        if other.name == best.name:
            return f"{told}, the cheapest of all."
        return f"{told}; the {other.name} would cost {millions(other.total)}, but needs {other.months:g} months."


NAMES_AT = {"t4": (-10, 10), "xeon-8480": (-10, -4), "a100-80gb-sxm": (10, 14), "h100-sxm5": (10, 8), "b200": (12, 0)}
NAMES_AT |= {"tpu-v5e": (8, 16), "groq-lpu": (10, 0), "ipu-gc200": (4, -16), "tpu-v6e": (-8, -10)}
ROLES = ("muted tint round", "other line round", "good round")
VERDICTS = ("too slow", "fast enough, but too small", "enough")


class Corner(Stage):
    """Corner: which machines can keep a promise.

    >>> view = Corner()
    >>> view.show(design.bands.band(1.6e10, 1.7e10, 1.7e10, 0.02))
    >>> view.show(design.bands.band(1.6e10, 1.7e10, 1.7e10, 0.001))
    >>> view.show(design.bands.band(1.4e11, 1.4e11, 1.4e11, 1.0))
    """

    size, noun = (740, 430), "promise"

    def marks(self, found):
        """`found`: design.bands.Band."""
        chart = Chart((112, 716), (372, 24), (1e10, 1e15), (1e10, 1e16), "xy", inside=True)
        (left, right), (floor, top), ones = chart.across, chart.up, found.machines
        x, y, ids = float(chart.x(found.bytes_per_s)), float(chart.y(found.flops_per_s)), [m.id for m in ones]
        ticks, rates = 10.0 ** np.arange(10, 16), 10.0 ** np.arange(10, 17, 2)
        at = [2 if id in found.enough else int(id in found.too_small) for id in ids]
        numbers = [(si(m.flops_per_s, "FLOP/s"), si(m.bytes_per_s, "B/s"), si(m.capacity_bytes, "B")) for m in ones]
        says = [f"{', '.join(each)}: {VERDICTS[i]}" for each, i in zip(numbers, at, strict=True)]
        mx, my = chart.x([m.bytes_per_s for m in ones]), chart.y([m.flops_per_s for m in ones])
        near = [(a, b, m.name, *NAMES_AT[m.id]) for a, b, m in zip(mx, my, ones, strict=True) if m.id in NAMES_AT]
        near = [(a + dx, b + dy, name, "ink start" if dx > 0 else "ink end", 12) for a, b, name, dx, dy in near]
        told = f"at least {si(found.bytes_per_s, 'B/s')} and {si(found.flops_per_s, 'FLOP/s')}"
        wide, high = max(right - x, 1), max(y - top, 1)
        axis, key = "memory bandwidth; upwards, arithmetic in 16 bits", ("too slow", "fast, but too small", "enough")

        return [
            boxes("frame", [0], left, top, right - left, floor - top, "muted line"),
            boxes("corner", [0], x, top, wide, high, "good soft", who="the promise", says=told),
            lines("edges", ["x", "y"], x, [top, y], [x, right], y, "good", 2),
            texts("ticks", range(6), chart.x(ticks), floor + 16, [si(tick, "B/s") for tick in ticks], "muted"),
            texts("rates", range(4), left - 8, chart.y(rates), [si(rate, "FLOP/s") for rate in rates], "muted end", 12),
            words("axis", ((left + right) / 2, floor + 40, axis, "ink")),
            spots("machines", ids, mx, my, 12, pick(ROLES, at), who=[m.name for m in ones], says=says),
            words("machine names", *near),
            *legend("key", left + 8, top - 11, [*zip(ROLES, key, strict=True)][::-1], side=12, size=12),
        ]

    def say(self, found):
        """What is asked for, and who has it."""
        count, many = len(found.enough), len(found.machines)
        names = [m.name for m in found.machines if m.id in found.enough]
        have = f"{counted(count, 'machine')} of {many}" + (f" ({', '.join(names)})" if 0 < count <= 4 else "")
        small = f"; {len(found.too_small)} more are fast enough, but too small" if found.too_small else ""
        return (
            f"Within {si(found.seconds, 's')}: at least {si(found.bytes_per_s, 'B/s')}, "
            f"{si(found.flops_per_s, 'FLOP/s')} and {si(found.capacity_bytes, 'B')}. "
            f"{have} {'has' if count == 1 else 'have'} that{small}."
        )
