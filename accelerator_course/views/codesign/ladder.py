"""A ladder of programs: how high each rung stands is how fast it is, on a logarithmic scale."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, percent, si

LEFT, RIGHT, FLOOR, TOP = 96, 366, 412, 36
DECADES = 5.2  # of speed-up over the height


class Ladder(Stage):
    """Seven versions of one program: rungs at the height of their speed, climbed one by one.

    >>> view = Ladder()
    >>> rungs = codesign.ladder.rungs()
    >>> view.show(codesign.ladder.Climb(rungs, 1))
    >>> view.show(codesign.ladder.Climb(rungs, 4))
    >>> view.show(codesign.ladder.Climb(rungs, 7))
    """

    size, noun = (760, 446), "rung"

    def marks(self, climb):
        """`climb`: codesign.ladder.Climb."""
        reached = climb.rungs[: climb.climbed]
        y = np.array([_y(one.speedup) for one in reached])
        places, here = range(len(reached)), climb.climbed - 1
        roles = ["compute" if place == here else "ink" for place in places]
        told = [f"{one.name}: {_seconds(one.seconds)}" for one in reached]
        says = [f"{number(one.speedup)} times the first, {number(one.gflop_s)} GFLOP/s" for one in reached]
        label = y - 11
        label[-1] -= 1
        return [
            *self._scale(),
            lines("rails", range(2), (LEFT, RIGHT), FLOOR, (LEFT, RIGHT), TOP, "muted", 5),
            lines(
                "rungs",
                places,
                LEFT,
                y,
                RIGHT,
                y,
                roles,
                [6 if place == here else 4 for place in places],
                who=[one.name for one in reached],
                says=says,
            ),
            texts("names", places, LEFT + 12, label, told, [f"{role} bold start" for role in roles], 13),
            boxes("climber", [0], RIGHT + 12, y[-1] - 9, 18, 18, "compute round", who="where you stand", says=says[-1]),
            *self._steps(climb, y),
        ]

    def _scale(self):
        powers = np.arange(6)
        y = _y(10.0**powers)
        return [
            lines("decades", powers, LEFT, y, RIGHT, y, "muted faint", 1),
            texts("ticks", powers, LEFT - 12, y, [f"{10**p:,}×" for p in powers], "muted end", 12),
        ]

    def _steps(self, climb, y):
        here, told = climb.here, []
        told.append((_times(here), "ink bold start", 16))
        told.append((f"{_seconds(here.seconds)} for the product", "ink start", 14))
        told.append((f"{percent(here.peak_share)} of the processor’s peak", "ink start", 14))
        if climb.step:
            told.append((f"this step alone: {number(climb.step)} times", "compute bold start", 16))
        rows = np.array([110, 140, 164, 212])[: len(told)]
        marks = [
            texts("told-head", [0], 448, 78, [here.name], "compute bold start", 16),
            texts(
                "told",
                range(len(told)),
                448,
                rows,
                [w for w, _, _ in told],
                [r for _, r, _ in told],
                [s for *_, s in told],
            ),
        ]
        if climb.step:
            marks.append(
                lines(
                    "gain",
                    [0],
                    RIGHT + 46,
                    y[-2],
                    RIGHT + 46,
                    y[-1],
                    "compute",
                    8,
                    who="this step",
                    says=f"{number(climb.step)} times faster",
                )
            )
        return marks

    def say(self, climb):
        """Where one stands."""
        here, step = climb.here, f", {number(climb.step)} times the rung below" if climb.step else ""
        return (
            f"Rung {climb.climbed} of 7, {here.name}: {_seconds(here.seconds)}{step}, {_times(here)}, "
            f"{percent(here.peak_share)} of the peak."
        )


def _times(rung):
    return f"{number(rung.speedup)} times the first version" if rung.speedup > 1 else "the first version"


def _y(speedup):
    return FLOOR - (FLOOR - TOP) / DECADES * np.log10(speedup)


def _seconds(seconds):
    return f"{number(seconds)} s" if seconds >= 1 else si(seconds, "s")
