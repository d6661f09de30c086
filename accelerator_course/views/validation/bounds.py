"""The bound alone against what was measured: a dot for each row, and the line that nothing crosses."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, percent

LEFT, TOP, SIDE, DOT = 62, 40, 376, 8  # of the square field; of a dot
NEAR = 0.8  # of the bound
LIST, FACTOR, END, PITCH = 490, 690, 734, 22  # x of the names, of the factors, of the counts; y from kind to kind


class Bounds(Stage):
    """The bound against what was measured: no dot lies above the line.

    >>> view = Bounds(validation.rows.KINDS)
    >>> view.show(validation.bounds.against())
    >>> view.show(validation.bounds.against("gemm"))
    >>> view.show(validation.bounds.against("attention"))
    """

    size, noun, follows = (746, 470), "kind", True
    blind = False  # whether a guess comes first: the dots, no factor

    def __init__(self, kinds):
        """`kinds`: {kind: its name}."""
        self.kinds = kinds

    def marks(self, found):
        """`found`: validation.bounds.Against."""
        x, y = np.log10(found.x), np.log10(found.y)
        low = np.floor(min(x.min(), y.min(), x.max() - 2))
        high = max(np.ceil(x.max()), low + 2)
        powers = np.arange(low, high + 0.5, 2 if high - low > 6 else 1)

        def across(value):
            return LEFT + SIDE * (value - low) / (high - low)

        def up(value):
            return TOP + SIDE * (high - value) / (high - low)

        n, ticks = range(len(powers)), [_ten(power) for power in powers]
        sides = [f"{found.kind} {power:g}" for power in powers]
        unit = f" [{found.units[0]}]" if len(found.units) == 1 else ", each in its own unit"
        end = TOP + SIDE
        return [
            lines("grid up", sides, across(powers), TOP, across(powers), end, "muted faint", 1),
            lines("grid across", sides, LEFT, up(powers), LEFT + SIDE, up(powers), "muted faint", 1),
            texts("ticks x", n, across(powers), end + 16, ticks, "muted", 12),
            texts("ticks y", n, LEFT - 8, up(powers), ticks, "muted end", 12),
            texts("axes", [0, 1], [LEFT + SIDE / 2, LEFT - 46], [end + 38, TOP - 22],
                  [f"what the bound allows{unit}", f"measured{unit}"], ["ink", "ink start"], 13),
            lines("line", [0], LEFT, end, LEFT + SIDE, TOP, "ink", 2),
            texts("line word", [0], LEFT + 12, TOP + 14, "faster than the bound", "muted start", 12),
            boxes("dots", [row.id for row in found.rows], across(x) - DOT / 2, up(y) - DOT / 2, DOT, DOT,
                  [_role(row) for row in found.rows], "", 12, [row.name for row in found.rows],
                  [_says(row) for row in found.rows]),
            boxes("key", [0, 1], LIST, [end - 20, end], DOT, DOT, ["good round", "memory round"]),
            texts("key words", [0, 1], LIST + 16, [end - 15.5, end + 4.5],
                  [f"more than {percent(NEAR)} of the bound", "less"], "ink start", 12),
            *([] if self.blind else self._list(found)),
        ]  # fmt: skip

    def _list(self, found):
        names = [kind for kind, *_ in found.by_kind]
        y = TOP + 24 + PITCH * np.arange(len(names))
        roles = ["ink bold" if found.kind in ("all", kind) else "muted" for kind in names]
        total = [number(found.typical, 3), str(len(found.rows))]
        last = y[-1] + PITCH + 8
        return [
            texts("heads", range(2), [FACTOR, END], TOP - 2, ["bound / measured, typically", "rows"],
                  ["ink bold end", "muted end"], 12),
            texts("kinds", names, LIST, y, [self.kinds[kind] for kind in names], [f"{r} start" for r in roles], 13),
            texts("factors", names, FACTOR, y, [number(each, 3) for *_, each in found.by_kind],
                  [f"{r} end" for r in roles], 13),
            texts("counts", names, END, y, [str(count) for _, count, _ in found.by_kind], "muted end", 12),
            lines("sum", [0], LIST, last - PITCH / 2, END, last - PITCH / 2, "muted", 1),
            texts("all", range(3), [LIST, FACTOR, END], last + 4,
                  ["all of them" if found.kind == "all" else self.kinds[found.kind], *total],
                  ["ink bold start", "ink bold end", "muted end"], 13),
        ]  # fmt: skip

    def say(self, found):
        """The typical factor, and how many come near."""
        what = "all kinds" if found.kind == "all" else self.kinds[found.kind]
        beaten = "none is faster than its bound" if not found.beaten else f"{found.beaten} are faster than their bound"
        return (
            f"{len(found.rows)} rows, {what}: the bound alone is typically {number(found.typical, 3)} times what was "
            f"measured; {percent(found.within(1.25))} come within a quarter of it; {beaten}."
        )


def _ten(power):
    return f"{10**power:,.0f}" if 0 <= power < 5 else f"{10**power:g}" if -4 < power < 0 else f"1e{power:.0f}"


def _role(row):
    near = row.reached > NEAR
    return "good round" if near else "memory round"


def _says(row):
    least = "at least" if row.told.faster_is_less else "at most"
    return (
        f"measured {number(row.measured, 4)} {row.unit}; the bound allows {least} {number(row.told.bound, 4)}: "
        f"{percent(row.reached)} of its speed; {row.told.limit}"
    )
