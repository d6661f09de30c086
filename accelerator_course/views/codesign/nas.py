"""A front of networks that grows: accuracy over time or work."""

from math import log

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, texts

LEFT, RIGHT, TOP, FLOOR = 62, 700, 52, 372
BOTTOM, ROOF = 50.0, 79.0  # accuracy [%]
TIMES, WORK = (4.0, 240.0), (2.5e7, 8e8)
TICKS = {True: (5, 10, 20, 50, 100, 200), False: (3e7, 1e8, 3e8, 6e8)}
KEY = "A MnasNet-A1 · 2 MobileNetV2 · 3 MobileNetV3 · green: front · frame: best reward · dashed ring: newest"
LETTERS = {"MnasNet-A1": "A", "MobileNetV2": "2", "MobileNetV3": "3"}


class Front(Stage):
    """A front that grows: networks arrive one by one; green is what none of the others beats.

    >>> view, states = Front(), list(codesign.nas.arrive())
    >>> view.show(states[0])
    >>> view.show(states[-1])
    >>> view.show(list(codesign.nas.arrive("multiply-adds", 20, 0, -1))[-1])
    >>> view.show(list(codesign.nas.arrive("ms on Pixel 3", 5, -0.5, -2))[-1])
    """

    size, noun = (730, 470), "network"

    def marks(self, state):
        """`state`: codesign.nas.Search."""
        n = range(len(state.arrived))
        x = [self._x(cost, state) for cost in state.costs]
        y = [_y(one.accuracy) for one in state.arrived]
        roles = [
            ("good tint" if i in state.front else "muted soft") + ("" if one.family == "MobileNetV2" else " round")
            for i, one in enumerate(state.arrived)
        ]
        says = [
            f"{one.accuracy:g} %, {one.macs / 1e6:,.0f} million multiply-adds, {ms:g} ms, reward {reward:.4g}"
            for one, ms, reward in zip(state.arrived, state.seconds, state.rewards, strict=True)
        ]
        last, best = len(n) - 1, state.tied
        return [
            *self._axes(state),
            *self._target(state),
            paths("stairs", ["stairs"], _stairs([(x[i], y[i]) for i in state.front]), role="good line", size=2),
            boxes(
                "networks",
                n,
                np.array(x) - 9,
                np.array(y) - 9,
                18,
                18,
                roles,
                [LETTERS[one.family] for one in state.arrived],
                12,
                who=[one.name for one in state.arrived],
                says=says,
            ),
            boxes("newest", ["newest"], x[last] - 13, y[last] - 13, 26, 26, "ink line dashed round"),
            boxes("best", best, [x[i] - 12 for i in best], [y[i] - 12 for i in best], 24, 24, "compute line"),
            texts("head", ["head"], LEFT, 16, self._head(state), "ink bold start", 14),
            texts("winner", ["winner"], LEFT, 36, self._winner(state), "compute bold start", 13),
            texts("key", ["key"], LEFT, 458, KEY, "muted start", 12),
        ]

    def _x(self, cost, state):
        low, high = TIMES if state.over_time else WORK
        return LEFT + (RIGHT - LEFT) * log(cost / low) / log(high / low)

    def _axes(self, state):
        ticks = TICKS[state.over_time]
        at = [self._x(tick, state) for tick in ticks]
        words = [f"{tick:g}" if state.over_time else f"{tick / 1e6:,.0f}" for tick in ticks]
        name = state.across.replace("ms on", "ms for one image on the") if state.over_time else "million multiply-adds"
        heights = (50, 55, 60, 65, 70, 75)
        return [
            lines("across", range(len(ticks)), at, TOP, at, FLOOR, "muted faint", 1),
            lines(
                "up",
                range(len(heights)),
                LEFT,
                [_y(h) for h in heights],
                RIGHT,
                [_y(h) for h in heights],
                "muted faint",
                1,
            ),
            texts("x ticks", range(len(ticks)), at, FLOOR + 16, words, "muted", 13),
            texts(
                "y ticks",
                range(len(heights)),
                LEFT - 8,
                [_y(h) for h in heights],
                [f"{h} %" for h in heights],
                "muted end",
                13,
            ),
            texts("x name", ["name"], (LEFT + RIGHT) / 2, FLOOR + 38, name, "ink", 13),
        ]

    def _target(self, state):
        """The target, and all that is as good as the best; both only where the axis is time."""
        if not state.over_time:
            return [
                lines("target", [], [], [], [], []),
                paths("level", [], []),
                texts(
                    "target words",
                    ["target"],
                    LEFT,
                    FLOOR + 62,
                    f"the target, {state.target:g} ms, is no place on this axis",
                    "compute start",
                    13,
                ),
            ]
        ms = np.unique(np.append(np.geomspace(*TIMES, 60), (state.target, state.target * 1.0001)))
        levels = [state.level(one) for one in ms]
        seen = [(self._x(t, state), _y(a)) for t, a in zip(ms, levels, strict=True) if BOTTOM <= a <= ROOF]
        at = self._x(state.target, state)
        return [
            lines("target", ["target"], at, TOP, at, FLOOR, "compute dashed", 2),
            paths(
                "level",
                ["level"] if len(seen) > 1 else [],
                [_polyline(seen)] if len(seen) > 1 else [],
                role="compute line dashed",
                size=2,
            ),
            texts(
                "target words",
                ["target"],
                LEFT,
                FLOOR + 62,
                f"upright dashes: the target, {state.target:g} ms · dashed curve: as good as the best, by the reward",
                "compute start",
                13,
            ),
        ]

    @staticmethod
    def _head(state):
        last = state.arrived[-1]
        pushed = f", and pushes {len(state.pushed)} off it" if state.pushed else ""
        return f"{len(state.arrived)} of {state.total}: {last.name} {state.news}{pushed}"

    @staticmethod
    def _winner(state):
        best = state.arrived[state.best]
        tie = f", level with {len(state.tied) - 1} more" if len(state.tied) > 1 else ""
        ms = state.seconds[state.best]
        return f"best reward {state.rewards[state.best]:.4g}: {best.name}, {best.accuracy:g} %, {ms:g} ms{tie}"

    def say(self, state):
        """What came, how large the front is, who is best."""
        beside = f", {len(state.tied) - 1} more as good" if len(state.tied) > 1 else ""
        best = state.arrived[state.best]
        return (
            f"{self._head(state)}. The front has {len(state.front)}. Target {state.target:g} ms, α {_signed(state.w)}, "
            f"β {_signed(state.beta)}: best is {best.name}, {best.accuracy:g} % in "
            f"{state.seconds[state.best]:g} ms{beside}."
        )


def _signed(value):
    return f"{value:g}".replace("-", "−")


def _y(accuracy):
    return FLOOR - (FLOOR - TOP) * (accuracy - BOTTOM) / (ROOF - BOTTOM)


def _stairs(points):
    """A line that goes right, then up, from one of the front to the next."""
    words = f"M{points[0][0]:.1f} {FLOOR}V{points[0][1]:.1f}"
    for x, y in points[1:]:
        words += f"H{x:.1f}V{y:.1f}"
    return words + f"H{RIGHT}"


def _polyline(points):
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
