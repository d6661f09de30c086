"""A chart of score and cost with a front, published chips and one's own; a triangle of shares."""

import numpy as np

from accelerator_course.views.stage import arrows, boxes, lines, paths, texts
from accelerator_lib.units import number, percent

SHORT = {"A100 80GB SXM4": "A100", "H100 SXM5 80GB": "H100"}


class Chart:
    """Axes in pixels: marks of a front and of dots; what lies outside is drawn at the edge, with its number."""

    def __init__(self, left, top, wide, high, x_range, y_range, x_name, y_name, x_steps=5, y_steps=5):
        self.left, self.top, self.wide, self.high = left, top, wide, high
        self.x_range, self.y_range, self.names, self.steps = x_range, y_range, (x_name, y_name), (x_steps, y_steps)

    def at(self, x, y):
        """Pixels of values, kept inside the frame."""
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        across = np.clip((np.asarray(x, float) - x0) / (x1 - x0), 0, 1)
        up = np.clip((np.asarray(y, float) - y0) / (y1 - y0), 0, 1)
        return self.left + across * self.wide, self.top + (1 - up) * self.high

    def frame(self):
        xs, ys = np.linspace(*self.x_range, self.steps[0] + 1), np.linspace(*self.y_range, self.steps[1] + 1)
        x, y = self.at(xs, 0 * xs)[0], self.at(0 * ys, ys)[1]
        bottom, right = self.top + self.high, self.left + self.wide
        return [
            lines("grid x", range(len(x)), x, self.top, x, bottom, "muted faint", 1),
            lines("grid y", range(len(y)), self.left, y, right, y, "muted faint", 1),
            texts("ticks x", range(len(x)), x, bottom + 13, [f"{tick:g}" for tick in np.round(xs, 6)], "muted", 12),
            texts(
                "ticks y", range(len(y)), self.left - 7, y, [f"{tick:g}" for tick in np.round(ys, 6)], "muted end", 12
            ),
            texts(
                "axes",
                range(2),
                [right, self.left - 30],
                [bottom + 30, self.top - 15],
                self.names,
                ["ink end", "ink start"],
                12,
            ),
        ]

    def front(self, cost, score, name, role="good", key="front", step=9):
        """A front as a staircase: no design of it is beaten by another; some of its designs can be pointed at."""
        if not len(cost):
            return [paths(key, [], "M0 0", role=role), boxes(f"{key} dots", [], 0, 0)]
        x, y = self.at(cost, score)
        stairs = "".join(f"H{a:.1f}V{b:.1f}" for a, b in zip(x[1:], y[1:], strict=True))
        some = np.unique(np.append(np.arange(0, len(cost), step), len(cost) - 1))
        says = [f"score {number(score[i])} at ${cost[i]:.3f} an hour" for i in some]
        return [
            paths(key, [0], f"M{x[0]:.1f} {y[0]:.1f}{stairs}", role=f"{role} line", size=2),
            boxes(f"{key} dots", some, x[some] - 2.5, y[some] - 2.5, 5, 5, f"{role} round", who=name, says=says),
        ]

    def dots(self, chips, cost=lambda dot: dot.usd_per_hour, unit="$ {:.2f} an hour"):
        """Published chips: squares with names."""
        x, y = self.at([cost(dot) for dot in chips], [dot.score for dot in chips])
        names = [SHORT.get(dot.name, dot.name) for dot in chips]
        down = np.array([11 if name == "TPU v4" else 3 for name in names])
        says = [f"score {number(dot.score)}, value {number(dot.value)}, {unit.format(cost(dot))}" for dot in chips]
        return [
            boxes("chips", names, x - 5, y - 5, 10, 10, "ink", who=names, says=says),
            texts("chip names", names, x + 10, y + down, names, "ink start", 12),
        ]

    def mine(self, dot, legal, chips=()):
        """One's own design: large and round where it is legal, a dashed square where it is not; outside, an arrow.

        chips: dots whose names its own word shall not cover.
        """
        x, y = (float(part) for part in self.at(dot.usd_per_hour, dot.score))
        off = dot.usd_per_hour > self.x_range[1] or dot.score > self.y_range[1]
        role = "good round" if legal else "bad tint dashed"
        words = "yours" if not off else f"yours: {number(dot.score)} at ${number(dot.usd_per_hour)}"
        across, up, end = (self.left + self.wide, self.top - 15, "end") if off else self._free(x, y, chips)
        shape = [] if off else [0]
        return [
            boxes(
                "mine",
                shape,
                x - 8,
                y - 8,
                16,
                16,
                role,
                "",
                12,
                "your design",
                f"score {number(dot.score)}, value {number(dot.value)}, ${number(dot.usd_per_hour)} an hour",
            ),
            arrows(
                "mine off",
                [0] if off else [],
                x - (14 if dot.usd_per_hour > self.x_range[1] else 0),
                y + (14 if dot.score > self.y_range[1] else 0),
                x,
                y,
                "bad" if not legal else "good",
                3,
            ),
            texts(
                "mine word", [0], across, up, words, f"{'good' if legal else 'bad'} bold {end}", 13
            ),
        ]  # fmt: skip

    def _free(self, x, y, chips):
        """(x, y, anchor) of a short word beside a dot, off the frame's numbers and, if it can be, off chips' names."""
        taken = [self.at(dot.usd_per_hour, dot.score) for dot in chips]
        beside = [(x + far, y + up, end) for up in (-14, 16, 0) for far, end in ((-12, "end"), (12, "start"))]
        inside = [
            one
            for one in beside
            if self.top < one[1] < self.top + self.high - 6 and (one[2] == "start" or x - 54 > self.left)
        ]
        lefts = {one: one[0] - 42 * (one[2] == "end") for one in inside}
        free = [
            one
            for one, left in lefts.items()
            if not any(left < a + 48 and a - 6 < left + 42 and abs(one[1] - b - 4) < 17 for a, b in taken)
        ]
        return (free or inside)[0]


