"""A die full of memory, and how many of them a model takes."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import number, percent, si

PX, LEFT, TOP = 6.2, 22, 74
WIDE, HIGH = 26 * PX, 33 * PX
ICONS, IN_ROW, STEP = 40, 20, 17  # dies drawn at most, in a row, and how far apart [px]
START, FIRST, ROW = 224, 56, 86


class Ceiling(Stage):
    """SRAM ceiling: a die as large as can be printed, a share of it memory; for each model, dies that hold it.

    >>> view = Ceiling()
    >>> view.show(silicon.sram.ceiling(1.0, "N5", 0.7))
    >>> view.show(silicon.sram.ceiling(0.3, "N7", 0.5))
    >>> view.show(silicon.sram.ceiling(0.0, "N2", 0.9))
    """

    size, noun = (746, 404), "die"

    def marks(self, found):
        """`found`: silicon.sram.Ceiling."""
        full = HIGH * found.share
        parts = boxes(
            "die",
            range(2),
            LEFT,
            [TOP, TOP + HIGH - full],
            WIDE,
            [HIGH - full, full],
            ["muted tint", "memory tint"],
            ["other things" if found.share < 0.85 else "", f"SRAM {percent(found.share)}" if found.share > 0.1 else ""],
            14,
        )
        edge = boxes("edge", [0], LEFT, TOP, WIDE, HIGH, "ink line")
        head = texts(
            "head",
            range(2),
            LEFT,
            [20, 44],
            ["one die", "26 × 33 mm"],
            ["ink bold start", "muted start"],
            [14, 12],
        )
        holds = texts(
            "holds",
            range(2),
            LEFT + WIDE / 2,
            TOP + HIGH + np.array([24, 50]),
            [si(found.capacity_bytes, "B"), f"{found.node}, {percent(found.efficiency)} cells"],
            ["memory bold", "muted"],
            [19, 13],
        )
        return [parts, edge, head, holds, *self._rows(found)]

    def _rows(self, found):
        layers = []
        for row, (what, need) in enumerate(found.need_bytes.items()):
            y, dies = FIRST + ROW * row, found.dies[what]
            words = f"{what}: {si(need, 'B')}"
            told = "none" if dies is None else f"{dies:,} {'die' if dies == 1 else 'dies'}"
            role = "good bold end" if dies == 1 else "ink bold end"
            layers.append(
                texts(f"model {row}", range(2), [START, 726], y - 20, [words, told], ["ink start", role], [14, 15])
            )
            if dies is None:
                continue
            shown = np.arange(min(dies, ICONS))
            x, top = START + STEP * (shown % IN_ROW), y - 4 + 22 * (shown // IN_ROW)
            fill = np.where(shown == dies - 1, need / found.capacity_bytes - (dies - 1), 1.0)
            layers.append(
                boxes(
                    f"held {row}",
                    shown,
                    x,
                    top + 18 * (1 - fill),
                    14,
                    18 * fill,
                    "memory",
                    who=what,
                    says=f"takes {told}, {number(need / found.capacity_bytes)} times what one holds",
                )
            )
            layers.append(boxes(f"dies {row}", shown, x, top, 14, 18, "ink line"))
            if dies > ICONS:
                layers.append(
                    texts(f"more {row}", [0], START + STEP * IN_ROW + 8, y + 27, "… and so on", "muted start", 12)
                )
        return layers

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
