"""Softmax as a stream: what is known after each block of scores."""

import numpy as np

from accelerator_lib.units import number
from accelerator_lib.views import style


class SoftmaxStream:
    """Scores come block by block; maximum, sum and result are right after every one of them.

    >>> scores, values = np.array([1.0, 3.0, -2.0, 5.0, 0.0, 4.0]), np.random.default_rng(0).standard_normal((6, 8))
    >>> full = tiling.softmax.reference(scores, values)
    >>> states = [tiling.softmax.Compared(state, full) for state in tiling.softmax.stream(scores, values, 2)]
    >>> view = SoftmaxStream(scores)
    >>> view.show(states[0])
    >>> view.show(states[1])
    >>> view.show(states[2])
    """

    def __init__(self, scores, components=8):
        self.figure = style.figure((7.2, 4.2))
        top, low = self.figure.subplots(2, 1, height_ratios=[1.5, 1])
        n, places = len(scores), np.arange(components)
        style.dress(top, "", "score", (-0.6, n - 0.4), (min(0, scores.min()) - 1, scores.max() + 1))
        style.plain(top.yaxis)
        top.set_xticks([])
        self.bars = top.bar(range(n), scores, 0.75, color=style.GRID)
        self.line = top.axhline(0, color=style.COMPUTE, linewidth=2, linestyle="--")
        self.text = style.label(top, "", n - 0.5, 0, style.COMPUTE, 10, ha="right", va="bottom", fontweight="bold")
        style.dress(low, "component of the result", "", (-0.6, components - 0.4), (-3, 3))
        style.plain(low.yaxis)
        start = [0] * components
        self.now = low.bar(places - 0.18, start, 0.36, color=style.MEMORY, hatch="///", edgecolor="white")
        self.full = low.bar(places + 0.18, start, 0.36, color=style.MUTED)
        names, where = ["so far", "with all scores at hand"], "outside lower center"
        self.figure.legend([self.now, self.full], names, loc=where, ncols=2, frameon=False, fontsize=10)
        style.moving(*self.bars, self.line, self.text, *self.now, *self.full)

    def show(self, compared):
        """`compared`: softmax.Compared."""
        state = compared.state
        first = state.read - len(state.scores)
        for i, bar in enumerate(self.bars):
            bar.set_facecolor(style.COMPUTE if first <= i < state.read else style.MEMORY if i < first else style.GRID)
        self.line.set_ydata([state.maximum] * 2)
        self.text.set(text=f"maximum so far {number(state.maximum)}", y=state.maximum)
        for bars, values in ((self.now, state.output), (self.full, compared.full)):
            for bar, value in zip(bars, values, strict=True):
                bar.set_height(value)
        scaled = f"everything before was scaled by {state.scale:.3g}" if state.number else "nothing to scale yet"
        return (
            f"Block {state.number + 1}: maximum {number(state.maximum)}, sum {number(state.total)}, {scaled}. "
            f"Distance to the full result: {compared.distance:.2g}."
        )
