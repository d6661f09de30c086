"""Softmax as a stream: what is known after each block of scores."""

import numpy as np

from accelerator_lib.units import number
from accelerator_lib.views import style


class SoftmaxStream:
    """Scores come block by block; maximum, sum and result are right after every one of them."""

    def __init__(self, scores, block_edges=()):
        self.figure = style.figure((7.2, 4.2))
        top, self.low = self.figure.subplots(2, 1, height_ratios=[1.5, 1])
        n = len(scores)
        style.dress(top, "", "score", (-0.6, n - 0.4), (min(0, scores.min()) - 1, scores.max() + 1))
        style.plain(top.yaxis)
        top.set_xticks([])
        self.bars = top.bar(range(n), scores, 0.75, color=style.GRID)
        self.line = top.axhline(0, color=style.COMPUTE, linewidth=2, linestyle="--")
        self.text = style.label(top, "", n - 0.5, 0, style.COMPUTE, 10, ha="right", va="bottom", fontweight="bold")
        style.dress(self.low, "component of the result", "", (-0.6, 7.6), (-2, 2))
        style.plain(self.low.yaxis)
        self.now = self.low.bar(np.arange(8) - 0.18, [0] * 8, 0.36, color=style.MEMORY, hatch="///", edgecolor="white")
        self.full = self.low.bar(np.arange(8) + 0.18, [0] * 8, 0.36, color=style.MUTED)
        names, where = ["so far", "with all scores at hand"], "outside lower center"
        self.figure.legend([self.now, self.full], names, loc=where, ncols=2, frameon=False, fontsize=10)
        style.moving(*self.bars, self.line, self.text, *self.now, *self.full)
        self.read = 0

    def show(self, result):
        """`result`: (softmax.State, scores read so far, the result with all scores)."""
        state, read, full = result
        first = read - len(state.scores)
        for i, bar in enumerate(self.bars):
            bar.set_facecolor(style.COMPUTE if first <= i < read else style.MEMORY if i < first else style.GRID)
        self.line.set_ydata([state.maximum] * 2)
        self.text.set(text=f"maximum so far {number(state.maximum)}", y=state.maximum)
        for bars, values in ((self.now, state.output), (self.full, full)):
            for bar, value in zip(bars, values, strict=True):
                bar.set_height(value)
        error = float(np.abs(state.output - full).max())
        scaled = f"everything before was scaled by {state.scale:.3g}" if state.number else "nothing to scale yet"
        return (
            f"Block {state.number + 1}: maximum {number(state.maximum)}, sum {number(state.total)}, {scaled}. "
            f"Distance to the full result: {error:.2g}."
        )
