"""Pictures of attention: traffic with and without scores in memory, prediction and measurement, softmax as a stream."""

import numpy as np

from accelerator_lib import tiling
from accelerator_lib.units import counted, number, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Lines


class AttentionTraffic(Lines):
    """Bytes over the tokens: standard, flash that reads K and V anew for every block of rows, flash with a cache."""

    def __init__(self, tokens=(128, 131_072)):
        names = ["standard", "flash", "flash, K and V cached"]
        super().__init__(names, "tokens", "traffic [B]", tokens, (1e4, 1e16), log="xy")
        self.tokens = np.unique(np.geomspace(*tokens, 80).round().astype(int))

    def show(self, result):
        """`result`: (tokens, settings of tiling.attention_bytes, kv_cached)."""
        tokens, settings, cached = result

        def all_three(n):
            flash = [tiling.attention_bytes(n, algorithm="flash", kv_cached=c, **settings) for c in (False, True)]
            plain = {key: value for key, value in settings.items() if key != "block_rows"}
            return [tiling.attention_bytes(n, **plain), *flash]

        curves = np.array([all_three(int(n)) for n in self.tokens], dtype=float).T
        here = all_three(int(tokens))
        own = here[2] if cached else here[1]
        self.draw(self.tokens, curves, tokens, [here[0], None if cached else own, own if cached else None])
        ratio = here[0] / own
        verdict = f"{number(ratio)} times less" if ratio >= 1 else f"{number(1 / ratio)} times more"
        return f"{tokens:,} tokens: standard attention moves {si(here[0], 'B')}, flash {si(own, 'B')}, {verdict}."


class AttentionTimes(Lines):
    """Predicted time as a line, published times as dots: standard and flash attention, forward."""

    def __init__(self, tokens=(128, 65_536)):
        super().__init__(["standard, model", "flash, model"], "tokens", "time [s]", tokens, (1e-6, 10), log="xy")
        self.points = [
            self.ax.plot(
                [], [], marker, color=color, markersize=9, markerfacecolor="none", markeredgewidth=2, label=label
            )[0]
            for (color, _, marker), label in zip(
                ((style.COMPUTE, "", "s"), (style.MEMORY, "", "o")),
                ("standard, measured", "flash, measured"),
                strict=True,
            )
        ]
        style.moving(*self.points)
        self.ax.legend(frameon=False, fontsize=10, loc="upper left")

    def show(self, result):
        """`result`: (tokens of the curve, {name: seconds}, {name: [(tokens, seconds)]}, share of the peak)."""
        tokens, model, measured, share = result
        self.draw(tokens, list(model.values()), tokens[0], [None, None])
        worst = 1.0
        for points, (name, rows) in zip(self.points, measured.items(), strict=True):
            points.set_data(*zip(*rows, strict=True))
            predicted = np.interp(np.log([n for n, _ in rows]), np.log(tokens), np.log(model[name]))
            worst = max(
                worst, *(max(t / p, p / t) for (n, t), p in zip(rows, np.exp(predicted), strict=True) if n >= 1024)
            )
        return (
            f"If a kernel reaches {share:.0%} of the peak, prediction and measurement differ by a factor of at most "
            f"{number(worst)} from 1,024 tokens on."
        )


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


class FusedKernels:
    """What the compiler made of a function: a box for every kernel, its operations inside; bytes before and after."""

    MOST, LINES = 6, 9

    def __init__(self):
        self.figure = style.figure((7.2, 3.8))
        top, low = self.figure.subplots(2, 1, height_ratios=[2.6, 1])
        top.set(xlim=(0, self.MOST), ylim=(0, 1))
        top.axis("off")
        box = {"boxstyle": "round,pad=0.4", "facecolor": "#eef5fb", "edgecolor": style.MEMORY, "linewidth": 1.5}
        self.boxes = [
            top.text(i + 0.08, 0.97, "", fontsize=9.5, va="top", color=style.INK, bbox=dict(box))
            for i in range(self.MOST)
        ]
        style.dress(low, "bytes", "", (1e5, 1e11), (-0.6, 1.6), log="x")
        low.set_yticks([1, 0], ["each step alone", "compiled"])
        low.grid(axis="y", visible=False)
        self.bars = low.barh([1, 0], [1, 1], 0.62, left=1e5, color=[style.MUTED, style.MEMORY])
        self.texts = [style.label(low, y=y, va="center", fontweight="bold") for y in (1, 0)]
        style.moving(*self.boxes, *self.bars, *self.texts)

    def show(self, report):
        for i, box in enumerate(self.boxes):
            kernel = report.kernels[i] if i < len(report.kernels) else None
            box.set_visible(kernel is not None)
            if kernel:
                names = list(kernel.operations)
                shown = (
                    names
                    if len(names) <= self.LINES
                    else [*names[: self.LINES - 1], f"+ {len(names) - self.LINES + 1} more"]
                )
                box.set_text("\n".join(shown))
        for bar, text, value in zip(self.bars, self.texts, (report.bytes_before, report.bytes_after), strict=True):
            bar.set_width(max(value - 1e5, 1))
            text.set(text=si(value, "B"), x=max(value, 1e5) * 1.1)
        count = len(report.kernels)
        steps = sum(len(kernel.operations) for kernel in report.kernels)
        return (
            f"{steps} operations in {counted(count, 'kernel')}: {si(report.bytes_before, 'B')} if each stood "
            f"alone, {si(report.bytes_after, 'B')} as compiled, {number(report.saved)} times less."
        )
