"""Weights in few bits: rounded input by input, or left out under a mask."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, legend, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent, signed


class Compensation(Stage):
    """GPTQ, input by input: the weights as they drift from where they began; signal to noise of weights and output.

    >>> view, run = Compensation(), list(numerics.gptq_steps(*numerics.gptq.example(0.7)))
    >>> view.show(run[0])
    >>> view.show(run[20])
    >>> view.show(run[-1])
    """

    size, noun = (740, 452), "input"
    LEFT, TOP = 54, 46
    WIDE, HIGH = 10.4, 6.4  # a weight
    CHART = (418, 308), (-10.0, 50.0)  # floor and top, decibels
    LIMITS = (0.5, 1.0, 2.0)  # steps of the grid
    LOOKS = {"muted soft": "up to 0.5", "memory soft": "up to 1", "memory": "up to 2", "other": "more"}

    def marks(self, state):
        """`state`: gptq.Rounded."""
        moved, left, top = np.abs(state.moved).T, self.LEFT, self.TOP
        outputs, inputs = moved.shape
        x, y = np.meshgrid(rows(left, self.WIDE, inputs), rows(top, self.HIGH, outputs))
        right, low, done = left + self.WIDE * inputs, top + self.HIGH * outputs, max(self.WIDE * state.done, 0.1)
        looks = pick(tuple(self.LOOKS), np.digitize(moved, self.LIMITS))
        return [
            words(
                "title",
                (left, 20, "weights: one column an input", "ink bold start", 14),
                (right, 20, f"framed: {state.done} of {inputs} rounded", "compute bold end", 14),
                (left, low + 19, "steps moved:", "muted start", 12),
            ),
            boxes("weights", range(moved.size), x, y, self.WIDE - 0.7, self.HIGH - 0.7, looks),
            boxes("rounded", [0], left - 2, top - 3, done + 2, low - top + 5, "compute line"),
            *legend("legend", left + 170, low + 19, self.LOOKS.items(), size=12, gap=50),
            *self._chart(state, right),
        ]

    def _chart(self, state, right):
        """Both signal-to-noise ratios so far, and where plain rounding ends."""
        (floor, top), (low, high), left = *self.CHART, self.LEFT
        chart = Chart((left, right), (floor, top), (0, len(state.first)), (low, high))
        ticks = np.arange(low, high + 1, 10)
        plain = chart.y(np.clip([state.plain_weight_snr_db, state.plain_output_snr_db], low, high))
        weights, outputs = np.clip(np.array(state.course).reshape(-1, 2), low, high).T
        x, ends = np.arange(1, len(weights) + 1), range(min(1, len(weights)))
        return [
            *chart.axes(y=ticks, y_words=[signed(tick, f"{abs(tick):g}") for tick in ticks]),
            lines("plain", range(2), left, plain, right, plain, ("memory dashed", "compute"), 1.2),
            words(
                "words",
                (left, top - 14, "signal to noise [dB]; thin: all rounded plainly", "ink bold start"),
                (left, floor + 16, "0", "muted", 12),
                (right, floor + 16, f"{len(state.first)} inputs", "muted end", 12),
                (left + 150, floor + 16, "■ output", "compute bold start", 12),
                (left + 330, floor + 16, "● weights (dashed)", "memory bold start", 12),
            ),
            chart.line("weights' course", x, weights, "memory line dashed", 2.5),
            chart.line("output's course", x, outputs, "compute line", 2.5),
            chart.dots("weights' end", ends, x[-1:], weights[-1:], "memory round", 8),
            chart.dots("output's end", ends, x[-1:], outputs[-1:], "compute", 8),
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


class Mask(Stage):
    """2:4 sparsity: sixteen weights in groups of four, those that a mask keeps, what is stored of them.

    >>> view = Mask()
    >>> weights = [0.3, -1.2, 0.8, 0.1, 2.0, -0.4, 0.6, 1.1]
    >>> view.show(numerics.sparsity.pruned(weights, [0, 1, 1, 0, 1, 0, 0, 1]))
    >>> view.show(numerics.sparsity.pruned(weights, [0, 1, 1, 1, 1, 0, 0, 0]))
    >>> view.show(numerics.sparsity.pruned(weights, [1] * 8, 8))
    """

    size, noun, title = (740, 372), "mask", "2:4 sparsity"
    LEFT, CELL, GAP = 24, 40, 12
    ROW, STORED, TIMES = 62, 172, 290  # tops of the weights, of what is stored, of the bars
    BAR, WIDE = 130, 380

    def marks(self, state):
        """`state`: sparsity.Pruned."""
        count, left, cell, tall = len(state.weights), self.LEFT, self.CELL, 44
        x = left + cell * np.arange(count) + self.GAP * (np.arange(count) // 4)
        looks = ["compute tint" if kept else "muted line dashed" for kept in state.mask]
        roles, numbers = (
            ["ink" if kept else "muted" for kept in state.mask],
            [signed(w, f"{abs(w):g}") for w in state.weights],
        )
        keeps = [f"keeps {kept}" for kept in state.groups]
        fits = ["good bold" if kept <= 2 else "bad bold" for kept in state.groups]
        return [
            words("head", (left, 22, "weights; dashed ones are dropped", "ink bold start", 14)),
            boxes("weights", range(count), x, self.ROW, cell - 4, tall, looks, says=numbers),
            texts("values", range(count), x + cell / 2 - 2, self.ROW + tall / 2, numbers, roles),
            texts("groups", range(count // 4), x[::4] + 2 * cell - 2, self.ROW - 14, keeps, fits),
            *self._stored(state, x, numbers),
            *self._bars(state),
        ]

    def _stored(self, state, x, numbers):
        """Two values and their places for each group, where the pattern fits; else all of them."""
        left, y, side = self.LEFT, self.STORED, self.CELL - 4
        if not state.fits:
            head = "stored: everything, zeros too; a group keeps more than two"
            all_of_them = [word if kept else "0" for word, kept in zip(numbers, state.mask, strict=True)]
            return [
                words("stored head", (left, y - 18, head, "bad bold start", 14)),
                boxes("stored", range(len(x)), x, y, side, 36, "muted tint", all_of_them, 13),
            ]
        head = "stored: two values a group, and where they stood (2 bits each)"
        at = (4 * np.arange(len(state.groups))[:, None] + state.places).ravel()
        kept = [numbers[i] if state.mask[i] else "0" for i in at]
        begin = x[4 * (np.arange(len(at)) // 2)] + 2 * self.CELL * (np.arange(len(at)) % 2)
        return [
            words("stored head", (left, y - 18, head, "good bold start", 14)),
            boxes("stored", at, begin, y, side, 36, "compute tint", kept, 13),
            boxes("places", at, begin + side, y + 6, 26, 24, "other tint", [str(i % 4) for i in at], 13),
        ]

    def _bars(self, state):
        y, end = rows(self.TIMES + 13, 40, 2), self.BAR + self.WIDE
        shares = np.array([state.bytes_ratio, state.time_ratio])
        return [
            texts("names", range(2), self.LEFT, y, ["bytes", "matrix unit"], "ink start", 14),
            lines("ends", [0], end, self.TIMES - 6, end, self.TIMES + 72, "muted dashed", 1.5),
            *bars("bars", range(2), self.BAR, y, self.WIDE * shares, 26, ("memory", "compute")),
            words(
                "shares",
                (end, self.TIMES - 16, "dense", "muted"),
                (end + 12, y[0], f"{percent(shares[0])} of the bytes", "ink bold start"),
                (end + 12, y[1], f"{percent(shares[1])} of the time, at best", "ink bold start"),
            ),
        ]

    def say(self, state):
        kept = int(state.mask.sum())
        lost = f"signal to noise {number(state.snr_db)} dB" if np.isfinite(state.snr_db) else "nothing is left"
        if not kept:
            lost = "no signal is left"
        elif kept == len(state.mask):
            lost = "nothing is lost"
        shape = "the pattern fits 2:4" if state.fits else "a group keeps more than two, so nothing is skipped"
        return (
            f"{kept} of {len(state.mask)} weights kept, {lost}; {shape}: {percent(state.bytes_ratio)} of the bytes, "
            f"{number(state.speedup)}x at best."
        )
