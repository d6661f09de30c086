"""What it costs: from the wafer to a token."""

from dataclasses import dataclass

import numpy as np

from accelerator_course.views.kit import below, words
from accelerator_course.views.stage import Stage, boxes, lines, pick
from accelerator_lib.design.costs import Sold
from accelerator_lib.units import counted, number, percent

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
    if value >= 100:
        return f"${value:,.0f}"
    return f"${value:,.2f}" if value >= 0.1 else f"${number(value, 2)}"


class Chain(Stage):
    """From the wafer to a million tokens.

    >>> view, run = Chain(), list(links(design.costs.chain()))
    >>> view.show(run[0]), view.show(run[2]), view.show(run[5]), view.show(run[-1])
    """

    size, noun = (752, 430), "link"

    def marks(self, state):  # Link
        sold, stage, bill = state.sold, state.stage, state.sold.bill
        n, size, tested = len(sold.centres), np.array(sold.sides), stage >= 2
        good = np.sort(np.random.default_rng(13).permutation(n)[: sold.good_dies])  # spread over the wafer
        works, own = np.isin(np.arange(n), good), good[len(good) // 2]  # the one that becomes a chip
        middle = np.array([LEFT, TOP]) + RADIUS + SCALE * np.array(sold.centres)
        sides, who = np.tile(SCALE * size - 1, (n, 1)), [f"die {k + 1}" for k in range(n)]
        if stage >= 3:
            sides[own], middle[own] = LARGE * size, PLACE + LARGE * size / 2
        look = np.where(works, 1, 2) * tested
        role = pick(("paper", "good tint", "bad tint"), look)
        says = pick(("not tested yet", "works", "has a defect"), look)
        crossed = pick(("", "×"), look == 2)
        yield boxes("wafer", [0], LEFT, TOP, 2 * RADIUS, 2 * RADIUS, "muted soft round")
        if stage:
            yield boxes("dies", range(n), *(middle - sides / 2).T, *sides.T, role, crossed, 13, who, says)
        yield words("wafer name", (LEFT + RADIUS, TOP + 2 * RADIUS + 16, "a wafer, 300 mm", "ink"))
        if stage >= 3:
            (wide, high), (x, y), made = LARGE * np.array(state.sold.sides), PLACE, state.stage >= 4
            k, each = np.arange(sold.stacks), high / ((sold.stacks + 1) // 2)
            here, who = k < state.stacks, [f"memory stack {i + 1}" for i in k]
            left = np.where(here, np.where(k % 2 == 0, x - 37, x + wide + 5), TRAY[0] + 40 * k)
            top, says = np.where(here, y + each * (k // 2) + 3, TRAY[1]), pick(("waits", "beside the die"), here)
            if made:
                text = "the chip", "package, memory and die, tested"
                yield boxes("package", [0], x - 44, y - 16, wide + 88, high + 32, "ink line", "", 13, *text)
            yield boxes("stacks", k, left, top, 32, min(each - 6, 34), "memory tint", who=who, says=says)
            name = sold.chip.short_name if made else "a good die"
            yield words("package name", (x + wide / 2, y + high + 36, name, "ink bold", 14))
        text = [
            ("a wafer", bill.wafer, 0, "ink"),
            (f"a die, of {bill.dies:.0f}", bill.die, 1, "ink"),
            (f"a good die: {percent(bill.good)} are", bill.good_die, 2, "ink bold"),
            (f"+ memory, {state.stacks} of {sold.stacks} stacks", sold.memory(state.stacks), 3, "ink"),
            ("+ package and test", bill.package, 4, "ink"),
            ("= what the chip costs", bill.total, 4, "ink bold"),
            ("sold for", sold.price, 5, "ink bold"),
        ]
        text, under = [one for one in text if stage >= one[2]], FIRST + 4.5 * ROW
        amounts = [(dollars(value), f"{role} end") for _, value, _, role in text]
        yield below("bill", BILL, FIRST, [(name, f"{role} start") for name, *_, role in text], ROW, size=14)
        yield below("amounts", AMOUNT, FIRST, amounts, ROW, size=14)
        yield lines("rule", [0] if stage >= 4 else [], BILL, under, AMOUNT, under, "muted", 1)
        yield from self._hour(sold, stage == 7) if stage >= 6 else ()

    def _hour(self, sold, busy):
        k, wide = np.arange(PARTS), (END - HOUR) / PARTS
        works = busy & (k < round(sold.use * PARTS))
        says = ["writes tokens" if one else "waits, and is paid for" if busy else "is paid for" for one in works]
        role, who = pick(("muted line", "compute"), works), [f"minutes {3 * i} to {3 * i + 3}" for i in k]
        rate = f"{counted(sold.tokens_per_s, 'token')}/s × 3,600 s × {percent(sold.use)}"
        made = [
            (HOUR, 298, f"an hour, owned for four years: {dollars(sold.owned)}", "ink start", 14),
            (END, 298, f"rented: {dollars(sold.rent)}", "ink bold end", 14),
            (HOUR, 378, f"{rate} = {number(sold.million_tokens_per_hour)} million tokens", "ink start", 14),
            (END, 378, f"a million tokens: {dollars(sold.used)}", "compute bold end", 14),
            (END, 404, f"if it were always in use: {dollars(sold.full)}", "muted end", 14),
        ]
        yield boxes("hour", k, HOUR + wide * k, 318, wide - 3, 34, role, who=who, says=says)
        yield words("hour words", *made[: None if busy else 2])

    def say(self, state):
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
