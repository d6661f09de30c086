"""A row of weights under a mask: what stays, how it is stored, and whether the matrix unit can skip the rest."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, percent

LEFT, CELL, GAP = 24, 40, 12
ROW, STORED, TIMES = 62, 172, 290  # tops of the weights, of what is stored, of the bars
BAR, WIDE = 130, 380


class Mask(Stage):
    """2:4 sparsity: sixteen weights in groups of four, those that a mask keeps, what is stored of them.

    >>> view = Mask()
    >>> weights = [0.3, -1.2, 0.8, 0.1, 2.0, -0.4, 0.6, 1.1]
    >>> view.show(numerics.sparsity.pruned(weights, [0, 1, 1, 0, 1, 0, 0, 1]))
    >>> view.show(numerics.sparsity.pruned(weights, [0, 1, 1, 1, 1, 0, 0, 0]))
    >>> view.show(numerics.sparsity.pruned(weights, [1] * 8, 8))
    """

    size, noun, title = (740, 372), "mask", "2:4 sparsity"

    def marks(self, state):
        """`state`: sparsity.Pruned."""
        count = len(state.weights)
        groups = np.arange(count) // 4
        x = LEFT + CELL * np.arange(count) + GAP * groups
        tall = 44
        looks = ["compute tint" if kept else "muted line dashed" for kept in state.mask]
        roles = ["ink", "muted"]
        words = [_signed(w) for w in state.weights]
        middles = LEFT + CELL * 2 + (4 * CELL + GAP) * np.arange(count // 4) - 2
        told = [f"keeps {kept}" for kept in state.groups]
        fits = ["good bold" if kept <= 2 else "bad bold" for kept in state.groups]
        return [
            texts("head", [0], LEFT, 22, "weights; dashed ones are dropped", "ink bold start", 14),
            boxes("weights", range(count), x, ROW, CELL - 4, tall, looks, says=words),
            texts("values", range(count), x + CELL / 2 - 2, ROW + tall / 2,
                  words, [roles[0] if kept else roles[1] for kept in state.mask], 13),
            texts("groups", range(len(middles)), middles, ROW - 14, told, fits, 13),
            *self._stored(state, x),
            *self._bars(state),
        ]  # fmt: skip

    @staticmethod
    def _stored(state, x):
        """Two values and their places for each group, where the pattern fits; else all of them."""
        head = "stored: two values a group, and where they stood (2 bits each)"
        if not state.fits:
            head = "stored: everything, zeros too; a group keeps more than two"
            words = [_signed(w) if kept else "0" for w, kept in zip(state.weights, state.mask, strict=True)]
            return [
                texts("stored head", [0], LEFT, STORED - 18, head, "bad bold start", 14),
                boxes("stored", range(len(x)), x, STORED, CELL - 4, 36, "muted tint", words, 13),
            ]
        at = (4 * np.arange(len(state.groups))[:, None] + state.places).ravel()
        kept = [_signed(state.weights[i]) if state.mask[i] else "0" for i in at]
        begin = x[4 * (np.arange(len(at)) // 2)] + (CELL * 2) * (np.arange(len(at)) % 2)
        return [
            texts("stored head", [0], LEFT, STORED - 18, head, "good bold start", 14),
            boxes("stored", at, begin, STORED, CELL - 4, 36, "compute tint", kept, 13),
            boxes("places", at, begin + CELL - 4, STORED + 6, 26, 24, "other tint", [str(i % 4) for i in at], 13),
        ]

    @staticmethod
    def _bars(state):
        values = [state.bytes_ratio, 1 / state.speedup]
        words = [f"{percent(values[0])} of the bytes", f"{percent(values[1])} of the time, at best"]
        y = TIMES + 40 * np.arange(2)
        return [
            texts("names", range(2), LEFT, y + 13, ["bytes", "matrix unit"], "ink start", 14),
            lines("ends", [0], BAR + WIDE, TIMES - 6, BAR + WIDE, TIMES + 72, "muted dashed", 1.5),
            texts("dense", [0], BAR + WIDE, TIMES - 16, "dense", "muted", 13),
            boxes("bars", range(2), BAR, y, [WIDE * value for value in values], 26, ["memory", "compute"]),
            texts("shares", range(2), BAR + WIDE + 12, y + 13, words, "ink bold start", 13),
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


def _signed(weight):
    return f"{weight:g}".replace("-", "−")
