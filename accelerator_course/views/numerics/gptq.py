"""Weights rounded input by input: how far each has moved, and what that does to weights and output."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted

LEFT, TOP = 54, 46
CELL_W, CELL_H = 10.4, 6.4
CHART, HIGH, LEAST, MOST = 308, 110, -10.0, 50.0  # top and height of the chart, its range of decibels
LIMITS = (0.5, 1.0, 2.0)  # steps of the grid
LOOKS = ("muted soft", "memory soft", "memory", "other")
LEGEND = ("up to 0.5", "up to 1", "up to 2", "more")


class Compensation(Stage):
    """GPTQ, input by input: the weights as they drift from where they began; signal to noise of weights and output.

    >>> view, run = Compensation(), list(numerics.gptq_steps(*numerics.gptq.example(0.7)))
    >>> view.show(run[0])
    >>> view.show(run[20])
    >>> view.show(run[-1])
    """

    size, noun = (740, 452), "input"

    def marks(self, state):
        """`state`: gptq.Rounded."""
        moved = np.abs(state.moved).T
        outputs, inputs = moved.shape
        index = np.digitize(moved, LIMITS)
        x, y = np.meshgrid(LEFT + CELL_W * np.arange(inputs), TOP + CELL_H * np.arange(outputs))
        right = LEFT + CELL_W * inputs
        now = LEFT + CELL_W * state.done
        low = TOP + CELL_H * outputs
        return [
            texts("title", [0, 1], [LEFT, right], 20,
                  ["weights: one column an input", f"framed: {state.done} of {inputs} rounded"],
                  ["ink bold start", "compute bold end"], 14),
            boxes("weights", range(moved.size), x, y, CELL_W - 0.7, CELL_H - 0.7, pick(LOOKS, index)),
            boxes("rounded", [0], LEFT - 2, TOP - 3, max(now - LEFT, 0.1) + 2, low - TOP + 5, "compute line"),
            *self._legend(low),
            *self._chart(state, right, now),
        ]  # fmt: skip

    @staticmethod
    def _legend(low):
        x = LEFT + np.array([170, 310, 430, 550])
        return [
            boxes("legend", range(4), x, low + 12, 14, 14, LOOKS[:4]),
            texts("limits", range(4), x + 20, low + 19, LEGEND, "muted start", 12),
            texts("moved", [0], LEFT, low + 19, "steps moved:", "muted start", 12),
        ]

    @staticmethod
    def _chart(state, right, now):
        """Both signal-to-noise ratios so far, and where plain rounding ends."""
        at = lambda db: CHART + HIGH * (MOST - np.clip(db, LEAST, MOST)) / (MOST - LEAST)  # noqa: E731
        ticks = np.arange(LEAST, MOST + 1, 10)
        found = state.course
        x = LEFT + CELL_W * np.arange(1, len(found) + 1)
        plain = [(state.plain_weight_snr_db, "weights"), (state.plain_output_snr_db, "output")]
        drawn = [
            lines("grid", range(len(ticks)), LEFT, at(ticks), right, at(ticks), "muted faint", 1),
            texts("ticks", range(len(ticks)), LEFT - 8, at(ticks),
                  [f"{t:g}".replace("-", "−") for t in ticks], "muted end", 12),
            texts("head", [0], LEFT, CHART - 14, "signal to noise [dB]; thin: all rounded plainly",
                  "ink bold start", 13),
            lines("plain", range(2), LEFT, [at(db) for db, _ in plain], right, [at(db) for db, _ in plain],
                  ["memory dashed", "compute"], 1.2),
            texts("inputs", range(2), [LEFT, right], CHART + HIGH + 16, ["0", f"{len(state.first)} inputs"],
                  ["muted", "muted end"], 12),
            texts("curves", range(2), LEFT + np.array([150, 330]), CHART + HIGH + 16,
                  ["■ output", "● weights (dashed)"], ["compute bold start", "memory bold start"], 12),
        ]  # fmt: skip
        if not found:
            return drawn
        weights, outputs = np.array(found).T
        ends = np.array([at(weights[-1]), at(outputs[-1])])
        return [
            *drawn,
            paths("weights' course", [0], _line(x, at(weights)), 0, 0, "memory line dashed", 2.5),
            paths("output's course", [0], _line(x, at(outputs)), 0, 0, "compute line", 2.5),
            boxes("ends", range(2), now - 4, ends - 4, 8, 8, ["memory round", "compute"]),
        ]

    def say(self, state):
        if not state.done:
            return f"Nothing is rounded yet: {counted(len(state.first), 'input')}, {state.first.shape[1]} outputs."
        return (
            f"{counted(state.done, 'input')} rounded: the weights' signal to noise is {_db(state.weight_snr_db)}, "
            f"the output's {_db(state.output_snr_db)}. All rounded plainly: {_db(state.plain_weight_snr_db)} and "
            f"{_db(state.plain_output_snr_db)}."
        )


def _db(ratio):
    return f"{ratio:.1f} dB".replace("-", "−")


def _line(x, y):
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True)) if len(x) > 1 else f"M{x[0]} {y[0]}h1"
