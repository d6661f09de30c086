"""From a wafer to a token: the die leaves its wafer, becomes a chip, is sold, and works by the hour."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent

MIDDLE, RADIUS = (116, 118), 104
SCALE, LARGE = RADIUS / 150, 3.8  # px for a mm: on the wafer, in the package
PLACE = 306, 32  # of the die in its package
TRAY = 262, 204
BILL, AMOUNT, FIRST, ROW = 474, 728, 36, 29
HOUR, WIDE, TOP, TALL = 24, 704, 318, 34
PARTS = 20  # of an hour


def usd(value):
    """Dollars, as people write them."""
    if value >= 100:
        return f"${value:,.0f}"
    return f"${value:,.2f}" if value >= 0.1 else f"${number(value, 2)}"


class Chain(Stage):
    """From the wafer to a million tokens.

    >>> view, run = Chain(), list(design.costs.chain())
    >>> view.show(run[0])
    >>> view.show(run[2])
    >>> view.show(run[5])
    >>> view.show(run[-1])
    """

    size, noun = (752, 430), "link"

    def marks(self, state):
        """`state`: design.costs.Link."""
        return [*self._wafer(state), *self._package(state), *self._bill(state), *self._hour(state)]

    def _wafer(self, state):
        n, good = len(state.centres), self._good(state)
        at = np.array(state.centres)
        own = good[len(good) // 2]  # the one that becomes a chip
        moved = state.stage >= 3
        x, y = MIDDLE[0] + SCALE * at[:, 0], MIDDLE[1] + SCALE * at[:, 1]
        wide, high = (np.full(n, SCALE * side - 1) for side in state.sides)
        if moved:
            wide[own], high[own] = LARGE * np.array(state.sides)
            x[own], y[own] = PLACE[0] + wide[own] / 2, PLACE[1] + high[own] / 2
        works = np.isin(np.arange(n), good)
        look = np.where(works, 1, 2) if state.stage >= 2 else np.zeros(n, int)
        says = ["not tested yet" if state.stage < 2 else "works" if one else "has a defect" for one in works]
        words = tuple("×" if state.stage >= 2 and not one else "" for one in works)
        disc = boxes("wafer", [0], MIDDLE[0] - RADIUS, MIDDLE[1] - RADIUS, 2 * RADIUS, 2 * RADIUS, "muted soft round")
        dies = (
            boxes(
                "dies",
                range(n if state.stage else 0),
                x - wide / 2,
                y - high / 2,
                wide,
                high,
                pick(("paper", "good tint", "bad tint"), look),
                words,
                13,
                [f"die {k + 1}" for k in range(n)],
                says,
            )
            if state.stage
            else boxes("dies", [], [], [])
        )
        names = texts("wafer name", [0], MIDDLE[0], 238, ["a wafer, 300 mm"], "ink", 13)
        return [disc, dies, names]

    def _good(self, state):
        """Dies drawn as good: as many as the yield says, spread over the wafer."""
        n = len(state.centres)
        order = np.random.default_rng(13).permutation(n)
        return sorted(order[: max(1, round(n * state.bill.good))].tolist())

    def _package(self, state):
        wide, high = LARGE * np.array(state.sides)
        x, y = PLACE
        frame = boxes(
            "package",
            [0] if state.stage >= 4 else [],
            x - 44,
            y - 16,
            wide + 88,
            high + 32,
            "ink line",
            who="the chip",
            says="package, memory and die, tested",
        )
        k = np.arange(state.of)
        left = k % 2 == 0
        rows = (state.of + 1) // 2
        each = high / rows
        px, py = np.where(left, x - 37, x + wide + 5), y + each * (k // 2) + 3
        here = k < state.stacks
        stack = (
            boxes(
                "stacks",
                k if state.stage >= 3 else [],
                np.where(here, px, TRAY[0] + 40 * k),
                np.where(here, py, TRAY[1]),
                32,
                min(each - 6, 34),
                "memory tint",
                "",
                13,
                [f"memory stack {i + 1}" for i in k],
                ["beside the die" if one else "waits" for one in here],
            )
            if state.stage >= 3
            else boxes("stacks", [], [], [])
        )
        name = f"{state.chip.short_name}" if state.stage >= 4 else "a good die" if state.stage == 3 else ""
        label = texts(
            "package name", [0] if name else [], x + wide / 2, y + high + 36, [name] if name else [], "ink bold", 14
        )
        return [frame, stack, label]

    def _bill(self, state):
        bill = state.bill
        rows = [
            ("a wafer", bill.wafer, 0),
            (f"a die, of {bill.dies:.0f}", bill.die, 1),
            (f"a good die: {percent(bill.good)} are", bill.good_die, 2),
            (f"+ memory, {state.stacks} of {state.of} stacks", bill.memory * state.stacks / state.of, 3),
            ("+ package and test", bill.package, 4),
            ("= what the chip costs", bill.total, 4),
            ("sold for", state.price, 5),
        ]
        seen = [(i, name, usd(value)) for i, (name, value, stage) in enumerate(rows) if state.stage >= stage]
        keys, y = [i for i, *_ in seen], [FIRST + ROW * i for i, *_ in seen]
        bold = ["ink bold" if i in (2, 5, 6) else "ink" for i in keys]
        rule = lines(
            "rule", [0] if state.stage >= 4 else [], BILL, FIRST + 4.5 * ROW, AMOUNT, FIRST + 4.5 * ROW, "muted", 1
        )
        return [
            texts("bill", keys, BILL, y, [name for _, name, _ in seen], [f"{role} start" for role in bold], 14),
            texts("amounts", keys, AMOUNT, y, [value for *_, value in seen], [f"{role} end" for role in bold], 14),
            rule,
        ]

    def _hour(self, state):
        if state.stage < 6:
            return [boxes("hour", [], [], []), texts("hour words", [], [], [], []), texts("tokens", [], [], [], [])]
        k = np.arange(PARTS)
        works = k < round(state.use * PARTS) if state.stage == 7 else np.zeros(PARTS, bool)
        wide = WIDE / PARTS
        bar = boxes(
            "hour",
            k,
            HOUR + wide * k,
            TOP,
            wide - 3,
            TALL,
            pick(("muted line", "compute"), works),
            "",
            13,
            [f"minutes {3 * i} to {3 * i + 3}" for i in k],
            [
                "writes tokens" if one else "waits, and is paid for" if state.stage == 7 else "is paid for"
                for one in works
            ],
        )
        head = texts(
            "hour words",
            ["own", "rent"],
            [HOUR, HOUR + WIDE],
            TOP - 20,
            [f"an hour, owned for four years: {usd(state.owned)}", f"rented: {usd(state.rent)}"],
            ["ink start", "ink bold end"],
            14,
        )
        if state.stage < 7:
            return [bar, head, texts("tokens", [], [], [], [])]
        made = number(state.tokens_per_s * 3600 * state.use / 1e6)
        words = [
            f"{counted(state.tokens_per_s, 'token')}/s × 3,600 s × {percent(state.use)} = {made} million tokens",
            f"a million tokens: {usd(state.used)}",
            f"if it were always in use: {usd(state.full)}",
        ]
        tail = texts(
            "tokens",
            range(3),
            [HOUR, HOUR + WIDE, HOUR + WIDE],
            [TOP + 60, TOP + 60, TOP + 86],
            words,
            ["ink start", "compute bold end", "muted end"],
            14,
        )
        return [bar, head, tail]

    def say(self, state):
        """What has been paid so far."""
        bill, name = state.bill, state.chip.short_name
        if state.stage == 0:
            return f"A wafer costs {usd(bill.wafer)}, whatever is printed on it."
        if state.stage == 1:
            return f"Cut into {bill.dies:.0f} dies of an {name}: {usd(bill.die)} each, if all of them worked."
        if state.stage == 2:
            return f"{percent(bill.good)} of the dies work and pay for all: {usd(bill.good_die)} for a good one."
        if state.stage == 3:
            paid = usd(bill.memory * state.stacks / state.of)
            return f"Stack {state.stacks} of {state.of} stands beside the die: {paid} of memory."
        if state.stage == 4:
            share = percent(bill.good_die / bill.total)
            return f"Packaged and tested, the {name} has cost {usd(bill.total)}; {share} of it is its die."
        if state.stage == 5:
            return f"Sold for {usd(state.price)}, {number(state.price / bill.total)} times what it cost to make."
        if state.stage == 6:
            return f"An hour of it costs its owner {usd(state.owned)}, and rented {usd(state.rent)}."
        return (
            f"At {counted(state.tokens_per_s, 'token')}/s and {percent(state.use)} use, rented at {usd(state.rent)}, "
            f"a million tokens cost {usd(state.used)}; always in use, {usd(state.full)}."
        )