def triangle(judged, left, right, top):
    """What the die is spent on: arrays, SRAM, memory interfaces; published chips beside one's own."""
    base = top + 158
    corners = np.array([[left, base], [right, base], [(left + right) / 2, top + 4]])  # SRAM, memory, arrays
    dots = [*judged.others, judged.dot]
    weights = np.array([[dot.shares[1], dot.shares[2], dot.shares[0]] for dot in dots])
    at = weights @ corners
    names = [*(SHORT.get(dot.name, dot.name) for dot in judged.others), "yours"]
    says = [f"arrays {percent(a)}, SRAM {percent(s)}, memory {percent(m)}" for s, m, a in weights]
    mine = "good round" if judged.legal else "bad tint dashed"
    size = np.array([8] * len(judged.others) + [14])
    ends = corners[[0, 1, 2, 0]]
    x, y = at[-1]
    high, far = y < top + 40, x > right - 40  # beside the words of the corners above and to the right
    return [
        lines("sides", range(3), ends[:-1, 0], ends[:-1, 1], ends[1:, 0], ends[1:, 1], "muted", 1.5),
        texts(
            "corners",
            range(3),
            [left - 6, right + 6, (left + right) / 2 + 12],
            [base + 15, base + 15, top + 4],
            ["all SRAM", "all memory interfaces", "all arrays"],
            ["ink start", "ink end", "ink start"],
            12,
        ),
        boxes(
            "shares",
            names,
            at[:, 0] - size / 2,
            at[:, 1] - size / 2,
            size,
            size,
            ["ink"] * len(judged.others) + [mine],
            who=names,
            says=says,
        ),
        texts(
            "share word",
            [0],
            x + (-11 if far else 11),
            y + (15 if high else -11),
            "yours",
            ("good" if judged.legal else "bad") + (" bold end" if far else " bold start"),
            13,
        ),
        texts(
            "share head",
            range(2),
            left - 6,
            [top + 8, top + 26],
            ["the die", "■ published"],
            ["ink bold start", "muted start"],
            12,
        ),
    ]
