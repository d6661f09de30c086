"""Pictures of attention: traffic with and without scores in memory, prediction beside measurement."""

import numpy as np

from accelerator_lib import tiling
from accelerator_lib.units import number, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class AttentionTraffic(Curves):
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


class AttentionTimes(Curves):
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
