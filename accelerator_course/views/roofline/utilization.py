"""Amdahl's law: what the whole gains where a part of its time gets faster."""

import numpy as np

from accelerator_course.views.charts import ground, signs
from accelerator_course.views.kit import Chart, words
from accelerator_course.views.stage import Stage, paths
from accelerator_lib.units import number, percent


class Amdahl(Stage):
    """Speed-up of the whole over the share that is accelerated and by how much: lines of equal gain.

    >>> view, speedup = Amdahl(), Axis("speedup", "speed-up of that part", np.array([1.0, 8.0, 64.0]), log=True)
    >>> fraction = Axis("fraction", "share of the time", np.array([0.5, 0.75, 1.0]))
    >>> table = np.array([[1, 1.8, 2.0], [1, 2.9, 3.8], [1, 8.0, 64.0]])
    >>> view.show(Across(speedup, fraction, table, 2.9, {"speedup": 8.0, "fraction": 0.75}))
    >>> view.show(Across(speedup, fraction, table, 64.0, {"speedup": 64.0, "fraction": 1.0}))
    """

    LEVELS = (1.5, 2, 3, 4, 6, 8, 16, 32)
    size, noun, over = (760, 424), "setting", ("speedup", "fraction")

    def __init__(self, say=None):
        """`say`: the sentence, a function of (gain, **given)."""
        self.said = say

    def marks(self, across):  # the gain of the whole, results.Across
        x, y = across.x.values, across.y.values
        chart = Chart((68, 700), (372, 30), (x[0] / 1.04, x[-1] * 1.04), (y[0] - 0.01, y[-1] + 0.01), log="x")
        names = "speed-up of that part", "share of the time that gets faster"
        own = [value for value in (1, 2, 4, 8, 16, 32, 64) if x[0] <= value <= x[-1]]
        at = [[across.given[name]] for name in self.over]
        gain = f"the whole is {across.here:.2f}x as fast"
        # Lines of equal gain, darker above each, and what the gain is at their ends
        ways, areas, said, kept = [], [], [], []
        end, floor = float(chart.x(across.x.values[-1])), float(chart.y(across.y.values[0]))
        for level in self.LEVELS:
            points = _equal(across, level)
            if len(points) < 2:
                continue
            x, y = chart.x(points[:, 0]), chart.y(points[:, 1])
            way = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))
            kept.append(f"{level:g}x")
            ways.append(way)
            areas.append(f"{way}{'' if x[-1] > end - 1 else f'L{end:.1f} {floor:.1f}'}L{end:.1f} {y[0]:.1f}Z")
            inside = x[-1] < end - 1  # it ends below, not at the right
            if inside or all(abs(y[-1] - one[1]) > 13 for one in said if one[0] > end):
                said.append((x[-1] + (6 if inside else 14), y[-1] - 12 * inside, kept[-1], "ink start"))
        yield paths("areas", kept, areas, role="other soft faint")
        yield paths(
            "equal", kept, ways, role="muted line", size=1, who="the whole", says=[f"{one} as fast" for one in kept]
        )
        yield words("gains", *said)
        yield from ground(chart, *names, ("", "%"), own, np.arange(0.5, 1.01, 0.1))
        yield signs(chart, "dot", [0], *at, "square", "compute", "here", gain, 1.1)

    def say(self, across):
        """The sentence of the view, or its own."""
        if self.said:
            return self.said(across.here, **across.given)
        speedup, fraction = (across.given[name] for name in self.over)
        return (
            f"{percent(fraction)} of the time made {number(speedup)}x as fast: the whole is {across.here:.2f}x as fast."
        )


def _equal(across, level):
    """[(x, y)] where the gain is `level`, from the top to the right or to the bottom."""
    x, y, table = np.log(across.x.values), across.y.values, across.table
    found = [(np.interp(level, table[-1], x), y[-1])] if table[-1, 0] <= level <= table[-1, -1] else []
    for place, column in enumerate(table.T):
        if column[0] <= level <= column[-1]:
            found.append((x[place], np.interp(level, column, y)))
    if table[0, 0] <= level <= table[0, -1]:
        found.append((np.interp(level, table[0], x), y[0]))
    found = np.array(found).reshape(-1, 2)
    return np.column_stack([np.exp(found[:, 0]), found[:, 1]])
