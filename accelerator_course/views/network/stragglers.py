"""The slowest of many: how one GPU's step times spread, and those of the slowest, in many synchronisations."""

from statistics import NormalDist

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, texts
from accelerator_lib.units import counted, number, percent

LEFT, RIGHT, FLOOR, HIGH = 60, 722, 330, 250
BINS = 24
ENDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


class Slowest(Stage):
    """Stragglers: the step times of one GPU, and the slowest of all, which everyone waits for.

    >>> view = Slowest()
    >>> view.show(network.stragglers.slowest(1024, 0.03))
    >>> view.show(network.stragglers.slowest(1024, 0.03, 16))
    >>> view.show(network.stragglers.slowest(8, 0.011, 16, "fixed"))
    >>> view.show(network.stragglers.slowest(16384, 0.1))
    """

    size, noun = (740, 410), "setting"

    def marks(self, slowest):
        """`slowest`: network.stragglers.Slowest."""
        end = next((end for end in ENDS if slowest.drawn[-1] - 1 <= end), ENDS[-1])
        low, high = 1 - end / 2, 1 + end
        scale = (RIGHT - LEFT) / (high - low)
        counts, edges = np.histogram(slowest.drawn, BINS, (low, high))
        tall = HIGH * counts / counts.max()
        there = np.flatnonzero(counts)
        x = LEFT + scale * (edges - low)
        meet = LEFT + scale * (min(slowest.expected, high) - low)
        return [
            lines(
                "one",
                [0],
                LEFT + scale * (1 - low),
                FLOOR - HIGH - 8,
                LEFT + scale * (1 - low),
                FLOOR,
                "muted dashed",
                1.5,
            ),
            *self._own(slowest, low, high, scale),
            boxes(
                "slowest",
                there,
                x[there] + 1,
                FLOOR - tall[there],
                x[1] - x[0] - 2,
                tall[there],
                "bad tint",
                who="the slowest",
                says=[f"in {counts[i]} of {counts.sum()}: {edges[i]:.3f} to {edges[i + 1]:.3f}" for i in there],
            ),
            lines("expected", [0], meet, FLOOR - HIGH - 22, meet, FLOOR, "ink", 2.5),
            texts(
                "expected-words",
                [0],
                min(max(meet, LEFT + 120), RIGHT - 120),
                FLOOR - HIGH - 34,
                [f"formula: {slowest.expected:.3f}"],
                "ink bold",
                14,
            ),
            *self._axis(low, high, scale),
        ]

    def _own(self, slowest, low, high, scale):
        """The curve of one GPU; a spike where it has no spread."""
        if not slowest.sigma:
            return []
        normal, x = NormalDist(1, slowest.sigma), np.linspace(low, high, 161)
        y = np.array([normal.pdf(each) for each in x]) / normal.pdf(1) * HIGH
        line = "M" + "L".join(f"{LEFT + scale * (a - low):.1f} {FLOOR - b:.1f}" for a, b in zip(x, y, strict=True))
        return [
            paths(
                "own", [0], [line], role="memory line", size=2.5, who="one GPU", says=f"spread {percent(slowest.sigma)}"
            )
        ]

    def _axis(self, low, high, scale):
        ticks = np.linspace(low, high, 7)
        digits = 3 if high - low < 0.1 else 2
        words = [f"{tick:.{digits}f}" if i % 2 == 0 else "" for i, tick in enumerate(ticks)]
        return [
            lines("axis", [0], LEFT, FLOOR, RIGHT, FLOOR, "ink", 1.5),
            texts("ticks", range(7), LEFT + scale * (ticks - low), FLOOR + 15, words, "muted", 12),
            texts("axis-words", [0], RIGHT, FLOOR + 38, ["time of a step; 1: without any spread"], "ink end", 13),
            texts(
                "key",
                range(2),
                LEFT,
                [FLOOR + 38, FLOOR + 60],
                ["— one GPU", "■ the slowest of all, drawn by chance"],
                ("memory bold start", "bad bold start"),
                13,
            ),
        ]

    def say(self, slowest):
        return (
            f"{counted(slowest.gpus, 'GPU')}, each {percent(slowest.sigma)} around 1 from one meeting to the next: "
            f"the slowest takes {number(slowest.mean, 4)} in the mean of {len(slowest.drawn)} draws, "
            f"{number(slowest.expected, 4)} by the formula."
        )
