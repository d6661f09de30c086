"""Offers of one accelerator: a bar for each, as long as its dollars; a survey's bar has two ends."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number

LEFT, LONG, TOP, ROW = 366, 304, 50, 30
MOST = 15  # dollars at the end of the axis
KINDS = {"on-demand": "memory", "capacity block": "other", "spot": "good", "survey": "muted"}


class Offered(Stage):
    """Offered: what an hour of one accelerator was offered for.

    >>> view = Offered()
    >>> view.show(design.prices.offers("H100"))
    >>> view.show(design.prices.offers("A100 80GB"))
    >>> view.show(design.prices.offers("TPU v4 chip"))
    """

    size, noun = (740, 440), "accelerator"

    def marks(self, found):
        """`found`: design.prices.Offers."""
        n = len(found.rows)
        y = TOP + ROW * np.arange(n)
        low, high = (np.array([getattr(row, end) for row in found.rows]) for end in ("low", "high"))
        names = [f"{row.who}, {row.kind}, {row.when}" for row in found.rows]
        scale = LONG / MOST
        priced = [f"${b:,.2f}" if a == b else f"${a:,.2f} to {b:,.2f}" for a, b in zip(low, high, strict=True)]
        role = [KINDS[row.kind] for row in found.rows]
        full = [f"{one} tint" if row.low < row.high else one for one, row in zip(role, found.rows, strict=True)]
        ticks = np.arange(0, MOST + 1, 5)
        bottom = TOP + ROW * n - 4
        return [
            lines("grid", ticks, LEFT + scale * ticks, TOP - 8, LEFT + scale * ticks, bottom, "muted faint", 1),
            texts("ticks", ticks, LEFT + scale * ticks, TOP - 20, [f"${tick}" for tick in ticks], "muted", 13),
            texts("axis", [0], LEFT - 14, TOP - 20, ["dollars an hour, one accelerator"], "muted end", 13),
            texts("names", range(n), LEFT - 14, y + 10, names, "ink end", 13),
            boxes("bars", range(n), LEFT, y, scale * high, 20, full, "", 13, names, priced),
            boxes("sure", range(n), LEFT, y, scale * low, 20, role, "", 13, names, priced),
            texts("prices", range(n), LEFT + scale * high + 8, y + 10, priced, "ink bold start", 13),
        ]

    def say(self, found):
        """The ends."""
        cheap, dear = found.rows[0], max(found.rows, key=lambda row: row.high)
        if len(found.rows) == 1:
            return f"{found.accelerator}: one offer, ${cheap.low:,.2f} an hour ({cheap.who}, {cheap.when})."
        least = min(found.rows, key=lambda row: row.low)
        return (
            f"{found.accelerator}: from ${found.low:,.2f} an hour ({least.who}, {least.kind}, {least.when}) to "
            f"${found.high:,.2f} ({dear.who}, {dear.kind}, {dear.when}), {number(found.span, 2)} times as much."
        )
