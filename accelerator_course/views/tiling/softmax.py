"""Softmax as a stream: scores arrive block by block; what was summed shrinks whenever the maximum rises."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number

LEFT, WIDE = 50, 680  # of the scores
SCORES, WEIGHTS, SUMS = (34, 154), (194, 264), (312, 446)  # top and bottom of the three rows
RESULT = 424  # left edge of the result


class SoftmaxStream(Stage):
    """Scores, their weights under the running maximum, the sums that are kept, and the result beside the full one.

    >>> scores, values = np.array([1.0, 3.0, -2.0, 5.0, 0.0, 4.0]), np.random.default_rng(0).standard_normal((6, 8))
    >>> states, view = list(tiling.softmax.watch(scores, values, 2)), SoftmaxStream(scores, values)
    >>> view.show(states[0])
    >>> view.show(states[1])
    >>> view.show(states[2])
    >>> view.show(states[-1])
    """

    size, noun = (740, 462), "step"

    def __init__(self, scores, values):
        self.low, self.high = min(0, *scores), max(0, *scores)
        self.largest = abs(values).max()  # no mean of the values is larger

    def marks(self, half):
        """`half`: softmax.Half."""
        return [*self._scores(half), *self._weights(half), *self._kept(half), *self._result(half), *self._titles()]

    def _level(self, score):
        """Where a score stands, in pixels."""
        top, bottom = SCORES
        return top + 6 + (bottom - top - 6) * (self.high - score) / (self.high - self.low)

    def _scores(self, half):
        n, read, zero = len(half.all_scores), half.state.read, self._level(0)
        step, at = WIDE / n, np.arange(n)
        there = at < read
        level = np.where(there, self._level(half.all_scores), zero)
        says = [f"score {s:.3g}, weight {w:.3g}" for s, w in zip(half.all_scores, half.weights, strict=False)]
        maximum, end = self._level(half.state.maximum), LEFT + WIDE
        return [
            lines("zero", range(2), LEFT, [zero, WEIGHTS[1]], end, [zero, WEIGHTS[1]], "muted", 1),
            boxes(
                "scores", at, LEFT + step * at + 1, np.minimum(level, zero), step - 2, abs(level - zero),
                pick(("memory", "compute"), (at >= half.first) & there),
                who=[f"score {i + 1}" for i in at], says=[*says, *["not read yet"] * (n - read)],
            ),
            lines("maximum", [0], LEFT, maximum, end, maximum, "bad dashed", 2),
            texts("maximum-words", [0], end, 18, f"maximum so far: {number(half.state.maximum)}", "bad bold end", 13),
        ]  # fmt: skip

    def _weights(self, half):
        """exp(s - m): of this block, of those before, and outlines of what they are in the end."""
        n, (top, bottom) = len(half.final), WEIGHTS
        step, at = WIDE / n, np.arange(n)
        high = np.zeros(n)
        high[: half.state.read] = half.weights * (bottom - top)
        goal = half.final * (bottom - top)
        return [
            boxes(
                "weights", at, LEFT + step * at + 1, bottom - high, step - 2, high,
                pick(("memory tint", "compute"), at >= half.first), who=[f"score {i + 1}" for i in at],
            ),
            boxes("goals", at, LEFT + step * at + 1, bottom - goal, step - 2, goal, "ink line dashed"),
        ]  # fmt: skip

    def _kept(self, half):
        """The sum and the sums of values, which the stream keeps; they shrink together."""
        names = ["l", *[f"o{i + 1}" for i in range(len(half.sums))]]
        x = LEFT + np.array([0, *(56 + 34 * np.arange(len(half.sums)))])
        numbers = np.array([half.total, *half.sums])
        y, high, middle = _columns(numbers, half.most)
        factor = f"× {half.state.scale:.2g}" if half.state.number and not half.added else ""
        return [
            lines("kept-zero", range(2), x[:2] - 4, middle, [x[0] + 36, x[-1] + 30], middle, "muted", 1),
            boxes(
                "kept", range(len(names)), x, y, [32, *[26] * len(half.sums)], high,
                ["other", *["memory"] * len(half.sums)], who=names, says=[f"{value:.3g} kept" for value in numbers],
            ),
            texts(
                "kept-names", range(2), [x[0] + 16, (x[1] + x[-1] + 26) / 2], SUMS[1] + 8, ["l", "o"],
                ["other bold", "memory bold"], 14,
            ),
            texts("factor", [0], RESULT - 50, SUMS[0] - 12, factor, "bad bold end", 15),
        ]  # fmt: skip

    def _result(self, half):
        at = np.arange(len(half.full))
        x = RESULT + 38 * at
        (y, high, middle), (goal_y, goal, _) = (_columns(each, self.largest) for each in (half.output, half.full))
        pairs = zip(half.output, half.full, strict=True)
        return [
            lines("result-zero", [0], RESULT - 6, middle, RESULT + 38 * len(at), middle, "muted", 1),
            boxes(
                "result", at, x, y, 30, high, "good", who=[f"component {i + 1} of the result" for i in at],
                says=[f"{now:.3g} so far, {then:.3g} with all scores" for now, then in pairs],
            ),
            boxes("targets", at, x, goal_y, 30, goal, "ink line dashed"),
        ]  # fmt: skip

    def _titles(self):
        words = [
            "scores, as they are read",
            "weights exp(score − maximum); dashed: in the end",
            "kept: sum l, output o",
            "result o / l (dashed: full)",
        ]
        levels = [self._level(0), *WEIGHTS]
        return [
            texts("titles", range(4), [LEFT, LEFT, LEFT, RESULT], [18, 180, 298, 298], words, "ink bold start", 13),
            texts("levels", range(3), LEFT - 8, levels, ["0", "1", "0"], "muted end", 12),
        ]

    def say(self, half):
        state = half.state
        block = f"Block {state.number + 1}"
        if half.added:
            return f"{block}, added: the sum is {number(half.total)}. Distance to the full result: {half.distance:.2g}."
        if not state.number:
            return f"{block}, read: the maximum is {number(state.maximum)}; nothing is summed yet."
        if state.maximum > half.before:
            rises = f"the maximum rises from {number(half.before)} to {number(state.maximum)}"
            return f"{block}, read: {rises}, so all that was summed shrinks to {state.scale:.2g} of what it was."
        return f"{block}, read: the maximum stays at {number(state.maximum)}; nothing shrinks."


def _columns(numbers, most):
    """Bars up and down from a middle line: (top of each, height of each, the line)."""
    top, bottom = SUMS
    middle = (top + bottom) / 2
    high = abs(numbers) / most * (bottom - top) / 2
    return np.where(numbers > 0, middle - high, middle), high, middle
