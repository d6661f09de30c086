"""A die of many units, and what spare ones do for its yield."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted

LEFT, TOP, HIGH = 390, 60, 300  # of the bars
STEP, BAR = 20, 15


class Redundancy(Stage):
    """Spare units: a die to scale, and the share that can be sold with 0 to 16 of its units bad.

    >>> view = Redundancy()
    >>> view.show(silicon.spares(814, 0.1, 144, 3, 3.4))
    >>> view.show(silicon.spares(814, 0.1, 144, 0, 3.4))
    >>> view.show(silicon.spares(814, 0.5, 4, 16, 100.0))
    """

    size, noun = (740, 440), "setting"
    blind = False  # whether a guess comes first: the one bar of this setting

    def marks(self, spares):
        """`spares`: silicon.salvage.Spares."""
        return [*self._die(spares), *self._bars(spares)]

    def _die(self, spares):
        units, left, top = spares.units, 14, 40
        scale = 370 / units.height
        x, y, wide, high = units.boxes().T * scale
        gap = np.minimum(1.5, wide / 6)
        sold = max(units.count - spares.spare, 0)
        free = np.arange(units.count) >= sold
        return [
            texts("die-title", [0], left, 18, [f"{units.width:.1f} × {units.height:.1f} mm"], "ink bold start", 14),
            boxes("die", [0], left, top, units.width * scale, 370, "muted tint"),
            boxes(
                "units",
                range(units.count),
                left + x,
                top + y,
                wide - gap,
                high - gap,
                pick(("good tint", "paper"), free),
                "",
                12,
                [f"unit {i + 1}" for i in range(units.count)],
                ["may be bad" if one else "must work" for one in free],
            ),
            texts(
                "die-legend",
                [0],
                left,
                425,
                [f"green: must work ({sold}) · empty: may be bad ({units.count - sold})"],
                "ink start",
                12,
            ),
        ]

    def _bars(self, spares):
        rates = np.array(spares.yields)
        at = np.arange(len(rates))
        rates = np.where(self.blind & (at != spares.spare), 0, rates)
        x, high = LEFT + STEP * at, rates * HIGH
        floor, end, roof = TOP + HIGH, LEFT + STEP * len(rates), TOP + HIGH * (1 - spares.ceiling)
        here = spares.spare
        return [
            boxes(
                "bars",
                at,
                x,
                floor - high,
                BAR,
                high,
                pick(("other tint", "other"), at == here),
                who=[f"{n} spare" for n in at],
                says=[f"{_share(rate)} can be sold" for rate in rates],
            ),
            lines("axes", range(2), LEFT - 3, [floor, TOP], [end, LEFT - 3], floor, "muted", 1.2),
            lines("ceiling", [0], LEFT - 3, roof, end, roof, "ink dashed", 2),
            texts(
                "ceiling-name",
                [0],
                end,
                roof - 12,
                [f"at most {_share(spares.ceiling)}"],
                "ink end",
                12,
            ),
            texts(
                "here",
                [0],
                min(max(x[here] + BAR / 2, LEFT + 30), end - 32),
                floor + 36,
                [_share(spares.here)],
                "other bold",
                14,
            ),
            texts(
                "across",
                range(5),
                LEFT + STEP * np.arange(0, 17, 4) + BAR / 2,
                floor + 16,
                range(0, 17, 4),
                "muted",
                12,
            ),
            texts("up", range(3), LEFT - 9, [floor, floor - HIGH / 2, TOP], ["0", "50 %", "100 %"], "muted end", 12),
            texts(
                "labels",
                range(2),
                [LEFT - 40, end],
                [22, floor + 58],
                ["share that can be sold", "units that may be bad"],
                ["ink bold start", "ink end"],
                [14, 12],
            ),
        ]

    def say(self, spares):
        count = spares.units.count
        return (
            f"{min(spares.spare, count)} of {counted(count, 'unit')} may be bad: {_share(spares.here)} of the dies can "
            f"be sold. It is {_share(spares.yields[0])} if none may, and {_share(spares.ceiling)} if all may."
        )


def _share(value):
    """A share with a tenth of a percent."""
    return f"{100 * value:.1f} %"
