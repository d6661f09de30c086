"""The front grows: designs tried so far on a map of score and cost, and what no other of them beats."""

import numpy as np

from accelerator_course.views.design.grid import Chart
from accelerator_course.views.stage import Stage, boxes, texts
from accelerator_lib.units import counted, number, percent

PLACE = (62, 70, 440, 330)
RANGES = {"dollars": ((0.1, 0.4), "$ an hour", 6), "watts": ((0, 1000), "W", 5)}
SIDE, BAR = 540, 200
CALLED = {"random": "at random", "grid": "a coarse grid", "evolution": "evolution"}


class Front(Stage):
    """The front grows: designs tried, those that are legal, and those that no other beats.

    `chips`: published chips, capstone.Dot with watts.

    >>> view = Front(league.capstone.real_dots())
    >>> run = list(design.explore.race("evolution", seed=2))
    >>> view.show(run[0])
    >>> view.show(run[12])
    >>> view.show(run[-1])
    >>> view.show(list(design.explore.race("grid", "watts"))[-1])
    """

    size, noun = (760, 470), "dozen"

    def __init__(self, chips=()):
        self.chips = chips

    def marks(self, raced):
        """`raced`: design.race.Raced."""
        span, unit, steps = RANGES[raced.over]
        chart = Chart(*PLACE, span, (0, 2.5), unit, "score on the five jobs (H100: 1)", steps, 5)
        cost, form = (
            (lambda dot: dot.usd_per_hour, "$ {:.2f} an hour")
            if raced.over == "dollars"
            else (lambda dot: dot.watts, "{:.0f} W")
        )
        front = np.isin(np.arange(len(raced.tried)), raced.front)
        return [
            *chart.frame(),
            *chart.front(*raced.all_front, "the front of the whole grid", "muted", "all front", 400),
            *chart.front(raced.cost[raced.front], raced.score[raced.front], "", "good", "front", 1000),
            self._tried(raced, chart, front),
            *chart.dots(self.chips, cost, form),
            *self._side(raced),
        ]

    def _tried(self, raced, chart, front):
        """Legal designs as dots; those on the front large and green, the newest with an edge."""
        show = np.flatnonzero(raced.legal)
        x, y = chart.at(raced.cost[show], raced.score[show])
        ahead, fresh = front[show], show >= len(raced.tried) - raced.fresh
        size = np.where(ahead, 9, np.where(fresh, 8, 4))
        roles = [
            "good round" if a else "compute round" if f else "muted round" for a, f in zip(ahead, fresh, strict=True)
        ]
        unit = "$ {:.3f} an hour" if raced.over == "dollars" else "{:.0f} W"
        says = [
            f"score {raced.score[i]:.2f}, {unit.format(raced.cost[i])}" + (": on the front" if a else ": beaten")
            for i, a in zip(show, ahead, strict=True)
        ]
        who = [f"design {i + 1}: {_words(raced, i)}" for i in show]
        return boxes("tried", show, x - size / 2, y - size / 2, size, size, roles, who=who, says=says)

    def _side(self, raced):
        legal, tried = int(raced.legal.sum()), len(raced.tried)
        rows = [
            (f"{tried} of {raced.budget} designs tried", tried / raced.budget, "muted"),
            (f"{legal} legal: {percent(legal / tried)}", legal / tried, "compute"),
            (f"{counted(len(raced.front), 'design')} on the front", None, "good"),
            (f"area below it: {percent(raced.grown)} of all", raced.grown, "good"),
            (f"best value: {percent(raced.share)} of all", raced.share, "good"),
        ]
        y = 96 + 52 * np.arange(len(rows))
        bars = [i for i, row in enumerate(rows) if row[1] is not None]
        keys = ["● on the front", "● new, beaten", "● beaten", "■ published chips", "— front of all designs"]
        roles = ["good start", "compute start", "muted start", "ink start", "muted start"]
        return [
            texts("way", [0], SIDE, 64, CALLED[raced.strategy], "ink bold start", 15),
            texts("rows", range(len(rows)), SIDE, y, [row[0] for row in rows], "ink start", 13),
            boxes("scale", bars, SIDE, y[bars] + 11, BAR, 10, "muted line"),
            boxes("bars", bars, SIDE, y[bars] + 11, [max(0.5, BAR * min(rows[i][1], 1)) for i in bars], 10,
                  [rows[i][2] for i in bars]),
            texts("key", range(5), SIDE, 366 + 19 * np.arange(5), keys, roles, 12),
        ]  # fmt: skip

    def say(self, raced):
        legal = int(raced.legal.sum())
        if not legal:
            return f"{len(raced.tried)} designs tried {CALLED[raced.strategy]}: not one is legal yet."
        return (
            f"{len(raced.tried)} designs tried, {CALLED[raced.strategy]}: {legal} legal, {len(raced.front)} "
            f"on the front; below it {percent(raced.grown)} of the area that the whole grid reaches; the best value is "
            f"{number(raced.best_value)}, {percent(raced.share)} of the grid's."
        )


def _words(raced, place):
    one = raced.found.design(int(raced.tried[place]))
    return f"{one.arrays:,} × {one.edge}², {one.sram_mb:g} MB, {one.stacks} stacks, {one.clock_hz / 1e9:g} GHz"
